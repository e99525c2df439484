// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels compute of a program, under which schedules, and what is left to the engine: for people, and
// as JSON.

#include "fp8-opt/Report/Kernels.h"

#include "fp8-opt/Report/ProgramText.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

namespace {
struct Sums {
  unsigned contractions = 0;
  double flops = 0, bytes = 0;

  void add(ShareAttr share) {
    ++contractions;
    flops += double(share.getFlops());
    bytes += double(share.getBytes());
  }
};
} // namespace

static std::pair<Sums, Sums> sum(SharesAttr shares) {
  Sums all, ours;
  for (ShareAttr share : shares.getContractions()) {
    all.add(share);
    if (!share.getReason())
      ours.add(share);
  }
  return {all, ours};
}

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// "2 below qt.pad, 1 below qt.slice", in the order of the first of each.
static void printMoved(raw_ostream &os, SharesAttr shares) {
  llvm::MapVector<StringAttr, unsigned> counts;
  for (MovedAttr moved : shares.getMoved())
    ++counts[moved.getView()];
  if (counts.empty())
    return;
  os << "quantizers moved, as no kernel reads codes of a view: ";
  llvm::interleaveComma(
      counts, os, [&](const auto &count) { os << count.second << " below " << count.first.getValue(); });
  os << '\n';
}

static void printTransposed(raw_ostream &os, SharesAttr shares) {
  if (auto count = llvm::count_if(shares.getContractions(),
                                  [](ShareAttr share) { return bool(share.getIsTransposed()); }))
    os << "computed transposed, as no kernel has scales for 128x128 on the left: " << count << '\n';
}

/// One line for each reason, in the order of the first contraction of each; quantized ones apart.
static void printLeft(raw_ostream &os, SharesAttr shares, const Sums &all) {
  struct Left {
    Sums sums;
    ShareAttr first;
  };
  llvm::MapVector<std::pair<StringAttr, unsigned>, Left> reasons;
  for (ShareAttr share : shares.getContractions())
    if (share.getReason()) {
      Left &left = reasons[{share.getReason(), bool(share.getIsQuantized())}];
      left.sums.add(share);
      if (!left.first)
        left.first = share;
    }
  for (auto &[key, left] : reasons) {
    os << "left to the engine: " << left.sums.contractions << (key.second ? " quantized" : "")
       << (left.sums.contractions == 1 ? " contraction, " : " contractions, ")
       << llvm::format("%.1f %% of all FLOPs, %.1f %% of the bytes: ", percent(left.sums.flops, all.flops),
                       percent(left.sums.bytes, all.bytes))
       << key.first.getValue() << " (first at " << locationText(left.first.getLocation()) << ", "
       << sizesText(left.first.getSizes()) << ")\n";
  }
}

void fp8opt::printShares(raw_ostream &os, SharesAttr shares) {
  bool isDynamic =
      llvm::any_of(shares.getContractions(), [](ShareAttr share) { return hasDynamic(share.getSizes()); });
  printMoved(os, shares);
  printTransposed(os, shares);
  auto [all, ours] = sum(shares);
  printLeft(os, shares, all);
  os << "kernels: " << ours.contractions << " of " << all.contractions << " contractions, "
     << llvm::format("%.1f %% of their FLOPs, %.1f %% of the bytes that they read and write",
                     percent(ours.flops, all.flops), percent(ours.bytes, all.bytes))
     << dynamicNote(isDynamic) << '\n';
}

/// How many ops launch each kernel.
static llvm::StringMap<unsigned> countLaunches(ModuleOp module) {
  llvm::StringMap<unsigned> launches;
  module.walk([&](LaunchOp launch) { ++launches[launch.getKernel()]; });
  return launches;
}

