// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes launches of kernels as IREE's extern dispatches.
//
// IREE's dialect is not linked: its ops are written as unregistered ones in their generic form, the only one
// that takes the size of a workgroup and its memory.

#include "UnlinkedOps.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREECONVERTLAUNCHESPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

static constexpr llvm::StringLiteral halDialect = "hal";

/// `#hal.TEXT`, which only IREE reads.
static Attribute halAttr(MLIRContext *context, StringRef text) {
  return OpaqueAttr::get(StringAttr::get(context, halDialect), text, NoneType::get(context));
}

/// The tensor without how it is stored: IREE knows a shape and an element type, and launches of kernels no
/// packed elements: two of 4 bits are a byte.
static Type withoutEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isa_and_nonnull<qtile::StoredAttr>(tensor.getEncoding()))
    return type;
  unsigned packed = 8 / std::min(8u, tensor.getElementTypeBitWidth());
  if (packed == 1)
    return tensor.dropEncoding();
  SmallVector<int64_t> shape(tensor.getShape());
  shape.back() /= packed;
  return RankedTensorType::get(shape, IntegerType::get(type.getContext(), 8));
}

namespace {
/// One launch as it becomes a dispatch.
class Dispatch {
public:
  Dispatch(qtile::LaunchOp launch, qtile::KernelOp kernel, StringRef objectEnding)
      : launch(launch), kernel(kernel), objectEnding(objectEnding), builder(launch) {}
  void write();

private:
  Attribute layout();
  DictionaryAttr properties(size_t workload, size_t arguments, size_t argumentDims, size_t resultDims);
  SmallVector<Value> dynamicSizes(ValueRange tensors);
  SmallVector<Value> workload();
  void writeCount(Region &region);

  qtile::LaunchOp launch;
  qtile::KernelOp kernel;
  StringRef objectEnding;
  OpBuilder builder;
};
} // namespace

/// What IREE binds, in the order of the kernel's arguments: pointers, then i32 constants.
Attribute Dispatch::layout() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "pipeline.layout<constants = " << launch.getSizes().size() << ", bindings = [";
  auto bind = [&](bool isRead) {
    os << "#hal.pipeline.binding<storage_buffer" << (isRead ? ", ReadOnly" : "") << ">";
  };
  ArrayRef<int64_t> tied = launch.getTied();
  auto inputs = llvm::seq<int64_t>(0, launch.getInputs().size());
  llvm::interleave(inputs, os, [&](int64_t input) { bind(!llvm::is_contained(tied, input)); }, ", ");
  for (int64_t operand : tied)
    if (operand == -1) {
      os << ", ";
      bind(/*isRead=*/false);
    }
  os << "]>";
  return halAttr(builder.getContext(), text);
}

DictionaryAttr Dispatch::properties(size_t workload, size_t arguments, size_t argumentDims,
                                    size_t resultDims) {
  MLIRContext *context = builder.getContext();
  auto sizes = [&](ArrayRef<int64_t> numbers) { return builder.getIndexArrayAttr(numbers); };
  NamedAttrList list;
  list.set("export_name", kernel.getSymNameAttr());
  list.set("layout", layout());
  list.set(
      "operandSegmentSizes",
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(workload), static_cast<int32_t>(arguments),
                                    static_cast<int32_t>(argumentDims), static_cast<int32_t>(resultDims)}));
  std::string object = ("executable.object<{path = \"" + kernel.getSymName() + objectEnding + "\"}>").str();
  list.set("target_objects", builder.getArrayAttr(builder.getArrayAttr(halAttr(context, object))));
  list.set("target_ordinals", sizes({0}));
  list.set("targets",
           builder.getArrayAttr(halAttr(context, "executable.target<\"cuda\", \"cuda-nvptx-fb\">")));
  list.set("tied_operands", sizes(launch.getTied()));
  list.set("workgroup_local_memory", builder.getIndexAttr(kernel.getShared().value_or(0)));
  list.set("workgroup_size", sizes({kernel.countThreads(), 1, 1}));
  return list.getDictionary(context);
}

SmallVector<Value> Dispatch::dynamicSizes(ValueRange tensors) {
  SmallVector<Value> sizes;
  for (Value tensor : tensors) {
    auto type = cast<RankedTensorType>(tensor.getType());
    for (int64_t dimension : llvm::seq(type.getRank()))
      if (type.isDynamicDim(dimension))
        sizes.push_back(tensor::DimOp::create(builder, launch.getLoc(), tensor, dimension));
  }
  return sizes;
}

