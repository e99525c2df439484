# For each contraction its site, GEMM and half; "none" for one without role, "no product" for one that is none.
s/.*qt\.gemm = #qt\.gemm<\([a-z]*\)>, qt\.half = #qt\.half<\([a-z]*\)>.*qt\.site = #qt\.site<\([a-z]*\)>.*/\3 \1 \2/p
s/.*qt\.half = #qt\.half<\([a-z]*\)>, qt\.kept = #qt\.kept<no_role, .*qt\.site = #qt\.site<\([a-z]*\)>.*/\2 none \1/p
s/.*qt\.kept = #qt\.kept<no_product, .*/no product/p
