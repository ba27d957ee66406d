//===- GradientsOptions.td - the command line of symc-gradients --------------===//
include "tools/driver/OptionKinds.td"

def mutate : FF<"mutate", "mistakes in the nodes that rules made, one at a time: each has to change a result, or a gradient from that of a difference">;
def each_rule : FF<"each-rule", "only cases with an operator that no case before them has; with --mutate only mistakes that no case before them noticed: each has to be noticed by one">;
defm explained : Value<"explained", "FILE", "lines `START -- reason`; of what the line of a finding begins with: `OP/CASE ARGUMENT`, whose gradient is none of a difference in MXNet, `OP/CASE ARGUMENT symmetric`, which is compared along symmetric matrices, `OP/CASE stored`, whose results in f64 are others, `OP/CASE: NODE: OPERATION: MISTAKE` that changes nothing, or `sg.OPERATOR` without a case that is compared">;
defm filter : Value<"filter", "TEXT", "only cases whose path contains TEXT (repeatable: any of them)">;
defm every : Value<"every", "N", "every Nth case only">;
defm resource_dir : Value<"resource-dir", "DIR", "share/symc (default: beside the program)">;
def misbehave : FF<"misbehave", "notice no mistake (to test this program)">;
def v : F<"v", "print what was compared of each case, and each mutant">;
def help : Flag<["-", "--"], "help">, HelpText<"this page">;
def h : Flag<["-"], "h">, Alias<help>;
