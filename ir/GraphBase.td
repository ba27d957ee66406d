//===- GraphBase.td - what every operator of the op table is made of -------===//
//
// The ODS operations are the op table: names, aliases, operands, results,
// auxiliary states and parameters with type, default, range and description
// stand here once. From them come attribute parsing, the importer,
// `symc --list-ops`, the generated operator page and the parameter structs of
// the runtime's kernels (ir/generate_op_table.py).
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_GRAPH_BASE
#define SYMC_GRAPH_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "ir/GraphInterfaces.td"
include "ir/RowsInterface.td"

def SG_Dialect : Dialect {
  let name = "sg";
  let cppNamespace = "::symc::sg";
  let summary = "MXNet's StaticGraph: nodes, entries, arguments, heads";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    template <typename... Ops> void addFamily() { addOperations<Ops...>(); }
    /// Registers the operators of all families (ir/Families.cpp).
    void addFamilies();
  }];
}

def SG_UnknownType : TypeDef<SG_Dialect, "Unknown"> {
  let mnemonic = "unknown";
  let summary = "an element type that inference has not decided";
}

def SG_ExtentsAttr : AttrDef<SG_Dialect, "Extents"> {
  let mnemonic = "extents";
  let summary = "extents as functions of the graph's symbolic sizes";
  let description = [{
    The encoding of a tensor type with sizes that are known only at run time:
    one result per dimension, over symbols s0, s1, ... that `sg.graph` bounds.
    `tensor<1x3x?x?xf32, #sg.extents<()[s0, s1] -> (1, 3, s0, s1)>>`
  }];
  let parameters = (ins "::mlir::AffineMap":$map);
  let assemblyFormat = "`<` $map `>`";
}

def SG_Tensor : Type<CPred<"::llvm::isa<::mlir::TensorType>($_self)">, "tensor",
                     "::mlir::TensorType">;

//===----------------------------------------------------------------------===//
// Parameters. `kind` names MXNet's type; an attribute is stored as written in
// `storage`. A default makes the parameter optional in JSON.
//===----------------------------------------------------------------------===//

class SG_Param<Attr base, string kind_, string doc_> : Attr<base.predicate, base.summary> {
  let storageType = base.storageType;
  let returnType = base.returnType;
  let convertFromStorage = base.convertFromStorage;
  let constBuilderCall = base.constBuilderCall;
  let valueType = base.valueType;
  let baseAttr = base;
  string paramKind = kind_;
  string paramDoc = doc_;
  string paramDefault = "";    // as MXNet writes it
  bit paramHasDefault = 0;
  bit paramOptional = 0;       // None allowed; absent attribute = None
  bit paramAcceptsNone = 0;    // None allowed; stored as kNoneElement
  bit paramInternal = 0;       // no parameter of MXNet: files cannot give it
  list<string> paramEnum = []; // allowed names, in MXNet's numbering
  string paramMin = "";
  string paramMax = "";
}

// A parameter that may be None: the attribute is absent then.
class SG_Maybe<SG_Param base> : SG_Param<base, base.paramKind, base.paramDoc> {
  let returnType = "::std::optional<" # base.returnType # ">";
  let convertFromStorage = "$_self ? " # returnType # "(" # base.convertFromStorage
                           # ") : (::std::nullopt)";
  let isOptional = 1;
  let constBuilderCall = ?;
  let paramOptional = 1;
  let paramHasDefault = 1;
  let paramDefault = "None";
  let paramEnum = base.paramEnum;
}

class SG_WithDefault<SG_Param base, string text, string cpp>
    : SG_Param<base, base.paramKind, base.paramDoc> {
  let defaultValue = cpp;
  let paramHasDefault = 1;
  let paramDefault = text;
  let paramEnum = base.paramEnum;
  let paramMin = base.paramMin;
  let paramMax = base.paramMax;
}

// int (32 bits in MXNet), with an optional inclusive range.
class Int<string doc, string min = "", string max = ""> : SG_Param<I64Attr, "int", doc> {
  let paramMin = min;
  let paramMax = max;
}
class IntD<string value, string doc, string min = "", string max = "">
    : SG_WithDefault<Int<doc, min, max>, value, value>;
class IntOpt<string doc> : SG_Maybe<Int<doc>>;
// None allowed beside a default that is a number: None is kept as kNoneElement.
class IntOrNoneD<string value, string doc> : SG_WithDefault<Int<doc>, value, value> {
  let paramAcceptsNone = 1;
}
// "int (non-negative)"
class Uint<string doc, string min = "0"> : SG_Param<I64Attr, "uint", doc> {
  let paramMin = min;
}
class UintD<string value, string doc, string min = "0">
    : SG_WithDefault<Uint<doc, min>, value, value>;
class Float<string doc, string min = "", string max = ""> : SG_Param<F64Attr, "float", doc> {
  let paramMin = min;
  let paramMax = max;
}
class FloatD<string value, string doc, string min = "", string max = "">
    : SG_WithDefault<Float<doc, min, max>, value, value>;
class FloatOpt<string doc> : SG_Maybe<Float<doc>>;
class Double<string doc> : SG_Param<F64Attr, "double", doc>;
class DoubleD<string value, string doc> : SG_WithDefault<Double<doc>, value, value>;
class DoubleOpt<string doc> : SG_Maybe<Double<doc>>;
class Bool<string doc> : SG_Param<BoolAttr, "bool", doc>;
class BoolD<string value, string doc> : SG_WithDefault<Bool<doc>, value, value>; // "true"/"false"
class BoolOpt<string doc> : SG_Maybe<Bool<doc>>;
// False in files, which cannot give it; passes set it.
class Internal<string doc> : BoolD<"false", doc> {
  let paramInternal = 1;
}
// For operators whose hidden outputs no parameter of MXNet shows (SG_Op.showHidden).
def ShowHidden : Internal<"outputs that MXNet hides are results too">;
class Enum<list<string> names, string doc> : SG_Param<StrAttr, "enum", doc> {
  let paramEnum = names;
}
class EnumD<string value, list<string> names, string doc>
    : SG_WithDefault<Enum<names, doc>, value, "\"" # value # "\"">;
