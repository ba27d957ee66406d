//===- AttentionOps.td - the step of an attention layer --------------------------===//
//
// Of the kernel dialect, with a header of its own (AttentionOps.h), which its files alone include.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_CODEGEN_KERNEL_ATTENTIONOPS
#define SYMC_CODEGEN_KERNEL_ATTENTIONOPS

include "codegen/kernel/KernelOps.td"

def Kernel_AttentionOp : Kernel_Step<"attention", ["getFlops"],
                                     [AttrSizedOperandSegments, Kernel_TiledInterface]> {
  let summary = "values weighted by a softmax of products of queries and keys, block by block";
  let description = [{
    queries: [A, B, Q, D], keys: [A, B, K, D], values: [A, B, K, E], out: [A, B, Q, E]; A and B number
    the heads, D and E are constants, others may be run-time values; any strides, the last one of
    values and out is 1. extras: views [A, B, Q, K]; lengths: [A, B, Q], i32 or i64.

      s[k] = scores(sum over d of queries[q, d] * keys[k, d], extras...)
      w[k] = weights(exp(s[k] - max s), extras...)
      out[q] = sum over k of w[k] * values[k] / sum over k of exp(s[k] - max s)

    `scores` and `weights` get one float of the products and one element of each extra; `weights` is
    linear in its first. Keys at and beyond the length of a row have no share; a row of length 0 is 0.
    A row without a finite score is NaN, as softmax is.
    A narrow one has queries, keys and values, or out, of 16 bits in memory; then w is rounded to them, too.

    `cut` is over A, B and the blocks of rows of a head. Keys come in blocks of 64: of each the products are kept for
    the rows at hand, never all of a row; sums of the blocks before are scaled where a block has a
    larger score. Products of queries and keys are added by rising d; exponentials and weighted
    values of a block by rising k, then block to block. None of this depends on the target or on the
    number of threads.
  }];
  let arguments = (ins Kernel_In:$queries, Kernel_In:$keys, Kernel_In:$values,
                       Kernel_OptionalIn:$lengths, Kernel_Ins:$extras, Kernel_Out:$out,
                       Kernel_Cut:$cut);
  let regions = (region SizedRegion<1>:$scores, SizedRegion<1>:$weights);
  let assemblyFormat = [{
    `queries` `(` $queries `:` type($queries) `)` `keys` `(` $keys `:` type($keys) `)`
    `values` `(` $values `:` type($values) `)` (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    `extras` `(` ($extras^ `:` type($extras))? `)` `out` `(` $out `:` type($out) `)` attr-dict
    `scores` $scores `weights` $weights
  }];
  let extraClassDeclaration = Kernel_Cuts.isChosen # [{
    /// The rows of a block: one or two vectors of so many lanes.
    int64_t getRowsAtOnce(int64_t lanes);
    /// Keys whose scores are kept at once.
    static constexpr int64_t keysAtOnce = 64;
    /// The widest heads: what a task keeps lies on its stack.
    static constexpr int64_t mostWidth = 256;
    /// The first operands: queries, keys and values.
    static constexpr unsigned factors = 3;
  }];
  let hasVerifier = 1;
}

#endif // SYMC_CODEGEN_KERNEL_ATTENTIONOPS
