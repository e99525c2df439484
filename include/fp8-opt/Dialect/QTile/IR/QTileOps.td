// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, targets, and what a kernel computes.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEOPS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEOPS_TD

include "fp8-opt/Dialect/QTile/IR/QTileAttrs.td"
include "fp8-opt/Dialect/QTile/IR/QTileTypes.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def QTile_TargetOp : QTile_Op<"target", [Symbol, IsolatedFromAbove, NoTerminator, NoRegionArguments]> {
  let summary = "A chip: its name for the assembler, its limits, its rates, its instructions and schedules";
  let description = [{
    The body has the schedules that qtile-choose-schedule compares by the rates, one qtile.schedules for each kind of product.
    Without rates or schedules, those of its kernels are written by hand. A summary says for people what the chip is.

    Example:
    ```mlir
    qtile.target @sm_90a "Hopper: H100, H200" chip "sm_90a" features "+ptx88"
      limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
      rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
      instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$summary, StrAttr:$chip, StrAttr:$features, QTile_LimitsAttr:$limits,
                       OptionalAttr<QTile_RatesAttr>:$rates,
                       TypedArrayAttrBase<QTile_MmaAttr, "instructions">:$instructions);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = [{ $sym_name ($summary^)? `chip` $chip `features` $features `limits` qualified($limits)
                          (`rates` qualified($rates)^)? `instructions` $instructions attr-dict-with-keyword ($body^)? }];
  let hasRegionVerifier = 1;
}

def QTile_SchedulesOp : QTile_Op<"schedules", [HasParent<"TargetOp">]> {
  let summary = "The schedules of one kind of product that are worth comparing on a target";
  let description = [{
    A kind of product is how its operands are scaled, whether its sums are `promoted`, and whether its operands are `row_major`, in either order. Each row stands for itself and, with `columns`, for the same with
    narrower tiles: down to so many columns, by steps of so many. Each of these has as many stages as there is room for, those of the row at
    most and `stages` at least. Of tiles that two rows give, that of the first row counts.

    What counting tells apart is compared (tile, consumers, stages); what only measuring can is said here: who stores, who copies scales, turns,
    products in flight, the size of groups.

    - C1. There is a row; `stages` and `columns` are at least 1, and at most those of each row.
    - C2. A target has one table for each kind.

    Example:
    ```mlir
    qtile.target @sm_90a chip "sm_90a" features "+ptx88"
      limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
      rates #qtile.rates<products = 4096, shared = 128, cache = 6154, issue = 128, stage = 0, handover = 100, tile = 1000>
      instructions [#qtile.mma<64x256x32, step = 8, f8E4M3FN, f8E4M3FN, f32, threads = 128, asynchronous>] {
      qtile.schedules of block_1x128, block_128x128 stages 3 columns 32 by 16 [
        #qtile.schedule<tile = [256, 256], consumers = 2, stages = 8, registers = [40, 232], group = 8, in_flight = 0, turns = 0, store = storers, scales = load>]
    }
    ```
  }];
  let arguments = (ins QTile_ScalingAttr:$lhs, QTile_ScalingAttr:$rhs, UnitAttr:$promoted, UnitAttr:$rowMajor, I64Attr:$stages, OptionalAttr<I64Attr>:$columns,
                       OptionalAttr<I64Attr>:$step, TypedArrayAttrBase<QTile_ScheduleAttr, "schedules">:$rows);
  let assemblyFormat = [{ `of` `` $lhs `,` `` $rhs (`promoted` $promoted^)? (`row_major` $rowMajor^)? `stages` $stages (`columns` $columns^ `by` $step)? $rows attr-dict }];
  let hasVerifier = 1;
}

def QTile_KernelOp : QTile_Op<"kernel", [FunctionOpInterface, IsolatedFromAbove,
                                         DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A kernel: pointers and integers in, nothing out";
  let description = [{
    Arguments are `!qtile.global` and i32. The body is one block that ends with qtile.return: one op that says what is
    computed before the step `expand`, what thread blocks and threads do after it.

    A kernel of warp roles (from qtile.gemm) has rings, index arithmetic and the roles. Its thread blocks are persistent: the grid is the
    number of processors, or fewer, and each takes tiles in turn. `schedule` says how.

    A kernel of threads (from qtile.quantize, qtile.amax) has no roles: all `threads` of a thread block do one thing.
    `resident` is how many thread blocks a processor is to hold at a time, which bounds the registers of a thread; `grid` is how
    many thread blocks there are, of the i32 arguments in their order.

    `shared` is how many bytes of shared memory a thread block needs, once qtile-plan-rings has counted them.

    - C1. Arguments are !qtile.global or i32; there are no results.
    - C2. `target` names a qtile.target, at the latest when there is a schedule or threads; schedule, threads and shared memory keep within its limits.
    - C3. `threads` are whole warps, in a kernel without roles and schedule; `resident` and `grid` stand beside them.
    - C4. `grid` has one result and as many symbols as there are i32 arguments.
    - C5. `shared` reaches as far as tiles and rings are placed.

    Example:
    ```mlir
    qtile.target @sm_90a chip "sm_90a" features "+ptx88"
      limits #qtile.limits<processors = 132, shared = 232448, registers = 65536, threads = 1024, barriers = 16>
      instructions []
    qtile.kernel @nothing(%a: !qtile.global<f32>, %n: i32) on @sm_90a {
      qtile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, FlatSymbolRefAttr:$target,
                       OptionalAttr<QTile_ScheduleAttr>:$schedule, OptionalAttr<I64Attr>:$threads,
                       OptionalAttr<I64Attr>:$resident, OptionalAttr<AffineMapAttr>:$grid, OptionalAttr<I64Attr>:$shared,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// Where the module does not have it, null; the verifier of the uses refuses that.
    ::fp8opt::qtile::TargetOp getTargetOp();
    /// Threads of a thread block: those of the roles, else what the kernel says; 0 where neither is there yet.
    int64_t countThreads();
    /// Whether all threads of a thread block do one thing.
    bool isOfThreads() { return getThreads().has_value(); }
  }];
}

def QTile_ReturnOp : QTile_Op<"return", [Terminator, HasParent<"KernelOp">]> {
  let summary = "Ends a kernel";
  let description = [{
    Example:
    ```mlir
    qtile.kernel @nothing() on @chip {
      qtile.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def QTile_GemmOp : QTile_Op<"gemm", [HasParent<"KernelOp">, AttrSizedOperandSegments]> {
  let summary = "D[m, n] = alpha * A[m, k] * B[n, k] transposed, by scales";
  let description = [{
    `lhs` and `rhs` are codes in panels: rows padded to 16, the bytes of a row to 128 with zero codes. Their scales lie in
    the layout that `#qtile.scaling` names. Numbers without scales may be row major instead: m (or n) rows of k as
    `row_major`, k rows of m (or n) as `transposed`, either operand for itself. These need `maps`, 256 bytes for each thread block of the
    grid and 128 more, which the kernel writes for itself; operands and their rows start at multiples of 16 bytes. Of `tensor` scales the product may be given in their place, `alpha`. Products are
    accumulated by the instruction, which may keep fewer bits than f32 (docs/Performance.md, The bound); where an operand has a scale for
    each 128 of k, each 128 are a partial sum that is multiplied by its scales and added in f32; and where sums are `promoted`, each 128 of k
    are a partial sum that is added in f32 as it is. Scales for each 32 or 16 of k are codes themselves, of f8E8M0FNU and of f8E4M3FN, in the layout
    `tiles_128x4`; an instruction multiplies them in. All sizes are at
    least 1; `likely` are the sizes that a schedule should be good for.

    What is left behind is `into`: m rows of n, row major, or in `panels` along n as an operand of the next product, with zeros behind
    column n and nothing written behind row m. On its way out an element meets, in this order and in f32, its scales and alpha; `plus` a
    number for its column, of a vector in the layout `row`; with `accumulate` what lies there. Then it is rounded to the element type
    of `into` once; or, `as` codes of a scheme, to the type of the numbers that these stand for (`of`) and encoded under a scale that is
    given, one for all of the result (docs/Spec.md, section encode).

    One launch may compute `groups` such products. What has a matrix for each group is a stack: codes in panels, each matrix with
    padding of its own; their scales alike, one `tensor` scale for each; results row major without padding, in panels with it, and a scale
    of its codes for each. Where an operand is a stack there is an alpha for each group, else one; a vector of columns where the right one is. `bounds` say where groups begin and end, [groups, 2] of i32, or [groups] of counts.

    | grouping | stacks | bounds | product g |
    |---|---|---|---|
    | `batch` | both operands, result | | all sizes alike |
    | `rows` | right operand | begin and end of each group | rows of the left operand and of the result from begin to end |
    | `counted_rows` | both operands, result | a count of each group | the first rows, as many as counted; m is the size of a matrix |
    | `contraction` | result | begin and end of each group | the contraction from begin to end; zeros where that is nothing |

    Groups of rows begin at a multiple of 8 rows, under scales that an instruction multiplies of 128; groups of the contraction
    at a panel, a multiple of 128 bytes, and between the end of one and the next panel lie zero codes, whose scales in
    `tiles_128x4` are zeros. Groups may be empty. What no group has of rows is neither read into a result nor written.
    Bounds stay within m and k. There is at least one group.

    Row-major operands of a batch lie as their `strides` say, in elements: from row to row; from matrix to matrix of `inner` ones; from
    these to the next `inner`. All are multiples of 16 bytes. Matrix g is number g rem inner of those number
    g div inner; there are groups for all of these.

    - C1. A `none` scaling has no scales; every other has, but for `tensor` beside `alpha`.
    - C2. Scalings of the operands are block_1x128 and block_128x128, or alike and not block_128x128. There may be an alpha
      under tensor and block_1x16.
    - C3. Scales of blocks are those of 8-bit codes, block_1x16 those of f4E2M1FN; only these are codes of 4 bits.
    - C4. The likely sizes are three numbers, with groups a fourth, how many; all at least 1.
    - C5. There is a grouping if there are groups, and bounds for every grouping but batch.
    - C6. There are maps if an operand is not in panels; of these there is scaling none, elements of 16 bits and no groups but a batch, where
      neither is in panels.
    - C7. What is accumulated is f32.
    - C8. A result in panels is of bf16 or f16, or of codes; codes are in panels, of the scheme's type. The scheme has one level of f32 for all of a
      tensor, by which numbers are multiplied; they stand for f32, bf16 or f16.
    - C9. Numbers for columns are f32, bf16 or f16.
    - C10. A batch of row-major operands has strides, three of each; nothing else has.
    - C11. Promoted are sums under tensor and row scales; those under block_1x128 always are, without the word.

    Example:
    ```mlir
    qtile.gemm %a as block_1x128 by %sa, %b as block_128x128 by %sb into %d sizes(%m, %n, %k) likely [4096, 7168, 2048]
      : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
    qtile.gemm %a as tensor by %sa, %b as tensor by %sb into %d sizes(%m, %n, %k) in rows(%experts by %bounds)
      : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
    qtile.gemm %a as row by %sa, %b as row by %sb promoted into %d sizes(%m, %n, %k)
      : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
    qtile.gemm %x as none in row_major, %w as none in transposed into %y maps %maps sizes(%m, %n, %k)
      : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
    qtile.gemm %a as tensor, %b as tensor alpha %alpha into %codes in panels
      as #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv, stored = encode>]> of bf16 by %s plus %bias : !qtile.global<bf16>
      sizes(%m, %n, %k) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<f8E4M3FN>
    qtile.gemm %p as none in row_major, %v as none in transposed into %y maps %maps sizes(%m, %n, %k) in batch(%groups)
      strides of %heads [%p0, %p1, %p2], [%v0, %v1, %v2] : !qtile.global<bf16>, !qtile.global<bf16> -> !qtile.global<bf16>
    ```
    The type of scales follows from the scaling and is not spelled.
  }];
  let arguments = (ins QTile_GlobalType:$lhs, Optional<QTile_GlobalType>:$lhsScales, QTile_ScalingAttr:$lhsScaling,
                       DefaultValuedAttr<QTile_OperandLayoutAttr, "::fp8opt::qtile::OperandLayout::Panels">:$lhsLayout,
                       QTile_GlobalType:$rhs, Optional<QTile_GlobalType>:$rhsScales, QTile_ScalingAttr:$rhsScaling,
                       DefaultValuedAttr<QTile_OperandLayoutAttr, "::fp8opt::qtile::OperandLayout::Panels">:$rhsLayout,
                       Optional<QTile_Scales>:$alpha, UnitAttr:$promoted, QTile_GlobalType:$into,
                       DefaultValuedAttr<QTile_ResultLayoutAttr, "::fp8opt::qtile::ResultLayout::RowMajor">:$intoLayout,
                       OptionalAttr<QTile_SchemeAttr>:$intoScheme, OptionalAttr<TypeAttr>:$expressed, Optional<QTile_Scales>:$intoScale,
                       Optional<QTile_GlobalType>:$bias, UnitAttr:$accumulate, Optional<QTile_Bytes>:$maps, I32:$m, I32:$n, I32:$k,
                       OptionalAttr<QTile_GroupingAttr>:$grouping, Optional<I32>:$groups, Optional<QTile_Bounds>:$bounds,
                       Optional<I32>:$inner, Variadic<I32>:$lhsStrides, Variadic<I32>:$rhsStrides,
                       OptionalAttr<DenseI64ArrayAttr>:$likely);
  let assemblyFormat = [{ $lhs `as` `` $lhsScaling (`in` `` $lhsLayout^)? (`by` $lhsScales^ `` custom<ScalesOf>(type($lhsScales), ref($lhsScaling)))?
                          `,` $rhs `as` `` $rhsScaling (`in` `` $rhsLayout^)? (`by` $rhsScales^ `` custom<ScalesOf>(type($rhsScales), ref($rhsScaling)))?
                          (`alpha` $alpha^)? (`promoted` $promoted^)? `into` $into (`in` `` $intoLayout^)? (`as` $intoScheme^ `of` $expressed `by` $intoScale)?
                          (`plus` $bias^ `:` qualified(type($bias)))? (`accumulate` $accumulate^)? (`maps` $maps^)? `sizes` `(` $m `,` $n `,` $k `)`
                          (`in` `` $grouping^ `` `(` $groups (`by` $bounds^)? `)`)?
                          (`strides` `of` $inner^ `[` $lhsStrides `]` `,` `[` $rhsStrides `]`)? (`likely` $likely^)? attr-dict `:`
                          qualified(type($lhs)) `,` qualified(type($rhs)) `->` qualified(type($into)) }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the result lies in panels, not row major.
    bool leavesPanels() { return getIntoLayout() == ResultLayout::Panels; }
  }];
}

include "fp8-opt/Dialect/QTile/IR/QTileGraphOps.td"
include "fp8-opt/Dialect/QTile/IR/QTileQuantizeOps.td"
include "fp8-opt/Dialect/QTile/IR/QTileRequantizeOps.td"
include "fp8-opt/Dialect/QTile/IR/QTileRoleOps.td"
include "fp8-opt/Dialect/QTile/IR/QTileResultOps.td"
include "fp8-opt/Dialect/QTile/IR/QTileThreadOps.td"
include "fp8-opt/Dialect/QTile/IR/QTileWarpOps.td"

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEOPS_TD
