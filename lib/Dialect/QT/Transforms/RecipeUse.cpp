// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each line of a recipe has decided in a program.

#include "RecipeUse.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fp8opt::qt;

void RecipeUse::findPosition(Operation *line, const Conditions &conditions, Operation *contraction,
                             int64_t numLayers) {
  if (!conditions.first && !conditions.last)
    return;
  if (auto loop = contraction->getParentOfType<LoopLikeOpInterface>())
    loops.insert({line, loop});
  else if (numLayers == 1)
    inOnlyBlock.insert(line);
}

RecipeLines RecipeUse::addContraction(Operation *contraction, const ContractionFacts &facts,
                                      RolesAttr roles) {
  RecipeLines lines;
  auto hold = [&](Operation *line, const Conditions &conditions) {
    for (StringAttr text : conditions.findTexts(facts))
      texts.insert({line, text});
    if (!conditions.hold(facts))
      return false;
    findPosition(line, conditions, contraction, facts.numLayers);
    return true;
  };
  for (Operation &op : recipe.getBody().getOps()) {
    if (auto promote = dyn_cast<PromoteOp>(op); promote && hold(promote, promote.getConditions()))
      lines.promotes.push_back(promote);
    if (auto keep = dyn_cast<KeepOp>(op); keep && hold(keep, keep.getConditions())) {
      holding.insert(keep);
      lines.keeps.push_back(keep);
    }
    if (auto rule = dyn_cast<RuleOp>(op); rule && hold(rule, rule.getConditions())) {
      holding.insert(rule);
      if (rule.isFor(roles.getLhs(), /*isRhs=*/false))
        lines.lhs.push_back(rule);
      if (rule.isFor(roles.getRhs(), /*isRhs=*/true))
        lines.rhs.push_back(rule);
    }
  }
  return lines;
}

void RecipeUse::addQuantized(const RecipeLines &lines) {
  addRules(lines.lhs);
  addRules(lines.rhs);
  deciding.insert_range(lines.promotes);
}

void RecipeUse::addRules(ArrayRef<RuleOp> rules) {
  if (rules.empty())
    return;
  deciding.insert(rules.back());
  for (RuleOp earlier : rules.drop_back()) {
    overruled.insert(earlier);
    if (!earlier.covers(rules.back()))
      crossing.insert({rules.back(), earlier});
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

void RecipeUse::remarkNothing(Operation *line, const Conditions &conditions, StringRef verb, StringRef why) {
  line->emitRemark()
      << verb << " nothing: "
      << (conditions.labels && !hasNames
              ? "the arguments of this program have no names; a signature (--signature) has names"
              : why);
}

void RecipeUse::remark() {
  for (auto [line, loop] : loops)
    line->emitWarning(
            "selects all layers of a loop, which are one place: unroll the loop to choose among them")
            .attachNote(loop->getLoc())
        << "the loop";
  for (Operation *line : inOnlyBlock)
    if (!loops.contains(line))
      line->emitWarning("selects all linears, which are one block: this program has no blocks that repeat; "
                        "'labels' or 'sizes' choose among them");
  for (KeepOp keep : recipe.getBody().getOps<KeepOp>())
    if (holding.contains(keep))
      remarkTexts(keep, keep.getConditions(), "keeps");
    else if (keep.getConditions().canMiss())
      remarkNothing(keep, keep.getConditions(), "keeps", "no contraction of this program matches");
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
    else if (conditions.canMiss() || rule.getLhs() || rule.getRhs() || overruled.contains(rule) ||
             (conditions.sites && holding.contains(rule)))
      remarkNothing(rule, conditions, "gives", "no operand that is quantized has it as its last rule");
  }
}
