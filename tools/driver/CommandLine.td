//===- CommandLine.td - the command line of symc ----------------------------===//
//
// Read by CommandLine.cpp; a caller of libsymc gives the same options (symc/symc.h) but those of
// LOOKING, which print. Groups state which options are about an output file.
//
//===----------------------------------------------------------------------===//
include "tools/driver/CompileOptions.td"

def grp_output : OptionGroup<"OUTPUT OPTIONS">, HelpText<"OUTPUT">;
def grp_train : OptionGroup<"TRAIN OPTIONS">, HelpText<"TRAINING (symc train)">;
def grp_look : OptionGroup<"LOOKING">, HelpText<"INFORMATION">;

let Group = grp_input in {
def extra_weights : FF<"extra-weights", "accept arrays for which the graph has no variable">;
defm batch : Value<"batch", "N,N,...",
  "batch sizes to compile over one copy of the weights; the model runs every sum of them; N in --shape is the batch">;
defm preprocess : Value<"preprocess", "NAME=STEP,...",
  "how the program, or a library's run_image, makes an input from an image: u8, nhwc or nchw, rgb, bgr or gray, resize or resize=crop[:PIXELS], mean=A/B/C or mean=FILE (a value for each pixel), std=A/B/C, scale=S">,
  Values<"u8,nhwc,nchw,rgb,bgr,gray,resize,resize=crop,mean=,std=,scale=">;
defm labels : Value<"labels", "FILE", "names of the classes, one a line, kept in the program">;
}

let Group = grp_target in {
defm target : Value<"target", "DEVICE", "cpu (default), cuda, compiled by NVRTC, or cpu,cuda, both in one file; --emit=cuda shows kernels as CUDA C++">,
  Values<"cpu,cuda">;
defm cuda_archs : Value<"cuda-archs", "N,N,...",
  "compute capabilities, without the dot, for which --target cuda compiles code, and PTX of the lowest for later ones; 90a is for that one only (default 80,86,90)">;
defm precision : Value<"precision", "TYPE",
  "type to which float32 operands of products and convolutions are rounded: f32 (default, no rounding), f16, bf16 or, for --target cuda, whose tensor cores multiply them, tf32; on CPUs weights, and data where the processor multiplies bf16; sums stay float32">,
  Values<"f32,tf32,f16,bf16">;
defm fallback : Value<"fallback", "DEVICE",
  "cpu: with --target cuda, nodes without a kernel run on the CPU, with copies; without it they are errors">, Values<"cpu">;
defm triple : Value<"triple", "TRIPLE", "machine (default x86_64-linux-musl)">,
  Values<"x86_64-linux-musl,x86_64-linux-gnu">;
}

let Group = grp_kernels in {
defm tuning : Value<"tuning", "FILE", "use measured kernels and tiles from FILE, for CPUs and CUDA devices; the cost model decides for other shapes">;
defm tune : Value<"tune", "FILE", "measure kernels and tiles on this machine (with --target cuda on its GPU), use them and write them to FILE">;
}

let Group = grp_first in {
def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"FILE">,
  HelpText<"the output file; without another option its suffix sets the kind (.so, .a, .o, .s)">;
}

