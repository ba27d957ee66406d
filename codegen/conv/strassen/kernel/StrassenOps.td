//===- StrassenOps.td - steps of Strassen's product; KernelOps.td includes it ------===//
#ifndef SYMC_STRASSEN_OPS
#define SYMC_STRASSEN_OPS

def Kernel_StrassenOp : Kernel_AccumulateStep<"strassen", ["getFlops"], [Kernel_TiledInterface]> {
  let summary = "1x1 convolution of stride 1 or matrix product by Strassen's scheme";
  let description = [{
    data, extras, out: as those of kernel.conv, channels in blocks of 16; inputs and
    outputs are multiples of 32 channels, all extents are constants.
    weights: [OB/2 + S, 7, IB/2, 1, 1, 16, 16], the seven sums of the weights' quarters for
             each block of the first half of the outputs (kernel.pack_strassen makes them),
             then scales of outputs and inputs in strassenScaleBlocks() blocks
             (kernel.pack_strassen_scales).
    Inputs, outputs and pixels are halved (StrassenScheme.h). Pixels are halved by
    rows, an even number; or, where each image's pixels lie at one distance, `flat`
    as one row, whose halves share the middle pixel of an odd number.
    The first half is worked on in units of `unit` pixels, whole rows unless `flat`. The
    sums of a unit's data are written to scratch, then all outputs are summed. A task
    does `per_task`[0] units; the last task's outputs are shared by `per_task`[1] tasks.
    `scratch` holds one task's intermediate values in each of its rows (StrassenShape.h);
    `slots` a word in a line of its own for each row, 0 = free, all of them before and after
    the step. A task takes the first free row. `tile` is that of kernel.conv.
  }];
  let arguments = (ins Kernel_In:$data, Kernel_In:$weights, Kernel_Ins:$extras,
                       Kernel_Out:$out, Kernel_Out:$scratch, Kernel_Out:$slots,
                       I64Attr:$in_channels, I64Attr:$out_channels, UnitAttr:$flat,
                       I64Attr:$unit, DenseI64ArrayAttr:$per_task,
                       OptionalAttr<DenseI64ArrayAttr>:$tile, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `weights` `(` $weights `:` type($weights) `)`
    `extras` `(` ($extras^ `:` type($extras))? `)` `out` `(` $out `:` type($out) `)`
    `scratch` `(` $scratch `:` type($scratch) `,` $slots `:` type($slots) `)` attr-dict `body` $body
  }];
}

def Kernel_PackStrassenScalesOp : Kernel_PackStep<"pack_strassen_scales"> {
  let summary = "weights [O, I, 1, 1] to the scales of kernel.strassen, in one task";
  let description = [{
    panels: [OB/2 + S, 7, IB/2, 1, 1, 16, 16]; the last S blocks are written, behind the
    scales with ones. Powers of two between 2^-30 and 2^30. `cut` has one task: a scale of an
    input needs those of all outputs.
  }];
}

def Kernel_PackStrassenOp : Kernel_PackStep<"pack_strassen"> {
  let summary = "weights [O, I, 1, 1] to the panels of kernel.strassen";
  let description = [{
    panels: [OB/2 + S, 7, IB/2, 1, 1, 16, 16], whose last S blocks hold the scales; sums in f64
    rounded once.
  }];
}

#endif // SYMC_STRASSEN_OPS
