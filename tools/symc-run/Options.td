//===- Options.td - the command line of symc-run -----------------------------===//
include "tools/driver/CompileOptions.td"

def grp_data : OptionGroup<"DATA OPTIONS">, HelpText<"INPUT AND OUTPUT">;
def grp_do : OptionGroup<"WHAT TO DO">, HelpText<"ACTION (one run by default)">;

let Group = grp_data in {
defm op : Value<"op", "'NAME(PARAMETER=VALUE, ...)'",
  "run one operator instead of a model; inputs have the operator's names, and the shapes of the arrays of --input "
  "or of --shape; others are drawn">;
defm input : Value<"input", "[NAME=]FILE",
  "read an input from .npy or .npz; without NAME an .npz sets every input that it names">;
def random_inputs : FF<"random-inputs", "draw random inputs instead of zeros for those without a file">;
def random_inputs_eq : J<"random-inputs", "SEED", "the same with a seed">;
defm output_dir : Value<"output-dir", "DIR", "write every output to DIR/NAME.npy">;
defm threads : Value<"threads", "N", "run on N threads (default 1; 0: one for each processor)">;
}

let Group = grp_do in {
def describe : FF<"describe", "print inputs, outputs, instruction sets and memory; run nothing">;
defm bench : Value<"bench", "N", "run N times and print the times">;
def profile : FF<"profile", "print time, GFLOP/s, bytes and share of the roofline of the nodes, largest first">;
def profile_eq : J<"profile", "BY", "print it by nodes (default), or by steps in their order">, Values<"nodes,steps">;
defm top : Value<"top", "N", "print N nodes of the profile, and the others together">;
defm trace : Value<"trace", "FILE", "write the steps of one run for chrome://tracing or Perfetto">;
def verify : FF<"verify", "compare the outputs with those of the reference kernels">;
defm dump_all : Value<"dump-all", "DIR", "write the output of every node to DIR/NAME.npy">;
defm compare : Value<"compare", "REF.npz", "compare nodes and outputs with arrays of their names">;
defm tolerance : Value<"tolerance", "R",
  "allow |x-y| <= R * max|y| instead of the bound from the lengths of the reductions">;
def help : Flag<["-", "--"], "help">, HelpText<"this page">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["-", "--"], "version">, HelpText<"version, and the ABI of the libraries that it runs">;
}

def resource_dir : Separate<["--"], "resource-dir">, Flags<[HelpHidden]>;
def resource_dir_eq : Joined<["--"], "resource-dir=">, Alias<resource_dir>;
