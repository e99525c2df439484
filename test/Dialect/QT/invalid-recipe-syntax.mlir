// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// What is misspelt in a recipe is told with what there is.

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected <activation>, <weight> or <gradient>, got 'activaton'}}
  qt.rule <activaton> -> #s
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected <activation>, <weight> or <gradient>, got 'weight'}}
  qt.rule weight -> #s
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected <fprop>, <dgrad> or <wgrad>, got 'wgrad'}}
  qt.rule <weight> in wgrad -> #s
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected <linear>, <head>, <embedding>, <score>, <value>, <router>, <dispatch> or <other>, got 'hed'}}
  qt.keep sites [#qt.site<hed>]
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected sites, as #qt.site<head>, got 'head'}}
  qt.keep sites [head]
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected sites, as #qt.site<head>, got "head"}}
  qt.keep sites ["head"]
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected a list of texts, as ["q_proj"], got 'up'}}
  qt.rule <weight> labels "up" -> #s
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected texts, as "q_proj", got 'up'}}
  qt.rule <weight> labels [up] -> #s
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected a condition (in, sites, labels, except, first, last, sizes), 'dual' or '->', got 'label'}}
  qt.rule <weight> first 2 label ["up"] -> #s
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected '->', got 'first'}}
  qt.rule <activation> in <wgrad> dual first 2 -> #s
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected each condition once, got 'first' again}}
  qt.keep first 1 sites [] first 2
}

// -----

#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected a condition (in, sites, labels, except, first, last, sizes), got 'label'}}
  qt.keep label ["up"]
}

// -----

qt.recipe @wrong {
  // expected-error @+1 {{expected at least one of in, sites, labels, except, first, last and sizes, got none}}
  qt.keep
}

// -----

// What follows a condition and begins no op of a recipe is one that is misspelt.
qt.recipe @wrong {
  // expected-error @+1 {{expected a condition (in, sites, labels, except, first, last, sizes), got 'label'}}
  qt.keep last 2 label ["up"]
}

// -----

// On a line of its own too; an op, attributes and a location are none.
qt.recipe @wrong {
  qt.keep in <wgrad> {a} loc("here")
  qt.keep in <dgrad> loc("there")
  qt.keep first 1
  // expected-error @+1 {{expected a condition (in, sites, labels, except, first, last, sizes), got 'sitse'}}
    sitse [#qt.site<head>]
}

// -----

qt.recipe @wrong {
  qt.promote
  qt.promote in <wgrad> {a}
  // expected-error @+1 {{expected a condition (in, sites, labels, except, first, last, sizes), got 'label'}}
  qt.promote label ["up"]
}

// -----

// expected-error @+1 {{expected <rounded> or <fp32_unrounded>, got 'fp32'}}
qt.recipe @wrong cast_source <fp32> {
}

// -----

// Which operand stands in front of the conditions.
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected 'lhs' or 'rhs' right behind the role, before conditions, got 'lhs'}}
  qt.rule <activation> first 1 lhs -> #s
}

// -----

// What is no word is shown too.
#s = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
qt.recipe @wrong {
  // expected-error @+1 {{expected a condition (in, sites, labels, except, first, last, sizes), 'dual' or '->', got '=>'}}
  qt.rule <activation> => #s
}
