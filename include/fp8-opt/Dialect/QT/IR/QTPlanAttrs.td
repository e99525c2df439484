// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the memory plan: when each tensor is quantized, what that costs, and what it moves through memory.

#ifndef FP8_OPT_DIALECT_QT_IR_QTPLANATTRS_TD
#define FP8_OPT_DIALECT_QT_IR_QTPLANATTRS_TD

include "fp8-opt/Dialect/QT/IR/QTBase.td"

// When a tensor is quantized.

def QT_PlanForm : QT_Enum<"PlanForm", "how all that products read of one tensor, quantized, comes about", [
  I32EnumCase<"Single", 0, "single">, I32EnumCase<"OnePass", 1, "one_pass">,
  I32EnumCase<"Transposed", 2, "transposed">, I32EnumCase<"Shared", 3, "shared">, I32EnumCase<"Early", 4, "early">,
  I32EnumCase<"Again", 5, "again">, I32EnumCase<"Recomputed", 6, "recomputed">]>;

def QT_CostAttr : QT_Attr<"Cost", "cost"> {
  let summary = "what one form of a tensor's quantizations costs";
  let description = [{
    `kept` are the bytes alive from the forward to the backward half for it, `read` and `written` those that quantizing
    moves, above what the forward half does in any case. The forms:

    | form | is |
    |---|---|
    | `single` | one quantization of each view that products read, in one half |
    | `one_pass` | several quantizations in one half, of which all but the first cost no reading |
    | `transposed` | one quantization, the others are transposes of its codes |
    | `shared` | the codes of the forward half, kept |
    | `early` | what the backward half reads is quantized beside the forward half's, and kept |
    | `again` | quantized in the backward half, from the high-precision value |
    | `recomputed` | the same, with the high-precision value computed again from what is there anyway |

    - C1. No number of bytes is negative.

    Example:
    ```mlir
    #cost = #qt.cost<early, kept = 8650752, read = 0, written = 8650752>
    ```
  }];
  let parameters = (ins EnumParameter<QT_PlanForm>:$form, "int64_t":$kept, "int64_t":$read, "int64_t":$written);
  let assemblyFormat = "`<` custom<Word>($form) `,` `kept` `=` $kept `,` `read` `=` $read `,` `written` `=` $written `>`";
  let genVerifyDecl = 1;
}

def QT_PlannedAttr : QT_Attr<"Planned", "planned"> {
  let summary = "how one tensor is quantized, and what the other forms would have cost";
  let description = [{
    `location` and `type` are those of the high-precision tensor. `label` and `role` say what it is, where the report of
    the module knows the products that read it: the name of a weight, `input of 'NAME'`, or
    `gradient of the output of 'NAME'`. `nested` stands on a tensor that an op with regions, such as a loop,
    quantizes inside: it is planned within that block, for one time through it.

    Example:
    ```mlir
    #planned = #qt.planned<<early, kept = 33, read = 0, written = 33> over [<again, kept = 64, read = 64, written = 33>],
                           location = loc("model.py":7:3), type = tensor<8x4xbf16>, label = "input of 'w'", role = <activation>>
    ```
  }];
  let parameters = (ins "::fp8opt::qt::CostAttr":$chosen, OptionalArrayRefParameter<"::fp8opt::qt::CostAttr">:$rejected,
    "::mlir::LocationAttr":$location, "::mlir::TypeAttr":$type, OptionalParameter<"::mlir::StringAttr">:$label,
    OptionalParameter<"::fp8opt::qt::RoleAttr">:$role, OptionalParameter<"::mlir::UnitAttr">:$nested);
  let assemblyFormat = [{ `<` $chosen (` ` `over` ` ` `[` $rejected^ `]`)? `,`
                          struct($location, $type, $label, $role, $nested) `>` }];
}

def QT_PlanAttr : QT_Attr<"Plan", "plan"> {
  let summary = "how the tensors of the program are quantized, in the order of their first quantization";
  let description = [{
    Three sums, each of the plan and of the program without one, in which every operand is quantized at its product
    and what is kept is what the high-precision program keeps: `kept` are the bytes alive from the forward to the backward
    half, of all values, quantized or not; `read` and `written` are what quantizing moves.

    - C1. No number of bytes is negative.

    Example:
    ```mlir
    #plan = #qt.plan<kept = 33 of 64, read = 128 of 192, written = 66 of 66>
    ```
  }];
  let parameters = (ins "int64_t":$kept, "int64_t":$keptUnplanned, "int64_t":$read, "int64_t":$readUnplanned,
    "int64_t":$written, "int64_t":$writtenUnplanned, OptionalArrayRefParameter<"::fp8opt::qt::PlannedAttr">:$tensors);
  let assemblyFormat = [{ `<` `kept` `=` $kept `of` $keptUnplanned `,` `read` `=` $read `of` $readUnplanned `,`
                          `written` `=` $written `of` $writtenUnplanned (`,` `[` $tensors^ `]`)? `>` }];
  let genVerifyDecl = 1;
}

// What that moves.

def QT_PassesAttr : QT_Attr<"Passes", "passes"> {
  let summary = "how often something goes through memory, and how many bytes that is";
  let description = [{
    Reads and writes of a whole tensor, whatever its form (the tensor, its codes, its amaxes), and the bytes of all of
    them.

    Example:
    ```mlir
    #passes = #qt.passes<reads = 2, writes = 1, bytesRead = 2048, bytesWritten = 516>
    ```
  }];
  let parameters = (ins "int64_t":$reads, "int64_t":$writes, "int64_t":$bytesRead, "int64_t":$bytesWritten);
  let assemblyFormat = "`<` struct(params) `>`";
}
def QT_TensorTrafficAttr : QT_Attr<"TensorTraffic", "tensor_traffic"> {
  let summary = "what quantizing one tensor moves through memory";
  let description = [{
    `location` is that of the op that computes the tensor, `result` the number of the op's result that it is, if not 0,
    or of the argument of a block; `argument` is the number of the function argument that it is. `before` is counted
    after step `quantize`, `after` when step `fuse` has run.

    Example:
    ```mlir
    #of_x = #qt.tensor_traffic<location = loc("model.py":7:3),
                               before = <reads = 2, writes = 1, bytesRead = 2048, bytesWritten = 516>>
    ```
  }];
  let parameters = (ins "::mlir::LocationAttr":$location, OptionalParameter<"::mlir::IntegerAttr">:$argument,
                        OptionalParameter<"::mlir::IntegerAttr">:$result, "::fp8opt::qt::PassesAttr":$before,
                        OptionalParameter<"::fp8opt::qt::PassesAttr">:$after);
  let assemblyFormat = "`<` struct(params) `>`";
}
def QT_TrafficAttr : QT_Attr<"Traffic", "traffic"> {
  let summary = "what quantizing moves through memory, for each tensor that is quantized, in program order";
  let description = [{
    Example:
    ```mlir
    #of_x = #qt.tensor_traffic<location = loc("model.py":7:3),
                               before = <reads = 2, writes = 1, bytesRead = 2048, bytesWritten = 516>>
    #traffic = #qt.traffic<[#of_x]>
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"::fp8opt::qt::TensorTrafficAttr">:$tensors);
  let assemblyFormat = "`<` (`[` $tensors^ `]`)? `>`";
}

#endif // FP8_OPT_DIALECT_QT_IR_QTPLANATTRS_TD
