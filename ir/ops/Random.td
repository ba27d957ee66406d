//===- Random.td - operators that draw random numbers --------------------------===//
//
// Numbers come from a counter-based generator: each is a function of the seed, the run,
// the node's name and the element's place, so that they are the same for any number of
// threads. A run with the same seed and number gives the same numbers.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

defvar SG_RandomDTypes = ["None", "float16", "float32", "float64"];
defvar SG_Distributions = ["uniform", "normal", "gamma", "exponential", "poisson",
                           "negative_binomial", "generalized_negative_binomial"];
// The parameters that each distribution leaves at rest.
defvar SG_NoRange = ["low=0", "high=1"];
defvar SG_NoPlace = ["loc=0", "scale=1"];
defvar SG_NoForm = ["beta=1"];
defvar SG_NoTrials = ["k=1", "p=1"];

class SG_RandomName<string prefix, string distribution, list<string> aliases, list<string> rest,
                    string suffix = "">
    : Name<prefix # distribution # suffix, aliases, ["kind=" # distribution] # rest>;

class SG_DrawOp<string mnemonic, list<Name> names, dag own> : SG_DrawingOp<mnemonic, names> {
  let arguments = !con(own, (ins
    Enum<SG_Distributions, "the distribution">:$kind,
    FloatD<"0", "uniform: least number">:$low,
    FloatD<"1", "uniform: upper bound">:$high,
    FloatD<"0", "normal: mean">:$loc,
    FloatD<"1", "normal: standard deviation">:$scale,
    FloatD<"1", "gamma: shape; generalized_negative_binomial: dispersion">:$alpha,
    FloatD<"1", "gamma: scale">:$beta,
    FloatD<"1", "exponential: rate; poisson: mean">:$lam,
    IntD<"1", "negative_binomial: failures">:$k,
    FloatD<"1", "negative_binomial: chance of a failure">:$p,
    FloatD<"1", "generalized_negative_binomial: mean">:$mu));
  let results = (outs SG_Tensor:$output);
}

