//===- OptionKinds.td - the kinds of options that the tools have -------------===//
include "llvm/Option/OptParser.td"

class F<string letter, string help> : Flag<["-"], letter>, HelpText<help>;
class FF<string name, string help> : Flag<["--"], name>, HelpText<help>;
class J<string name, string meta, string help> : Joined<["--"], name # "=">, MetaVarName<meta>,
    HelpText<help>;
// --name VALUE and --name=VALUE. Values<"a,b"> on an option are what completion offers (tools/packages); what only the
// program has (operators, algorithms, processors) comes from the program there.
multiclass Value<string name, string meta, string help> {
  def NAME : Separate<["--"], name>, MetaVarName<meta>, HelpText<help>;
  def NAME # _eq : Joined<["--"], name # "=">, Alias<!cast<Option>(NAME)>;
}
