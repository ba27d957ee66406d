//===- ConformanceOptions.td - the command line of symc-conformance ----------===//
include "tools/driver/OptionKinds.td"

def grp_cases : OptionGroup<"CASE OPTIONS">, HelpText<"CASES">;
def grp_code : OptionGroup<"CODE OPTIONS">, HelpText<"TARGET">;
def grp_how : OptionGroup<"RUN OPTIONS">, HelpText<"HOW THEY RUN">;
def grp_device : OptionGroup<"DEVICE OPTIONS">, HelpText<"DEVICES">;

let Group = grp_cases in {
defm filter : Value<"filter", "TEXT", "only cases whose path contains TEXT (repeatable: any of them)">;
defm every : Value<"every", "N", "every Nth case only">;
defm of_each : Value<"of-each", "N", "of each operator every Nth case only, its first one always">;
def train : FF<"train", "cases of training instead of those of prediction: outputs, the gradients of all arguments and auxiliary states after one step forward and back">;
def mutants : FF<"mutants", "cases without known results: refused, or computed as in guarded runs; with extents that case.json opens, as the programs for its sizes do; with \"beside\": \"reference\" there, as reference kernels do; with --target cuda as the program for CPUs does">;
defm open : Value<"open", "AXIS", "the extent of the first input along AXIS, and of others of that size, chosen at run time; guarded (at the end), at 1, 2, its own size N and 2N, against the program for each size: values and refusals. `each`: the same with each extent of each input alone, one after the other">;
defm models : Value<"models", "DIR", "where cases that name a model find its files">;
defm min_passed : Value<"min-passed", "N", "fail if fewer cases passed">;
def list_unsupported : FF<"list-unsupported", "print cases whose operators are not in the table">;
}

let Group = grp_code in {
defm target_cpu : Value<"target-cpu", "CPU", "x86-64-v2, x86-64-v3 (default), x86-64-v4, x86-64-v4+vnni, x86-64-v4+bf16, x86-64-v4+amx, native">;
defm math : Value<"math", "MODE", "strict, default or fast">, Values<"strict,default,fast">;
defm force_kernel : Value<"force-kernel", "NAME", "that algorithm for every convolution that it can compute, and only cases that have one; a name that is none of them lists them. With --target cuda the tile of convolutions: 128x128, 64x64, 32x32, or on tensor cores tensor-128x128, -128x64, -64x64, -32x64, -16x64; 64x64/3: with terms in up to 3 parts; row: cases with a pixel alone">;
defm precision : Value<"precision", "TYPE", "f16 or bf16, with --target cuda tf32, too: only cases of one product whose weights have 16 bits, there those that tensor cores compute; each element within what the rounding of operands can do; run twice for the same bits">, Values<"tf32,f16,bf16">;
def reference : FF<"reference", "reference kernels only">;
def native_kernels : FF<"native-kernels", "reference kernels as this program was built, with sanitizers if it was">;
}

let Group = grp_how in {
defm guard : Value<"guard", "SIDE", "in memory where every tensor, buffer and weight has an inaccessible page behind its end (end) or before its start (start), and the rest is poison; each case runs twice with different poison and has to give the same bits">;
defm threads : Value<"threads", "N", "threads of each model (default 1); outside of guarded memory one thread has to give the same bits">;
defm jobs : Value<"jobs", "N", "worker processes (default 2)">;
def emulate_amx : FF<"emulate-amx", "execute instructions of matrices (--target-cpu x86-64-v4+amx) by an emulator, on a processor that has all else of that instruction set">;
defm timeout : Value<"timeout", "N", "seconds after which a case has failed (default 120)">;
defm misbehave : Value<"misbehave", "HOW", "hang, end or crash in place of each case; of guarded runs overread, overwrite, write-input, stray, leave, depend, overwrite-weights or change-weights, of runs with threads depend; with --open refuse or compute, beside reference kernels decline (to test this program)">;
defm resource_dir : Value<"resource-dir", "DIR", "share/symc (default: beside the program)">;
def v : F<"v", "print passed cases too">;
def help : Flag<["-", "--"], "help">, HelpText<"this page">;
def h : Flag<["-"], "h">, Alias<help>;
}

let Group = grp_device in {
defm target : Value<"target", "cuda", "by the kernels for a CUDA device, compiled by NVRTC for cuda:0 and run there, twice, which has to give the same bits; what has no kernel runs on the CPU">;
def shim : FF<"shim", "no device: kernels run on this processor, each access checked. With --open by the runtime's launches, beside the CPU's program for each size">;
def shim_conflicts : FF<"shim-conflicts", "print for each kernel how often its warps access shared memory, and how often again because words share a bank">;
def vectors : FF<"vectors", "four elements a thread wherever they fit, also of few and of tensors of the case, which count as aligned; only cases where they do">;
}
