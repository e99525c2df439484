// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass: kernels become functions, roles branches, and the ops inside what the other files say.

#include "KernelValues.h"

#include "fp8-opt/Dialect/QTile/IR/RingBarriers.h"
#include "fp8-opt/Target/NVVM/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

namespace fp8opt::nvvm {
#define GEN_PASS_DEF_CONVERTQTILETONVVMPASS
#include "fp8-opt/Target/NVVM/Passes.h.inc"
} // namespace fp8opt::nvvm

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// The shared memory of a block, as large as the launch says.
constexpr StringLiteral sharedName = "fp8opt_shared";
/// Its start has the alignment of a tile in panels.
constexpr int64_t sharedAlignment = 1024;

namespace {
struct KernelTypes : TypeConverter {
  explicit KernelTypes(MLIRContext *context) {
    addConversion([](Type type) { return type; });
    addConversion(
        [](qtile::GlobalType type) { return LLVM::LLVMPointerType::get(type.getContext(), globalSpace); });
    Type i32 = IntegerType::get(context, 32);
    addConversion([i32](qtile::SharedType) { return i32; });
    addConversion([i32](qtile::RingType) { return i32; });
    addConversion([i32](qtile::BarriersType) { return i32; });
    // Where the description lies, and the bytes of a panel that a copy brings.
    addConversion([i32](qtile::TensorMapType type) {
      return LLVM::LLVMStructType::getLiteral(type.getContext(),
                                              {LLVM::LLVMPointerType::get(type.getContext()), i32});
    });
    addConversion([i32](qtile::StageType type) {
      return LLVM::LLVMStructType::getLiteral(type.getContext(), {i32, i32});
    });
    addConversion([](qtile::FragmentType type) {
      return registers(type.getElementType(), registersOf(type.getRows(), type.getColumns()));
    });
    addConversion([](qtile::PendingType type) {
      return registers(type.getElementType(), registersOf(type.getRows(), type.getColumns()));
    });
    // Four codes are a register, and LLVM has better ways for registers than for bytes.
    addConversion([i32](VectorType type) -> Type {
      constexpr int64_t codesOfWord = 4;
      int64_t codes = type.getNumElements();
      if (!type.getElementType().isInteger(8) || codes % codesOfWord != 0)
        return type;
      return codes == codesOfWord ? i32 : VectorType::get(codes / codesOfWord, i32);
    });
    // Four codes of 8 bits, or eight of 4, are a register; a warp has 32 bytes of each row.
    addConversion([i32](qtile::OperandType type) {
      constexpr int64_t rowBytes = 32, wordBytes = 4;
      return registers(i32, type.getRows() * rowBytes / wordBytes / warpThreads);
    });
    addConversion([i32](qtile::ScaleWordsType type) { return registers(i32, type.getRows() / warpThreads); });
    // Of each 8 columns a thread has 2.
    addConversion(
        [](qtile::ColumnsType type) { return registers(type.getElementType(), type.getColumns() / 4); });
    auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
      return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
    };
    addSourceMaterialization(cast);
    addTargetMaterialization(cast);
  }

private:
  static Type registers(Type element, int64_t count) {
    return LLVM::LLVMStructType::getLiteral(element.getContext(), SmallVector<Type>(count, element));
  }
};

/// Makes a function of a kernel, whose ops it leaves for the patterns.
class KernelOpener {
public:
  KernelOpener(qtile::KernelOp kernel, const TypeConverter &types, Kernels &kernels)
      : kernel(kernel), types(types), kernels(kernels), builder(kernel) {}

