// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became of every contraction: for people, and as JSON.

#include "fp8-opt/Report/Report.h"

#include "fp8-opt/Report/ProgramText.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// Whether the product reads or makes a weight that a recipe could quantize.
static bool hasWeight(EntryAttr entry) {
  if (!entry.getSite())
    return false;
  Site site = entry.getSite().getValue();
  return site == Site::Linear || site == Site::Head || site == Site::Router;
}

ReportSummary fp8opt::summarize(ReportAttr report) {
  ReportSummary summary;
  for (EntryAttr entry : report.getEntries()) {
    bool quantized = !entry.getKept();
    ++summary.contractions;
    summary.quantized += quantized;
    summary.dynamic |= hasDynamic(entry.getSizes());
    if (entry.getSite() && entry.getSite().getValue() == Site::Linear) {
      ++summary.linears;
      summary.linearsQuantized += quantized;
    }
    if (hasWeight(entry)) {
      summary.weightFlops += flopsOf(entry.getSizes());
      summary.weightFlopsQuantized += quantized ? flopsOf(entry.getSizes()) : 0;
    }
  }
  return summary;
}

/// "fprop of 'model.lm_head.weight'", as far as it is known.
static std::string whatText(EntryAttr entry) {
  std::string text = entry.getGemm() ? stringifyGemm(entry.getGemm().getValue()).str() : "contraction";
  text += " " + sizesText(entry.getSizes());
  if (entry.getLabel())
    text += " of '" + entry.getLabel().getValue().str() + "'";
  return text;
}

/// "left operand given, right operand given (decoded within a last bit of the graph)", as the graph had them.
static void printGiven(raw_ostream &os, EntryAttr entry) {
  GivenAttr given = entry.getGiven();
  auto text = [](Decoded how) -> StringRef {
    switch (how) {
    case Decoded::Not:
      return "in high precision";
    case Decoded::Exact:
      return "codes and scales";
    case Decoded::Rounded:
      return "codes and scales, decoded in one rounding where the graph has several";
    case Decoded::Refused:
      return "codes that it cannot take";
    }
    llvm_unreachable("an operand came in one of four ways");
  };
  os << locationText(entry.getLocation()) << ": recognized: " << whatText(entry) << " (left operand "
     << text(given.getLhs()) << ", right operand " << text(given.getRhs());
  if (given.getDetail())
    os << "; " << given.getDetail().getValue();
  os << ")\n";
}

void fp8opt::printReport(raw_ostream &os, ReportAttr report) {
  for (EntryAttr entry : report.getEntries())
    if (entry.getGiven())
      printGiven(os, entry);
  for (EntryAttr entry : report.getEntries())
    if (KeptAttr kept = entry.getKept())
      os << locationText(entry.getLocation()) << ": kept in high precision: " << whatText(entry) << " ("
         << kept.getDetail().getValue() << ")\n";
  ReportSummary summary = summarize(report);
  os << "recipe " << report.getRecipe().getValue() << ": quantized " << summary.linearsQuantized << " of "
     << summary.linears << " GEMMs of block linears, " << summary.quantized << " of " << summary.contractions
     << " contractions, ";
  double share = summary.weightFlops > 0 ? 100 * summary.weightFlopsQuantized / summary.weightFlops : 0;
  os << llvm::format("%.1f", share) << " % of the FLOPs of linears and head"
     << (summary.dynamic ? " (dynamic sizes counted as 1)" : "") << "\n";
}

static std::string schemeText(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

static llvm::json::Object entryToJson(EntryAttr entry) {
  ArrayRef<int64_t> sizes = entry.getSizes();
  llvm::json::Object object{{"location", jsonText(locationText(entry.getLocation()))},
                            {"batch", sizes[0]},
                            {"m", sizes[1]},
                            {"n", sizes[2]},
                            {"k", sizes[3]},
                            {"flops", flopsOf(entry.getSizes())},
                            {"quantized", !entry.getKept()}};
  if (entry.getLabel())
    object["weight"] = jsonText(entry.getLabel().getValue());
  if (RolesAttr roles = entry.getRoles())
    object["roles"] = llvm::json::Array{stringifyRole(roles.getLhs()), stringifyRole(roles.getRhs())};
  if (entry.getGemm())
    object["gemm"] = stringifyGemm(entry.getGemm().getValue());
  if (entry.getHalf())
    object["half"] = stringifyHalf(entry.getHalf().getValue());
  if (entry.getSite())
    object["site"] = stringifySite(entry.getSite().getValue());
  if (entry.getLinear())
    object["linear"] = entry.getLinear().getId();
  if (LayerAttr layer = entry.getLayer())
    object["layer"] = llvm::json::Object{{"index", layer.getIndex()}, {"place", layer.getPlace()}};
  if (SchemesAttr schemes = entry.getSchemes())
    object["schemes"] = llvm::json::Array{schemeText(schemes.getLhs()), schemeText(schemes.getRhs())};
  if (GivenAttr given = entry.getGiven()) {
    object["given"] = llvm::json::Array{stringifyDecoded(given.getLhs()), stringifyDecoded(given.getRhs())};
    if (given.getDetail())
      object["given_detail"] = jsonText(given.getDetail().getValue());
  }
  if (KeptAttr kept = entry.getKept())
    object["kept"] = llvm::json::Object{{"by", stringifyKeptBy(kept.getBy())},
                                        {"detail", jsonText(kept.getDetail().getValue())}};
  return object;
}

llvm::json::Object fp8opt::reportToJson(ReportAttr report, StringRef target) {
  ReportSummary summary = summarize(report);
  llvm::json::Array contractions;
  for (EntryAttr entry : report.getEntries())
    contractions.push_back(entryToJson(entry));
  return llvm::json::Object{
      {"recipe", jsonText(report.getRecipe().getValue())},
      {"target", target},
      {"summary", llvm::json::Object{{"contractions", summary.contractions},
                                     {"quantized", summary.quantized},
                                     {"block_linears", summary.linears},
                                     {"block_linears_quantized", summary.linearsQuantized},
                                     {"weight_flops", summary.weightFlops},
                                     {"weight_flops_quantized", summary.weightFlopsQuantized}}},
      {"contractions", std::move(contractions)}};
}

LogicalResult fp8opt::checkStrict(ReportAttr report) {
  LogicalResult result = success();
  for (EntryAttr entry : report.getEntries()) {
    KeptAttr kept = entry.getKept();
    KeptBy byItself[] = {KeptBy::NoRole, KeptBy::ElementType, KeptBy::Given, KeptBy::Body};
    if (!kept || !llvm::is_contained(byItself, kept.getBy()))
      continue;
    result = emitError(entry.getLocation())
             << "expected every contraction to be quantized or kept by the recipe, got " << whatText(entry)
             << " kept because " << kept.getDetail().getValue();
  }
  return result;
}
