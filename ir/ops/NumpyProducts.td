//===- NumpyProducts.td - NumPy's products, and tensors from parameters ------===//
//
// As in NumpyReduce.td: sg-decompose-numpy makes the older operations of them.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_NumpyOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let results = (outs SG_Tensor:$output);
}
defvar SG_OwnType = "::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);\n";
defvar SG_OwnCheck = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def SG_NumpyDotOp : SG_NumpyOp<"numpy_dot", [Name<"_np_dot">]> {
  let summary = "product of vectors, matrices and stacks of them, down to rank 0";
  let gradient = "rewritten";
  let description = [{
    The sum over the last axis of a and the last but one of b (its only one); the other extents
    of b stand behind those of a.
    C1: a and b have at least one extent.
    C2: the two extents that are summed over are equal.
  }];
  let arguments = (ins SG_Tensor:$a, SG_Tensor:$b);
}

def SG_NumpyMatmulOp : SG_Op<"numpy_matmul", [Name<"_npi_matmul">]> {
  let summary = "products of stacks of matrices, whose extents repeat";
  let gradient = "rewritten";
  let description = [{
    The sum over the last axis of a and the last but one of b (its only one).
    C1: a and b have at least one extent.
    C2: the two extents that are summed over are equal.
    C3: stacks meet: aligned extents are equal or one of them is 1.
  }];
  let arguments = (ins SG_Tensor:$a, SG_Tensor:$b);
  let results = (outs SG_Tensor:$out);
}

def SG_NumpyTensordotOp : SG_NumpyOp<"numpy_tensordot", [
    Name<"_npi_tensordot">, Name<"_npi_tensordot_int_axes">]> {
  let summary = "sums of products over pairs of axes";
  let gradient = "rewritten";
  let description = [{
    The axes a_axes_summed of a and b_axes_summed of b, or the last `axes` of a and the first of b.
    C1: both lists are as long, within the ranks, and name no axis twice.
    C2: the extents that are summed over are equal.
  }];
  let arguments = (ins SG_Tensor:$a, SG_Tensor:$b, TupleD<"()", "{}", "axes of a">:$a_axes_summed,
    TupleD<"()", "{}", "axes of b">:$b_axes_summed, IntD<"0", "how many axes", "0">:$axes);
  let extraClassDeclaration = [{
    /// The axes of a and of b, in pairs; both ranks must be known.
    ::std::pair<::llvm::SmallVector<int64_t>, ::llvm::SmallVector<int64_t>> getPairs(int64_t rank);
  }];
}

def SG_NumpyEinsumOp : SG_NumpyOp<"numpy_einsum", [Name<"_npi_einsum">]> {
  let summary = "sums of products over letters";
  let gradient = "rewritten";
  let description = [{
    `ij,jk->ik`: one letter for each axis; letters of the result stay, others are summed over.
    One that a part has twice takes the diagonal. `...` stands for the axes that a part's
    letters leave, aligned at the last; in the result for the longest of these. Without an
    arrow it leads, and those letters stay that occur once, in the order of the alphabet.
    Extents of 1 repeat to those of the other operands.
    C1: subscripts have one part for each operand, of letters and at most one `...`; letters
        of the result occur in an operand, and once; it has `...` where an operand has it.
    C2: a part has as many letters as its operand has axes, or with `...` at most as many.
    C3: the extents of one letter are equal, or 1 in some operands.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, Int<"number of operands", "1">:$num_args,
    Str<"the letters">:$subscripts);
  let hints = ["optimize"];
  let variadicCount = "num_args";
  let extraClassDeclaration = SG_OwnCheck # [{
    /// The letters of each operand, then those of the result; instead of `...` the digits of
    /// its axes, 0 the last.
    ::llvm::SmallVector<::std::string> getLetters(::llvm::ArrayRef<int64_t> ranks);
  }];
}

