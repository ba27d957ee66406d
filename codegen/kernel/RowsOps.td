//===- RowsOps.td - steps of rows of tables by their numbers --------------------===//
//
// Of the kernel dialect, with a header of their own (RowsOps.h), which their files alone include.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_CODEGEN_KERNEL_ROWSOPS
#define SYMC_CODEGEN_KERNEL_ROWSOPS

include "codegen/kernel/KernelOps.td"

// Rows by their numbers: [N], f32 or i32, cut off to integers and taken as the nearest of V rows.
class Kernel_RowsStep<string mnemonic, dag views> : Kernel_Step<mnemonic, [], [Kernel_TiledInterface]> {
  let arguments = views;
  let hasVerifier = 1;
  let extraClassDeclaration = Kernel_Cuts.isChosen # [{
    static constexpr int64_t mostRows = 1 << 24; // numbers of rows are exact in f32
  }];
}

def Kernel_TakeRowsOp : Kernel_RowsStep<"take_rows", (ins Kernel_In:$table, Kernel_In:$numbers,
                                                      Kernel_Out:$out, Kernel_Cut:$cut)> {
  let summary = "rows of a table by their numbers";
  let description = [{
    table: [V, W]; numbers: [N]; out: [N, W], f32; last strides 1, V a constant of at least 1. Row n of out
    is row numbers[n] of the table. `cut` is over [N].
  }];
  let assemblyFormat = "$table `at` $numbers `to` $out attr-dict `:` type($table) `at` type($numbers) `to` type($out)";
}

def Kernel_AddRowsOp : Kernel_RowsStep<"add_rows", (ins Kernel_In:$rows, Kernel_In:$numbers,
                                                    Kernel_Out:$out, Kernel_Cut:$cut)> {
  let summary = "zeros, to whose rows others are added by numbers";
  let description = [{
    rows: [N, W]; numbers: [N]; out: [V, W], f32; last strides 1, V a constant of at least 1. Row v of out is the sum
    of rows[n] for all n with numbers[n] = v, from zero and in their order. `cut` is over [V]; each task
    goes over all numbers.
  }];
  let assemblyFormat = "$rows `at` $numbers `to` $out attr-dict `:` type($rows) `at` type($numbers) `to` type($out)";
}

#endif // SYMC_CODEGEN_KERNEL_ROWSOPS
