// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel is asked for, how it is scheduled, and what a target has.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEATTRS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEATTRS_TD

include "fp8-opt/Dialect/QTile/IR/QTileBase.td"
include "mlir/IR/TensorEncoding.td"

class QTile_Enum<string name, string description, list<I32EnumCase> cases> : I32Enum<name, description, cases> {
  let cppNamespace = "::fp8opt::qtile";
}
class QTile_EnumAttr<EnumInfo info, string keyword> : EnumAttr<QTile_Dialect, info, keyword> {
  let assemblyFormat = "custom<Word>($value)";
  let description = "Example: `#qtile<" # keyword # " " # !head(info.enumerants).str # ">`.";
}

def QTile_Scaling : QTile_Enum<"Scaling", "what shares one scale of an operand; the layouts of the same names, but tiles_128x4 for scales that an instruction reads", [
  I32EnumCase<"None", 0, "none">, I32EnumCase<"Tensor", 1, "tensor">, I32EnumCase<"Row", 2, "row">,
  I32EnumCase<"Block1x128", 3, "block_1x128">, I32EnumCase<"Block128x128", 4, "block_128x128">,
  I32EnumCase<"Block1x32", 5, "block_1x32">, I32EnumCase<"Block1x16", 6, "block_1x16">]>;
def QTile_ScalingAttr : QTile_EnumAttr<QTile_Scaling, "scaling">;

def QTile_Grouping : QTile_Enum<"Grouping", "what the products of one launch differ in: matrices of both operands; rows of the left one, which follow each other or are a matrix of each group; a part of the contraction", [
  I32EnumCase<"Batch", 0, "batch">, I32EnumCase<"Rows", 1, "rows">, I32EnumCase<"CountedRows", 2, "counted_rows">,
  I32EnumCase<"Contraction", 3, "contraction">]>;
def QTile_GroupingAttr : QTile_EnumAttr<QTile_Grouping, "grouping">;

def QTile_OperandLayout : QTile_Enum<"OperandLayout", "how an operand of a matrix product lies in memory: in panels of 128 bytes along the contraction; row major, its contraction last; row major, its contraction first", [
  I32EnumCase<"Panels", 0, "panels">, I32EnumCase<"RowMajor", 1, "row_major">, I32EnumCase<"Transposed", 2, "transposed">]>;
def QTile_OperandLayoutAttr : QTile_EnumAttr<QTile_OperandLayout, "operand_layout">;

def QTile_ResultLayout : QTile_Enum<"ResultLayout", "how the result of a matrix product lies in memory: row major; in panels of 128 bytes along its columns, as a product reads it that contracts these", [
  I32EnumCase<"RowMajor", 0, "row_major">, I32EnumCase<"Panels", 1, "panels">]>;
def QTile_ResultLayoutAttr : QTile_EnumAttr<QTile_ResultLayout, "result_layout">;

// By name: with qt's descriptions included, there would be two dialects in each file that is generated.
def QTile_SchemeAttr : Attr<CPred<"::llvm::isa<::fp8opt::qt::SchemeAttr>($_self)">, "#qt.scheme"> {
  let storageType = "::fp8opt::qt::SchemeAttr";
  let returnType = "::fp8opt::qt::SchemeAttr";
  let convertFromStorage = "$_self";
}

def QTile_Along : QTile_Enum<"Along", "which dimension of a matrix a contraction runs along", [
  I32EnumCase<"Columns", 0, "columns">, I32EnumCase<"Rows", 1, "rows">]>;
def QTile_AlongAttr : QTile_EnumAttr<QTile_Along, "along">;

def QTile_RoleKind : QTile_Enum<"RoleKind", "what a group of warps does with the ring", [
  I32EnumCase<"Consumer", 0, "consumer">, I32EnumCase<"Producer", 1, "producer">]>;
def QTile_RoleKindAttr : QTile_EnumAttr<QTile_RoleKind, "role_kind">;

def QTile_CopyKind : QTile_Enum<"CopyKind", "how a fill copies: bulk by one thread and the copy engine, async by the 32 threads of a warp", [
  I32EnumCase<"Bulk", 0, "bulk">, I32EnumCase<"Async", 1, "async">]>;