  void open() {
    function = createFunction();
    Block *body = &function.getBody().front();
    builder.setInsertionPointToStart(body);
    for (BlockArgument argument : body->getArguments())
      convertArgument(argument);
    kernels.values[function] = createValues();
    auto roles = llvm::to_vector(body->getOps<qtile::RoleOp>());
    if (!roles.empty()) {
      handsOverRegisters = llvm::any_of(
          roles, [&](qtile::RoleOp role) { return role.getRegisters() != roles.front().getRegisters(); });
      builder.setInsertionPoint(roles.front());
      initializeBarriers(body);
      branch(roles);
    }
    auto end = cast<qtile::ReturnOp>(body->getTerminator());
    builder.setInsertionPoint(end);
    LLVM::ReturnOp::create(builder, end.getLoc(), ValueRange());
    end.erase();
    kernel.erase();
  }

private:
  LLVM::LLVMFuncOp createFunction() {
    SmallVector<Type> inputs;
    for (Type type : kernel.getArgumentTypes())
      inputs.push_back(types.convertType(type));
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(kernel.getContext()), inputs);
    int64_t threads = kernel.countThreads();
    if (threads)
      launchedRegisters = kernel.getTargetOp().getLimits().getRegisters() / threads / 8 * 8;
    auto function = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), kernel.getSymName(), type);
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    if (threads) {
      function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                        builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads)}));
      // Where roles say what registers they have, the assembler ignores it without this.
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        builder.getI32IntegerAttr(kernel.getResident().value_or(1)));
    }
    function.getBody().takeBody(kernel.getBody());
    return function;
  }

  void convertArgument(BlockArgument argument) {
    Type type = argument.getType(), converted = types.convertType(type);
    if (type == converted)
      return;
    argument.setType(converted);
    auto cast = UnrealizedConversionCastOp::create(builder, argument.getLoc(), type, argument);
    argument.replaceAllUsesExcept(cast.getResult(0), cast);
  }

  KernelValues createValues() {
    Location loc = kernel.getLoc();
    Writer write(builder, loc);
    Value memory = LLVM::AddressOfOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), sharedSpace), sharedName);
    KernelValues values;
    Type i32 = builder.getI32Type();
    Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), memory);
    values.shared = arith::TruncIOp::create(builder, loc, i32, address);
    values.thread = NVVM::ThreadIdXOp::create(builder, loc, i32);
    values.lane = write.bitAnd(values.thread, warpThreads - 1);
    values.warp = NVVM::ShflOp::create(
        builder, loc, i32, write.constant(-1), write.shiftRight(values.thread, 5), write.constant(0),
        write.constant(warpThreads - 1), NVVM::ShflKind::idx, /*return_value_and_is_valid=*/UnitAttr());
    values.isFirstLane = write.equal(values.lane, 0);
    return values;
  }

  /// One thread makes the barriers of all rings before any thread uses one.
  void initializeBarriers(Block *body) {
    Location loc = kernel.getLoc();
    const KernelValues &values = kernels.values[function];
    auto once = scf::IfOp::create(builder, loc, Writer(builder, loc).equal(values.thread, 0),
                                  /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(once.thenBlock());
      Writer write(builder, loc);
      for (auto ring : body->getOps<qtile::RingOp>()) {
        qtile::RingPlanAttr plan = *ring.getPlan();
        kernels.plans[ring] = plan;
        int64_t stages = ring.getType().getStages();
        for (int64_t i = 0, end = qtile::countBarriers(ring.getType()); i < end; ++i)
          NVVM::MBarrierInitOp::create(
              builder, loc,
              write.sharedPointer(
                  write.add(values.shared, qtile::getFullBarriers(plan) + i * qtile::barrierBytes)),
              write.constant(i < stages ? plan.getFull() : plan.getEmpty()), /*predicate=*/Value());
      }
      NVVM::FenceMbarrierInitOp::create(builder, loc);
    }
    NVVM::Barrier0Op::create(builder, loc);
  }

  /// A chain of branches on the number of the warp, in the order of the roles.
  void branch(ArrayRef<qtile::RoleOp> roles, int64_t first = 0) {
    qtile::RoleOp role = roles.front();
    Value warp = kernels.values[function].warp;
    if (roles.size() == 1)
      return enter(role, first);
    int64_t end = first + role.getWarps();
    Writer write(builder, role.getLoc());
    auto branch = scf::IfOp::create(builder, role.getLoc(), write.isBelow(warp, write.constant(end)),
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    enter(role, first);
    builder.setInsertionPointToStart(branch.elseBlock());
    this->branch(roles.drop_front(), end);
  }

  /// Moves what a role does to where its warps arrive.
  void enter(qtile::RoleOp role, int64_t first) {
    Writer write(builder, role.getLoc());
    int64_t registers = role.getRegisters();
    if (handsOverRegisters && registers != launchedRegisters)
      NVVM::SetMaxRegisterOp::create(builder, role.getLoc(), registers,
                                     registers < launchedRegisters ? NVVM::SetMaxRegisterAction::decrease
                                                                   : NVVM::SetMaxRegisterAction::increase);
    Block &body = role.getBody().front();
    body.getArgument(0).replaceAllUsesWith(write.add(kernels.values[function].warp, -first));
    builder.getInsertionBlock()->getOperations().splice(builder.getInsertionPoint(), body.getOperations());
    role.erase();
  }

  qtile::KernelOp kernel;
  const TypeConverter &types;
  Kernels &kernels;
  OpBuilder builder;
  LLVM::LLVMFuncOp function;
  /// Of a thread, before its role says otherwise: what the processor has, evenly, in steps of 8.
  int64_t launchedRegisters = 0;
  /// Roles that all have as many keep what they are launched with.
  bool handsOverRegisters = false;
};

