// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connects the lowered program with the tool that runs it.

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace fp8opt::run;

std::string fp8opt::run::packedName(StringRef name) { return ("fp8_packed_" + name).str(); }

/// LLVM would use the processor's own conversions and moves for small floats; to it they are integers.
static void replaceSmallFloats(ModuleOp module) {
  auto isSmall = [](Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 16; };
  auto bitsOf = [](Type type) -> Type {
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](FloatType type) -> std::optional<Type> {
    return isSmall(type) ? std::optional<Type>(bitsOf(type)) : std::nullopt;
  });
  replacer.addReplacement([=](FloatAttr value) -> std::optional<Attribute> {
    if (!isSmall(value.getType()))
      return std::nullopt;
    return IntegerAttr::get(bitsOf(value.getType()), value.getValue().bitcastToAPInt());
  });
  replacer.addReplacement([=](DenseElementsAttr values) -> std::optional<std::pair<Attribute, WalkResult>> {
    if (!isSmall(values.getElementType()))
      return std::pair<Attribute, WalkResult>(values, WalkResult::skip());
    return std::pair<Attribute, WalkResult>(values.bitcast(bitsOf(values.getElementType())),
                                            WalkResult::skip());
  });
  replacer.addReplacement(
      [=](DenseResourceElementsAttr values) -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!isSmall(values.getElementType()))
          return std::pair<Attribute, WalkResult>(values, WalkResult::skip());
        auto type = cast<ShapedType>(values.getType().clone(bitsOf(values.getType().getElementType())));
        return std::pair<Attribute, WalkResult>(DenseResourceElementsAttr::get(type, values.getRawHandle()),
                                                WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

namespace {
class Binder {
public:
  Binder(ModuleOp module, const LoweringState &state)
      : module(module), state(state), builder(module.getContext()), loc(module.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())), word(builder.getI64Type()),
        none(LLVM::LLVMVoidType::get(module.getContext())) {}

  void bind();

private:
  void passRuntime(LLVM::LLVMFuncOp function);
  void markIndependent(LLVM::LLVMFuncOp kernel);
  void shareAmongThreads(LLVM::LLVMFuncOp kernel, int64_t work);
  LLVM::LLVMFuncOp createTask(LLVM::LLVMFuncOp kernel, LLVM::LLVMStructType packed);
  void packEntry(const Entry &entry);

  Value runtime() { return LLVM::AddressOfOp::create(builder, loc, pointer, symbol::kRuntime); }
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  Value element(Value base, Type type, ArrayRef<LLVM::GEPArg> indices) {
    return LLVM::GEPOp::create(builder, loc, pointer, type, base, indices);
  }

  ModuleOp module;
  const LoweringState &state;
  OpBuilder builder;
  Location loc;
  Type pointer, word, none;
  LLVM::LLVMFuncOp parallel;
};
} // namespace

void Binder::bind() {
  builder.setInsertionPointToStart(module.getBody());
  LLVM::GlobalOp::create(builder, loc, builder.getI8Type(), /*isConstant=*/false, LLVM::Linkage::External,
                         symbol::kRuntime, Attribute());
  for (StringRef name : {symbol::kAlloc, symbol::kFree, symbol::kCopy, symbol::kContract, symbol::kFail,
                         symbol::kRecordQuantizer})
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      passRuntime(function);
  builder.setInsertionPointToStart(module.getBody());
  parallel = LLVM::LLVMFuncOp::create(
      builder, loc, symbol::kParallel,
      LLVM::LLVMFunctionType::get(none, {pointer, pointer, pointer, word, word, word}));
  for (auto &[name, kernel] : state.kernels) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (kernel.parallelInnermost)
      markIndependent(function);
    if (kernel.hasRange)
      shareAmongThreads(function, kernel.work);
  }
  for (const Entry &entry : state.entries)
    packEntry(entry);
}

/// Makes the running program the first argument of a function of the tool.
void Binder::passRuntime(LLVM::LLVMFuncOp function) {
  SmallVector<Type> types = {pointer};
  llvm::append_range(types, function.getFunctionType().getParams());
  auto type = LLVM::LLVMFunctionType::get(function.getFunctionType().getReturnType(), types);
  function.setFunctionType(type);
  function.removeArgAttrsAttr();
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() != function.getName())
      return;
    builder.setInsertionPoint(call);
    SmallVector<Value> operands = {runtime()};
    llvm::append_range(operands, call.getArgOperands());
    auto bound = LLVM::CallOp::create(builder, loc, function, operands);
    call->replaceAllUsesWith(bound);
    call.erase();
  });
}

