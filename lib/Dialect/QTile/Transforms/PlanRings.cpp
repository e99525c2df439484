// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places rings and tiles in shared memory, counts the arrivals that rings wait for, and numbers barriers.

#include "fp8-opt/Dialect/QTile/IR/RingBarriers.h"
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"
#include "fp8-opt/Layout/Layouts.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace fp8opt::qtile {
#define GEN_PASS_DEF_PLANRINGSPASS
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h.inc"
} // namespace fp8opt::qtile

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// Threads of a warp, each of which arrives when its asynchronous copies are done.
constexpr int64_t warpThreads = 32;
/// Barrier 0 is the one of all threads.
constexpr int64_t firstNamedBarrier = 1;

namespace {
/// Shared memory of a block, given out from its start.
class SharedMemory {
public:
  int64_t take(int64_t bytes, int64_t alignment) {
    int64_t offset = llvm::alignTo(end, alignment);
    end = offset + bytes;
    return offset;
  }
  int64_t size() const { return end; }

private:
  int64_t end = 0;
};

struct Arrivals {
  int64_t full = 0, empty = 0;
};
} // namespace

/// Arrivals that complete a phase of the ring's barriers: to be full, one of each thread that fills; to be
/// empty, one of each warp that releases.
static FailureOr<Arrivals> countArrivals(RingOp ring) {
  Arrivals arrivals;
  FillOp bulk, async;
  RoleOp releasing;
  for (Operation *user : ring.getResult().getUsers()) {
    if (auto fill = dyn_cast<FillOp>(user)) {
      FillOp &first = fill.getKind() == CopyKind::Bulk ? bulk : async;
      if (first) {
        auto error = fill.emitOpError() << "expected one fill of a kind for each ring, got a second that is "
                                        << stringifyCopyKind(fill.getKind());
        error.attachNote(first.getLoc()) << "the first is here";
        return failure();
      }
      first = fill;
      arrivals.full += fill.getKind() == CopyKind::Bulk ? 1 : warpThreads;
    }
    if (auto release = dyn_cast<ReleaseOp>(user)) {
      auto role = release->getParentOfType<RoleOp>();
      if (!role || (releasing && releasing != role))
        return release.emitOpError() << "expected all releases of a ring in one role, got "
                                     << (role ? "one in another" : "one outside of the roles");
      releasing = role;
      arrivals.empty = role.getWarps();
      // A stage is of one tile, and that of one consumer.
      std::optional<ScheduleAttr> schedule = ring->getParentOfType<KernelOp>().getSchedule();
      if (schedule && schedule->isPingpong())
        arrivals.empty /= schedule->getConsumers();
    }
  }
  if (!arrivals.full || !arrivals.empty)
    return ring.emitOpError() << "expected a ring to be filled and released, got one that is not "
                              << (arrivals.full ? "released" : "filled");
  return arrivals;
}

/// A position starts in the phase of those who fill or of those who empty: in the other role it would wait
/// forever, or for nothing.
static LogicalResult verifyFirst(RingOp ring) {
  for (Operation *user : ring.getResult().getUsers()) {
    auto first = dyn_cast<FirstOp>(user);
    auto role = first ? first->getParentOfType<RoleOp>() : RoleOp();
    if (role && role.getKind() != first.getKind())
      return first.emitOpError() << "expected the first position of a " << stringifyRoleKind(role.getKind())
                                 << ", whose role it is in, got that of a "
                                 << stringifyRoleKind(first.getKind());
  }
  return success();
}

/// The copy engine faults at a run that is no multiple of 16 bytes, and a longer one than the tile overwrites
/// what follows it.
static LogicalResult verifyCounts(RingOp ring) {
  for (Operation *user : ring.getResult().getUsers()) {
    auto fill = dyn_cast<FillOp>(user);
    if (!fill)
      continue;
    for (auto copy : fill.getBody().getOps<CopyOp>()) {
      APInt count;
      if (!matchPattern(copy.getCount(), m_ConstantInt(&count)))
        continue;
      SharedType tile = copy.getTile().getType();
      int64_t bytes = count.getSExtValue() * tile.getElementType().getIntOrFloatBitWidth() / 8;
      if (bytes < 0 || bytes % chunkBytes != 0 || bytes > tile.getBytes())
        return copy.emitOpError() << "expected a count of a multiple of " << chunkBytes
                                  << " bytes, at most the " << tile.getBytes() << " of " << tile << ", got "
                                  << count.getSExtValue() << " elements, " << bytes << " bytes";
    }
  }
  return success();
}

/// Tiles of a kind lie stage after stage; panels, which need the widest alignment, come first by the order of
/// the ops.
static LogicalResult planRing(RingOp ring, SharedMemory &memory) {
  FailureOr<Arrivals> arrivals = countArrivals(ring);
  if (failed(arrivals) || failed(verifyFirst(ring)) || failed(verifyCounts(ring)))
    return failure();
  RingType type = ring.getResult().getType();
  SmallVector<int64_t> tiles;
  for (SharedType tile : type.getTiles())
    tiles.push_back(memory.take(type.getStages() * tile.getBytes(), tile.getAlignment()));
  int64_t barriers = memory.take(getBarrierBytes(type), barrierBytes);
  ring.setPlanAttr(RingPlanAttr::get(ring.getContext(), arrivals->full, arrivals->empty, tiles, barriers));
  return success();
}

static LogicalResult planKernel(KernelOp kernel) {
  SharedMemory memory;
  // Tiles in panels first: scales and barriers behind them waste nothing of their alignment.
  for (auto alloc : kernel.getBody().getOps<AllocOp>()) {
    SharedType tile = alloc.getResult().getType();
    alloc.setOffset(memory.take(tile.getBytes(), tile.getAlignment()));
  }
  for (auto ring : kernel.getBody().getOps<RingOp>())
    if (failed(planRing(ring, memory)))
      return failure();
  int64_t number = firstNamedBarrier;
  for (auto barriers : kernel.getBody().getOps<BarriersOp>()) {
    if (int64_t threads = barriers.getResult().getType().getThreads(); threads > kernel.countThreads())
      return barriers.emitOpError() << "expected barriers for at most the " << kernel.countThreads()
                                    << " threads of the block, got " << threads;
    barriers.setFirst(number);
    number += barriers.getResult().getType().getCount();
  }
  LimitsAttr limits = kernel.getTargetOp().getLimits();
  if (number > limits.getBarriers())
    return kernel.emitOpError() << "expected at most " << limits.getBarriers()
                                << " barriers of a block, the one of all threads "
                                << "among them, got " << number;
  if (memory.size() > limits.getShared())
    return kernel.emitOpError() << "expected at most " << limits.getShared()
                                << " bytes of shared memory of a block, got " << memory.size();
  kernel.setShared(memory.size());
  return success();
}

namespace {
struct PlanRingsPass : fp8opt::qtile::impl::PlanRingsPassBase<PlanRingsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>())
      if ((kernel.isOfThreads() || !kernel.getBody().getOps<RoleOp>().empty()) && failed(planKernel(kernel)))
        return signalPassFailure();
  }
};
} // namespace
