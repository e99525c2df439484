// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signature that disagrees with the function is refused, naming the file, the argument and both types.

// RUN: split-file %s %t
// RUN: not fp8-opt --fp8-import-signature=file=%t/count.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not fp8-opt --fp8-import-signature=file=%t/spelling.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=SPELLING
// RUN: not fp8-opt --fp8-import-signature=file=%t/dtype.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not fp8-opt --fp8-import-signature=file=%t/shape.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not fp8-opt --fp8-import-signature=file=%t/kind.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: fp8-opt --fp8-import-signature=file=%t/field.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not fp8-opt --fp8-import-signature=file=%t/name.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not fp8-opt --fp8-import-signature=file=%t/empty.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not fp8-opt --fp8-import-signature=file=%t/control.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=CONTROL
// RUN: not fp8-opt --fp8-import-signature=file=%t/reserved.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=RESERVED
// RUN: not fp8-opt --fp8-import-signature=file=%t/twice.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not fp8-opt --fp8-import-signature=file=%t/results.json %t/pair.mlir 2>&1 | FileCheck %s --check-prefix=RESULTS
// RUN: not fp8-opt --fp8-import-signature=file=%t/function.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not fp8-opt --fp8-import-signature=file=%t/syntax.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not fp8-opt --fp8-import-signature=file=%t/absent.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT

// COUNT: error: {{.*}}count.json: expected 2 arguments, as 'main' has, got 1
// DTYPE: error: {{.*}}dtype.json: expected argument 1 'x' of element type 'f32', got 'tensor<3x7xbf16>'
// SPELLING: error: {{.*}}spelling.json: expected argument 0 'w' to have a dtype of bfloat16, float16, {{.*}}, bool, got "bf16"
// SHAPE: error: {{.*}}shape.json: expected argument 0 'w' of shape [5, 8], got 'tensor<5x7xbf16>'
// KIND: error: {{.*}}kind.json: expected argument 0 'w' to be a parameter, buffer, input or unknown, got "weight"
// FIELD: warning: {{.*}}field.json: expected fields name, kind, shape and dtype of argument 0 'w', got 'knd', which is not read
// NAME: error: {{.*}}name.json: expected result 0 to have a name, got 3
// EMPTY: error: {{.*}}empty.json: expected argument 1 to have a name, got an empty one
// CONTROL: error: {{.*}}control.json: expected argument 0 to have a name without control characters, got "a\nb"
// RESERVED: error: {{.*}}reserved.json: expected result 0 to have a name of its own, got '__metadata__', which tensor files reserve
// TWICE: error: {{.*}}twice.json: expected argument 1 to have a name of its own, got 'w', the name of number 0
// RESULTS: error: {{.*}}results.json: expected result 1 to have a name of its own, got 'y', the name of number 0
// FUNCTION: error: {{.*}}function.json: expected the signature of 'main', got that of 'forward'
// SYNTAX: error: {{.*}}syntax.json: expected JSON, got
// ABSENT: error: {{.*}}absent.json: expected a readable file, got: {{[Nn]}}o such file

//--- field.json
{"arguments": [{"name": "w", "knd": "parameter"}, "x"], "results": ["y"]}
//--- main.mlir
func.func @main(%w: tensor<5x7xbf16>, %x: tensor<3x7xbf16>) -> tensor<5x7xbf16> {
  return %w : tensor<5x7xbf16>
}
//--- count.json
{"arguments": [{"name": "w"}], "results": ["y"]}
//--- spelling.json
{"arguments": [{"name": "w", "dtype": "bf16"}, {"name": "x"}], "results": ["y"]}
//--- dtype.json
{"arguments": [{"name": "w", "dtype": "bfloat16"}, {"name": "x", "dtype": "float32"}], "results": ["y"]}
//--- shape.json
{"arguments": [{"name": "w", "shape": [5, 8]}, {"name": "x"}], "results": ["y"]}
//--- kind.json
{"arguments": [{"name": "w", "kind": "weight"}, {"name": "x"}], "results": ["y"]}
//--- name.json
{"arguments": [{"name": "w"}, {"name": "x"}], "results": [3]}
//--- pair.mlir
func.func @main(%w: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  return %w, %w : tensor<5xf32>, tensor<5xf32>
}
//--- empty.json
{"arguments": [{"name": "w"}, {"name": ""}], "results": ["y"]}
//--- control.json
{"arguments": ["a\nb", "x"], "results": ["y"]}
//--- reserved.json
{"arguments": ["w", "x"], "results": ["__metadata__"]}
//--- twice.json
{"arguments": [{"name": "w"}, {"name": "w"}], "results": ["y"]}
//--- results.json
{"arguments": ["y"], "results": ["y", "y"]}
//--- function.json
{"function": "forward", "arguments": [{"name": "w"}, {"name": "x"}], "results": ["y"]}
//--- syntax.json
{"arguments": [