/// Tells LLVM that iterations of the innermost loop do not touch each other's elements, so that it vectorises
/// without knowing what the operands alias.
void Binder::markIndependent(LLVM::LLVMFuncOp kernel) {
  MLIRContext *context = module.getContext();
  auto group = LLVM::AccessGroupAttr::get(context, DistinctAttr::create(builder.getUnitAttr()));
  auto groups = builder.getArrayAttr({group});
  kernel.walk([&](LLVM::LoadOp load) { load.setAccessGroupsAttr(groups); });
  kernel.walk([&](LLVM::StoreOp store) { store.setAccessGroupsAttr(groups); });
  llvm::SmallPtrSet<Block *, 16> seen;
  for (Block &block : kernel.getBody()) {
    seen.insert(&block);
    auto branch = dyn_cast<LLVM::BrOp>(block.getTerminator());
    // Blocks stand in the order of the nest: the first branch back closes the innermost loop.
    if (!branch || !seen.contains(branch.getDest()))
      continue;
    LLVM::AccessGroupAttr members[] = {group};
    branch.setLoopAnnotationAttr(LLVM::LoopAnnotationAttr::get(
        context, /*disableNonforced=*/{}, /*vectorize=*/{}, /*interleave=*/{}, /*unroll=*/{},
        /*unrollAndJam=*/{},
        /*licm=*/{}, /*distribute=*/{}, /*pipeline=*/{}, /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{},
        /*isVectorized=*/{}, /*startLoc=*/{}, /*endLoc=*/{}, members));
    return;
  }
}

/// void task(packed *arguments, begin, end): one piece of the outermost loop of `kernel`.
LLVM::LLVMFuncOp Binder::createTask(LLVM::LLVMFuncOp kernel, LLVM::LLVMStructType packed) {
  builder.setInsertionPointAfter(kernel);
  auto task = LLVM::LLVMFuncOp::create(builder, loc, (kernel.getName() + "_task").str(),
                                       LLVM::LLVMFunctionType::get(none, {pointer, word, word}),
                                       LLVM::Linkage::Internal);
  Block *body = task.addEntryBlock(builder);
  builder.setInsertionPointToStart(body);
  SmallVector<Value> operands = {body->getArgument(1), body->getArgument(2)};
  for (auto [index, type] : llvm::enumerate(packed.getBody())) {
    Value address = element(body->getArgument(0), packed, {0, int32_t(index)});
    operands.push_back(LLVM::LoadOp::create(builder, loc, type, address));
  }
  LLVM::CallOp::create(builder, loc, kernel, operands);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return task;
}

/// Puts in the place of `kernel` a function that hands the loop to the thread pool.
void Binder::shareAmongThreads(LLVM::LLVMFuncOp kernel, int64_t work) {
  std::string name = kernel.getName().str();
  ArrayRef<Type> types = kernel.getFunctionType().getParams();
  auto packed = LLVM::LLVMStructType::getLiteral(module.getContext(), types.drop_front(2));
  kernel.setName(name + "_range");
  kernel.setLinkage(LLVM::Linkage::Internal);
  LLVM::LLVMFuncOp task = createTask(kernel, packed);
  builder.setInsertionPointAfter(task);
  auto shared = LLVM::LLVMFuncOp::create(builder, loc, name, kernel.getFunctionType());
  Block *body = shared.addEntryBlock(builder);
  builder.setInsertionPointToStart(body);
  Value arguments = LLVM::AllocaOp::create(builder, loc, pointer, packed, constant(1));
  for (auto [index, value] : llvm::enumerate(body->getArguments().drop_front(2)))
    LLVM::StoreOp::create(builder, loc, value, element(arguments, packed, {0, int32_t(index)}));
  Value function = LLVM::AddressOfOp::create(builder, loc, pointer, task.getName());
  LLVM::CallOp::create(
      builder, loc, parallel,
      ValueRange{runtime(), function, arguments, body->getArgument(0), body->getArgument(1), constant(work)});
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

/// An argument or result is a pointer to its value, or to the fields of its descriptor, words all.
void Binder::packEntry(const Entry &entry) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(entry.name);
  builder.setInsertionPointAfter(function);
  auto wrapper = LLVM::LLVMFuncOp::create(builder, loc, packedName(entry.name),
                                          LLVM::LLVMFunctionType::get(none, {pointer, pointer}));
  Block *body = wrapper.addEntryBlock(builder);
  builder.setInsertionPointToStart(body);
  SmallVector<Value> operands;
  ArrayRef<Type> types = function.getFunctionType().getParams();
  for (auto [index, type] : llvm::enumerate(entry.type.getInputs())) {
    Value address =
        LLVM::LoadOp::create(builder, loc, pointer, element(body->getArgument(0), pointer, {int32_t(index)}));
    auto tensor = dyn_cast<RankedTensorType>(type);
    // Two pointers, the offset, sizes and strides.
    int64_t fields = tensor ? 3 + 2 * tensor.getRank() : 1;
    for (int64_t field = 0; field < fields; ++field)
      operands.push_back(LLVM::LoadOp::create(builder, loc, types[operands.size()],
                                              element(address, word, {int32_t(field)})));
  }
  auto call = LLVM::CallOp::create(builder, loc, function, operands);
  unsigned results = entry.type.getNumResults();
  for (unsigned index = 0; index < results; ++index) {
    Value address =
        LLVM::LoadOp::create(builder, loc, pointer, element(body->getArgument(1), pointer, {int32_t(index)}));
    Value result = call.getResult();
    if (results > 1)
      result = LLVM::ExtractValueOp::create(builder, loc, result, int64_t(index));
    LLVM::StoreOp::create(builder, loc, result, address);
  }
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

LogicalResult fp8opt::run::bindRuntime(ModuleOp module, const LoweringState &state) {
  replaceSmallFloats(module);
  Binder(module, state).bind();
  return success();
}
