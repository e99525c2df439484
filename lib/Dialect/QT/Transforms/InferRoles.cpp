// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes on each contraction what its operands are in a training step, and which product of which linear it
// is.

#include "RoleInference.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/Import.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_INFERROLESPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

namespace {
/// Writes the findings as attributes.
class Writer {
public:
  Writer(const Inference &inference, MLIRContext *context)
      : all(inference), context(context), qt(*context->getLoadedDialect<QTDialect>()) {}

  void write(const Product &product);
  void writeNoProduct(Operation *op);

private:
  void clear(Operation *op);
  /// Says what was taken for the weight where it was a guess, and where nothing was.
  void remarkGuess(const Product &product);
  /// What an operand is, by arguments.
  std::string nameOperand(const Product &product, int place) const;
  void keep(Operation *op, KeptBy by, const Twine &detail) {
    qt.getKeptAttrHelper().setAttr(op, KeptAttr::get(context, by, StringAttr::get(context, detail)));
  }

  const Inference &all;
  MLIRContext *context;
  QTDialect &qt;
};
} // namespace

void Writer::clear(Operation *op) {
  for (StringAttr name :
       {qt.getRolesAttrHelper().getName(), qt.getGemmAttrHelper().getName(), qt.getHalfAttrHelper().getName(),
        qt.getSiteAttrHelper().getName(), qt.getLinearAttrHelper().getName(),
        qt.getLayerAttrHelper().getName(), qt.getKeptAttrHelper().getName()})
    op->removeDiscardableAttr(name);
}

std::string Writer::nameOperand(const Product &product, int place) const {
  KeyId key = product.keys[place];
  if (int argument = all.graph.getKeyArgument(key); argument >= 0)
    return "argument " + std::to_string(argument);
  if (all.graph.isStoredKey(key))
    return all.graph.isConstantKey(key) ? "a constant" : "a concatenation";
  SmallVector<int> from = findMatrixArguments(all.graph, product.operands[place]);
  if (from.empty())
    return "what is computed from constants";
  std::string text =
      from.size() == 1 ? "what is computed from argument " : "what is computed from arguments ";
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(from, out);
  return text;
}

void Writer::remarkGuess(const Product &product) {
  if (product.isUndecided && product.site == Site::Other) {
    std::string why =
        "nothing tells whether its weight is " + nameOperand(product, 0) + " or " + nameOperand(product, 1);
    keep(product.op, KeptBy::NoRole, why);
    emitRemark(product.op->getLoc()) << why << "; qt.role on an argument tells it";
  }
  int place = product.weightPlace();
  if (!product.isGuess || place < 0)
    return;
  std::string weight = nameOperand(product, place), data = nameOperand(product, 1 - place);
  InFlightDiagnostic remark = emitRemark(product.op->getLoc());
  if (!product.isFprop())
    remark << weight << " is taken for the weight of a linear whose forward product is not in the program";
  else if (all.graph.isConstantKey(product.keys[place]))
    remark << weight << " is taken for the weight, though the signature has parameters";
  else if (product.keys[0] == product.keys[1])
    remark << weight << " is taken for both weight and activation: it meets itself";
  else
    remark << weight << " is taken for the weight, " << data
           << " for the activation: nothing tells them apart";
  remark << "; qt.role on an argument overrides this";
}

void Writer::write(const Product &product) {
  Operation *op = product.op;
  clear(op);
  qt.getHalfAttrHelper().setAttr(op, HalfAttr::get(context, product.half));
  qt.getSiteAttrHelper().setAttr(op, SiteAttr::get(context, *product.site));
  if (!product.gemm) {
    keep(op, KeptBy::NoRole, "a product of gradients that belongs to no forward product");
    op->emitRemark("has no role: a product of gradients that belongs to no forward product");
    return;
  }
  qt.getRolesAttrHelper().setAttr(op, RolesAttr::get(context, product.roles[0], product.roles[1]));
  qt.getGemmAttrHelper().setAttr(op, GemmAttr::get(context, *product.gemm));
  if (product.linear == noLinear) {
    op->emitRemark() << "is a " << stringifyGemm(*product.gemm) << " of one of several forward products";
    return;
  }
  remarkGuess(product);
  const Linear &linear = all.linears[product.linear];
  qt.getLinearAttrHelper().setAttr(
      op, LinearAttr::get(context, product.linear, linear.argument, linear.sums, linear.parts));
  if (product.layer >= 0)
    qt.getLayerAttrHelper().setAttr(op, LayerAttr::get(context, product.layer, product.place));
  else if (product.isOfSeveral)
    op->emitRemark() << "is a " << stringifyGemm(*product.gemm)
                     << " of one of several layers that share a weight: it counts to no block";
}