let Group = grp_output in {
def c : F<"c", "an object file">;
def S : F<"S", "assembly">;
def shared : Flag<["-", "--"], "shared">, HelpText<"a shared library">;
def static : Flag<["-", "--"], "static">, HelpText<"an executable without a dynamic section (default, but of symc train)">;
def dynamic : Flag<["-", "--"], "dynamic">, HelpText<"an executable that uses the system's libc">;
defm emit : Value<"emit", "KIND",
  "stop at a stage or choose an output: sg, sg-opt, schedule, loops, cuda, ptx, cubin, sass, llvm, asm, object, archive, shared, exe">,
  Values<"sg,sg-opt,schedule,loops,cuda,ptx,cubin,sass,llvm,asm,object,archive,shared,exe">;
defm header : Value<"header", "FILE", "write the C header of the model">;
defm prefix : Value<"prefix", "NAME", "prefix of C names (default: the output's name, without lib before that of a library)">;
defm weights : Value<"weights", "PLACE",
  "embed (default), file (beside the output) or extern (given at run time)">,
  Values<"embed,file,extern">;
def images : FF<"images", "the program reads PNG and JPEG (default if an input can be a picture); a library's run_image takes such files, too">;
def no_images : FF<"no-images", "the program reads no PNG and JPEG">;
def flush_denormals : FF<"flush-denormals", "the model computes with zeros in place of numbers nearer to zero than the least normal one (of float32 1.2e-38), weights included">;
def probes : FF<"probes", "keep the hooks for symc-run --profile in the output">;
def MD : F<"MD", "write the list of files on which the output depends to OUTPUT.d">;
}

let Group = grp_train in {
defm optimizer : Value<"optimizer", "NAME[,KEY=VALUE...]",
  "the optimizer and its hyper-parameters by MXNet's names: sgd,momentum=0.9,wd=1e-4 (default sgd; symc train --help lists them); rates can change at run time">;
defm loss : Value<"loss", "NAME[(KEY=VALUE,...)]",
  "end a graph whose output is no loss in one: softmax, linear, mae, logistic, svm or make_loss; with parameters of MXNet's operator: 'softmax(use_ignore=True,ignore_label=255)'">,
  Values<"softmax,linear,mae,logistic,svm,make_loss">;
defm freeze : Value<"freeze", "PATTERN[,PATTERN...]",
  "parameters that keep their values and get no gradient; * stands for any characters">;
defm initializer : Value<"initializer", "NAME[,KEY=VALUE...]",
  "how parameters without a value begin, by MXNet's names: xavier,magnitude=2 (default uniform)">;
def prediction_program : FF<"prediction-program", "evaluate by a program of its own, which folds norms and prepares weights: faster where a net has many norms, and longer to compile">;
}

let Group = grp_look in {
def v : F<"v", "print each step, and progress of anything over a second">;
def time_passes : FF<"time-passes", "print the time of each stage">;
def report : FF<"report", "print sizes, operations, memory and a table of the nodes; like --graph-dot and --memory-plan it needs no -o">;
defm report_shape : Value<"report-shape", "NAME=D,D,...", "of an input with a range, the extents that the figures of --report are for (default: the largest)">;
defm explain : Value<"explain", "NODE", "print how a node is computed and why; write nothing">;
defm graph_dot : Value<"graph-dot", "FILE", "write the graph for graphviz">;
defm memory_plan : Value<"memory-plan", "FILE", "write a table of the steps that keep each byte of the arena">;
defm list_op : Value<"list-op", "NAME", "describe one operator">;
def remarks : FF<"remarks", "print what the passes did to each node, and what they could not do">;
def remarks_eq : J<"remarks", "KIND", "print one kind of remarks: passed (done), missed (not done) or all">,
  Values<"passed,missed,all">;
def list_ops_all : FF<"list-ops", "list the operators (followed by a NAME: describe it)">;
def list_onnx_ops : FF<"list-onnx-ops", "list the operators of ONNX models with their opsets and attributes, and those that are refused">;
def list_archs : FF<"list-archs", "list the architectures for --cuda-archs that this machine's NVRTC supports">;
defm print_ir_after : Value<"print-ir-after", "PASS", "print the program after each run of a pass, or of all passes (all)">;
defm crash_reproducer : Value<"crash-reproducer", "FILE", "if a pass crashes or fails, write its input and the passes, for symc-opt">;
def help : Flag<["-", "--"], "help">, HelpText<"this page">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["-", "--"], "version">, HelpText<"version; with -v also LLVM's, and the targets">;
}

def resource_dir : Separate<["--"], "resource-dir">, Flags<[HelpHidden]>;
def resource_dir_eq : Joined<["--"], "resource-dir=">, Alias<resource_dir>;