def SG_RandomOp : SG_DrawOp<"random", [
    SG_RandomName<"_random_", "uniform", ["uniform", "random_uniform"],
                  SG_NoPlace # SG_NoForm # SG_NoTrials # ["alpha=1", "lam=1", "mu=1"]>,
    SG_RandomName<"_random_", "normal", ["normal", "random_normal"],
                  SG_NoRange # SG_NoForm # SG_NoTrials # ["alpha=1", "lam=1", "mu=1"]>,
    SG_RandomName<"_random_", "gamma", ["random_gamma"],
                  SG_NoRange # SG_NoPlace # SG_NoTrials # ["lam=1", "mu=1"]>,
    SG_RandomName<"_random_", "exponential", ["exponential", "random_exponential"],
                  SG_NoRange # SG_NoPlace # SG_NoForm # SG_NoTrials # ["alpha=1", "mu=1"]>,
    SG_RandomName<"_random_", "poisson", ["poisson", "random_poisson"],
                  SG_NoRange # SG_NoPlace # SG_NoForm # SG_NoTrials # ["alpha=1", "mu=1"]>,
    SG_RandomName<"_random_", "negative_binomial", ["negative_binomial", "random_negative_binomial"],
                  SG_NoRange # SG_NoPlace # SG_NoForm # ["alpha=1", "lam=1", "mu=1"]>,
    SG_RandomName<"_random_", "generalized_negative_binomial",
                  ["generalized_negative_binomial", "random_generalized_negative_binomial"],
                  SG_NoRange # SG_NoPlace # SG_NoForm # SG_NoTrials # ["lam=1"]>],
    (ins TupleD<"()", "{}", "shape of the result">:$shape,
         EnumD<"None", SG_RandomDTypes, "element type of the result, None: float32">:$dtype)> {
  let summary = "numbers drawn from one distribution";
  let gradient = "zero";
  let description = [{
    An empty shape is what a consumer decides.
    C1: parameters are in the range of the distribution.
    C2: output has the shape that is given.
  }];
  let hints = ["ctx"];
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_RandomLikeOp : SG_DrawOp<"random_like", [
    SG_RandomName<"_random_", "uniform", [], SG_NoPlace # SG_NoForm # SG_NoTrials # ["alpha=1", "lam=1", "mu=1"], "_like">,
    SG_RandomName<"_random_", "normal", [], SG_NoRange # SG_NoForm # SG_NoTrials # ["alpha=1", "lam=1", "mu=1"], "_like">,
    SG_RandomName<"_random_", "gamma", [], SG_NoRange # SG_NoPlace # SG_NoTrials # ["lam=1", "mu=1"], "_like">,
    SG_RandomName<"_random_", "exponential", [], SG_NoRange # SG_NoPlace # SG_NoForm # SG_NoTrials # ["alpha=1", "mu=1"], "_like">,
    SG_RandomName<"_random_", "poisson", [], SG_NoRange # SG_NoPlace # SG_NoForm # SG_NoTrials # ["alpha=1", "mu=1"], "_like">,
    SG_RandomName<"_random_", "negative_binomial", [], SG_NoRange # SG_NoPlace # SG_NoForm # ["alpha=1", "lam=1", "mu=1"], "_like">,
    SG_RandomName<"_random_", "generalized_negative_binomial", [], SG_NoRange # SG_NoPlace # SG_NoForm # SG_NoTrials # ["lam=1"], "_like">],
    (ins SG_Tensor:$data)> {
  let summary = "numbers drawn from one distribution, as many as data has";
  let gradient = "zero";
  let description = [{
    C1: parameters are in the range of the distribution.
  }];
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_RandomIntOp : SG_DrawingOp<"random_int", [Name<"_random_randint", ["random_randint", "_npi_random_randint"]>]> {
  let summary = "integers drawn evenly from low to high, high left out";
  let gradient = "zero";
  let description = [{
    C1: high is above low.
    C2: both are between -2^31 and 2^31, with int64 -2^53 and 2^53.
  }];
  let arguments = (ins Double<"least number">:$low, Double<"upper bound">:$high,
    TupleD<"()", "{}", "shape of the result">:$shape,
    EnumD<"None", ["None", "int32", "int64"], "element type of the result, None: int32">:$dtype);
  let hints = ["ctx"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_SampleOp : SG_DrawingOp<"sample", [
    Name<"_sample_uniform", ["sample_uniform"], ["kind=uniform"]>,
    Name<"_sample_normal", ["sample_normal"], ["kind=normal"]>,
    Name<"_sample_gamma", ["sample_gamma"], ["kind=gamma"]>,
    Name<"_sample_exponential", ["sample_exponential"], ["kind=exponential"]>,
    Name<"_sample_poisson", ["sample_poisson"], ["kind=poisson"]>,
    Name<"_sample_negative_binomial", ["sample_negative_binomial"], ["kind=negative_binomial"]>,
    Name<"_sample_generalized_negative_binomial", ["sample_generalized_negative_binomial"],
         ["kind=generalized_negative_binomial"]>]> {
  let summary = "numbers drawn from distributions whose parameters are tensors";
  let gradient = "zero";
  let description = [{
    first, second: the parameters, elements of one shape: uniform low, high; normal mu,
    sigma; gamma alpha, beta; exponential and poisson lam; negative_binomial k, p;
    generalized_negative_binomial mu, alpha. output: [...first, ...shape]. Where a parameter
    is outside of its range the numbers are NaN.
    C1: first and second have one shape; output has it and `shape` behind it.
  }];
  let arguments = (ins SG_Tensor:$first, Optional<SG_Tensor>:$second,
    Enum<SG_Distributions, "the distribution">:$kind,
    TupleD<"()", "{}", "numbers for each parameter">:$shape,
    EnumD<"None", SG_RandomDTypes, "element type of the result, None: float32">:$dtype);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_MultinomialOp : SG_DrawingOp<"multinomial", [Name<"_sample_multinomial",
    ["sample_multinomial", "multinomial"]>]> {
  let summary = "classes drawn by their probabilities";
  let gradient = "zero";
  let description = [{
    data: [..., K], probabilities along the last axis; output: [..., shape...], and with
    get_prob the logarithms of what was drawn.
    C1: data has rank 1 at least; results have the shape above, [1] for data of rank 1 and
        no shape.
    C2: dtype holds the number of each class.
  }];
  let arguments = (ins SG_Tensor:$data,
    TupleD<"()", "{}", "numbers for each row">:$shape,
    BoolD<"false", "give the logarithms of the probabilities, too">:$get_prob,
    EnumD<"int32", ["uint8", "float16", "float32", "float64", "int32"], "element type of the result">:$dtype);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params) {
      return params.getBool("get_prob") ? 2 : 1;
    }
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_UniqueZipfianOp : SG_DrawingOp<"unique_zipfian", [Name<"_sample_unique_zipfian">]> {
  let summary = "classes that occur once in a row, small ones more often, and how many were drawn for them";
  let gradient = "zero";
  let description = [{
    Class c has the chance log((c + 1.5) / (c + 0.5)) / log(range_max), class 0 that of
    log(1.5), the last one half of its range. output0: [rows, classes], in the order in which
    they were drawn first; output1: [rows].
    C1: shape has two extents, of which the second is not above range_max.
    C2: the results have the shapes above.
  }];
  let arguments = (ins Int<"number of classes", "1">:$range_max,
    TupleD<"()", "{}", "(rows, classes)">:$shape);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_ShuffleOp : SG_DrawingOp<"shuffle", [Name<"_shuffle", ["shuffle", "_npi_shuffle"]>]> {
  let summary = "data in another order along the first axis";
  let gradient = "zero";
  let description = [{
    C1: data and output have one shape, of rank 1 at least.
  }];
  let arguments = (ins SG_Tensor:$data);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

//===----------------------------------------------------------------------===//
// NumPy's names; sg-decompose-numpy makes `random` and functions of it of them. A parameter of
// the distribution that is None is a tensor, in this order.
//===----------------------------------------------------------------------===//

class NumpyDrawn<string name, string kind, list<string> rest>
    : Name<"_npi_" # name, [], ["kind=" # kind] # rest>;

class SG_NumpyDrawn<string mnemonic, list<Name> names> : SG_DrawingOp<mnemonic, names> {
  let arguments = (ins Variadic<SG_Tensor>:$tensors,
    Enum<["uniform", "bernoulli", "powerd", "normal", "exponential", "gumbel", "logistic", "rayleigh",
          "weibull", "pareto"], "the distribution">:$kind,
    FloatOpt<"uniform: least number">:$low,
    FloatOpt<"uniform: upper bound">:$high,
    FloatOpt<"normal, gumbel, logistic: place">:$loc,
    FloatOpt<"normal, exponential, gumbel, logistic, rayleigh: width">:$scale,
    FloatOpt<"powerd, weibull, pareto: form">:$a,
    FloatOpt<"bernoulli: chance of 1">:$prob,
    FloatOpt<"bernoulli: another form of its chance, log(p / (1 - p))">:$logit,
    BoolD<"false", "bernoulli: which form a tensor has">:$is_logit,
    TupleOpt<"shape of the result, None for that of the tensors">:$size,
    EnumD<"float32", ["bool", "float16", "float32", "float64", "int32", "uint8"],
          "element type of the result">:$dtype,
    BoolD<"false", "size stands in front of the tensors' shape">:$leads);
  let hints = ["ctx"];
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
defvar SG_NoNumpyRange = ["low=0", "high=1"];
defvar SG_NoNumpyForm = ["a=1", "prob=0.5"];
defvar SG_NoLead = ["leads=false"];

def SG_NumpyDrawOp : SG_NumpyDrawn<"numpy_draw", [
    NumpyDrawn<"uniform", "uniform", SG_NoPlace # SG_NoNumpyForm # SG_NoLead>,
    NumpyDrawn<"uniform_n", "uniform", SG_NoPlace # SG_NoNumpyForm # ["leads=true"]>,
    NumpyDrawn<"bernoulli", "bernoulli", SG_NoNumpyRange # SG_NoPlace # ["a=1"] # SG_NoLead>,
    NumpyDrawn<"powerd", "powerd", SG_NoNumpyRange # SG_NoPlace # ["prob=0.5", "dtype=float32"] # SG_NoLead>]> {
  let summary = "numbers drawn from one distribution, under NumPy's names";
  let gradient = "zero";
  let description = [{
    C1: numbers are in the range of the distribution. In a tensor `a` of 0 or less gives NaN, and a
        chance outside of 0..1 counts as the nearer of the two.
    C2: output has the shape `size`, to which tensors repeat, or for uniform_n `size` in front of
        the shape that they meet in; without, that shape. It is fixed.
    C3: there is a tensor for each parameter that is no number; they have one type.
  }];
  let results = (outs SG_Tensor:$output);
}

def SG_NumpyDrawPlacedOp : SG_NumpyDrawn<"numpy_draw_placed", [
    NumpyDrawn<"normal", "normal", SG_NoNumpyRange # SG_NoNumpyForm # SG_NoLead>,
    NumpyDrawn<"normal_n", "normal", SG_NoNumpyRange # SG_NoNumpyForm # ["leads=true"]>,
    NumpyDrawn<"exponential", "exponential", SG_NoNumpyRange # SG_NoNumpyForm # ["loc=0", "dtype=float32"] # SG_NoLead>,
    NumpyDrawn<"gumbel", "gumbel", SG_NoNumpyRange # SG_NoNumpyForm # ["dtype=float32"] # SG_NoLead>,
    NumpyDrawn<"logistic", "logistic", SG_NoNumpyRange # SG_NoNumpyForm # ["dtype=float32"] # SG_NoLead>,
    NumpyDrawn<"rayleigh", "rayleigh", SG_NoNumpyRange # SG_NoNumpyForm # ["loc=0", "dtype=float32"] # SG_NoLead>,
    NumpyDrawn<"weibull", "weibull", SG_NoNumpyRange # SG_NoPlace # ["prob=0.5", "dtype=float32"] # SG_NoLead>,
    NumpyDrawn<"pareto", "pareto", SG_NoNumpyRange # SG_NoPlace # ["prob=0.5", "dtype=float32"] # SG_NoLead>]> {
  let summary = "the same for distributions whose noise MXNet keeps for training";
  let gradient = "rewritten";
  let description = [{
    C1: numbers are in the range of the distribution; what is outside of it in a tensor gives NaN.
    C2: output has the shape `size`, to which tensors repeat, or for normal_n `size` in front of
        the shape that they meet in; without, that shape. It is fixed.
    C3: there is a tensor for each parameter that is no number; they have one type.
  }];
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output0"];
}

def SG_NumpyGammaOp : SG_DrawingOp<"numpy_gamma", [Name<"_npi_gamma">]> {
  let summary = "numbers of gamma distributions, whose parameters are numbers or tensors";
  let gradient = "zero";
  let description = [{
    tensors: shape and scale where they are no numbers, of one type.
    C1: numbers are positive; what is outside of its range in a tensor gives NaN.
    C2: output has the shape `size`, to which tensors repeat; without, the shape that they meet in.
    C3: there is a tensor for each parameter that is no number.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$tensors,
    FloatOpt<"form of the distribution, None for a tensor">:$shape,
    FloatOpt<"width of the distribution, None for a tensor">:$scale,
    TupleOpt<"shape of the result">:$size,
    EnumD<"float32", ["float16", "float32", "float64"], "element type of the result">:$dtype);
  let hints = ["ctx"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_NumpyMultinomialOp : SG_DrawingOp<"numpy_multinomial", [Name<"_npi_multinomial">]> {
  let summary = "how often each of K outcomes comes in n experiments";
  let gradient = "none";
  let description = [{
    The chances are `pvals` or the tensor a: [K]; the last outcome has what is left of 1. output:
    [size..., K] int64. A sum above 1 makes the run fail.
    C1: n is at least 0; pvals do not sum to more than 1.
    C2: a has rank 1.
    C3: output has the shape above.
  }];
  let arguments = (ins Optional<SG_Tensor>:$a, Int<"experiments", "0">:$n,
    SG_Maybe<FloatTuple<"chances, None for a tensor">>:$pvals, TupleOpt<"shape of the result">:$size);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_NumpyChoiceOp : SG_DrawingOp<"numpy_choice", [Name<"_npi_choice">]> {
  let summary = "places below a number, or of a tensor's elements, drawn with or without replacement";
  let gradient = "none";
  let description = [{
    tensors: one whose elements are the places, where `a` is None, then their chances, where
    `weighted`. Else the places are those below `a`. output: the shape `size`, int64.
    C1: a is at least 1.
    C2: the chances are as many as the places.
    C3: without replacement there are as many places as results at least.
    C4: output has the shape `size`, rank 0 without.
    C5: the number of tensors fits `a` and `weighted`.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$tensors,
    IntOpt<"number of places, None for those of a tensor">:$a, TupleOpt<"shape of the result">:$size,
    BoolD<"true", "a place may come again">:$replace, BoolD<"false", "by chances">:$weighted);
  let hints = ["ctx"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}
