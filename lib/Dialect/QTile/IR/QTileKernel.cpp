// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel op: its spelling, and its schedule held against the target's limits.

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace fp8opt::qtile;

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
  if (succeeded(parser.parseOptionalKeyword("shared"))) {
    int64_t bytes;
    if (parser.parseInteger(bytes))
      return failure();
    result.addAttribute(getSharedAttrName(result.name), builder.getI64IntegerAttr(bytes));
  }
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
  if (getShared())
    printer << " shared " << *getShared();
  function_interface_impl::printFunctionAttributes(printer, *this,
                                                   {getTargetAttrName(), getFunctionTypeAttrName(),
                                                    getScheduleAttrName(), getSharedAttrName(),
                                                    getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

TargetOp KernelOp::getTargetOp() {
  return SymbolTable::lookupNearestSymbolFrom<TargetOp>(*this, getTargetAttr());
}

int64_t KernelOp::getThreads() {
  int64_t warps = 0;
  for (RoleOp role : getBody().getOps<RoleOp>())
    warps += role.getWarps();
  return 32 * warps;
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got " << getResultTypes().size();
  for (auto [number, type] : llvm::enumerate(getArgumentTypes()))
    if (!isa<GlobalType>(type) && !type.isSignlessInteger(32))
      return emitOpError() << "expected argument " << number << " to be !qtile.global or i32, got " << type;
  if (!getBody().hasOneBlock())
    return emitOpError() << "expected a body of one block, got " << getBody().getBlocks().size();
  return success();
}

LogicalResult KernelOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto target = symbols.lookupNearestSymbolFrom<TargetOp>(*this, getTargetAttr());
  // What has no schedule yet may be written before the target is loaded.
  if (!target && !getSchedule() && getBody().getOps<RoleOp>().empty())
    return success();
  if (!target)
    return emitOpError() << "expected " << getTargetAttr() << " to name a qtile.target of the module";
  LimitsAttr limits = target.getLimits();
  auto refuse = [&](const Twine &reason) -> LogicalResult { return emitOpError(reason); };
  for (auto gemm : getBody().getOps<GemmOp>())
    if (getSchedule() && failed(verifyGemmSchedule(gemm, *getSchedule(), target, refuse)))
      return failure();
  if (getShared() && static_cast<int64_t>(*getShared()) > limits.getShared())
    return emitOpError() << "expected at most " << limits.getShared()
                         << " bytes of shared memory of a block, got " << *getShared();
  return success();
}
