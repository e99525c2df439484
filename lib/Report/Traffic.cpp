// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What quantizing moves through memory: for people, and as JSON.

#include "fp8-opt/Dialect/QT/Transforms/MemoryCost.h"
#include "fp8-opt/Report/ProgramText.h"
#include "fp8-opt/Report/Report.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
struct Sums {
  int64_t reads = 0, writes = 0, bytesRead = 0, bytesWritten = 0;

  void add(PassesAttr passes) {
    reads += passes.getReads();
    writes += passes.getWrites();
    bytesRead = addBytes(bytesRead, passes.getBytesRead());
    bytesWritten = addBytes(bytesWritten, passes.getBytesWritten());
  }
};
} // namespace

/// Whether it was counted after fusing too; where nothing is quantized there is nothing to count.
static bool isCounted(TrafficAttr traffic) {
  auto isAfter = [](TensorTrafficAttr tensor) { return bool(tensor.getAfter()); };
  return traffic.getTensors().empty() || llvm::any_of(traffic.getTensors(), isAfter);
}

static std::pair<Sums, Sums> sum(TrafficAttr traffic) {
  Sums before, after;
  for (TensorTrafficAttr tensor : traffic.getTensors()) {
    before.add(tensor.getBefore());
    if (PassesAttr passes = tensor.getAfter())
      after.add(passes);
  }
  return {before, after};
}

namespace {
/// Tensors that are computed again to be quantized, and the bytes of that alone.
struct Recomputed {
  int64_t tensors = 0, bytesRead = 0, bytesWritten = 0;
};
} // namespace

/// A tensor that is computed again costs what quantizing it again would, which the plan rejected, and this.
static Recomputed recomputed(PlanAttr plan) {
  Recomputed sums;
  for (PlannedAttr tensor : plan ? plan.getTensors() : ArrayRef<PlannedAttr>()) {
    CostAttr chosen = tensor.getChosen();
    auto again =
        llvm::find_if(tensor.getRejected(), [](CostAttr cost) { return cost.getForm() == PlanForm::Again; });
    if (chosen.getForm() != PlanForm::Recomputed || again == tensor.getRejected().end())
      continue;
    ++sums.tensors;
    sums.bytesRead = addBytes(sums.bytesRead, chosen.getRead() - again->getRead());
    sums.bytesWritten = addBytes(sums.bytesWritten, chosen.getWritten() - again->getWritten());
  }
  return sums;
}

/// How many tensors are quantized after step `fuse`.
static int64_t countQuantized(TrafficAttr traffic) {
  return llvm::count_if(traffic.getTensors(), [](TensorTrafficAttr tensor) {
    PassesAttr after = tensor.getAfter();
    return after && after.getWrites() > 0;
  });
}

static void printBytes(raw_ostream &os, int64_t bytes) {
  if (bytes < 1000000)
    os << llvm::format("%.1f kB", double(bytes) / 1e3);
  else
    os << llvm::format("%.1f MB", double(bytes) / 1e6);
}

void fp8opt::printTraffic(raw_ostream &os, TrafficAttr traffic, PlanAttr plan, ReportAttr report) {
  if (!isCounted(traffic) || traffic.getTensors().empty())
    return;
  auto [before, after] = sum(traffic);
  os << "quantizing " << countQuantized(traffic) << " tensors: " << after.reads
     << " reads of a tensor (unfused " << before.reads << "), ";
  printBytes(os, after.bytesRead);
  os << " read (";
  printBytes(os, before.bytesRead);
  os << "), ";
  printBytes(os, after.bytesWritten);
  os << " written (";
  printBytes(os, before.bytesWritten);
  os << ')';
  if (Recomputed again = recomputed(plan); again.tensors) {
    os << "; computing " << again.tensors << " of them again: ";
    printBytes(os, again.bytesRead);
    os << " read, ";
    printBytes(os, again.bytesWritten);
    os << " written";
  }
  os << dynamicNote(report && summarize(report).dynamic) << '\n';
}

static llvm::json::Object toJson(int64_t reads, int64_t writes, int64_t bytesRead, int64_t bytesWritten) {
  return llvm::json::Object{
      {"reads", reads}, {"writes", writes}, {"bytes_read", bytesRead}, {"bytes_written", bytesWritten}};
}
static llvm::json::Object toJson(const Sums &sums) {
  return toJson(sums.reads, sums.writes, sums.bytesRead, sums.bytesWritten);
}
static llvm::json::Object toJson(PassesAttr passes) {
  return toJson(passes.getReads(), passes.getWrites(), passes.getBytesRead(), passes.getBytesWritten());
}

llvm::json::Value fp8opt::trafficToJson(TrafficAttr traffic, PlanAttr plan, SignatureAttr signature) {
  llvm::json::Array tensors;
  for (TensorTrafficAttr tensor : traffic.getTensors()) {
    llvm::json::Object object{{"location", jsonText(locationText(tensor.getLocation()))},
                              {"unfused", toJson(tensor.getBefore())}};
    if (PassesAttr after = tensor.getAfter())
      object["fused"] = toJson(after);
    if (tensor.getResult())
      object["result"] = tensor.getResult().getInt();
    int64_t argument = tensor.getArgument() ? tensor.getArgument().getInt() : -1;
    if (signature && argument >= 0 && argument < int64_t(signature.getArguments().size()))
      object["argument"] = jsonText(signature.getArguments()[argument].getName().getValue());
    tensors.push_back(std::move(object));
  }
  auto [before, after] = sum(traffic);
  llvm::json::Object object{{"unfused", toJson(before)}};
  if (isCounted(traffic))
    object["fused"] = toJson(after);
  Recomputed again = recomputed(plan);
  object["recomputed"] = llvm::json::Object{
      {"tensors", again.tensors}, {"bytes_read", again.bytesRead}, {"bytes_written", again.bytesWritten}};
  object["tensors"] = std::move(tensors);
  return object;
}
