//===- Vision.td - resampling, cropping, padding and regions of images ------===//
include "ir/GraphBase.td"

def SG_UpSamplingOp : SG_Op<"upsampling", [Name<"UpSampling">], [SG_RowsAlong<0>]> {
  let summary = "images made larger by a whole factor";
  let gradient = "rule";
  let description = [{
    args: images [N, Ci, Hi, Wi]; output: [N, C, H0*scale, W0*scale]. `nearest` repeats
    pixels, each image up to the common size, then puts channels behind each other
    (concat) or adds images (sum). `bilinear` takes data and weight [C, 1, k, k], k =
    2*scale - scale mod 2, and is a deconvolution with one group a channel, stride
    scale and pad ceil((scale-1)/2).
    C1: images have rank 4; their number is num_args; with bilinear, data and weight.
    C2: images have one N; with sum, one C.
    C3: Hi and Wi divide output's extents.
    C4: weight is [C, 1, k, k], C = num_filter.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$args,
    Int<"factor", "1">:$scale,
    IntD<"0", "number of channels, for bilinear">:$num_filter,
    Enum<["nearest", "bilinear"], "kind of interpolation">:$sample_type,
    EnumD<"concat", ["concat", "sum"], "what is made of several images">:$multi_input_mode,
    Int<"number of operands", "1">:$num_args);
  let hints = ["workspace"];
  let results = (outs SG_Tensor:$output);
}

def SG_CropOp : SG_Op<"crop", [Name<"Crop">],
    [SG_LeadingRows<2>, SG_Float32ByDefault]> {
  let summary = "a window of each image";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]; output: [N, C, h, w], (h, w) being h_w, or crop_like's
    last extents with num_args = 2. The window starts at offset, or in the middle with
    center_crop: floor((H-h)/2).
    C1: data and crop_like have rank 4.
    C2: the window lies in the image.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$crop_like,
    Int<"number of operands", "1", "2">:$num_args,
    TupleD<"(0,0)", "{0, 0}", "first row and column">:$offset,
    TupleD<"(0,0)", "{0, 0}", "height and width">:$h_w,
    BoolD<"false", "take the middle">:$center_crop);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_PadOp : SG_Op<"pad", [Name<"Pad", ["pad"]>], [SG_LeadingRows<1>]> {
  let summary = "a border around images";
  let gradient = "rule";
  let description = [{
    data: rank 4 or 5; pad_width: for each axis how much before and after.
    `constant` fills with constant_value, `edge` repeats the outermost
    elements, `reflect` mirrors at them without repeating them.
    C1: pad_width has two numbers of at least 0 for each axis, 0 for the first two axes.
    C2: data has rank 4 or 5.
    C3: with reflect a border is smaller than the image, with edge there is an image.
  }];
  let arguments = (ins SG_Tensor:$data,
    Enum<["constant", "edge", "reflect"], "what the border holds">:$mode,
    Tuple<"width of the border before and after, for each axis">:$pad_width,
    DoubleD<"0", "value of a constant border">:$constant_value);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_BilinearResizeOp : SG_Op<"bilinear_resize", [Name<"_contrib_BilinearResize2D">],
    [SG_LeadingRows<2>]> {
  let summary = "images in another size by bilinear interpolation";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]. `size`: height and width, or trunc(H*scale_height) and
    trunc(W*scale_width) where given; `odd_scale`: H even trunc(H*scale), odd
    trunc((H-1)*scale)+1; `like`: the last extents of like; `to_even_down` ...: the
    nearest even (odd) extent below (above). With align_corners corners meet corners.
    C1: data and like have rank 4.
    C2: output has at least one row and column.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$like,
    IntD<"1", "height of output", "1">:$height, IntD<"1", "width of output", "1">:$width,
    FloatOpt<"factor of the height">:$scale_height, FloatOpt<"factor of the width">:$scale_width,
    EnumD<"size", ["size", "odd_scale", "like", "to_even_down", "to_even_up", "to_odd_down",
                   "to_odd_up"], "how output's size is found">:$mode,
    BoolD<"true", "corners meet corners">:$align_corners);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
  }];
}

