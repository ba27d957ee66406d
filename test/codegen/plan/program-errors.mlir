// A program's signature says how many inputs, outputs and sizes it has.
// RUN: symc-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{'kernel.program' op has 1 arguments, but its inputs, outputs and sizes are 2}}
kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>):
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op has 1 symbolic sizes, but 1 minima and 0 maxima}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0, dim_min = array<i64: 1>} {
^bb0(%n: index):
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op has 0 outputs, but 1 shapes}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0, output_shapes = [affine_map<() -> (4)>]} {
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op has 1 conditions, but another number of sentences}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0, dim_min = array<i64: 1>, dim_max = array<i64: 9>, conditions = [affine_set<()[s0] : (s0 - 2 >= 0)>]} {
^bb0(%n: index):
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op condition 0 is no set over the 1 symbolic sizes}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0, dim_min = array<i64: 1>, dim_max = array<i64: 9>, conditions = [affine_set<()[s0, s1] : (s1 - 2 >= 0)>], sentences = ["needs 2"]} {
^bb0(%n: index):
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op has a size in front of another argument; sizes are its last ones}}
kernel.program @main attributes {num_inputs = 1, num_outputs = 0, dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
^bb0(%n: index, %in: memref<4xf32>):
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op has 2 inputs and outputs, but 1 parts}}
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, parts = ["forward"]} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op has the part 'sideways', which is none of forward, backward and both}}
kernel.program @main attributes {num_inputs = 1, num_outputs = 0, parts = ["sideways"]} {
^bb0(%in: memref<4xf32>):
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op ends forward, but has no parts}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0} {
  kernel.forward_end
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op ends forward 2 times}}
kernel.program @main attributes {num_inputs = 1, num_outputs = 0, parts = ["forward"]} {
^bb0(%in: memref<4xf32>):
  kernel.forward_end
  kernel.forward_end
  kernel.end
}

// -----

// Its own attributes are verified before its clips, which count sizes by them.
// expected-error@+1 {{'kernel.program' op requires attribute 'num_outputs'}}
kernel.program @main attributes {num_inputs = 0, kernel.clips = 1} {
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op clips are no list}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0, kernel.clips = 1} {
  kernel.end
}

// -----

// expected-error@+1 {{'kernel.program' op clip 0 needs the number of one of 1 sizes, rising, and a map over the sizes before it}}
kernel.program @main attributes {num_inputs = 0, num_outputs = 0, dim_min = array<i64: 1>, dim_max = array<i64: 9>, kernel.clips = [{size = 0, least = affine_map<()[s0] -> (s0, 4)>}]} {
^bb0(%n: index):
  kernel.end
}

// -----

// expected-error@+1 {{'func.func' op has clips, which a program has}}
func.func @main() attributes {kernel.clips = []} {
  return
}
