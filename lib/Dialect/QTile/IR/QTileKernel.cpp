// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel op: its spelling, and its schedule held against the target's limits.

#include "fp8-opt/Dialect/QTile/IR/BlockRegisters.h"
#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "fp8-opt/Dialect/QTile/IR/RingBarriers.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace fp8opt::qtile;

static ParseResult parseOptionalNumber(OpAsmParser &parser, StringRef keyword, StringAttr name,
                                       OperationState &result) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  int64_t number;
  if (parser.parseInteger(number))
    return failure();
  result.addAttribute(name, parser.getBuilder().getI64IntegerAttr(number));
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  Builder &builder = parser.getBuilder();
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true,
                               /*allowAttrs=*/true) ||
      parser.parseKeyword("on"))
    return failure();
  FlatSymbolRefAttr chip;
  if (parser.parseAttribute(chip, getTargetAttrName(result.name), result.attributes))
    return failure();
  SmallVector<Type> types =
      llvm::map_to_vector(arguments, [](const OpAsmParser::Argument &argument) { return argument.type; });
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(types, {})));
  if (succeeded(parser.parseOptionalKeyword("schedule"))) {
    ScheduleAttr schedule;
    if (parser.parseAttribute(schedule, getScheduleAttrName(result.name), result.attributes))
      return failure();
  }
  if (parseOptionalNumber(parser, "threads", getThreadsAttrName(result.name), result) ||
      parseOptionalNumber(parser, "resident", getResidentAttrName(result.name), result))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("grid"))) {
    AffineMapAttr grid;
    if (parser.parseAttribute(grid, getGridAttrName(result.name), result.attributes))
      return failure();
  }
  if (parseOptionalNumber(parser, "shared", getSharedAttrName(result.name), result))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, /*resultAttrs=*/{},
                                            getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  call_interface_impl::printFunctionSignature(
      printer, getArgumentTypes(), getArgAttrsAttr(), /*isVariadic=*/false,
      /*resultTypes=*/{}, /*resultAttrs=*/{}, &getBody(), /*printEmptyResult=*/false);
  printer << " on " << getTargetAttr();
  if (getSchedule())
    printer << " schedule " << *getSchedule();
  if (getThreads())
    printer << " threads " << *getThreads();
  if (getResident())
    printer << " resident " << *getResident();
  if (getGridAttr())
    printer << " grid " << getGridAttr();
  if (getShared())
    printer << " shared " << *getShared();
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getTargetAttrName(), getFunctionTypeAttrName(), getScheduleAttrName(), getThreadsAttrName(),
       getResidentAttrName(), getGridAttrName(), getSharedAttrName(), getArgAttrsAttrName(),
       getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

TargetOp KernelOp::getTargetOp() {
  return SymbolTable::lookupNearestSymbolFrom<TargetOp>(*this, getTargetAttr());
}

int64_t KernelOp::countThreads() {
  if (isOfThreads())
    return *getThreads();
  int64_t warps = 0;
  for (RoleOp role : getBody().getOps<RoleOp>())
    warps += role.getWarps();
  return 32 * warps;
}

/// What a kernel of threads says of its launch.
static LogicalResult verifyThreads(KernelOp kernel) {
  constexpr int64_t warpThreads = 32;
  if (!kernel.isOfThreads()) {
    if (kernel.getResident() || kernel.getGrid())
      return kernel.emitOpError() << "expected resident blocks and a grid beside threads alone";
    return success();
  }
  int64_t threads = *kernel.getThreads();
  if (threads < warpThreads || threads % warpThreads != 0)
    return kernel.emitOpError() << "expected whole warps of " << warpThreads << " threads, got " << threads;
  if (kernel.getSchedule() || !kernel.getBody().getOps<RoleOp>().empty())
    return kernel.emitOpError() << "expected no schedule and no roles in a kernel of threads";
  if (kernel.getResident() && static_cast<int64_t>(*kernel.getResident()) < 1)
    return kernel.emitOpError() << "expected at least 1 resident block, got " << *kernel.getResident();
  std::optional<AffineMap> grid = kernel.getGrid();
  unsigned integers = llvm::count_if(kernel.getArgumentTypes(), llvm::IsaPred<IntegerType>);
  if (grid && (grid->getNumResults() != 1 || grid->getNumDims() != 0 || grid->getNumSymbols() != integers))
    return kernel.emitOpError() << "expected a grid of one result and " << integers
                                << " symbols, one for each i32 argument, got " << kernel.getGridAttr();
  return success();
}

