//===- Patches.td - windows of images as columns -----------------------------===//
include "ir/GraphBase.td"

def SG_Im2colOp : SG_Op<"im2col", [Name<"im2col">], [SG_LeadingRows<1>]> {
  let summary = "the windows of a convolution, side by side";
  let gradient = "rule";
  let description = [{
    data: [N, C, spatial...]; output: [N, C * kernel's extents, number of windows], zero
    beyond the edges.
    C1: kernel has one to three extents of at least 1; stride, dilate and pad are empty or as long.
    C2: data has rank 2 + kernel's, and a window fits into it.
    C3: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, Tuple<"window">:$kernel,
    TupleD<"()", "{}", "step from window to window, 1 without">:$stride,
    TupleD<"()", "{}", "step within a window, 1 without">:$dilate,
    TupleD<"()", "{}", "zeros around data">:$pad);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_Col2imOp : SG_Op<"col2im", [Name<"col2im">], [SG_LeadingRows<1>]> {
  let summary = "columns added up where their windows lie: the transpose of im2col";
  let gradient = "rule";
  let description = [{
    data: [N, C * kernel's extents, number of windows]; output: [N, C, output_size...].
    C1: kernel has one to three extents of at least 1; stride, dilate and pad are empty or as
        long, output_size is as long.
    C2: data has rank 3, and its extents are those that im2col gives.
    C3: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, Tuple<"spatial extents of the result">:$output_size,
    Tuple<"window">:$kernel,
    TupleD<"()", "{}", "step from window to window, 1 without">:$stride,
    TupleD<"()", "{}", "step within a window, 1 without">:$dilate,
    TupleD<"()", "{}", "zeros around the result">:$pad);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_UnfoldImagesOp : SG_Op<"unfold_images", []> {
  let summary = "each image and those behind it, as its channels";
  let gradient = "none";
  let description = [{
    What sg-volumes-to-images makes of a window along the depth. data: [D, C, H, W]; output:
    [floor((D - size) / step) + 1, size * C, H, W]; channel t*C + c of its image i is channel c
    of data's image i*step + t.
    C1: data has rank 4.
    C2: data has at least size images.
    C3: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, Uint<"images of a window", "1">:$size,
    UintD<"1", "step from window to window", "1">:$step);
  let results = (outs SG_Tensor:$output);
}
