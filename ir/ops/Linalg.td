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
    int64_t getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_LinalgGemmOp : SG_Op<"linalg_gemm", [Name<"_linalg_gemm", ["linalg_gemm"]>]> {
  let summary = "alpha * op(A) * op(B) + beta * C";
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
}

def SG_LinalgGemm2Op : SG_Op<"linalg_gemm2", [Name<"_linalg_gemm2", ["linalg_gemm2"]>]> {
  let summary = "alpha * op(A) * op(B)";
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
}

def SG_LinalgSyrkOp : SG_Op<"linalg_syrk", [Name<"_linalg_syrk", ["linalg_syrk"]>]> {
  let summary = "alpha * A * A^T, or alpha * A^T * A with transpose";
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
}

def SG_LinalgTrsmOp : SG_Op<"linalg_trsm", [Name<"_linalg_trsm", ["linalg_trsm"]>]> {
  let summary = "X of op(A) * X = alpha * B with a triangular A, or of X * op(A) = alpha * B";
  let description = [{
    Shapes as linalg_trmm.
    C1: A and B have one rank of at least 2, A square matrices, B matrices that fit.
    C2: output has the shape of B.
  }];
  let arguments = (ins SG_Tensor:$A, SG_Tensor:$B, BoolD<"false", "A^T">:$transpose,
    BoolD<"false", "A stands behind X">:$rightside, BoolD<"true", "the lower triangle">:$lower,
    DoubleD<"1", "factor of B">:$alpha);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgPotrfOp : SG_Op<"linalg_potrf", [Name<"_linalg_potrf", ["linalg_potrf"]>]> {
  let summary = "the lower Cholesky factor of symmetric positive matrices";
  let description = [{
    The lower triangle of A is read; a matrix that is not positive makes the run fail.
    C1: A holds square matrices.
    C2: output has the shape of A.
  }];
  let library = "lapack";
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgPotriOp : SG_Op<"linalg_potri", [Name<"_linalg_potri", ["linalg_potri"]>]> {
  let summary = "the inverse of a matrix, from its lower Cholesky factor";
  let description = [{
    C1: A holds square matrices.
    C2: output has the shape of A.
  }];
  let library = "lapack";
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgGelqfOp : SG_FactorOp<"linalg_gelqf", [Name<"_linalg_gelqf", ["linalg_gelqf"]>]> {
  let summary = "Q and L of A = L * Q, Q with orthonormal rows, L lower triangular";
  let description = [{
    A and output0 (Q): [..., M, N]; output1 (L): [..., M, M].
    C1: A holds matrices with no more rows than columns.
    C2: Q and L have the shapes above.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
}

def SG_LinalgSyevdOp : SG_FactorOp<"linalg_syevd", [Name<"_linalg_syevd", ["linalg_syevd"]>]> {
  let summary = "U and L of A = U^T * diag(L) * U for symmetric matrices";
  let description = [{
    A and output0 (U): [..., N, N], a row of U is an eigenvector, whose largest component
    is positive; output1 (L): [..., N], rising. The lower triangle of A is read.
    C1: A holds square matrices.
    C2: U and L have the shapes above.
  }];
  let arguments = (ins SG_Tensor:$A);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
}

def SG_LinalgInverseOp : SG_FactorOp<"linalg_inverse", [
    Name<"_linalg_inverse", ["linalg_inverse", "_npi_inv"]>]> {
  let summary = "inverse matrices";
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
  let description = [{
    The triangle begins at the diagonal `offset`: the upper one for a positive offset, the
    lower one for a negative, else as `lower` says. A lower one is taken row by row, an upper
    one column by column.
    C1: A holds square matrices.
    C2: the triangle has at least one element; output is [..., K * (K + 1) / 2], K = N - |offset|.
  }];
  let arguments = (ins SG_Tensor:$A, IntD<"0", "the diagonal">:$offset,
    BoolD<"true", "the lower triangle, for offset 0">:$lower);
  let results = (outs SG_Tensor:$output);
}

def SG_LinalgMaketrianOp : SG_Op<"linalg_maketrian", [
    Name<"_linalg_maketrian", ["linalg_maketrian"]>]> {
  let summary = "matrices with the vectors of A as a triangle and zero elsewhere";
  let description = [{
    The inverse of linalg_extracttrian.
    C1: the last extent of A is K * (K + 1) / 2.
    C2: output is [..., N, N], N = K + |offset|.
  }];
  let arguments = (ins SG_Tensor:$A, IntD<"0", "the diagonal">:$offset,
    BoolD<"true", "the lower triangle, for offset 0">:$lower);
  let results = (outs SG_Tensor:$output);
}
