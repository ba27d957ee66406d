//===- NumpyElementwise.td - functions under NumPy's rules of types ----------===//
//
// MXNet's numpy operators that differ from the older ones in element types: operands
// of two types meet, division and numbers with a fraction make floats of integers,
// comparisons give bool. sg-decompose-numpy makes casts and the older operations of them.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

defvar SG_NumpyPairFns = ["add", "sub", "mul", "mod", "power", "div", "maximum", "minimum", "hypot",
  "arctan2", "copysign", "ldexp", "equal", "not_equal", "greater", "greater_equal", "lesser",
  "lesser_equal"];

class NumpyName<string mxnet, string fn, list<string> presets = []>
    : Name<"_npi_" # mxnet, [], ["fn=" # fn] # presets>;

def SG_NumpyBinaryOp : SG_Op<"numpy_binary", [
    NumpyName<"add", "add">, NumpyName<"subtract", "sub">, NumpyName<"multiply", "mul">,
    NumpyName<"mod", "mod">, NumpyName<"power", "power">, NumpyName<"true_divide", "div">,
    NumpyName<"equal", "equal">, NumpyName<"not_equal", "not_equal">,
    NumpyName<"greater", "greater">, NumpyName<"greater_equal", "greater_equal">,
    NumpyName<"less", "lesser">, NumpyName<"less_equal", "lesser_equal">]> {
  let summary = "a function of two operands of any element types";
  let gradient = "rewritten";
  let description = [{
    Shapes meet as with `broadcast` in binary. The result of a comparison is bool. Otherwise
    the operands meet in the wider float, the float if one alone is, or the wider integer;
    div makes float32 of integers.
    C1: aligned extents are equal or one of them is 1.
    C2: operands that are compared have one element type.
    C3: int8 and uint8 do not meet; sub and mod take no two types of integers, and no bool.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs, Enum<SG_NumpyPairFns, "the function">:$fn);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

class NumpyScalarName<string mxnet, string fn, string reverse = "false">
    : Name<"_npi_" # mxnet # "_scalar", [], ["fn=" # fn, "reverse=" # reverse]>;

def SG_NumpyScalarOp : SG_Op<"numpy_scalar", [
    NumpyScalarName<"add", "add">, NumpyScalarName<"subtract", "sub">,
    NumpyScalarName<"rsubtract", "sub", "true">, NumpyScalarName<"multiply", "mul">,
    NumpyScalarName<"mod", "mod">, NumpyScalarName<"rmod", "mod", "true">,
    NumpyScalarName<"power", "power">, NumpyScalarName<"rpower", "power", "true">,
    NumpyScalarName<"true_divide", "div">, NumpyScalarName<"rtrue_divide", "div", "true">,
    NumpyScalarName<"arctan2", "arctan2">, NumpyScalarName<"rarctan2", "arctan2", "true">,
    NumpyScalarName<"copysign", "copysign">, NumpyScalarName<"rcopysign", "copysign", "true">,
    NumpyScalarName<"ldexp", "ldexp">, NumpyScalarName<"rldexp", "ldexp", "true">,
    NumpyScalarName<"equal", "equal">, NumpyScalarName<"not_equal", "not_equal">,
    NumpyScalarName<"greater", "greater">, NumpyScalarName<"greater_equal", "greater_equal">,
    NumpyScalarName<"less", "lesser">, NumpyScalarName<"less_equal", "lesser_equal">]> {
  let summary = "a function of an operand and a number, whole or with a fraction";
  let gradient = "rewritten";
  let description = [{
    fn(data, scalar), or fn(scalar, data) with `reverse`. The result of a comparison is bool.
    Floats stay as they are; integers do beside a whole number (is_int, cut off), which
    makes int64 of bool, and become float64 beside another. div makes float32 of integers.
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, Enum<SG_NumpyPairFns, "the function">:$fn,
    DoubleD<"1", "the number">:$scalar, BoolD<"true", "the number is whole">:$is_int,
    BoolD<"false", "the number is the left operand">:$reverse);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_NumpyTestOp : SG_Op<"numpy_test", [
    NumpyName<"isnan", "isnan">, NumpyName<"isinf", "isinf">, NumpyName<"isfinite", "isfinite">,
    NumpyName<"isposinf", "isposinf">, NumpyName<"isneginf", "isneginf">,
    NumpyName<"logical_not", "logical_not">]> {
  let summary = "a question to each element";
  let gradient = "rewritten";
  let description = [{
    The result is bool. Integers are finite.
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data,
    Enum<["isnan", "isinf", "isfinite", "isposinf", "isneginf", "logical_not"], "the question">:$fn);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_NumpyAroundOp : SG_Op<"numpy_around", [Name<"_npi_around">]> {
  let summary = "rounded to a number of decimals, halves to even";
  let gradient = "rewritten";
  let description = [{
    data * 10^decimals rounded and divided again. Integers stay as they are but for negative
    decimals (for which MXNet's results are wrong).
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"0", "decimals kept, -308 to 308", "-308", "308">:$decimals);
  let results = (outs SG_Tensor:$output);
}

def SG_NumpyNanToNumOp : SG_Op<"numpy_nan_to_num", [Name<"_npi_nan_to_num">]> {
  let summary = "NaN and infinities replaced";
  let gradient = "rewritten";
  let description = [{
    None replaces an infinity by the largest finite number of its sign.
    C1: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, DoubleD<"0", "in place of NaN">:$nan,
    DoubleOpt<"in place of +inf">:$posinf, DoubleOpt<"in place of -inf">:$neginf);
  let hints = ["copy"];
  let results = (outs SG_Tensor:$output);
}

def SG_NumpyWhereOp : SG_Op<"numpy_where", [Name<"_npi_where">]> {
  let summary = "x where the condition is not 0, else y; operands repeat to one shape";
  let gradient = "rewritten";
  let description = [{
    C1: aligned extents are equal or one of them is 1.
    C2: x, y and output have one element type.
  }];
  let arguments = (ins SG_Tensor:$condition, SG_Tensor:$x, SG_Tensor:$y);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_NumpyWhereScalarOp : SG_Op<"numpy_where_scalar", [
    Name<"_npi_where_lscalar", [], ["left=true"]>, Name<"_npi_where_rscalar", [], ["left=false"]>]> {
  let summary = "elements where the condition is not 0, else a number, or the other way round";
  let gradient = "rewritten";
  let description = [{
    As numpy_where, with a number for x (left) or for y. It is cut off among integers.
    C1: aligned extents are equal or one of them is 1.
    C2: x and output have one element type.
  }];
  let arguments = (ins SG_Tensor:$condition, SG_Tensor:$x, DoubleD<"0", "the number">:$scalar,
    Bool<"the number is where the condition is not 0">:$left);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_NumpyWhereNumbersOp : SG_Op<"numpy_where_numbers", [Name<"_npi_where_scalar2">]> {
  let summary = "one number where the condition is not 0, else another";
  let gradient = "rewritten";
  let description = [{
    The result is float32.
    C1: condition and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$condition, DoubleD<"0", "where it is not 0">:$x,
    DoubleD<"0", "elsewhere">:$y);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
