// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches in a graph must hold, and how the tensors between them are stored.

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "Pointees.h"
#include "fp8-opt/Layout/Layouts.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

// How a tensor is stored.

static Layout layoutOf(MLIRContext *context, StoredKind kind, ArrayRef<int64_t> sizes, Type element) {
  Layout layout =
      *getLayout(context, *layoutKind(stringifyStoredKind(kind)), element.getIntOrFloatBitWidth());
  return layout.batched(sizes.size() - 2);
}

RankedTensorType StoredAttr::getTensorType(StoredKind kind, ArrayRef<int64_t> sizes, Type element) {
  Layout layout = layoutOf(element.getContext(), kind, sizes, element);
  SmallVector<int64_t> shape;
  for (AffineExpr size : layout.storedShape().getResults()) {
    bool isDynamic = false;
    for (auto [symbol, logical] : llvm::enumerate(sizes))
      isDynamic |= ShapedType::isDynamic(logical) && size.isFunctionOfSymbol(symbol);
    AffineMap one = AffineMap::get(0, sizes.size(), size);
    shape.push_back(isDynamic ? ShapedType::kDynamic : evaluate(one, {}, sizes).front());
  }
  return RankedTensorType::get(shape, element, get(element.getContext(), kind, sizes));
}

LogicalResult StoredAttr::verify(function_ref<InFlightDiagnostic()> emitError, StoredKind,
                                 ArrayRef<int64_t> sizes) {
  if (sizes.size() < 2)
    return emitError() << "expected at least two sizes of what is stored, got " << sizes.size();
  return success();
}

LogicalResult StoredAttr::verifyEncoding(ArrayRef<int64_t> shape, Type element,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (!element.isIntOrFloat() ||
      !fp8opt::getLayout(getContext(), *layoutKind(stringifyStoredKind(getLayout())),
                         element.getIntOrFloatBitWidth()))
    return emitError() << "expected elements of a width that " << stringifyStoredKind(getLayout())
                       << " has, got " << element;
  RankedTensorType wanted = getTensorType(getLayout(), getSizes(), element);
  if (wanted.getShape() == shape)
    return success();
  InFlightDiagnostic error = emitError() << "expected the stored shape ";
  llvm::interleave(wanted.getShape(), error, "x");
  error << ", got ";
  llvm::interleave(shape, error, "x");
  return error;
}

// Launches.

KernelOp LaunchOp::getKernelOp() {
  return SymbolTable::lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
}

static LogicalResult verifyTied(LaunchOp launch) {
  ArrayRef<int64_t> tied = launch.getTied();
  if (tied.size() != launch.getNumResults())
    return launch.emitOpError() << "expected a number of an operand, or -1, for each of "
                                << launch.getNumResults() << " results, got " << tied.size();
  llvm::SmallBitVector seen(launch.getInputs().size());
  for (auto [number, result, operand] : llvm::enumerate(launch.getResults(), tied)) {
    if (operand == -1)
      continue;
    if (operand < 0 || operand >= static_cast<int64_t>(launch.getInputs().size()))
      return launch.emitOpError() << "expected result " << number << " to be tied to one of "
                                  << launch.getInputs().size() << " operands, got " << operand;
    if (seen.test(operand))
      return launch.emitOpError() << "expected at most one result tied to operand " << operand;
    seen.set(operand);
    Type type = launch.getInputs()[operand].getType();
    if (type != result.getType())
      return launch.emitOpError() << "expected result " << number << " to have the type of operand "
                                  << operand << ", " << type << ", got " << result.getType();
  }
  return success();
}

LogicalResult LaunchOp::verify() {
  if (failed(verifyTied(*this)))
    return failure();
  size_t dynamic = 0;
  for (auto [result, operand] : llvm::zip(getResults(), getTied()))
    if (operand == -1)
      dynamic += cast<RankedTensorType>(result.getType()).getNumDynamicDims();
  if (dynamic != getShapes().size())
    return emitOpError() << "expected " << dynamic
                         << " shapes, one for each dynamic size of a new result, got " << getShapes().size();
  return success();
}

/// The tensors that a kernel has pointers to, in its order.
static SmallVector<Value> pointees(LaunchOp launch) {
  SmallVector<Value> tensors = llvm::to_vector(launch.getInputs());
  for (auto [result, operand] : llvm::zip(launch.getResults(), launch.getTied()))
    if (operand == -1)
      tensors.push_back(result);
  return tensors;
}

static bool areElements(Type element, Type ofPointer) {
  unsigned bits = ofPointer.getIntOrFloatBitWidth();
  return element == ofPointer || (bits <= 8 && element.isInteger(bits));
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "expected " << getKernelAttr() << " to name a qtile.kernel of the module";
  SmallVector<Value> tensors = pointees(*this);
  ArrayRef<Type> arguments = kernel.getArgumentTypes();
  if (arguments.size() != tensors.size() + getSizes().size())
    return emitOpError() << "expected tensors and sizes for the " << arguments.size() << " arguments of "
                         << getKernelAttr() << ", got " << tensors.size() << " and " << getSizes().size();
  for (auto [number, type] : llvm::enumerate(arguments)) {
    auto pointer = dyn_cast<GlobalType>(type);
    bool isTensor = number < tensors.size();
    if (static_cast<bool>(pointer) != isTensor)
      return emitOpError() << "expected " << (pointer ? "a tensor" : "a size") << " for argument " << number
                           << " of " << getKernelAttr() << ", " << type << ", got "
                           << (isTensor ? "a tensor" : "a size");
    if (!isTensor)
      continue;
    Type element = cast<RankedTensorType>(tensors[number].getType()).getElementType();
    if (!areElements(element, pointer.getElementType()))
      return emitOpError() << "expected a tensor of " << pointer.getElementType() << " for argument "
                           << number << " of " << getKernelAttr() << ", got one of " << element;
  }
  ValueRange integers = kernel.getArguments().drop_front(tensors.size());
  for (const Pointee &pointee : pointeesOf(kernel)) {
    auto argument = dyn_cast<BlockArgument>(pointee.pointer);
    if (!argument || argument.getArgNumber() >= tensors.size())
      continue;
    auto tensor = cast<RankedTensorType>(tensors[argument.getArgNumber()].getType());
    if (failed(verifyPointee(*this, argument.getArgNumber(), pointee, tensor, integers, getSizes())))
      return failure();
  }
  return verifyLaunchedMatrices(*this, kernel, tensors);
}
