//===- PoolOps.td - pooling, its gradient and places; KernelOps.td includes it -----------------===//
#ifndef SYMC_KERNEL_POOL_OPS
#define SYMC_KERNEL_POOL_OPS

def Kernel_PoolOp : Kernel_AccumulateStep<"pool", [], [Kernel_RowwiseInterface,
                                                       Kernel_TiledInterface]> {
  let summary = "max, average or sum pooling over 16-channel blocks";
  let description = [{
    data: [N, CB, H, W, 16], the real image (no padding materialised); out:
    [N, CB, OH, OW, 16]; last strides 1. Windows start at o*stride - begin, of `pad`
    along the axis, and are clipped to the image (max), or, for the divisor of `avg`, to the
    image extended by the padding: (min(start+k, X+end) - start) for each
    dimension when `count_include_pad`, else the real elements. Over bytes kind is
    `smax` or `umax`. `cut` is over the first three extents of out.
  }];
  let arguments = (ins Kernel_In:$data, Kernel_Ins:$extras, Kernel_Out:$out,
                       StrAttr:$kind, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       OptionalAttr<Kernel_PaddingAttr>:$pad,
                       BoolAttr:$count_include_pad,
                       OptionalAttr<Kernel_PieceAttr>:$piece, Kernel_Cut:$cut);
  let assemblyFormat = [{
    $kind `data` `(` $data `:` type($data) `)`
    `extras` `(` ($extras^ `:` type($extras))? `)` `out` `(` $out `:` type($out) `)` attr-dict `body` $body
  }];
  let extraClassDeclaration = [{
    ::symc::kernel::RowWindow getRowWindow();
    void cutToRows(::symc::kernel::RowRange rows, int64_t dataRows);
    bool isChosen() { return bool(getCutAttr()); }
  }];
}

def Kernel_PoolGradientOp : Kernel_Step<"pool_gradient", [], [Kernel_TiledInterface]> {
  let summary = "the gradient of a pooling's data over 16-channel blocks";
  let description = [{
    slope: [N, CB, OH, OW, 16], the gradient of the result; out: [N, CB, H, W, 16], that of the data;
    ins: of `max` and `maxima` the data, in out's shape, and the result, in slope's, or of `max`
    the places of kernel.pool_places alone, in slope's shape, else none. Last strides are
    1, all extents constants. Windows are kernel.pool's. Each pixel of out is the sum over
    the windows that hold it, from zero, row by row: of `maxima` of the window's slope where data
    equals the result, of `max` where no earlier element of the window does, too, of `sum` of its
    slope, of `avg` of that over what kernel.pool divides by.
    `cut` is over [N, CB].
  }];
  let arguments = (ins Kernel_In:$slope, Kernel_Ins:$ins, Kernel_Out:$out, StrAttr:$kind,
                       DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       OptionalAttr<Kernel_PaddingAttr>:$pad,
                       BoolAttr:$count_include_pad, Kernel_Cut:$cut);
  let assemblyFormat = [{
    $kind `slope` `(` $slope `:` type($slope) `)` `ins` `(` ($ins^ `:` type($ins))? `)`
    `out` `(` $out `:` type($out) `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Kernel_Cuts.isChosen;
}

def Kernel_PoolPlacesOp : Kernel_Step<"pool_places", [], [Kernel_TiledInterface]> {
  let summary = "which element of a window its maximum is, over 16-channel blocks";
  let description = [{
    data: [N, CB, H, W, 16]; result: [N, CB, OH, OW, 16], kernel.pool's of kind max; places: i8 in
    result's shape. Last strides are 1, all extents constants. A place is the number of the
    first element of the window, row by row and those beyond the image included, that
    equals the result, and 255 where none does (a NaN). Windows have at most 255 elements.
    `cut` is over [N, CB].
  }];
  let arguments = (ins Kernel_In:$data, Kernel_In:$result, Kernel_Out:$places,
                       DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
                       OptionalAttr<Kernel_PaddingAttr>:$pad, Kernel_Cut:$cut);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `result` `(` $result `:` type($result) `)`
    `places` `(` $places `:` type($places) `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = Kernel_Cuts.isChosen # [{
    static constexpr int64_t mostElements = 255; // of a window: places are bytes
  }];
}

#endif // SYMC_KERNEL_POOL_OPS
