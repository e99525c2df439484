// What goes in comes out, bit for bit: every element type, a scalar, an empty tensor, NaN payloads.

// RUN: %python %S/Inputs/tensors.py write %t.in arg0=BF16:3:0x7fc1,0x8000,0x0001 arg1=F16:2:0x7e01,0x0001 \
// RUN:   arg2=F32:2:1.5,-0.0 arg3=F64::0.1 arg4=I64:2:-9223372036854775808,9223372036854775807 arg5=I32:1:-1 \
// RUN:   arg6=I16:1:-2 arg7=I8:1:-3 arg8=U8:1:250 arg9=BOOL:2:1,0 arg10=F8_E4M3:1:0x7f arg11=F8_E5M2:1:0x7c arg12=F32:0x3: arg13=F8_E8M0:2:0x7e,0xff
// RUN: fp8-run %s --args=%t.in --out=%t.out
// RUN: %python %S/Inputs/tensors.py print %t.out | FileCheck %s

// CHECK: result0 BF16 3 0x7fc1 0x8000 0x0001
// CHECK: result1 F16 2 0x7e01 0x0001
// CHECK: result2 F32 2 1.5 -0.0
// CHECK: result3 F64  0.1
// CHECK: result4 I64 2 -9223372036854775808 9223372036854775807
// CHECK: result5 I32 1 -1
// CHECK: result6 I16 1 -2
// CHECK: result7 I8 1 -3
// CHECK: result8 U8 1 250
// CHECK: result9 BOOL 2 1 0
// CHECK: result10 F8_E4M3 1 0x7f
// CHECK: result11 F8_E5M2 1 0x7c
// CHECK: result12 F32 0x3
// CHECK: result13 F8_E8M0 2 0x7e 0xff
func.func @main(%0: tensor<3xbf16>, %1: tensor<2xf16>, %2: tensor<2xf32>, %3: tensor<f64>, %4: tensor<2xi64>, %5: tensor<1xi32>,
                %6: tensor<1xi16>, %7: tensor<1xi8>, %8: tensor<1xui8>, %9: tensor<2xi1>, %10: tensor<1xf8E4M3FN>,
                %11: tensor<1xf8E5M2>, %12: tensor<0x3xf32>, %13: tensor<2xf8E8M0FNU>)
    -> (tensor<3xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<f64>, tensor<2xi64>, tensor<1xi32>, tensor<1xi16>, tensor<1xi8>,
        tensor<1xui8>, tensor<2xi1>, tensor<1xf8E4M3FN>, tensor<1xf8E5M2>, tensor<0x3xf32>, tensor<2xf8E8M0FNU>) {
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<3xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<f64>,
    tensor<2xi64>, tensor<1xi32>, tensor<1xi16>, tensor<1xi8>, tensor<1xui8>, tensor<2xi1>, tensor<1xf8E4M3FN>,
    tensor<1xf8E5M2>, tensor<0x3xf32>, tensor<2xf8E8M0FNU>
}
