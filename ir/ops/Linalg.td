//===- Linalg.td - linear algebra on batches of matrices ---------------------===//
//
// Matrices are the last two extents, row by row; the others count a batch. Element types
// are float32 and float64. Factorisations call LAPACK, which is opened when a context is
// created; products are loops.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_FactorOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let library = "lapack";
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_LinalgGemmOp : SG_Op<"linalg_gemm", [Name<"_linalg_gemm", ["linalg_gemm"]>]> {
  let summary = "alpha * op(A) * op(B) + beta * C";
  let gradient = "rule";
  let description = [{
    A: [..., M, K], [..., K, M] with transpose_a; B: [..., K, N], [..., N, K] with
    transpose_b; C and output: [..., M, N]. Rows lie along `axis`, columns along the last one.
    C1: A, B and C have one rank of at least 2, and axis is one before the last.
    C2: the extents that are summed over are equal, and those of the batch.
    C3: C and output have the shape above.
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$B, SG_Tensor:$C,
    BoolD<"false", "A holds transposed matrices">:$transpose_a,
    BoolD<"false", "B holds transposed matrices">:$transpose_b,
    DoubleD<"1", "factor of the product">:$alpha, DoubleD<"1", "factor of C">:$beta,
    IntD<"-2", "the axis of rows">:$axis);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_LinalgGemm2Op : SG_Op<"linalg_gemm2", [Name<"_linalg_gemm2", ["linalg_gemm2"]>]> {
  let summary = "alpha * op(A) * op(B)";
  let gradient = "rule";
  let description = [{
    As linalg_gemm, without C.
    C1: A and B have one rank of at least 2, and axis is one before the last.
    C2: the extents that are summed over are equal, and those of the batch.
    C3: output is [..., M, N].
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$B,
    BoolD<"false", "A holds transposed matrices">:$transpose_a,
    BoolD<"false", "B holds transposed matrices">:$transpose_b,
    DoubleD<"1", "factor of the product">:$alpha, IntD<"-2", "the axis of rows">:$axis);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_LinalgSyrkOp : SG_Op<"linalg_syrk", [Name<"_linalg_syrk", ["linalg_syrk"]>]> {
  let summary = "alpha * A * A^T, or alpha * A^T * A with transpose";
  let gradient = "rewritten";
  let description = [{
    C1: A has rank 2 or more.
    C2: output is [..., M, M], M the rows of A, or with transpose its columns.
  }];
  let arguments = (ins SG_Tensor:$A, BoolD<"false", "A^T * A">:$transpose,
    DoubleD<"1", "factor of the product">:$alpha);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgTrmmOp : SG_Op<"linalg_trmm", [Name<"_linalg_trmm", ["linalg_trmm"]>]> {
  let summary = "alpha * op(A) * B with a triangular A, or alpha * B * op(A)";
  let gradient = "rule";
  let description = [{
    A: [..., N, N], of which one triangle is read; B and output: [..., N, M], with rightside
    [..., M, N].
    C1: A and B have one rank of at least 2, A square matrices, B matrices that fit.
    C2: output has the shape of B.
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$B, BoolD<"false", "A^T">:$transpose,
    BoolD<"false", "A stands behind B">:$rightside, BoolD<"true", "the lower triangle">:$lower,
    DoubleD<"1", "factor of the product">:$alpha);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_LinalgTrsmOp : SG_Op<"linalg_trsm", [Name<"_linalg_trsm", ["linalg_trsm"]>]> {
  let summary = "X of op(A) * X = alpha * B with a triangular A, or of X * op(A) = alpha * B";
  let gradient = "rule";
  let description = [{
    Shapes as linalg_trmm.
    C1: A and B have one rank of at least 2, A square matrices, B matrices that fit.
    C2: output has the shape of B.
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$B, BoolD<"false", "A^T">:$transpose,
    BoolD<"false", "A stands behind X">:$rightside, BoolD<"true", "the lower triangle">:$lower,
    DoubleD<"1", "factor of B">:$alpha);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_LinalgPotrfOp : SG_Op<"linalg_potrf", [
    Name<"_linalg_potrf", ["linalg_potrf"]>, Name<"_npi_cholesky">]> {
  let summary = "the Cholesky factor of symmetric positive matrices, A = L * L^T or U^T * U";
  let gradient = "rule";
  let description = [{
    One triangle of A is read; a matrix that is not positive makes the run fail.
    C1: A holds square matrices.
    C2: output has the shape of A.
  }];
  let library = "lapack";
  let arguments = (ins SG_Tensor:$A, BoolD<"true", "the lower triangle and L, else the upper one and U">:$lower);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgPotriOp : SG_Op<"linalg_potri", [Name<"_linalg_potri", ["linalg_potri"]>]> {
  let summary = "the inverse of a matrix, from its Cholesky factor";
  let gradient = "rule";
  let description = [{
    C1: A holds square matrices.
    C2: output has the shape of A.
  }];
  let library = "lapack";
  let arguments = (ins SG_Tensor:$A, BoolD<"true", "the factor is the lower one">:$lower);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgGelqfOp : SG_FactorOp<"linalg_gelqf", [Name<"_linalg_gelqf", ["linalg_gelqf"]>]> {
  let summary = "Q and L of A = L * Q, Q with orthonormal rows, L lower triangular";
  let gradient = "rule";
  let description = [{
    A and output0 (Q): [..., M, N]; output1 (L): [..., M, M].
    C1: A holds matrices with no more rows than columns.
    C2: Q and L have the shapes above.
    C3: N is at most 2,147,483,647, which LAPACK counts in 32 bits.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
}

def SG_LinalgSyevdOp : SG_FactorOp<"linalg_syevd", [Name<"_linalg_syevd", ["linalg_syevd"]>]> {
  let summary = "U and L of A = U^T * diag(L) * U for symmetric matrices";
  let gradient = "rule";
  let description = [{
    A and output0 (U): [..., N, N], a row of U is an eigenvector, whose largest component
    is positive; output1 (L): [..., N], rising. The lower triangle of A is read.
    C1: A holds square matrices.
    C2: U and L have the shapes above.
    C3: N is at most 32,766: LAPACK counts its work in 32 bits.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
}

def SG_LinalgInverseOp : SG_FactorOp<"linalg_inverse", [
    Name<"_linalg_inverse", ["linalg_inverse", "_npi_inv"]>]> {
  let summary = "inverse matrices";
  let gradient = "rule";
  let description = [{
    A matrix without an inverse makes the run fail.
    C1: A holds square matrices.
    C2: output has the shape of A.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgDetOp : SG_FactorOp<"linalg_det", [Name<"_linalg_det", ["linalg_det", "_npi_det"]>]> {
  let summary = "determinants";
  let gradient = "rule";
  let description = [{
    C1: A holds square matrices.
    C2: output is A's batch, [1] for one matrix.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output0);
  let hiddenResults = 2;
}

def SG_LinalgSlogdetOp : SG_FactorOp<"linalg_slogdet", [
    Name<"_linalg_slogdet", ["linalg_slogdet", "_npi_slogdet"]>]> {
  let summary = "the sign of determinants and the logarithm of their absolute value";
  let gradient = "rule";
  let description = [{
    A determinant of 0 has sign 0 and logarithm -inf.
    C1: A holds square matrices.
    C2: sign and logarithm are A's batch, [1] for one matrix.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
  let hiddenResults = 2;
}

def SG_LinalgSumlogdiagOp : SG_Op<"linalg_sumlogdiag", [
    Name<"_linalg_sumlogdiag", ["linalg_sumlogdiag"]>]> {
  let summary = "the sum of the logarithms of each diagonal";
  let gradient = "rule";
  let description = [{
    C1: A holds square matrices.
    C2: output is A's batch, [1] for one matrix.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgExtractdiagOp : SG_Op<"linalg_extractdiag", [
    Name<"_linalg_extractdiag", ["linalg_extractdiag"]>]> {
  let summary = "a diagonal of each matrix";
  let gradient = "rule";
  let description = [{
    C1: A holds square matrices.
    C2: the diagonal has at least one element; output is [..., N - |offset|].
  }];
  let arguments = (ins SG_Tensor:$A, IntD<"0", "above (positive) or below the main one">:$offset);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgMakediagOp : SG_Op<"linalg_makediag", [
    Name<"_linalg_makediag", ["linalg_makediag"]>]> {
  let summary = "matrices with A on a diagonal and zero elsewhere";
  let gradient = "rule";
  let description = [{
    C1: A has at least one extent.
    C2: output is [..., N + |offset|, N + |offset|], N the last extent of A.
  }];
  let arguments = (ins SG_Tensor:$A, IntD<"0", "above (positive) or below the main one">:$offset);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgExtracttrianOp : SG_Op<"linalg_extracttrian", [
    Name<"_linalg_extracttrian", ["linalg_extracttrian"]>]> {
  let summary = "a triangle of each matrix as a vector";
  let gradient = "rule";
  let description = [{
    The triangle begins at the diagonal `offset`: the upper one for a positive offset, the
    lower one for a negative, else as `lower` decides. A lower one is taken row by row, an upper
    one column by column.
    C1: A holds square matrices.
    C2: the triangle has at least one element; output is [..., K * (K + 1) / 2], K = N - |offset|.
    C3: N is no range of sizes.
  }];
  let arguments = (ins SG_Tensor:$A, IntD<"0", "the diagonal">:$offset,
    BoolD<"true", "the lower triangle, for offset 0">:$lower);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgMaketrianOp : SG_Op<"linalg_maketrian", [
    Name<"_linalg_maketrian", ["linalg_maketrian"]>]> {
  let summary = "matrices with the vectors of A as a triangle and zero elsewhere";
  let gradient = "rule";
  let description = [{
    The inverse of linalg_extracttrian.
    C1: the last extent of A is K * (K + 1) / 2.
    C2: output is [..., N, N], N = K + |offset|.
    C3: the last extent is no range of sizes.
  }];
  let arguments = (ins SG_Tensor:$A, IntD<"0", "the diagonal">:$offset,
    BoolD<"true", "the lower triangle, for offset 0">:$lower);
  let results = (outs SG_Tensor:$output);
}

//===----------------------------------------------------------------------===//
// NumPy's names. What rests on an older operation becomes it by sg-decompose-numpy. Tensors that
// are not float32 are computed in float64, and float16 is refused, as by MXNet.
//===----------------------------------------------------------------------===//


defvar SG_MatrixTypes = "::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);\n";
defvar SG_MatrixCheck = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";
defvar SG_MatrixScratch = "::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);\n";

// Made of other operations.
class SG_NumpyMatrixOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names>;

// A kernel of its own, for float32 and float64.
class SG_NumpyFactorOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let library = "lapack";
}

def SG_NumpyEighOp : SG_NumpyMatrixOp<"numpy_eigh", [
    Name<"_npi_eigh", [], ["vectors=true"]>, Name<"_npi_eigvalsh", [], ["vectors=false"]>]> {
  let summary = "eigenvalues of symmetric matrices, rising, and the eigenvectors as columns";
  let gradient = "zero";
  let description = [{
    One triangle of A is read. The largest component of a vector is positive.
    C1: A holds square matrices.
    C2: the values are [..., N], the vectors as A.
    C3: A is not float16.
    C4: UPLO is L or U.
  }];
  let arguments = (ins SG_Tensor:$A, StrD<"L", "the triangle, L or U">:$UPLO, Bool<"the vectors, too">:$vectors);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = !strconcat(SG_MatrixTypes, SG_MatrixCheck, [{
    static int64_t countResults(const ::symc::sg::ParamView &params) { return 1 + params.getBool("vectors"); }
  }]);
}

def SG_NumpyEigOp : SG_NumpyMatrixOp<"numpy_eig", [
    Name<"_npi_eig", [], ["vectors=true"]>, Name<"_npi_eigvals", [], ["vectors=false"]>]> {
  let summary = "eigenvalues of matrices, and the eigenvectors as columns of length 1";
  let gradient = "zero";
  let description = [{
    A matrix with complex eigenvalues makes the run fail.
    C1: A holds square matrices.
    C2: the values are [..., N], the vectors as A.
    C3: A is not float16.
  }];
  let arguments = (ins SG_Tensor:$A, Bool<"the vectors, too">:$vectors);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = !strconcat(SG_MatrixTypes, [{
    static int64_t countResults(const ::symc::sg::ParamView &params) { return 1 + params.getBool("vectors"); }
  }]);
}

def SG_MatrixEigOp : SG_NumpyFactorOp<"matrix_eig", []> {
  let summary = "what _npi_eig and _npi_eigvals compute, on real numbers";
  let gradient = "zero";
  let description = [{
    C1: A holds square matrices.
    C2: output0 are the values, [..., N], output1 the vectors, as A, or zeros.
  }];
  let arguments = (ins SG_Tensor:$A, Bool<"the vectors, too">:$vectors);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
  let extraClassDeclaration = SG_MatrixScratch;
}

def SG_NumpySvdOp : SG_NumpyFactorOp<"numpy_svd", [Name<"_npi_svd">]> {
  let summary = "UT, L and V of A = UT * diag(L) * V, L falling";
  let gradient = "rule";
  let description = [{
    A and output2 (V, orthonormal rows): [..., M, N]; output0 (UT): [..., M, M]; output1 (L):
    [..., M]. The largest component of a row of V is positive.
    C1: A holds matrices with no more rows than columns.
    C2: the results have the shapes above.
    C3: M is at most 32,766, M + N 268,435,455: LAPACK counts its work in 32 bits.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1, SG_Tensor:$output2);
  let extraClassDeclaration = SG_MatrixScratch;
}

def SG_NumpySolveOp : SG_NumpyMatrixOp<"numpy_solve", [Name<"_npi_solve">]> {
  let summary = "X of A * X = B";
  let gradient = "rewritten";
  let description = [{
    A: [..., N, N]; B and output: [..., N, K], or [..., N]. A matrix without an inverse makes the run fail.
    C1: A holds square matrices.
    C2: B has A's batch and as many rows, as matrices or as vectors.
    C3: output has the shape of B.
    C4: neither is float16.
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$B);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = SG_MatrixTypes;
}

def SG_MatrixSolveOp : SG_NumpyFactorOp<"matrix_solve", []> {
  let summary = "what _npi_solve computes, on matrices of real numbers";
  let gradient = "rule";
  let description = [{
    C1: A is [..., N, N], B [..., N, K].
    C2: output has the shape of B.
    C3: K is at most 2,147,483,647, which LAPACK counts in 32 bits.
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$B);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = SG_MatrixScratch;
}

def SG_NumpyTensorinvOp : SG_NumpyMatrixOp<"numpy_tensorinv", [Name<"_npi_tensorinv">]> {
  let summary = "the tensor whose product with a over the last axes is the identity";
  let gradient = "rewritten";
  let description = [{
    C1: ind is at least 1 and below a's rank.
    C2: the extents before axis ind and those from there on have one product.
    C3: output has the latter, then the former.
    C4: a is float32 or float64; MXNet computes no other.
  }];
  let arguments = (ins SG_Tensor:$a, IntD<"2", "how many extents come first", "1">:$ind);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = SG_MatrixTypes;
}

def SG_NumpyTensorsolveOp : SG_NumpyMatrixOp<"numpy_tensorsolve", [Name<"_npi_tensorsolve">]> {
  let summary = "the tensor whose product with a over its axes is b";
  let gradient = "rewritten";
  let description = [{
    a's axes of `a_axes` go behind the others first; its extents beyond those of b are output's.
    C1: a and b have at least one extent, a more than b; a_axes are within a's rank, each once.
    C2: the extents of a that stand for b and the others have the product of b's.
    C3: output has the others.
    C4: neither is float16.
  }];
  let arguments = (ins SG_Tensor:$a, SG_Tensor:$b, TupleD<"()", "{}", "axes that go behind">:$a_axes);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = !strconcat(SG_MatrixTypes, [{
    /// The order of a's axes; its rank must be known.
    ::llvm::SmallVector<int64_t> getOrder(int64_t rank);
  }]);
}

def SG_NumpyPinvOp : SG_NumpyMatrixOp<"numpy_pinv", [Name<"_npi_pinv">]> {
  let summary = "pseudo-inverse matrices, by a cutoff for each";
  let gradient = "zero";
  let description = [{
    By the singular values above the largest one times rcond; `hermitian` changes nothing.
    C1: A has rank 2 or more.
    C2: rcond repeats to A's batch.
    C3: output is [..., N, M] for A [..., M, N].
    C4: A is float32 or float64, and rcond as A; MXNet computes no other.
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$rcond, BoolD<"false", "the matrices are symmetric">:$hermitian);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = SG_MatrixTypes;
}

def SG_NumpyPinvScalarOp : SG_NumpyMatrixOp<"numpy_pinv_scalar", [Name<"_npi_pinv_scalar_rcond">]> {
  let summary = "pseudo-inverse matrices, by one cutoff";
  let gradient = "zero";
  let description = [{
    By the singular values above the largest one times rcond; `hermitian` changes nothing.
    C1: A has rank 2 or more.
    C2: output is [..., N, M] for A [..., M, N].
    C3: A is float32 or float64; MXNet computes no other.
  }];
  let arguments = (ins SG_Tensor:$A, DoubleD<"1e-15", "least share of the largest singular value">:$rcond,
    BoolD<"false", "the matrices are symmetric">:$hermitian);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = SG_MatrixTypes;
}

def SG_MatrixPinvOp : SG_NumpyFactorOp<"matrix_pinv", []> {
  let summary = "what _npi_pinv computes, with one cutoff for each matrix";
  let gradient = "zero";
  let description = [{
    C1: A has rank 2 or more.
    C2: output is [..., N, M] for A [..., M, N].
    C3: M or N is at most 32,766, M + N 268,435,455: LAPACK counts its work in 32 bits.
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$rcond);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = SG_MatrixScratch;
}