struct ConvertQTileToNVVMPass : fp8opt::nvvm::impl::ConvertQTileToNVVMPassBase<ConvertQTileToNVVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto toOpen = llvm::to_vector(module.getOps<qtile::KernelOp>());
    for (qtile::KernelOp kernel : toOpen)
      if (failed(requirePlan(kernel)))
        return signalPassFailure();
    if (!toOpen.empty())
      createShared(module);
    KernelTypes types(&getContext());
    Kernels kernels;
    for (qtile::KernelOp kernel : toOpen)
      KernelOpener(kernel, types, kernels).open();
    if (failed(convert(module, types, kernels)))
      return signalPassFailure();
    SmallVector<UnrealizedConversionCastOp> casts;
    module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
    for (qtile::TargetOp target : llvm::make_early_inc_range(module.getOps<qtile::TargetOp>()))
      target.erase();
  }

private:
  static LogicalResult requirePlan(qtile::KernelOp kernel) {
    for (auto gemm : kernel.getBody().getOps<qtile::GemmOp>())
      return gemm.emitOpError()
             << "expected a kernel of roles, got one to expand; run qtile-expand-gemm first";
    for (Operation &op : kernel.getBody().front())
      if (isa<qtile::QuantizeOp, qtile::AmaxOp, qtile::RequantizeOp, qtile::DequantizeOp>(op))
        return op.emitOpError()
               << "expected a kernel of threads, got one to expand; run qtile-expand-quantize first";
    bool hasRoles = !kernel.getBody().getOps<qtile::RoleOp>().empty();
    if ((hasRoles || kernel.isOfThreads()) && !kernel.getShared())
      return kernel.emitOpError()
             << "expected rings and tiles that are placed in shared memory; run qtile-plan-rings first";
    return success();
  }

  static void createShared(ModuleOp module) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto global =
        LLVM::GlobalOp::create(builder, module.getLoc(), LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                               /*isConstant=*/false, LLVM::Linkage::External, sharedName,
                               /*value=*/Attribute(), sharedAlignment, sharedSpace);
    global.setDsoLocal(false);
  }

  static LogicalResult convert(ModuleOp module, const TypeConverter &types, const Kernels &kernels) {
    MLIRContext *context = module.getContext();
    ConversionTarget target(*context);
    target.addLegalDialect<arith::ArithDialect, LLVM::LLVMDialect, NVVM::NVVMDialect, scf::SCFDialect,
                           BuiltinDialect>();
    target.addIllegalDialect<qtile::QTileDialect>();
    target.addLegalOp<qtile::TargetOp, qtile::SchedulesOp>();
    RewritePatternSet patterns(context);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
    populateRingPatterns(patterns, types, kernels);
    populateMapPatterns(patterns, types, kernels);
    populateProductPatterns(patterns, types, kernels);
    populateWarpProductPatterns(patterns, types, kernels);
    populateTilePatterns(patterns, types, kernels);
    populateStagePatterns(patterns, types, kernels);
    populateStorePatterns(patterns, types, kernels);
    populateIndexPatterns(patterns, types, kernels);
    populateVectorPatterns(patterns, types, kernels);
    populateMaximumPatterns(patterns, types, kernels);
    populateCodePatterns(patterns, types, kernels);
    return applyPartialConversion(module, target, std::move(patterns));
  }
};
} // namespace