class EnumOpt<list<string> names, string doc> : SG_Maybe<Enum<names, doc>>;
defvar SG_DTypes = ["float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool",
                    "int16", "uint16", "uint32", "uint64", "bfloat16"];
class DType<string doc> : Enum<SG_DTypes, doc>;
class DTypeD<string value, string doc> : EnumD<value, SG_DTypes, doc>;
class DTypeOpt<string doc> : EnumOpt<SG_DTypes, doc>;
// Shape(tuple) or tuple of ints.
class Tuple<string doc> : SG_Param<DenseI64ArrayAttr, "tuple", doc>;
// value: C++ initialiser list, e.g. "{1, 1}"; text: MXNet's, e.g. "(1,1)"
class TupleD<string text, string cpp, string doc> : SG_WithDefault<Tuple<doc>, text, cpp>;
// Empty in files, which cannot give it; passes set it.
class InternalTuple<string doc> : TupleD<"()", "{}", doc> {
  let paramInternal = 1;
}
class TupleOpt<string doc> : SG_Maybe<Tuple<doc>>;
// Tuple of places or steps, each of which may be None: kept as kNoneElement.
class Places<string doc> : Tuple<doc> {
  let paramAcceptsNone = 1;
}
class PlacesD<string text, string cpp, string doc> : SG_WithDefault<Places<doc>, text, cpp> {
  let paramAcceptsNone = 1;
}
class FloatTuple<string doc> : SG_Param<DenseF64ArrayAttr, "floats", doc>;
class FloatTupleD<string text, string cpp, string doc>
    : SG_WithDefault<FloatTuple<doc>, text, cpp>;
class Str<string doc> : SG_Param<StrAttr, "string", doc>;
class StrD<string value, string doc> : SG_WithDefault<Str<doc>, value, "\"" # value # "\"">;

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

// One registered MXNet name. `presets` fixes parameters that the name implies:
// Name<"broadcast_add", ["broadcast_plus"], ["fn=add"]>.
class Name<string mxnet, list<string> aliases_ = [], list<string> presets_ = []> {
  string name = mxnet;
  list<string> aliases = aliases_;
  list<string> presets = presets_;
}

// How MXNet initialises an operand of an operator, as its JSON writes it. Files older than
// 0.9.4 leave it to the operator.
class Initializer<string operand_, string value_> {
  string operand = operand_;
  string value = value_;
}

// MXNet has no rule of element types for it: its values are float32 where nothing specifies more.
def SG_Float32ByDefault : NativeOpTrait<"Float32ByDefault"> { let cppNamespace = "::symc::sg"; }

class SG_Op<string mnemonic, list<Name> names_, list<Trait> traits_ = [],
            list<Trait> effects = [Pure]>
    : Op<SG_Dialect, mnemonic> {
  list<Name> names = names_;
  // How sg-gradient finds the gradients of its operands:
  //   "rule"       ir/ops/<Family>Gradient.cpp has a rule of its own
  //   "zero"       none reach them: results are whole numbers, places, or constant
  //   "none"       it has none in MXNet either: refused where one is wanted
  //   "rewritten"  sg-decompose replaces it first
  //   ""           not written yet: refused likewise
  string gradient = "";
  let traits = effects # [DeclareOpInterfaceMethods<SG_OperatorInterface>] # traits_ #
               !if(!eq(gradient, "rule"), [DeclareOpInterfaceMethods<SG_GradientInterface>], []<Trait>);
  // Operands (by name) that are auxiliary states.
  list<string> auxiliary = [];
  // Operands whose initial values the operator decides.
  list<Initializer> initializers = [];
  // Whether nodes of a file own the graphs that they call.
  bit ownsGraphs = 0;
  // Operands (by name) that prediction never reads: the labels of loss heads.
  list<string> trainingOnly = [];
  // The parameter that counts a variadic operand ("num_args"), if any.
  string variadicCount = "";
  // Auxiliary states that a run changes: the last results, one for each in this order, are
  // their new values. MXNet neither lists nor counts these.
  list<string> updates = [];
  // The library that the reference kernel calls: "lapack", or none.
  string library = "";
  // Names of a variadic result's values; without, `output` where there is one
  // value and `output0`, `output1`, ... where there are more.
  list<string> resultNames = [];
  // How many results MXNet computes and never lists (masks, saved statistics).
  int hiddenResults = 0;
  // Parameters with which those are results like others ("output_mean_var=true"): a node has
  // them where a graph names a hidden output. Empty where prediction does not compute it.
  list<string> showHidden = [];
  // Parameters of MXNet that are checked nowhere and change nothing here.
  list<string> hints = [];
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

// An operator that draws random numbers.
class SG_DrawingOp<string mnemonic, list<Name> names, list<Trait> traits = []>
    : SG_Op<mnemonic, names,
            [SG_DrawsNumbersInterface, MemoryEffectsOpInterface, SG_DrawEffects] # traits, []>;

// A gradient of an operand of an operator, which sg-gradient alone makes: operands are that operator's
// and `gradient`, of its result. `of` names the operand where there is more than one.
class SG_GradientOp<string mnemonic> : SG_Op<mnemonic, []> {
  let gradient = "none";
  let results = (outs SG_Tensor:$output);
}

#endif // SYMC_GRAPH_BASE
