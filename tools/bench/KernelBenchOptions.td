//===- KernelBenchOptions.td - kernel-bench's own flags ----------------------===//
include "llvm/Option/OptParser.td"

class Word<string name, string help> : Flag<["--"], name>, HelpText<help>;
class Worth<string name, string value, string help>
    : Joined<["--"], name # "=">, MetaVarName<value>, HelpText<help>;

def targets : Worth<"targets", "A,B", "instruction sets of symc's kernels (default: native)">;
def tiles : Word<"tiles", "every tile of the target's table as a contender, too">;
def tile : Worth<"tile", "V,R,C", "this tile for what is not direct: vectors, rows, columns">;
def cold : Word<"cold", "evict the caches before each run, as a whole net does">;
def check : Word<"check", "compare direct kernels with plain loops; a difference is an error">;
def no_peers : Word<"no-peers", "without OpenBLAS and oneDNN">;
def asm_file : Worth<"asm", "FILE", "write the assembly of the last kernel of symc to FILE">;
def help : Word<"help", "this page">;