/// The byte behind the last one that tiles and rings are placed at.
static int64_t placedBytes(KernelOp kernel) {
  int64_t end = 0;
  auto place = [&](int64_t offset, int64_t bytes) { end = std::max(end, offset + bytes); };
  for (auto alloc : kernel.getBody().getOps<AllocOp>())
    if (std::optional<uint64_t> offset = alloc.getOffset())
      place(static_cast<int64_t>(*offset), alloc.getResult().getType().getBytes());
  for (auto ring : kernel.getBody().getOps<RingOp>())
    if (std::optional<RingPlanAttr> plan = ring.getPlan()) {
      RingType type = ring.getResult().getType();
      for (auto [tile, offset] : llvm::zip(type.getTiles(), plan->getTiles()))
        place(offset, type.getStages() * tile.getBytes());
      place(plan->getBarriers(), getBarrierBytes(type));
    }
  return end;
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got " << getResultTypes().size();
  for (auto [number, type] : llvm::enumerate(getArgumentTypes()))
    if (!isa<GlobalType>(type) && !type.isSignlessInteger(32))
      return emitOpError() << "expected argument " << number << " to be !qtile.global or i32, got " << type;
  if (!getBody().hasOneBlock())
    return emitOpError() << "expected a body of one block, got " << getBody().getBlocks().size();
  if (int64_t placed = placedBytes(*this); getShared() && static_cast<int64_t>(*getShared()) < placed)
    return emitOpError() << "expected at least " << placed
                         << " bytes of shared memory, up to which its tiles and rings are placed, got "
                         << *getShared();
  return verifyThreads(*this);
}

/// Roles hand registers to each other, but never have more than their threads started with: one would wait
/// forever.
static LogicalResult verifyRoles(KernelOp kernel, LimitsAttr limits) {
  int64_t threads = 0, registers = 0;
  for (RoleOp role : kernel.getBody().getOps<RoleOp>()) {
    int64_t ofRole = 32 * static_cast<int64_t>(role.getWarps());
    threads += ofRole;
    registers += ofRole * static_cast<int64_t>(role.getRegisters());
  }
  if (!threads)
    return success();
  if (threads > limits.getThreads())
    return kernel.emitOpError() << "expected at most " << limits.getThreads()
                                << " threads of a block, got roles of " << threads;
  int64_t share = getRegistersAtStart(limits, threads);
  if (registers > share * threads)
    return kernel.emitOpError() << "expected at most " << share * threads << " registers of a block, "
                                << share << " for each thread, got roles of " << registers;
  return success();
}

LogicalResult KernelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto target = symbols.lookupNearestSymbolFrom<TargetOp>(*this, getTargetAttr());
  // What is not expanded yet may be written before the target is loaded.
  if (!target && !isOfThreads() && getBody().getOps<RoleOp>().empty())
    return success();
  if (!target)
    return emitOpError() << "expected " << getTargetAttr() << " to name a qtile.target of the module";
  LimitsAttr limits = target.getLimits();
  auto refuse = [&](const Twine &reason) -> LogicalResult { return emitOpError(reason); };
  for (auto gemm : getBody().getOps<GemmOp>())
    if (getSchedule() && failed(verifyGemmSchedule(gemm, *getSchedule(), target, refuse)))
      return failure();
  if (failed(verifyRoles(*this, limits)))
    return failure();
  if (isOfThreads() && static_cast<int64_t>(*getThreads()) > limits.getThreads())
    return emitOpError() << "expected at most " << limits.getThreads() << " threads of a block, got "
                         << *getThreads();
  if (getShared() && static_cast<int64_t>(*getShared()) > limits.getShared())
    return emitOpError() << "expected at most " << limits.getShared()
                         << " bytes of shared memory of a block, got " << *getShared();
  return success();
}
