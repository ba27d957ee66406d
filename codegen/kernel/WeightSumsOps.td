//===- WeightSumsOps.td - sums of gradients of weights over pixels; KernelOps.td includes it ---===//
#ifndef SYMC_KERNEL_WEIGHT_SUMS_OPS
#define SYMC_KERNEL_WEIGHT_SUMS_OPS

def Kernel_ConvWeightsOp : Kernel_Step<"conv_weights", ["getFlops"],
    [DeclareOpInterfaceMethods<Kernel_TiledInterface, ["isChosen"]>]> {
  let summary = "sums of products of images and gradients over pixels: of a convolution's weights";
  let description = [{
    data:  [N, IB, H, W, L] as kernel.conv's, padding materialised, any strides; L = 16, or C of
           planar images.
    slope: [N, OB, OH, OW, 16], the gradient of the convolution's result, last stride 1.
    sums:  [S, K, OB, I, kH, kW, 16], without gaps, I = `in_channels`; [s, 0, b, i, y, x, l] is the
           sum over the pixels of slot s of the products of lane l of block b of slope at the pixel
           and channel i of data at pixel * strides + [y, x] * dilations. Lanes at and beyond
           `out_channels` are garbage or not written.
    All extents are constants.
    Order: chunks of pixels (PixelChunks.h) are one chain each, in row-major order, that begins with
    zero. A slot is `per_slot` chunks, a power of two, which are added as a binary tree of
    neighbours: of two sums side by side the left and the right one, an odd one behind stays as it
    is until it meets one. [s, 1 + k, ...] holds sums of 2^k chunks meanwhile, K = 1 + log2 per_slot.
    kernel.join_sums adds the slots in the same way. A product and its sum round once where the
    instruction set has a multiply-add. A sum of n pixels errs by at most
    (min(n, 4096) + log2 ceil(n / 4096)) 2^-24 of its terms' absolute sum.
    kernel-choose-tiles sets, for one target:
    `tile` = [rows, vectors]: sums in registers are so many channels of data, at one tap, or with
    `taps` so many taps of the window, of one channel, by vectors of slope's lanes.
    `strip` = [images, rows of pixels] that all sums of a task pass, one after the other.
    `cut` is over [S, groups of vectors, blocks of data, taps], or with `taps` over
    [S, groups of vectors, channels of data, 1].
  }];
  let arguments = (ins Kernel_In:$data, Kernel_In:$slope, Kernel_Out:$sums,
                       DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations,
                       I64Attr:$in_channels, I64Attr:$out_channels, I64Attr:$per_slot,
                       OptionalAttr<DenseI64ArrayAttr>:$tile, UnitAttr:$taps,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$strip, Kernel_Cut:$cut);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `slope` `(` $slope `:` type($slope) `)`
    `sums` `(` $sums `:` type($sums) `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::symc::kernel::PixelChunks getChunks();
    int64_t getWindow() { return getKernel()[0] * getKernel()[1]; }
    /// The channels of data by which taps or channels are rows of a tile.
    int64_t getInputLanes();
  }];
}

def Kernel_DepthwiseWeightsOp : Kernel_Step<"depthwise_weights", ["getFlops"],
                                            [Kernel_TiledInterface]> {
  let summary = "sums of products of images and gradients over pixels, of groups within a block";
  let description = [{
    data: [N, CB, H, W, 16] with padding materialised; slope: [N, CB, OH, OW, 16]; last strides 1.
    sums: [S, K, CB, G, kH, kW, 16], without gaps, of groups of G = 1, 2, 4 or 8 channels:
    [s, 0, b, g, y, x, l] is the sum over the pixels of slot s of the products of lane l of block b
    of slope at the pixel and of channel g of l's group of data at pixel * strides + [y, x] *
    dilations. Lanes beyond the channels are garbage. All extents are constants. Slots, K,
    `per_slot` and the order of sums are those of kernel.conv_weights.
    `cut` is over [S, CB].
  }];
  let arguments = (ins Kernel_In:$data, Kernel_In:$slope, Kernel_Out:$sums,
                       DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, I64Attr:$per_slot, Kernel_Cut:$cut);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `slope` `(` $slope `:` type($slope) `)`
    `sums` `(` $sums `:` type($sums) `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::symc::kernel::PixelChunks getChunks();
    bool isChosen() { return bool(getCutAttr()); }
  }];
}

def Kernel_JoinSumsOp : Kernel_Step<"join_sums", [], [Kernel_TiledInterface]> {
  let summary = "slots of sums, added and written row by row";
  let description = [{
    sums: [S, OB, R, L], last stride 1; out: [O, R], last stride 1: out[o, r] is the sum of
    sums[s, o / L, r, o % L] over s, added as a binary tree of neighbours: of two sums side by
    side the left and the right one, an odd one behind stays as it is until it meets one.
    All extents are constants. `cut` is over [OB, pieces of L of R].
  }];
  let arguments = (ins Kernel_In:$sums, Kernel_Out:$out, Kernel_Cut:$cut);
  let extraClassDeclaration = Kernel_Cuts.isChosen;
  let assemblyFormat = "$sums `to` $out attr-dict `:` type($sums) `to` type($out)";
  let hasVerifier = 1;
}

#endif // SYMC_KERNEL_WEIGHT_SUMS_OPS
