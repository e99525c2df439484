// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each tensor is quantized and what is kept of it: for people, and as JSON.

#include "fp8-opt/Report/Plan.h"

#include "fp8-opt/Report/ProgramText.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// "early (keeps 264, reads 0, writes 264)"
static void printCost(raw_ostream &os, CostAttr cost) {
  os << stringifyPlanForm(cost.getForm()) << " (keeps " << cost.getKept() << ", reads " << cost.getRead()
     << ", writes " << cost.getWritten() << ')';
}

/// "2048x4096xbf16"
static std::string typeText(TypeAttr attr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto type = dyn_cast<ShapedType>(attr.getValue());
  if (!type || !type.hasRank()) {
    os << attr.getValue();
    return text;
  }
  for (int64_t size : type.getShape())
    ShapedType::isDynamic(size) ? os << "?x" : os << size << 'x';
  os << type.getElementType();
  return text;
}

static void printTensor(raw_ostream &os, PlannedAttr tensor) {
  os << locationText(tensor.getLocation()) << ": ";
  bool isWeight = tensor.getRole() && tensor.getRole().getValue() == Role::Weight;
  if (tensor.getLabel() && isWeight)
    os << "weight '" << tensor.getLabel().getValue() << "', ";
  else if (tensor.getLabel())
    os << tensor.getLabel().getValue() << ", ";
  else if (tensor.getRole())
    os << stringifyRole(tensor.getRole().getValue()) << ", ";
  os << typeText(tensor.getType()) << (tensor.getNested() ? ", in a block of its own: " : ": ");
  printCost(os, tensor.getChosen());
  llvm::StringRef separator = "; not ";
  for (CostAttr rejected : tensor.getRejected()) {
    os << separator;
    printCost(os, rejected);
    separator = ", ";
  }
  os << '\n';
}

/// What a tensor keeps without a plan: its high-precision value, if nothing else does.
static int64_t keptUnplanned(PlannedAttr tensor) {
  if (tensor.getChosen().getForm() == PlanForm::Again)
    return tensor.getChosen().getKept();
  for (CostAttr rejected : tensor.getRejected())
    if (rejected.getForm() == PlanForm::Again)
      return rejected.getKept();
  return 0;
}

static void printSum(raw_ostream &os, StringRef what, double planned, double unplanned) {
  os << what << llvm::format(" %.0f of %.0f bytes", planned, unplanned);
  if (unplanned > 0)
    os << llvm::format(" (%.1f %%)", 100 * planned / unplanned);
}

void fp8opt::printPlan(raw_ostream &os, PlanAttr plan) {
  bool isDynamic = false;
  // A sum of sizes that no memory holds may not fit in an integer.
  double kept = 0, unplanned = 0;
  for (PlannedAttr tensor : plan.getTensors()) {
    printTensor(os, tensor);
    kept += double(tensor.getChosen().getKept());
    unplanned += double(keptUnplanned(tensor));
    auto type = dyn_cast<ShapedType>(tensor.getType().getValue());
    isDynamic |= type && !type.hasStaticShape();
  }
  os << "plan of " << plan.getTensors().size() << " tensors, against none: ";
  printSum(os, "keeps", kept, unplanned);
  printSum(os, "; the program keeps", double(plan.getKept()), double(plan.getKeptUnplanned()));
  printSum(os, "; quantizing reads", double(plan.getRead()), double(plan.getReadUnplanned()));
  printSum(os, " and writes", double(plan.getWritten()), double(plan.getWrittenUnplanned()));
  os << dynamicNote(isDynamic) << '\n';
}

static llvm::json::Object costToJson(CostAttr cost) {
  return llvm::json::Object{{"form", stringifyPlanForm(cost.getForm())},
                            {"kept", cost.getKept()},
                            {"read", cost.getRead()},
                            {"written", cost.getWritten()}};
}

llvm::json::Value fp8opt::planToJson(PlanAttr plan) {
  llvm::json::Array tensors;
  for (PlannedAttr tensor : plan.getTensors()) {
    llvm::json::Object object = costToJson(tensor.getChosen());
    llvm::json::Array rejected;
    for (CostAttr cost : tensor.getRejected())
      rejected.push_back(costToJson(cost));
    object["rejected"] = std::move(rejected);
    object["location"] = jsonText(locationText(tensor.getLocation()));
    object["type"] = typeText(tensor.getType());
    object["nested"] = bool(tensor.getNested());
    if (tensor.getLabel())
      object["label"] = jsonText(tensor.getLabel().getValue());
    if (tensor.getRole())
      object["role"] = stringifyRole(tensor.getRole().getValue());
    tensors.push_back(std::move(object));
  }
  auto sum = [](int64_t planned, int64_t unplanned) {
    return llvm::json::Object{{"planned", planned}, {"unplanned", unplanned}};
  };
  return llvm::json::Object{{"kept", sum(plan.getKept(), plan.getKeptUnplanned())},
                            {"read", sum(plan.getRead(), plan.getReadUnplanned())},
                            {"written", sum(plan.getWritten(), plan.getWrittenUnplanned())},
                            {"tensors", std::move(tensors)}};
}
