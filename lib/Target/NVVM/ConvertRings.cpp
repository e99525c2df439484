// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings: barriers in shared memory, and copies that they count.

#include "KernelValues.h"

#include "fp8-opt/Dialect/QTile/IR/RingBarriers.h"
#include "fp8-opt/Layout/Layouts.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// How long a waiting thread may sleep before it looks again, in nanoseconds; the barrier wakes it.
constexpr int64_t sleepTicks = 10000000;
/// What createpolicy makes of evict_normal and evict_first for all of what is copied.
constexpr int64_t evictNormal = 0x1000000000000000, evictFirst = 0x12F0000000000000;

namespace {
/// A ring of one kernel: where its parts lie.
struct RingPlace {
  qtile::RingType type;
  qtile::RingPlanAttr plan;
  Value shared;

  Value full(Writer &write, Value stage) const { return barrier(write, stage, qtile::getFullBarriers(plan)); }
  Value empty(Writer &write, Value stage) const {
    return barrier(write, stage, qtile::getEmptyBarriers(type, plan));
  }
  Value tile(Writer &write, unsigned number, Value stage) const {
    return write.add(write.add(shared, write.multiply(stage, type.getTiles()[number].getBytes())),
                     plan.getTiles()[number]);
  }

private:
  Value barrier(Writer &write, Value stage, int64_t first) const {
    return write.add(write.add(shared, write.shiftLeft(stage, llvm::Log2_64(qtile::barrierBytes))), first);
  }
};

template <typename OpT> class RingPattern : public KernelPattern<OpT> {
public:
  using KernelPattern<OpT>::KernelPattern;

protected:
  RingPlace place(OpT op) const {
    return {op.getRing().getType(), this->kernels.plans.find(op.getRing())->second,
            this->kernels.of(op).shared};
  }
};
} // namespace

static void waitFor(Writer &write, Value barrier, Value phase) {
  NVVM::MBarrierTryWaitParityOp::create(write.builder, write.loc, write.sharedPointer(barrier), phase,
                                        write.constant(sleepTicks));
}

namespace {
struct ConvertFirst : KernelPattern<qtile::FirstOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::FirstOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    // A fresh barrier is in phase 0, so that a wait for phase 1 goes through: all stages are empty.
    Value phase = write.constant(op.getKind() == qtile::RoleKind::Producer ? 1 : 0);
    rewriter.replaceOp(
        op, write.whole(getTypeConverter()->convertType(op.getType()), {write.constant(0), phase}));
    return success();
  }
};

struct ConvertAdvance : KernelPattern<qtile::AdvanceOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::AdvanceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    SmallVector<Value> position = write.parts(adaptor.getStage());
    Value next = write.add(position[0], 1);
    Value wraps = write.equal(next, op.getRing().getType().getStages());
    SmallVector<Value> ahead = {write.select(wraps, write.constant(0), next),
                                write.select(wraps, write.bitXor(position[1], 1), position[1])};
    if (Value condition = adaptor.getCondition())
      for (auto [value, same] : llvm::zip_equal(ahead, position))
        value = write.select(condition, value, same);
    rewriter.replaceOp(op, write.whole(adaptor.getStage().getType(), ahead));
    return success();
  }
};

struct ConvertWait : RingPattern<qtile::WaitOp> {
  using RingPattern::RingPattern;

  LogicalResult matchAndRewrite(qtile::WaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    RingPlace ring = place(op);
    SmallVector<Value> position = write.parts(adaptor.getStage());
    waitFor(write, ring.full(write, position[0]), position[1]);
    SmallVector<Value> tiles;
    for (unsigned i = 0, e = op.getTiles().size(); i < e; ++i)
      tiles.push_back(ring.tile(write, i, position[0]));
    rewriter.replaceOp(op, tiles);
    return success();
  }
};

struct ConvertRelease : RingPattern<qtile::ReleaseOp> {
  using RingPattern::RingPattern;

