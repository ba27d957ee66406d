//===- Options.td - the command line of symc --------------------------------===//
include "llvm/Option/OptParser.td"

class F<string letter, string help> : Flag<["-"], letter>, HelpText<help>;
class FF<string name, string help> : Flag<["--"], name>, HelpText<help>;
class J<string name, string meta, string help> : Joined<["--"], name # "=">, MetaVarName<meta>,
    HelpText<help>;
// --name VALUE and --name=VALUE
multiclass Value<string name, string meta, string help> {
  def NAME : Separate<["--"], name>, MetaVarName<meta>, HelpText<help>;
  def NAME # _eq : Joined<["--"], name # "=">, Alias<!cast<Option>(NAME)>;
}

def grp_input : OptionGroup<"INPUT OPTIONS">, HelpText<"WHAT IS COMPILED">;
def grp_target : OptionGroup<"TARGET OPTIONS">, HelpText<"FOR WHAT">;
def grp_output : OptionGroup<"OUTPUT OPTIONS">, HelpText<"WHAT COMES OUT">;
def grp_look : OptionGroup<"LOOKING">, HelpText<"SEEING WHAT HAPPENS">;

let Group = grp_input in {
defm shape : Value<"shape", "NAME=D,D,...",
  "shape of an input; an extent may be a range, LO..HI, and is then chosen at run time">;
defm dtype : Value<"dtype", "NAME=TYPE", "element type of an input (float32, int32, ...)">;
def random_weights : FF<"random-weights", "draw weights that no file holds">;
def random_weights_eq : J<"random-weights", "SEED", "the same with a seed">;
def extra_weights : FF<"extra-weights", "accept arrays that the graph has no variable for">;
defm preprocess : Value<"preprocess", "NAME=STEP,...",
  "how the program makes an input from an image: u8, nhwc, rgb or gray, resize, mean=A/B/C, std=A/B/C, scale=S">;
defm labels : Value<"labels", "FILE", "names of the classes, one a line, kept in the program">;
}

let Group = grp_target in {
defm target_cpu : Value<"target-cpu", "CPU[,CPU...]",
  "instruction sets: x86-64-v2, x86-64-v3 (default), x86-64-v4, native">;
defm triple : Value<"triple", "TRIPLE", "machine (default x86_64-linux-musl)">;
defm math : Value<"math", "MODE", "strict, default or fast">;
}

let Group = grp_output in {
def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"FILE">,
  HelpText<"the output file; its name gives the kind where no option does (.so, .a, .o, .s)">;
def c : F<"c", "an object file">;
def S : F<"S", "assembly">;
def shared : Flag<["-", "--"], "shared">, HelpText<"a shared library">;
def static : Flag<["-", "--"], "static">, HelpText<"an executable without a dynamic section (default)">;
def dynamic : Flag<["-", "--"], "dynamic">, HelpText<"an executable that uses the system's libc">;
defm emit : Value<"emit", "KIND",
  "stop at a stage or choose an output: sg, sg-opt, schedule, loops, llvm, asm, object, archive, shared, exe">;
defm header : Value<"header", "FILE", "write the C header of the model">;
defm prefix : Value<"prefix", "NAME", "of C names (default: the output's name)">;
defm weights : Value<"weights", "PLACE",
  "embed (default), file (beside the output) or extern (given at run time)">;
def images : FF<"images", "the program reads PNG and JPEG (default where an input can be a picture)">;
def no_images : FF<"no-images", "the program does not">;
def probes : FF<"probes", "keep the hooks for symc-run --profile in the output">;
def MD : F<"MD", "write the files that the output depends on to OUTPUT.d">;
}

let Group = grp_look in {
def v : F<"v", "tell what is done; progress of anything over a second">;
def time_passes : FF<"time-passes", "print the time of each stage">;
def report : FF<"report", "print sizes, operations, memory and a table of the nodes">;
defm graph_dot : Value<"graph-dot", "FILE", "write the graph for graphviz">;
defm list_op : Value<"list-op", "NAME", "describe one operator">;
def list_ops_all : FF<"list-ops", "list the operators (followed by a NAME: describe it)">;
def check_plan : FF<"check-plan", "prove that the memory plan lets no two live buffers overlap">;
def help : Flag<["-", "--"], "help">, HelpText<"this page">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["-", "--"], "version">, HelpText<"version; with -v also LLVM's, and the targets">;
}

def resource_dir : Separate<["--"], "resource-dir">, Flags<[HelpHidden]>;
def resource_dir_eq : Joined<["--"], "resource-dir=">, Alias<resource_dir>;