static void printSchedule(raw_ostream &os, ScheduleAttr schedule) {
  os << ", tile " << schedule.getTile()[0] << 'x' << schedule.getTile()[1] << ", consumers "
     << schedule.getConsumers() << ", stages " << schedule.getStages() << ", registers "
     << schedule.getRegisters()[0] << " and " << schedule.getRegisters()[1] << ", group "
     << schedule.getGroup() << ", in flight " << schedule.getInFlight() << ", turns " << schedule.getTurns()
     << ", store by " << stringifyStore(schedule.getStore()) << ", scales by "
     << stringifyScaleCopy(schedule.getScales()) << ", order " << stringifyOrder(schedule.getOrder());
}

void fp8opt::printKernels(raw_ostream &os, ModuleOp module) {
  llvm::StringMap<unsigned> launches = countLaunches(module);
  for (auto kernel : module.getOps<KernelOp>()) {
    unsigned count = launches.lookup(kernel.getSymName());
    os << "kernel " << kernel.getSymName() << ": " << count << (count == 1 ? " launch" : " launches");
    if (kernel.getSchedule())
      printSchedule(os, *kernel.getSchedule());
    else if (kernel.isOfThreads())
      os << ", " << kernel.countThreads() << " threads";
    os << '\n';
  }
}

static llvm::json::Object toJson(ScheduleAttr schedule) {
  return llvm::json::Object{{"tile", llvm::json::Array(schedule.getTile())},
                            {"consumers", schedule.getConsumers()},
                            {"stages", schedule.getStages()},
                            {"registers", llvm::json::Array(schedule.getRegisters())},
                            {"group", schedule.getGroup()},
                            {"in_flight", schedule.getInFlight()},
                            {"turns", schedule.getTurns()},
                            {"store", stringifyStore(schedule.getStore())},
                            {"scales", stringifyScaleCopy(schedule.getScales())},
                            {"order", stringifyOrder(schedule.getOrder())}};
}

static llvm::json::Array kernelsToJson(ModuleOp module) {
  llvm::StringMap<unsigned> launches = countLaunches(module);
  llvm::json::Array kernels;
  for (auto kernel : module.getOps<KernelOp>()) {
    llvm::json::Object object{{"name", jsonText(kernel.getSymName())},
                              {"launches", launches.lookup(kernel.getSymName())}};
    if (kernel.getSchedule())
      object["schedule"] = toJson(*kernel.getSchedule());
    else if (kernel.isOfThreads())
      object["threads"] = kernel.countThreads();
    kernels.push_back(std::move(object));
  }
  return kernels;
}

static llvm::json::Object toJson(const Sums &sums) {
  return llvm::json::Object{
      {"contractions", sums.contractions}, {"flops", sums.flops}, {"bytes", sums.bytes}};
}

llvm::json::Object fp8opt::kernelsToJson(SharesAttr shares, ModuleOp module) {
  auto [all, ours] = sum(shares);
  llvm::json::Array contractions;
  for (ShareAttr share : shares.getContractions()) {
    ArrayRef<int64_t> sizes = share.getSizes();
    llvm::json::Object object{{"location", jsonText(locationText(share.getLocation()))},
                              {"batch", sizes[0]},
                              {"m", sizes[1]},
                              {"n", sizes[2]},
                              {"k", sizes[3]},
                              {"flops", double(share.getFlops())},
                              {"bytes", share.getBytes()},
                              {"quantized", bool(share.getIsQuantized())},
                              {"transposed", bool(share.getIsTransposed())},
                              {"kernel", !share.getReason()}};
    if (share.getReason())
      object["reason"] = jsonText(share.getReason().getValue());
    contractions.push_back(std::move(object));
  }
  llvm::json::Array moved;
  for (MovedAttr each : shares.getMoved())
    moved.push_back(llvm::json::Object{{"location", jsonText(locationText(each.getLocation()))},
                                       {"view", jsonText(each.getView().getValue())}});
  return llvm::json::Object{{"all", toJson(all)},
                            {"kernels", toJson(ours)},
                            {"contractions", std::move(contractions)},
                            {"moved", std::move(moved)},
                            {"launched", ::kernelsToJson(module)}};
}
