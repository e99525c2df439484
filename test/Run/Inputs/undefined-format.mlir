func.func @main(%x: f32) -> f32 {
  %a = arith.truncf %x : f32 to f8E3M4
  %b = arith.extf %a : f8E3M4 to f32
  return %b : f32
}