def SG_AdaptiveAvgPoolingOp : SG_Op<"adaptive_avg_pooling", [Name<"_contrib_AdaptiveAvgPooling2D">],
    [SG_LeadingRows<1>]> {
  let summary = "means over windows that divide the image evenly";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]; output: [N, C, oH, oW], output_size being () for 1, (n) or (oH, oW).
    Window i has rows floor(i*H/oH) to ceil((i+1)*H/oH).
    C1: data has rank 4.
    C2: output_size has at most two extents of at least 1.
  }];
  let arguments = (ins SG_Tensor:$data, TupleD<"()", "{}", "extents of output">:$output_size);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

defvar SG_PooledParams = (ins
  Tuple<"rows and columns of windows">:$pooled_size,
  Float<"factor from the regions' coordinates to pixels of data", "0", "1">:$spatial_scale);

def SG_ROIPoolingOp : SG_Op<"roi_pooling", [Name<"ROIPooling", ["_npx_roi_pooling"]>]> {
  let summary = "maxima over a grid of windows in regions of images";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]; rois: [R, 5], each (image, x1, y1, x2, y2); output: [R, C,
    pooled_size...]. Corners are rounded after multiplication by spatial_scale; a window
    without pixels, or of an image that does not exist, gives 0.
    C1: pooled_size has two extents of at least 1.
    C2: data has rank 4, rois is [R, 5].
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$rois), SG_PooledParams);
  let results = (outs SG_Tensor:$output);
  let hiddenResults = 1;
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_ROIPoolingGradientOp : SG_GradientOp<"roi_pooling_gradient"> {
  let summary = "the gradient of roi_pooling's data";
  let description = [{
    The first of a window's greatest pixels gets its gradient.
    C1: output has data's shape.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$rois, SG_Tensor:$gradient), SG_PooledParams);
}

def SG_GridGeneratorOp : SG_Op<"grid_generator", [Name<"GridGenerator">], [SG_LeadingRows<1>]> {
  let summary = "sampling positions from a transformation or a flow";
  let gradient = "rule";
  let description = [{
    `affine`: data [N, 6], rows of a 2x3 matrix applied to (x, y, 1), x and y from -1 to 1
    over target_shape. `warp`: data [N, 2, H, W], a flow in pixels added to each
    pixel's place. output: [N, 2, H, W], x then y, in -1 .. 1.
    C1: with affine, target_shape has two extents of at least 1.
    C2: data has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data,
    Enum<["affine", "warp"], "what data holds">:$transform_type,
    TupleD<"(0,0)", "{0, 0}", "height and width of output, for affine">:$target_shape);
  let results = (outs SG_Tensor:$output);
  let hiddenResults = 1;
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_BilinearSamplerOp : SG_Op<"bilinear_sampler", [Name<"BilinearSampler">],
    [SG_LeadingRows<2>]> {
  let summary = "values of images at given positions";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]; grid: [N, 2, oH, oW], x and y in -1 .. 1 from the first to the last
    pixel; output: [N, C, oH, oW]. Pixels outside of the image are 0.
    C1: data and grid have rank 4, one N, and grid 2 channels.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$grid);
  let hints = ["cudnn_off"];
  let results = (outs SG_Tensor:$output);
  let hiddenResults = 1;
}

def SG_SamplerGradientOp : SG_GradientOp<"sampler_gradient"> {
  let summary = "the gradient of bilinear_sampler's data, or of its grid";
  let description = [{
    C1: output has the shape of data, or with `of` grid of grid.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$grid, SG_Tensor:$gradient,
    Enum<["data", "grid"], "whose gradient">:$of);
}

def SG_SpatialTransformerOp : SG_Op<"spatial_transformer", [Name<"SpatialTransformer">],
    [SG_LeadingRows<2>]> {
  let summary = "grid_generator (affine) and bilinear_sampler in one";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]; loc: [N, 6]; output: [N, C, target_shape...].
    C1: target_shape has two extents of at least 1.
    C2: data has rank 4; loc is [N, 6].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$loc,
    TupleD<"(0,0)", "{0, 0}", "height and width of output">:$target_shape,
    Enum<["affine"], "kind of transformation">:$transform_type,
    Enum<["bilinear"], "kind of interpolation">:$sampler_type);
  let hints = ["cudnn_off"];
  let results = (outs SG_Tensor:$output);
  let hiddenResults = 2;
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_TransformerGradientOp : SG_GradientOp<"transformer_gradient"> {
  let summary = "the gradient of spatial_transformer's data, or of its loc";
  let description = [{
    C1: output has the shape of data, or with `of` loc of loc.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$loc, SG_Tensor:$gradient,
    Enum<["data", "loc"], "whose gradient">:$of);
}
