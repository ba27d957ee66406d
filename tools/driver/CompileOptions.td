//===- CompileOptions.td - how a model is compiled ---------------------------===//
//
// How a model is compiled: the same in symc and symc-run, read by CompileOptions.cpp.
//
//===----------------------------------------------------------------------===//
include "tools/driver/OptionKinds.td"

// The titles of sections, in the order in which printOptions puts them (CompileOptions.cpp).
def grp_first : OptionGroup<"FIRST OPTIONS">, HelpText<"MOST USED">;
def grp_input : OptionGroup<"INPUT OPTIONS">, HelpText<"INPUT">;
def grp_target : OptionGroup<"TARGET OPTIONS">, HelpText<"TARGET">;
def grp_kernels : OptionGroup<"KERNEL OPTIONS">, HelpText<"KERNELS AND TUNING">;

let Group = grp_first in {
defm shape : Value<"shape", "NAME=D,D,...",
  "shape of an input; an extent may be a range, LO..HI, of which each run chooses a value; T=LO..HI in one shape and T in others are one extent">;
}

let Group = grp_first in {
defm size : Value<"size", "NAME=N",
  "of an ONNX model: a size that the shapes of its inputs name, for all of them; LO..HI leaves it to each run">;
}

let Group = grp_input in {
defm grow : Value<"grow", "NAME=AXIS:MAX",
  "keep an input as a state that grows along AXIS to at most MAX rows: each run appends, in its place, what the graph concatenates behind it (keys and values of a decoder)">;
defm value : Value<"value", "NAME=N,N,...|NAME=FILE",
  "of an ONNX model: the value of an input, numbers or a .npy file; it is no input of the program then. Shapes may follow from it">;
defm dtype : Value<"dtype", "NAME=TYPE", "element type of an input (float32, int32, ...)">,
  Values<"float32,float64,float16,uint8,int32,int8,int64,bool,int16,uint16,uint32,uint64,bfloat16">;
defm custom_op : Value<"custom-op", "FILE[,FILE...]",
  "load operators of your own: a shared library, which compiled models open; or object files and archives, which compiled models contain; or both, the first for descriptions, the others for kernels">;
defm outputs : Value<"outputs", "NAME[,NAME...]",
  "compile up to these outputs of any nodes, instead of the graph's own: flatten0_output, or flatten0; symc ignores what they do not need">;
defm append : Value<"append", "OPERATOR(KEY=VALUE,...)",
  "put an operator behind the only output, with variables of its own: 'FullyConnected(num_hidden=5,name=head)' for a net whose head --outputs left out; given again, one behind the other">;
defm gradients : Value<"gradients", "all|NAME[,NAME...]",
  "compute the graph as in training, and the gradients of these arguments (all: each that holds floats): the program takes the gradients of its outputs with --head-grad and writes grad/NAME.npy">;
defm grad_req : Value<"grad-req", "NAME=write|add|null",
  "what becomes of the gradient of an argument: written (default), added to the one that --grad NAME=FILE gives, or not computed">;
defm recompute : Value<"recompute", "BYTES",
  "with --gradients: compute results again in the backward part, cheap ones first and as few as possible, until the arena has at most so many bytes">;
def random_weights : FF<"random-weights", "draw random weights for those that no file has">;
def random_weights_eq : J<"random-weights", "SEED", "the same with a seed">;
}

let Group = grp_target in {
defm target_cpu : Value<"target-cpu", "CPU[,CPU...]",
  "instruction sets, best first: x86-64-v2, x86-64-v3, x86-64-v4, x86-64-v4+vnni, x86-64-v4+bf16, x86-64-v4+amx, armv8-a (symc -S), native (default x86-64-v4,x86-64-v3; before them x86-64-v4+vnni for quantised layers, x86-64-v4+bf16 with --precision bf16)">;
}

let Group = grp_kernels in {
defm math : Value<"math", "MODE",
  "strict (direct convolutions), default (Winograd's algorithm if its error is at most 2e-5 of a channel's largest value) or fast (1e-4, and Strassen's product, which mixes pixels and samples)">,
  Values<"strict,default,fast">;
defm force_kernel : Value<"force-kernel", "NAME",
  "the algorithm of every convolution that it can compute: @ALGORITHMS@; of --target cuda the tile of every convolution and product that it suits: 128x128, 64x64, 32x32, or on tensor cores tensor-128x128, tensor-128x64, tensor-64x64, tensor-32x64, tensor-16x64, or with --precision f16 or bf16 by wgmma of sm_90a wgmma-64x64, wgmma-128x64, wgmma-128x128, or with copies by TMA, which no device has run yet, tma-64x64, tma-128x64, tma-128x128; 64x64/3: with the terms of each sum in 3 parts">;
}
