// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each line of a recipe has decided in a program.

#include "RecipeUse.h"

using namespace mlir;
using namespace fp8opt::qt;

void RecipeUse::addContraction(const ContractionFacts &facts) {
  auto add = [&](auto line) {
    Conditions conditions = line.getConditions();
    for (StringAttr text : conditions.findTexts(facts))
      texts.insert({line, text});
    if (conditions.hold(facts))
      holding.insert(line);
  };
  llvm::for_each(recipe.getBody().getOps<RuleOp>(), add);
  llvm::for_each(recipe.getBody().getOps<KeepOp>(), add);
  llvm::for_each(recipe.getBody().getOps<PromoteOp>(), add);
}

void RecipeUse::addRule(RuleOp rule, const ContractionFacts &facts, Role role, bool isRhs) {
  deciding.insert(rule);
  for (RuleOp earlier : recipe.getBody().getOps<RuleOp>())
    if (earlier != rule && earlier.selects(facts, role, isRhs)) {
      overruled.insert(earlier);
      if (!earlier.covers(rule))
        crossing.insert({rule, earlier});
    }
}

void RecipeUse::remarkTexts(Operation *line, const Conditions &conditions, StringRef verb) {
  for (auto [list, does] :
       {std::pair(conditions.labels, verb), std::pair(conditions.except, StringRef("excepts"))})
    if (list)
      for (StringAttr text : list.getAsRange<StringAttr>())
        if (!texts.contains({line, text}))
          line->emitRemark() << does << " nothing by " << text << ": no contraction of this program matches";
}

void RecipeUse::remark() {
  for (KeepOp keep : recipe.getBody().getOps<KeepOp>())
    if (deciding.contains(keep))
      remarkTexts(keep, keep.getConditions(), "keeps");
    else if (keep.getConditions().canMiss())
      keep.emitRemark("keeps nothing: no contraction of this program matches");
  for (PromoteOp promote : recipe.getBody().getOps<PromoteOp>())
    if (deciding.contains(promote))
      remarkTexts(promote, promote.getConditions(), "promotes");
    else if (promote.getConditions().canMiss())
      promote.emitRemark("promotes nothing: no contraction that is quantized matches");
  for (auto [rule, earlier] : crossing)
    rule->emitRemark("gives schemes to operands that another rule selects too, of which it is no part: the "
                     "last one counts")
            .attachNote(earlier->getLoc())
        << "the other rule";
  for (RuleOp rule : recipe.getBody().getOps<RuleOp>()) {
    Conditions conditions = rule.getConditions();
    if (deciding.contains(rule))
      remarkTexts(rule, conditions, "gives");
    // Products at these sites that have no operand of this role: many models lack sites, and gradients.
    else if (conditions.canMiss() || overruled.contains(rule) || (conditions.sites && holding.contains(rule)))
      rule.emitRemark("gives nothing: no operand that is quantized has it as its last rule");
  }
}
