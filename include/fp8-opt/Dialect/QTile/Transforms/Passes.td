// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on kernels.

#ifndef FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_TD
#define FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseSchedulePass : Pass<"qtile-choose-schedule", "::mlir::ModuleOp"> {
  let summary = "Gives each kernel the schedule that is counted to take the fewest clocks";
  let description = [{
    Requires: the target of a kernel has rates.
    Ensures: each kernel with a qtile.gemm has a schedule, which its target can run.
    Leaves alone: schedules that are there.

    For each legal tile, with as many stages as there is room for, the clocks of the likely sizes are counted: of a
    stage the largest of matrix unit, shared memory, L2 cache and promotions; so many stages and a fixed cost for each tile; so
    many tiles one after the other on a processor, the last round as long as the others. Without likely sizes the
    rounds are left out.

    With `copies`, a kernel becomes up to so many, of the best schedules in their order, to be measured: NAME_0, NAME_1, ...
  }];
  let options = [Option<"copies", "copies", "unsigned", "0", "Kernels to make of each, one for each schedule">];
}

def ExpandGemmPass : Pass<"qtile-expand-gemm", "::mlir::ModuleOp"> {
  let summary = "Writes the roles, rings and barriers of matrix products";
  let description = [{
    Requires: kernels with a qtile.gemm have a schedule.
    Ensures: no qtile.gemm; kernels of a consumer and a producer role, whose order of copies, waits, products and promotions
    is the one that the instructions will have.
    Leaves alone: kernels without a qtile.gemm.
  }];
  let statistics = [Statistic<"numExpanded", "expanded", "Matrix products that became roles">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ExpandQuantizePass : Pass<"qtile-expand-quantize", "::mlir::ModuleOp"> {
  let summary = "Writes what the threads of quantizers do";
  let description = [{
    Ensures: no qtile.quantize, qtile.amax, qtile.requantize or qtile.dequantize; their kernels are kernels of threads, with
    the grid that they need. Codes, scales and numbers have the bits that Numerics gives them.
    Leaves alone: other kernels.

    A scheme that no kernel is for is an error at the op.
  }];
  let statistics = [Statistic<"numExpanded", "expanded", "Quantizers whose threads were written">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def MergeKernelsPass : Pass<"qtile-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Keeps one of each set of equal kernels";
  let description = [{
    Ensures: no two kernels of the module are equal but for their names; launches name the first of them. The likely sizes of
    a product whose kernel has a schedule are dropped first, so that products of several sizes share a kernel.
  }];
  let statistics = [Statistic<"numMerged", "merged", "Kernels that were equal to one before">];
}

def PlanRingsPass : Pass<"qtile-plan-rings", "::mlir::ModuleOp"> {
  let summary = "Places rings and tiles in shared memory, counts arrivals, and numbers barriers";
  let description = [{
    For each kernel of roles or threads: `plan` of each qtile.ring (arrivals of its barriers, addresses of its tiles), `offset` of
    each qtile.alloc, `first` of each qtile.barriers, and `shared` of the kernel. It is the only place where any of these
    is decided. A ring has one fill of a kind, and all its releases in one role; a count of a copy that is
    constant is of whole runs of 16 bytes and fits the tile; what a block would need beyond the target's limits
    is an error that names the limit.
  }];
}

def ReadSlicesPass : Pass<"qtile-read-slices", "::mlir::ModuleOp"> {
  let summary = "Lets kernels read one of a tensor's equal parts where it lies";
  let description = [{
    A layer's weights, of all layers' in one tensor, are a slice. An engine copies it before a kernel reads it.

    Ensures: no operand of a launch is a tensor.extract_slice, seen through reshapes, that has one index of leading dimensions and
    all of the others, whose sizes are known and make a multiple of 16 bytes. The launch has the whole tensor, and the number of the part
    as a last size; the kernel begins there.
    Leaves alone: other slices, which do not lie in one piece or start anywhere; operands that a launch changes.
  }];
  let statistics = [Statistic<"numRead", "read", "Slices that are read where they lie">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_TD