  LogicalResult matchAndRewrite(qtile::ReleaseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Value barrier = place(op).empty(write, write.parts(adaptor.getStage())[0]);
    Value predicate = kernels.of(op).isFirstLane;
    if (Value condition = adaptor.getCondition())
      predicate = arith::AndIOp::create(rewriter, op.getLoc(), predicate, condition);
    NVVM::InlinePtxOp::create(rewriter, op.getLoc(), TypeRange(), ValueRange{barrier}, ValueRange(),
                              rewriter.getStringAttr("mbarrier.arrive.shared::cta.b64 _, [{$r0}];"),
                              predicate);
    rewriter.eraseOp(op);
    return success();
  }
};

/// One thread: the barrier is told the bytes, which the copy engine then counts off.
struct ConvertFill : RingPattern<qtile::FillOp> {
  using RingPattern::RingPattern;

  LogicalResult matchAndRewrite(qtile::FillOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    RingPlace ring = place(op);
    SmallVector<Value> position = write.parts(adaptor.getStage());
    waitFor(write, ring.empty(write, position[0]), position[1]);
    Value barrier = write.sharedPointer(ring.full(write, position[0]));
    auto copies = llvm::to_vector(op.getBody().getOps<qtile::CopyOp>());
    auto tiles = llvm::to_vector(op.getBody().getOps<qtile::CopyTileOp>());
    if (op.getKind() == qtile::CopyKind::Async) {
      copyAsync(write, ring, copies, position[0], barrier, rewriter);
    } else {
      SmallVector<Value> sizes = expectBytes(write, copies, tiles, barrier, rewriter);
      copyTiles(write, ring, tiles, position[0], barrier, rewriter);
      copyBulk(write, ring, copies, sizes, position[0], barrier, rewriter);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static Value source(Writer &write, qtile::CopyOp copy, ConversionPatternRewriter &rewriter) {
    return write.element(rewriter.getRemappedValue(copy.getSource()), copy.getOffset(),
                         copy.getSource().getType().getElementType());
  }

  static Value bytes(Writer &write, qtile::CopyOp copy) {
    unsigned bits = copy.getTile().getType().getElementType().getIntOrFloatBitWidth();
    // Of 4 bits, two are a byte.
    return bits < 8 ? write.shiftRight(copy.getCount(), 1) : write.multiply(copy.getCount(), bits / 8);
  }

  /// What the cache is told of the lines that a copy brings; null for nothing.
  template <typename CopyT>
  static Value policy(Writer &write, CopyT copy, ConversionPatternRewriter &rewriter) {
    if (!copy.getOnce())
      return {};
    return write.select(rewriter.getRemappedValue(copy.getOnce()), write.constant(evictFirst, 64),
                        write.constant(evictNormal, 64));
  }

  template <typename CopyT> static unsigned number(CopyT copy) {
    return cast<BlockArgument>(copy.getTile()).getArgNumber();
  }

  /// The description of a matrix, and the bytes of a panel.
  static SmallVector<Value> map(Writer &write, qtile::CopyTileOp copy, ConversionPatternRewriter &rewriter) {
    return write.parts(rewriter.getRemappedValue(copy.getMap()));
  }

  static int64_t columnsOfPanel(qtile::CopyTileOp copy) {
    return panelBytes * 8 / copy.getTile().getType().getElementType().getIntOrFloatBitWidth();
  }

  static int64_t panelsOf(qtile::CopyTileOp copy) {
    return llvm::divideCeil(copy.getTile().getType().getColumns(), columnsOfPanel(copy));
  }

  /// Tells the barrier the bytes of all copies; those of each run.
  static SmallVector<Value> expectBytes(Writer &write, ArrayRef<qtile::CopyOp> copies,
                                        ArrayRef<qtile::CopyTileOp> tiles, Value barrier,
                                        ConversionPatternRewriter &rewriter) {
    SmallVector<Value> sizes;
    Value total;
    for (qtile::CopyOp copy : copies) {
      sizes.push_back(bytes(write, copy));
      total = total ? write.add(total, sizes.back()) : sizes.back();
    }
    for (qtile::CopyTileOp copy : tiles) {
      Value ofTile = write.multiply(map(write, copy, rewriter)[1], panelsOf(copy));
      total = total ? write.add(total, ofTile) : ofTile;
    }
    NVVM::MBarrierArriveExpectTxOp::create(write.builder, write.loc, /*res=*/Type(), barrier, total,
                                           NVVM::MemScopeKind::CTA,
                                           /*relaxed=*/false, /*predicate=*/Value());
    return sizes;
  }

  /// A panel at a time. What lies outside of the matrix comes as zeros, and counts.
  static void copyTiles(Writer &write, const RingPlace &ring, ArrayRef<qtile::CopyTileOp> copies, Value stage,
                        Value barrier, ConversionPatternRewriter &rewriter) {
    for (qtile::CopyTileOp copy : copies) {
      qtile::SharedType tile = copy.getTile().getType();
      Value into = ring.tile(write, number(copy), stage);
      int64_t columns = columnsOfPanel(copy);
      Value description = map(write, copy, rewriter)[0], hint = policy(write, copy, rewriter);
      for (int64_t panel = 0, panels = panelsOf(copy); panel < panels; ++panel) {
        SmallVector<Value> at = {write.add(copy.getColumn(), panel * columns), copy.getRow()};
        llvm::append_range(at, copy.getOuter());
        NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
            write.builder, write.loc,
            write.sharedPointer(write.add(into, panel * tile.getRows() * panelBytes), clusterSpace),
            description, at, barrier, /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(), hint,
            NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, /*group=*/NVVM::CTAGroupKindAttr(),
            /*predicate=*/Value());
      }
    }
  }

  static void copyBulk(Writer &write, const RingPlace &ring, ArrayRef<qtile::CopyOp> copies,
                       ArrayRef<Value> sizes, Value stage, Value barrier,
                       ConversionPatternRewriter &rewriter) {
    for (auto [copy, size] : llvm::zip_equal(copies, sizes))
      NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
          write.builder, write.loc, write.sharedPointer(ring.tile(write, number(copy), stage), clusterSpace),
          source(write, copy, rewriter), barrier, size, /*multicastMask=*/Value(),
          policy(write, copy, rewriter));
  }

