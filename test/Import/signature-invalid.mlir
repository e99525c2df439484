// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signature that disagrees with the function is refused, naming the file, the argument and both types.

// RUN: split-file %s %t
// RUN: not fp8-opt --fp8-import-signature=file=%t/count.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not fp8-opt --fp8-import-signature=file=%t/dtype.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not fp8-opt --fp8-import-signature=file=%t/shape.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not fp8-opt --fp8-import-signature=file=%t/kind.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not fp8-opt --fp8-import-signature=file=%t/name.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not fp8-opt --fp8-import-signature=file=%t/function.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not fp8-opt --fp8-import-signature=file=%t/syntax.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not fp8-opt --fp8-import-signature=file=%t/absent.json %t/main.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT

// COUNT: error: {{.*}}count.json: expected 2 arguments, as 'main' has, got 1
// DTYPE: error: {{.*}}dtype.json: expected argument 1 'x' of element type 'f32', got 'tensor<3x7xbf16>'
// SHAPE: error: {{.*}}shape.json: expected argument 0 'w' of shape [5, 8], got 'tensor<5x7xbf16>'
// KIND: error: {{.*}}kind.json: expected argument 0 'w' to be a parameter, buffer, input or unknown, got "weight"
// NAME: error: {{.*}}name.json: expected result 0 to have a name, got 3
// FUNCTION: error: {{.*}}function.json: expected the signature of 'main', got that of 'forward'
// SYNTAX: error: {{.*}}syntax.json: expected JSON, got
// ABSENT: error: {{.*}}absent.json: expected a readable file, got: {{[Nn]}}o such file

//--- main.mlir
func.func @main(%w: tensor<5x7xbf16>, %x: tensor<3x7xbf16>) -> tensor<5x7xbf16> {
  return %w : tensor<5x7xbf16>
}
//--- count.json
{"arguments": [{"name": "w"}], "results": ["y"]}
//--- dtype.json
{"arguments": [{"name": "w", "dtype": "bfloat16"}, {"name": "x", "dtype": "float32"}], "results": ["y"]}
//--- shape.json
{"arguments": [{"name": "w", "shape": [5, 8]}, {"name": "x"}], "results": ["y"]}
//--- kind.json
{"arguments": [{"name": "w", "kind": "weight"}, {"name": "x"}], "results": ["y"]}
//--- name.json
{"arguments": [{"name": "w"}, {"name": "x"}], "results": [3]}
//--- function.json
{"function": "forward", "arguments": [{"name": "w"}, {"name": "x"}], "results": ["y"]}
//--- syntax.json
{"arguments": [
