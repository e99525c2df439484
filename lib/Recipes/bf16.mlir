// RUN: fp8-opt %s | FileCheck %s
// CHECK: qt.recipe @bf16
qt.recipe @bf16 "Nothing is quantized: the graph as it came" {
}