  /// Each thread takes every 32nd chunk of a tile; of chunks past the count it copies nothing and leaves
  /// zeros.
  void copyAsync(Writer &write, const RingPlace &ring, ArrayRef<qtile::CopyOp> copies, Value stage,
                 Value barrier, ConversionPatternRewriter &rewriter) const {
    for (qtile::CopyOp copy : copies) {
      Value lane = kernels.of(copy).lane, size = bytes(write, copy);
      Value from = source(write, copy, rewriter), to = ring.tile(write, number(copy), stage);
      for (int64_t start = 0, end = copy.getTile().getType().getBytes(); start < end;
           start += chunkBytes * warpThreads) {
        Value byte = write.multiply(lane, chunkBytes);
        // A tile may end amid the warp's chunks; the threads past it repeat the first one.
        if (end - start < chunkBytes * warpThreads)
          byte = write.select(write.isBelow(byte, write.constant(end - start)), byte, write.constant(0));
        byte = write.add(byte, start);
        Value inside = write.isBelow(byte, size);
        NVVM::CpAsyncOp::create(write.builder, write.loc, write.sharedPointer(write.add(to, byte)),
                                write.element(from, write.widen(byte), write.builder.getI8Type()), chunkBytes,
                                NVVM::LoadCacheModifierKind::CA,
                                write.select(inside, write.constant(chunkBytes), write.constant(0)));
      }
    }
    NVVM::CpAsyncMBarrierArriveOp::create(write.builder, write.loc, barrier, /*noinc=*/true);
  }
};
} // namespace

void fp8opt::nvvm::populateRingPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        const Kernels &kernels) {
  patterns.add<ConvertToValue<qtile::RingOp, &KernelValues::shared>, ConvertFirst, ConvertAdvance,
               ConvertWait, ConvertRelease, ConvertFill>(types, patterns.getContext(), kernels);
}