def QTile_CopyKindAttr : QTile_EnumAttr<QTile_CopyKind, "copy_kind">;

def QTile_Store : QTile_Enum<"Store", "who writes a tile of the result: the consumers, or warps of the producer's group while consumers go on", [
  I32EnumCase<"Consumers", 0, "consumers">, I32EnumCase<"Storers", 1, "storers">]>;

def QTile_ScaleCopy : QTile_Enum<"ScaleCopy", "who copies the scales of a stage: the thread that loads the operands, or a warp of its own", [
  I32EnumCase<"Load", 0, "load">, I32EnumCase<"Warp", 1, "warp">]>;

def QTile_Order : QTile_Enum<"Order", "how consumers work on tiles of the result: together on one, or on one each, one behind the other", [
  I32EnumCase<"Cooperative", 0, "cooperative">, I32EnumCase<"Pingpong", 1, "pingpong">]>;

def QTile_OperandSide : QTile_Enum<"OperandSide", "which operand of a matrix product", [
  I32EnumCase<"Lhs", 0, "lhs">, I32EnumCase<"Rhs", 1, "rhs">]>;
def QTile_OperandSideAttr : QTile_EnumAttr<QTile_OperandSide, "operand_side">;

def QTile_MmaAttr : QTile_Attr<"Mma", "mma"> {
  let summary = "an instruction that multiplies matrices";
  let description = [{
    A[m, k] times B[n, k] transposed, added to an accumulator [m, n]. `n` is the largest of a multiple of `step`.
    `threads` is the group that issues it together. An asynchronous instruction reads its operands in shared memory and
    answers with a pending accumulator; any other takes them in registers. With `scales`, each product is multiplied by the
    scale of its row of A and that of its row of B, of which a row has one for each `each` elements along k.

    - C1. All sizes are at least 1; n is a multiple of step.
    - C2. Scales are for a divisor of k.

    Example:
    ```mlir
    #wgmma = #qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>
    #nvfp4 = #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 16, threads = 32>
    ```
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k, "int64_t":$step, "::mlir::Type":$lhs,
                        "::mlir::Type":$rhs, "::mlir::Type":$accumulator, OptionalParameter<"::mlir::Type">:$scale,
                        DefaultValuedParameter<"int64_t", "0">:$each, "int64_t":$threads, "bool":$isAsynchronous);
  let assemblyFormat = [{ `<` custom<Shape>($m, $n, $k) `,` `step` `=` $step `,` $lhs `,` $rhs `,` $accumulator
                          (`scales` $scale^ `each` $each)? `,` `threads` `=` $threads `` custom<Asynchronous>($isAsynchronous) `>` }];
  let genVerifyDecl = 1;
}

def QTile_LimitsAttr : QTile_Attr<"Limits", "limits"> {
  let summary = "what one thread block may use on a target, and how many run at a time";
  let description = [{
    `processors`: multiprocessors of the chip. `shared`: bytes of shared memory of a thread block. `registers`: of a
    multiprocessor, 32 bits each. `threads`: of a thread block. `barriers`: named barriers of one.

    Example:
    ```mlir
    #h200 = #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
    ```
  }];
  let parameters = (ins "int64_t":$processors, "int64_t":$shared, "int64_t":$registers, "int64_t":$threads,
                        "int64_t":$barriers);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def QTile_RatesAttr : QTile_Attr<"Rates", "rates"> {
  let summary = "what a target does in a clock; what schedules are compared by";
  let description = [{
    Of one multiprocessor: `products`, multiplied and added bytes of codes (an element of two bytes counts as two);
    `shared`, bytes to or from shared memory; `issue`, f32 operations outside of the matrix units. Of the whole chip: `cache`, bytes
    from the L2 cache.

    In clocks: `stage`, of a stage beside the largest of these; `handover`, from the end of a consumer's products to its first promotion
    and back, which is lost where no other consumer multiplies; `tile`, between the last product of a tile and the first of the next.

    - C1. Rates are at least 1, clocks at least 0.

    Example:
    ```mlir
    #h200 = #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
    ```
  }];
  let parameters = (ins "int64_t":$products, "int64_t":$shared, "int64_t":$cache, "int64_t":$issue,
                        "int64_t":$stage, "int64_t":$handover, "int64_t":$tile);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def QTile_ScheduleAttr : QTile_Attr<"Schedule", "schedule"> {
  let summary = "every choice of a kernel for a matrix product";
  let description = [{
    - `tile`: rows and columns of the result that a thread block computes at a time; along the contraction it is 128 bytes.
    - `consumers`: warpgroups that multiply, as waves of the instruction's rows; each a part of a tile's rows, or all under `pingpong`.
    - `stages`: of the ring of operands.
    - `registers`: of a thread, in the producer's group and in the consumers.
    - `group`: rows of tiles that are walked together, so that thread blocks at work share operands in the L2 cache.
    - `in_flight`: groups of products that may be unfinished when the next stage begins; 0 where partial sums are promoted.
    - `turns`: 0 where consumers run freely; else two consumers multiply in turn, and hand over when so many of the four
      products of a wave are done.
    - `store`, `scales`: who stores the result, who copies the scales.
    - `order`: not printed where it is `cooperative`: consumers have parts of one tile. `pingpong`: two consumers have a tile each; one
      multiplies while the other scales and stages what it has.

    Where an instruction multiplies scales in, its operands are registers of a warp, and the warps of all consumers share the
    tile: 64 columns each, and as many rows as that leaves. A warp stores what it has; there are neither storers, turns nor
    products in flight.

    The verifier of the kernel holds it against the target's limits.

    - C1. All numbers are at least 1, but `in_flight` and `turns` at least 0, `turns` at most 4. `consumers`, `stages` and
      `group` are at most 256, a tile has at most 65536 rows and 256 columns.
    - C2. The registers are multiples of 8 between 24 and 255.
    - C3. The rows of each consumer are a multiple of 64, the columns of 8.
    - C4. Turns need two consumers; unfinished products leave no turns.
    - C5. `pingpong` needs two consumers and storers, and leaves no turns.

    Example:
    ```mlir
    #block = #qtile.schedule<tile = [256, 128], consumers = 2, stages = 3, registers = [40, 232], group = 8,
                             in_flight = 0, turns = 0, store = storers, scales = warp>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$tile, "int64_t":$consumers, "int64_t":$stages,
                        ArrayRefParameter<"int64_t">:$registers, "int64_t":$group, "int64_t":$inFlight,
                        "int64_t":$turns, EnumParameter<QTile_Store>:$store, EnumParameter<QTile_ScaleCopy>:$scales,
                        EnumParameter<QTile_Order>:$order);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isPingpong() const { return getOrder() == Order::Pingpong; }
    /// Of a tile, rows of one consumer, and waves of 64 in them.
    int64_t getRowsOfConsumer() const { return isPingpong() ? getTile()[0] : getTile()[0] / getConsumers(); }
    int64_t getWaves() const { return getRowsOfConsumer() / 64; }
    /// Threads of a thread block: the consumers and the producer's group.
    int64_t getThreads() const { return 128 * (getConsumers() + 1); }
  }];
}

def QTile_RingPlanAttr : QTile_Attr<"RingPlan", "ring_plan"> {
  let summary = "what qtile-plan-rings derived for a ring";
  let description = [{
    `full`, `empty`: arrivals that complete a phase. `tiles`: for each tile, the byte in shared memory where its first
    stage starts; the stages of a tile follow each other. `barriers`: the byte of the first full barrier; all full
    barriers, then all empty ones, of 8 bytes.
  }];
  let parameters = (ins "int64_t":$full, "int64_t":$empty, ArrayRefParameter<"int64_t">:$tiles, "int64_t":$barriers);
  let assemblyFormat = "`<` `full` `=` $full `,` `empty` `=` $empty `,` `tiles` `=` `[` $tiles `]` `,` `barriers` `=` $barriers `>`";
}

def QTile_StoredKind : QTile_Enum<"StoredKind", "a layout of Layouts.def that tensors between kernels have", [
  I32EnumCase<"Panels", 0, "panels">, I32EnumCase<"Row", 1, "row">, I32EnumCase<"Block1x128", 2, "block_1x128">,
  I32EnumCase<"Block128x128", 3, "block_128x128">, I32EnumCase<"Block128x128Transposed", 4, "block_128x128_transposed">,
  I32EnumCase<"Tiles128x4", 5, "tiles_128x4">]>;

def QTile_StoredAttr : QTile_Attr<"Stored", "stored", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "an encoding: the matrix that a tensor holds, and in which layout";
  let description = [{
    The tensor's shape is the stored shape that the layout of this name gives for the matrix (docs/Rationale/Layout.md); its
    element type has the width of the matrix's elements. Dimensions before the last two of `sizes` are batches.

    - C1. There are at least two sizes.
    - C2. The tensor's shape is the stored shape of these sizes; where one of them is dynamic, so is what depends on it.

    Example: codes of 256 rows of 1024, `tensor<8x256x128xi8, #qtile.stored<panels of 256x1024>>`.
  }];
  let parameters = (ins EnumParameter<QTile_StoredKind>:$layout, ArrayRefParameter<"int64_t">:$sizes);
  let assemblyFormat = "`<` custom<Word>($layout) `of` custom<Sizes>($sizes) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The tensor of elements of this type that holds such a matrix.
    static ::mlir::RankedTensorType getTensorType(::fp8opt::qtile::StoredKind layout,
                                                  ::llvm::ArrayRef<int64_t> sizes, ::mlir::Type element);
  }];
}

// What kernels compute of a program.

def QTile_ShareAttr : QTile_Attr<"Share", "share"> {
  let summary = "a contraction of a program for a device, and whether a kernel computes it";
  let description = [{
    `sizes` are the batch, m, n and k extents (-1 is dynamic), each the product of its dimensions; `flops` twice their product, `bytes` those
    of its operands and its result, once each: in these a dynamic size of an argument counts as 1, and others by how they come of those. `isQuantized` is present where its operands are. `isTransposed` is present where a kernel
    computes it transposed, with its right operand on the left, and the engine transposes what comes out. `reason` says why no kernel
    computes it, as the end of a sentence "it stays because ..."; absent where one does.

    - C1. There are four sizes, each at least -1.

    Example:
    ```mlir
    #share = #qtile.share<location = loc("model.py":7:3), sizes = [1, 5, 7, 3], flops = 210, bytes = 212, reason = "it has a size of 0">
    ```
  }];
  let parameters = (ins "::mlir::LocationAttr":$location, ArrayRefParameter<"int64_t">:$sizes, "int64_t":$flops, "int64_t":$bytes,
                        OptionalParameter<"::mlir::UnitAttr">:$isQuantized, OptionalParameter<"::mlir::UnitAttr">:$isTransposed,
                        OptionalParameter<"::mlir::StringAttr">:$reason);
  let assemblyFormat = "`<` struct($location, custom<ShareSizes>($sizes), $flops, $bytes, $isQuantized, $isTransposed, $reason) `>`";
  let genVerifyDecl = 1;
}
def QTile_MovedAttr : QTile_Attr<"Moved", "moved"> {
  let summary = "a quantizer that went back below a view of codes, as no kernel reads what the view makes";
  let description = [{
    `view` is the name of the op that moved codes; it moves numbers now, and what it makes is quantized, with the same bits.

    Example:
    ```mlir
    #moved = #qtile.moved<location = loc("model.py":7:3), view = "qt.slice">
    ```
  }];
  let parameters = (ins "::mlir::LocationAttr":$location, "::mlir::StringAttr":$view);
  let assemblyFormat = "`<` struct(params) `>`";
}
def QTile_SharesAttr : QTile_Attr<"Shares", "shares"> {
  let summary = "every contraction of a program for a device, in program order";
  let description = [{
    What convert-qt-to-qtile leaves on the module, as `qtile.shares`: contractions, and quantizers that it moved for them.

    Example:
    ```mlir
    #share = #qtile.share<location = loc("model.py":7:3), sizes = [1, 5, 7, 3], flops = 210, bytes = 212>
    #shares = #qtile.shares<[#share]>
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"::fp8opt::qtile::ShareAttr">:$contractions,
                        OptionalArrayRefParameter<"::fp8opt::qtile::MovedAttr">:$moved);
  let assemblyFormat = "`<` (`[` $contractions^ `]`)? (` ` `moved` ` ` `[` $moved^ `]`)? `>`";
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEATTRS_TD