/// What the number of blocks is a function of.
SmallVector<Value> Dispatch::workload() {
  SmallVector<Value> indices;
  for (Value size : launch.getSizes())
    indices.push_back(arith::IndexCastOp::create(builder, launch.getLoc(), builder.getIndexType(), size));
  return indices;
}

/// Blocks of a kernel of roles are persistent: one for each processor. Others have their own grid.
void Dispatch::writeCount(Region &region) {
  Location loc = launch.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Type index = builder.getIndexType();
  Type device = OpaqueType::get(builder.getStringAttr(halDialect), "device");
  SmallVector<Type> types = {device};
  types.append(launch.getSizes().size(), index);
  Block *block = builder.createBlock(&region, region.end(), types, SmallVector<Location>(types.size(), loc));
  Value blocks;
  if (std::optional<AffineMap> grid = kernel.getGrid()) {
    ValueRange sizes = block->getArguments().drop_front();
    blocks = affine::expandAffineExpr(builder, loc, grid->getResult(0), /*dimValues=*/{}, sizes);
  } else {
    blocks = arith::ConstantIndexOp::create(builder, loc, kernel.getTargetOp().getLimits().getProcessors());
  }
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  OperationState end(loc, "hal.return");
  end.addOperands({blocks, one, one});
  builder.create(end);
}

void Dispatch::write() {
  SmallVector<Value> work = workload(), arguments = llvm::to_vector(launch.getInputs());
  SmallVector<Value> argumentDims = dynamicSizes(launch.getInputs());
  // A tied result has the sizes of its operand.
  SmallVector<Value> resultDims;
  auto shape = launch.getShapes().begin();
  for (auto [result, operand] : llvm::zip(launch.getResults(), launch.getTied())) {
    if (operand != -1) {
      llvm::append_range(resultDims, dynamicSizes(launch.getInputs()[operand]));
      continue;
    }
    for (int64_t i = 0, e = cast<RankedTensorType>(result.getType()).getNumDynamicDims(); i < e; ++i)
      resultDims.push_back(*shape++);
  }
  llvm::append_range(arguments, launch.getSizes());
  OperationState state(launch.getLoc(), "hal.dispatch.extern");
  for (ArrayRef<Value> part :
       {ArrayRef(work), ArrayRef(arguments), ArrayRef(argumentDims), ArrayRef(resultDims)})
    state.addOperands(part);
  state.addTypes(llvm::map_to_vector(launch.getResultTypes(), withoutEncoding));
  state.propertiesAttr = properties(work.size(), arguments.size(), argumentDims.size(), resultDims.size());
  state.addRegion();
  state.addRegion();
  Operation *dispatch = builder.create(state);
  writeCount(dispatch->getRegion(0));
  launch.replaceAllUsesWith(dispatch->getResults());
  launch.erase();
}

/// Loops, branches and functions carry stored tensors too.
static void dropEncodings(ModuleOp module) {
  module.walk([](Block *block) {
    for (BlockArgument argument : block->getArguments())
      argument.setType(withoutEncoding(argument.getType()));
    for (Operation &op : *block)
      for (OpResult result : op.getResults())
        result.setType(withoutEncoding(result.getType()));
  });
  for (auto function : module.getOps<func::FuncOp>()) {
    auto convert = [](TypeRange types) { return llvm::map_to_vector(types, withoutEncoding); };
    function.setFunctionType(FunctionType::get(function.getContext(), convert(function.getArgumentTypes()),
                                               convert(function.getResultTypes())));
  }
}

namespace {
struct ConvertLaunches : fp8opt::impl::IREEConvertLaunchesPassBase<ConvertLaunches> {
  using IREEConvertLaunchesPassBase::IREEConvertLaunchesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(iree::verifyTakesIREEOps(module)))
      return signalPassFailure();
    SmallVector<qtile::LaunchOp> launches;
    module.walk([&](qtile::LaunchOp launch) { launches.push_back(launch); });
    for (qtile::LaunchOp launch : launches) {
      qtile::KernelOp kernel = launch.getKernelOp();
      if (kernel.countThreads() == 0) {
        launch.emitOpError()
            << "expected a kernel whose threads are written, got " << launch.getKernelAttr()
            << " that says what it computes; run qtile-expand-gemm and qtile-expand-quantize";
        return signalPassFailure();
      }
      Dispatch(launch, kernel, objectEnding).write();
      ++numLaunches;
    }
    dropEncodings(module);
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<qtile::KernelOp, qtile::TargetOp>(op))
        op.erase();
  }
};
} // namespace