def SG_NumpyPolyvalOp : SG_NumpyOp<"numpy_polyval", [Name<"_npi_polyval">]> {
  let summary = "a polynomial at each element of x";
  let gradient = "rewritten";
  let description = [{
    p: [n], the coefficient of the highest power first.
    C1: p has rank 1 and a fixed extent, at most 4096.
    C2: x and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$p, SG_Tensor:$x);
}

//===----------------------------------------------------------------------===//
// Tensors made from parameters
//===----------------------------------------------------------------------===//

def SG_NumpyFullLikeOp : SG_NumpyOp<"numpy_full_like", [Name<"_npi_full_like">]> {
  let summary = "one value everywhere, in its operand's shape";
  let gradient = "rewritten";
  let description = [{
    C1: a and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$a, Double<"the value">:$fill_value,
    DTypeOpt<"element type of the result, None for a's">:$dtype);
  let hints = ["ctx"];
  let extraClassDeclaration = SG_OwnType;
}

def SG_NumpyEyeOp : SG_NumpyOp<"numpy_eye", [Name<"_npi_eye">]> {
  let summary = "ones on a diagonal, zeros elsewhere";
  let gradient = "rewritten";
  let description = [{
    C1: output is [N, M], [N, N] where M is None.
  }];
  let arguments = (ins Int<"rows", "1">:$N, IntOpt<"columns">:$M, IntD<"0", "which diagonal">:$k,
    DTypeD<"float32", "element type of the result">:$dtype);
  let hints = ["ctx"];
  let extraClassDeclaration = SG_OwnType;
}

def SG_NumpyIdentityOp : SG_NumpyOp<"numpy_identity", [Name<"_npi_identity">]> {
  let summary = "a square of zeros with ones on its diagonal";
  let gradient = "rewritten";
  let description = [{
    C1: shape has two equal extents of at least 1.
  }];
  let arguments = (ins TupleD<"()", "{}", "shape of the result">:$shape,
    DTypeD<"float32", "element type of the result">:$dtype);
  let hints = ["ctx"];
  let extraClassDeclaration = !strconcat(SG_OwnType, SG_OwnCheck);
}

def SG_NumpyIndicesOp : SG_NumpyOp<"numpy_indices", [Name<"_npi_indices">]> {
  let summary = "the places of a grid, one plane for each axis";
  let gradient = "rewritten";
  let description = [{
    C1: there are dimensions, and they are at least 1; output is [number of them, dimensions...].
  }];
  let arguments = (ins Tuple<"extents of the grid">:$dimensions,
    DTypeD<"int32", "element type of the result">:$dtype);
  let hints = ["ctx"];
  let extraClassDeclaration = !strconcat(SG_OwnType, SG_OwnCheck);
}

def SG_NumpyLogspaceOp : SG_NumpyOp<"numpy_logspace", [Name<"_npi_logspace">]> {
  let summary = "powers of a base at equal distances";
  let gradient = "rewritten";
  let description = [{
    base to the numbers of linspace.
    C1: output is [num].
  }];
  let arguments = (ins Double<"first exponent">:$start, Double<"last exponent">:$stop,
    Int<"how many", "1">:$num, BoolD<"true", "stop is one of them">:$endpoint,
    DoubleD<"10", "the base">:$base, DTypeD<"float32", "element type of the result">:$dtype);
  let hints = ["ctx"];
  let extraClassDeclaration = SG_OwnType;
}

def SG_NumpyWindowOp : SG_NumpyOp<"numpy_window", [
    Name<"_npi_hanning", [], ["kind=hanning"]>, Name<"_npi_hamming", [], ["kind=hamming"]>,
    Name<"_npi_blackman", [], ["kind=blackman"]>]> {
  let summary = "a window of cosines";
  let gradient = "rewritten";
  let description = [{
    With t = 2 pi n / (M - 1): hanning 0.5 - 0.5 cos t, hamming 0.54 - 0.46 cos t, blackman
    0.42 - 0.5 cos t + 0.08 cos 2t; [1] where M is 1.
    C1: output is [M].
  }];
  let arguments = (ins Int<"how many", "1">:$M, Enum<["hanning", "hamming", "blackman"], "which">:$kind,
    DTypeD<"float32", "element type of the result">:$dtype);
  let hints = ["ctx"];
  let extraClassDeclaration = SG_OwnType;
}