void Writer::writeNoProduct(Operation *op) {
  clear(op);
  const Contraction match = *matchContraction(op);
  if (match.reason == NoProduct::ElementType) {
    std::string text;
    llvm::raw_string_ostream(text) << "no scheme reads elements of type " << match.getUnreadType();
    return keep(op, KeptBy::ElementType, text);
  }
  keep(op, match.hasProductDims() ? KeptBy::Body : KeptBy::NoProduct,
       "no matrix product: " + describe(match.reason));
}

/// An argument must be what the user says wherever a product reads it.
static LogicalResult verifyAnnotations(const Inference &inference) {
  for (const Product &product : inference.products)
    for (int place : {0, 1}) {
      std::optional<Role> role = inference.getAnnotated(product.keys[place]);
      if (!role || *role == product.roles[place])
        continue;
      StringRef sides[] = {"left", "right"};
      InFlightDiagnostic error = product.op->emitOpError()
                                 << "expected role " << stringifyRole(*role) << " for the " << sides[place]
                                 << " operand, as qt.role of argument "
                                 << inference.graph.getKeyArgument(product.keys[place]) << " says, got "
                                 << stringifyRole(product.roles[place]) << " by the rest of the program";
      int other = 1 - place;
      if (std::optional<Role> beside = inference.getAnnotated(product.keys[other]))
        error << "; qt.role of argument " << inference.graph.getKeyArgument(product.keys[other])
              << " says that the " << sides[other] << " operand is " << stringifyRole(*beside);
      return error;
    }
  return success();
}

/// An annotation that no product reads, nor what is computed from it, changes nothing: say so.
static void remarkUnread(Inference &inference, FunctionOpInterface function) {
  SmallVector<ValueId> operands;
  for (const Product &product : inference.products)
    llvm::append_range(operands, product.operands);
  llvm::BitVector read =
      reaching(inference.graph, operands, [&](ValueId id) { return inference.productOf.contains(id); });
  for (auto [argument, role] : llvm::enumerate(inference.annotated))
    if (role && *role != Role::Gradient && !read.test(argument))
      function->emitRemark() << "qt.role of argument " << argument << " changes nothing: no product reads it";
}

/// What contracts in a form that no candidate for a product has is kept too: it stands in the report.
static void findUnrecognized(Inference &inference, FunctionOpInterface function) {
  llvm::SmallPtrSet<Operation *, 32> candidates(llvm::from_range, inference.graph.candidates());
  function->walk([&](Operation *op) {
    std::optional<Contraction> contraction = matchContraction(op);
    if (contraction && !contraction->isProduct() && !candidates.contains(op))
      inference.noProducts.push_back(op);
  });
}

/// Infers and writes the roles of one function.
static FailureOr<std::pair<unsigned, unsigned>> inferRoles(FunctionOpInterface function) {
  Inference inference(function);
  if (failed(findProducts(inference)))
    return failure();
  findUnrecognized(inference, function);
  findTriangles(inference);
  if (failed(findHalves(inference)))
    return failure();
  findRoles(inference);
  findLinears(inference);
  if (failed(verifyAnnotations(inference)))
    return failure();
  findSites(inference);
  findPositions(inference);
  remarkUnread(inference, function);
  Writer writer(inference, function->getContext());
  unsigned known = 0, unknown = inference.noProducts.size();
  for (const Product &product : inference.products) {
    writer.write(product);
    ++(product.gemm ? known : unknown);
  }
  llvm::for_each(inference.noProducts, [&](Operation *op) { writer.writeNoProduct(op); });
  return std::pair(known, unknown);
}

namespace {
struct InferRoles : qt::impl::InferRolesPassBase<InferRoles> {
  using InferRolesPassBase::InferRolesPassBase;

  void runOnOperation() override {
    func::FuncOp function = findEntry(getOperation(), this->function);
    if (!function)
      return signalPassFailure();
    if (!function.getFunctionBody().hasOneBlock()) {
      function.emitOpError("expected a body of one block, got branches");
      return signalPassFailure();
    }
    auto counts = inferRoles(function);
    if (failed(counts))
      return signalPassFailure();
    numProducts += counts->first;
    numWithout += counts->second;
  }
};
} // namespace
