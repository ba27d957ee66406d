//===- WinogradOps.td - steps of Winograd's algorithm; KernelOps.td includes it ---===//
#ifndef SYMC_WINOGRAD_OPS
#define SYMC_WINOGRAD_OPS

def Kernel_WinogradOp : Kernel_AccumulateStep<"winograd", ["getFlops"],
    [DeclareOpInterfaceMethods<Kernel_TiledInterface, ["isChosen"]>]> {
  let summary = "stride-1 convolution by Winograd's F(m x m, 3 x 3), F(3 x 3, 4 x 4) or F(5 x 5, 2 x 2)";
  let description = [{
    data:    [N, ICB, OH + DH * (KH - 1), OW + DW * (KW - 1), 16], padding materialised, last
             stride 1. KH and KW, the extents of the kernel, are K = 4 for m = 3, K = 2 for m = 5, else K = 3,
             or those that `layer` names. DH and DW are `dilations`, else 1.
    weights: [P, OB, ICB, 16, 16], P = (m + K - 1)^2: the panels of each position of the
             transformed kernel (kernel.pack_winograd makes them); or, for m = 4,
             [OB, ICB, 16, 9, 16], the 3x3 kernels in a basis from which the step
             transforms them itself (on the fly), for layers of few tiles.
    extras, out: as those of kernel.conv. All extents are constants.
    The output is cut into tiles of m x m pixels, m = `output_tile` (2 to 5). The
    tiles of all images, row by row, are taken `block`[0] at a time: their inputs
    are transformed, then `block`[1] output blocks after the other are summed over
    the input channels, one product for each position, transformed back and put
    through the body. A task does `per_task`[0] such groups of tiles for
    `per_task`[1] output blocks.
    With `expand`, weights that are transformed on the fly are so a block of outputs and a row
    of positions at a time, into scratch, from which the products read panels: for targets
    whose registers cannot hold the sums of a row of positions for some tiles.
    `scratch` holds one task's intermediate values in each of its rows
    (WinogradShape.h); `slots` a word in a line of its own for each row, 0 = free,
    all of them before and after the step. A task takes the first free row.
    kernel-choose-tiles sets, for one target: `tile`, that of kernel.conv for the products:
    [vectors of 16, 1, tiles]; `row_sums` = [columns of positions, tiles], whose sums are in
    registers at once where a row of positions is summed by itself instead, as that of weights
    transformed on the fly without `expand` always is; `prefetch`: each tile of a product fetches its share of
    the weights that come next.
    `layer` = [channels, stride, kernel rows, kernel columns] names the layer that the step
    stands for. Of a strided one input channel c * stride^2 + i * stride + j holds the pixels
    of its channel c at rows i and columns j modulo the stride. A kernel of stride 1 is a sum
    of pieces of K taps along each axis, row by row, the last filled up with zeros: weights
    have ICB blocks for each piece, behind each other. An axis along which the kernel has one
    element is not transformed: there are m + K - 1 positions.
    `dilations` = [rows, columns] between taps, by which OH and OW divide: the pixels at one
    place modulo them are an image of their own, whose kernel is not dilated.
  }];
  let arguments = (ins Kernel_In:$data, Kernel_In:$weights, Kernel_Ins:$extras,
                       Kernel_Out:$out, Kernel_Out:$scratch, Kernel_Out:$slots,
                       I64Attr:$output_tile, I64Attr:$in_channels, I64Attr:$out_channels,
                       DenseI64ArrayAttr:$block, DenseI64ArrayAttr:$per_task,
                       OptionalAttr<DenseI64ArrayAttr>:$tile,
                       OptionalAttr<DenseI64ArrayAttr>:$layer,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$dilations, UnitAttr:$expand,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$row_sums,
                       UnitAttr:$prefetch, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `weights` `(` $weights `:` type($weights) `)`
    `extras` `(` ($extras^ `:` type($extras))? `)` `out` `(` $out `:` type($out) `)`
    `scratch` `(` $scratch `:` type($scratch) `,` $slots `:` type($slots) `)` attr-dict `body` $body
  }];
  let extraClassDeclaration = [{
    /// The step transforms its weights itself.
    bool isOnTheFly();
  }];
}

def Kernel_WinogradWeightsOp : Kernel_Step<"winograd_weights", ["getFlops"], [Kernel_TiledInterface]> {
  let summary = "what kernel.conv_weights computes, of small windows of stride 1, by Winograd's algorithm";
  let description = [{
    data:  [N, IB, OH + (kH - 1) * DH, OW + (kW - 1) * DW, 16], padding materialised, last stride 1,
           of which DH and DW, the distances of taps, at most OH and OW, follow.
    slope, sums, `in_channels`, `out_channels`, `per_slot`: those of kernel.conv_weights, as are
    chunks of pixels, and the tree by which they are added. The window has K = 2, 3 or 4 taps along both
    axes, or along one. All extents are constants.
    Each chunk is cut into tiles of m x m pixels, m = 7 - K, or of m pixels of a line. The sum of a
    tile is that of F(m x m, K x K)'s transposed form: G' [sum of (B' d B) * (A s A')] G,
    d: 6 x 6 inputs, s: m x m slopes, of which those beyond the chunk are zero. The sums over the
    tiles of a chunk, image by image, row by row, are one chain for each of the 36 positions, or 6 of
    a line, and are transformed back once. The pixels at one place modulo the dilations are an image
    of their own, behind each other.
    A task computes `slots_of_task` slots for `block`[1] input and `block`[2] output blocks. `block`[0]
    tiles are transformed at once. Where these are all tiles of a chunk, `together` = [input
    blocks, output blocks] are summed at once; else `together` are those of the task.
    `scratch` holds one task's intermediate values in each of its rows (WinogradWeightsShape.h);
    `slots` a word in a line of its own for each row, as those of kernel.winograd.
    kernel-choose-tiles sets, for one target, `tile` = [rows, vectors], that of kernel.conv_weights
    for the products of a position.
  }];
  let arguments = (ins Kernel_In:$data, Kernel_In:$slope, Kernel_Out:$sums,
                       Kernel_Out:$scratch, Kernel_Out:$slots,
                       I64Attr:$in_channels, I64Attr:$out_channels, I64Attr:$per_slot,
                       DenseI64ArrayAttr:$block, DenseI64ArrayAttr:$together,
                       I64Attr:$slots_of_task, OptionalAttr<DenseI64ArrayAttr>:$tile,
                       OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `slope` `(` $slope `:` type($slope) `)`
    `sums` `(` $sums `:` type($sums) `)`
    `scratch` `(` $scratch `:` type($scratch) `,` $slots `:` type($slots) `)` attr-dict
  }];
  let hasVerifier = 1;
}

def Kernel_PackWinogradOp : Kernel_PackStep<"pack_winograd", (ins Kernel_FormAttr:$form)> {
  let summary = "weights [O, I, kH, kW] to the panels of kernel.winograd";
  let description = [{
    panels: [P, OB, IB, 16, 16], P = (m + r - 1)^2, or [OB, IB, 16, 9, 16] where the form is
    on the fly; transformed in f64 and rounded once. With a stride the weights are first taken apart
    as the phases of kernel.winograd's image are.
  }];
}

#endif // SYMC_WINOGRAD_OPS
