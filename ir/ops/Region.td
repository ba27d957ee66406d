//===- Region.td - pooling over regions of images --------------------------===//
//
// A region is a row (image, ...) whose coordinates spatial_scale takes to pixels of data. A region
// of an image that does not exist gives 0.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

defvar SG_AlignParams = (ins
  Tuple<"rows and columns of windows">:$pooled_size,
  Float<"factor from the regions' coordinates to pixels of data", "0", "1">:$spatial_scale,
  IntD<"-1", "points along each axis of a window, -1 for one a pixel", "", "2048">:$sample_ratio,
  BoolD<"false", "each window has channels of its own">:$position_sensitive,
  BoolD<"false", "pixels' centres lie at halves">:$aligned);

def SG_ROIAlignOp : SG_Op<"roi_align", [Name<"_contrib_ROIAlign">]> {
  let summary = "means of interpolated values over a grid of windows in regions";
  let gradient = "rule";
  let description = [{
    data: [N, C, H, W]; rois: [R, 5], rows (image, left, top, right, bottom); output: [R, C,
    pooled_size...], or [R, C/(ph*pw), ph, pw] with position_sensitive, where each window has
    channels of its own. A window takes sample_ratio points along each axis, or with -1 as
    many as it has pixels, rounded up; more than 2^22 of one window stop the run. Regions have at least one pixel; with aligned they are half a
    pixel further up and left, and one without area stops the run. With greatest a window has the greatest
    of what pixels add to its points, which ONNX calls max.
    C1: pooled_size has two extents of at least 1.
    C2: data has rank 4, rois is [R, 5].
    C3: with position_sensitive, C is a multiple of the number of windows.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$rois), SG_AlignParams,
    (ins Internal<"the greatest part of a pixel in a point, in place of the mean over points">:$greatest));
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_ROIAlignGradientOp : SG_GradientOp<"roi_align_gradient"> {
  let summary = "the gradient of roi_align's data";
  let description = [{
    Pixels get their parts of the points of windows.
    C1: output has data's shape.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$rois, SG_Tensor:$gradient), SG_AlignParams);
}

def SG_RROIAlignOp : SG_Op<"rroi_align", [Name<"_contrib_RROIAlign">]> {
  let summary = "means of interpolated values over a grid of windows in rotated regions";
  let gradient = "none";
  let description = [{
    data: [N, C, H, W]; rois: [R, 6], rows (image, x, y, width, height, degrees) around a centre;
    output: [R, C, pooled_size...]. Otherwise as roi_align.
    C1: pooled_size has two extents of at least 1.
    C2: data has rank 4, rois is [R, 6].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$rois,
    Tuple<"rows and columns of windows">:$pooled_size,
    Float<"factor from the regions' coordinates to pixels of data", "0", "1">:$spatial_scale,
    IntD<"-1", "points along each axis of a window, -1 for one a pixel", "", "2048">:$sampling_ratio);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

defvar SG_SensitiveParams = (ins
  Float<"factor from the regions' coordinates to pixels of data", "0", "1">:$spatial_scale,
  Int<"channels of output", "1">:$output_dim,
  Int<"rows and columns of windows", "1">:$pooled_size,
  IntD<"0", "rows and columns of groups of channels">:$group_size);

def SG_PSROIPoolingOp : SG_Op<"psroi_pooling", [Name<"_contrib_PSROIPooling">]> {
  let summary = "means over windows in regions, each window from channels of its own";
  let gradient = "rule";
  let description = [{
    data: [N, output_dim*group_size*group_size, H, W]; rois: [R, 5], rows (image, left, top, right,
    bottom); output: [R, output_dim, pooled_size, pooled_size]. group_size 0 is pooled_size.
    C1: group_size is not below 0.
    C2: data has the channels above, rois is [R, 5].
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$rois), SG_SensitiveParams);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_PSROIGradientOp : SG_GradientOp<"psroi_gradient"> {
  let summary = "the gradient of psroi_pooling's data";
  let description = [{
    C1: output has the shape of data.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$rois, SG_Tensor:$gradient),
    SG_SensitiveParams);
}

defvar SG_MovedParams = (ins
  Float<"factor from the regions' coordinates to pixels of data", "0", "1">:$spatial_scale,
  Int<"channels of output", "1">:$output_dim,
  Int<"rows and columns of groups of channels", "1">:$group_size,
  Int<"rows and columns of windows", "1">:$pooled_size,
  IntD<"0", "rows and columns of parts that move">:$part_size,
  IntD<"1", "points along each axis of a window", "1", "2048">:$sample_per_part,
  FloatD<"0", "factor of trans", "0", "1">:$trans_std);

def SG_DeformablePSROIPoolingOp : SG_Op<"deformable_psroi_pooling", [
    Name<"_contrib_DeformablePSROIPooling">]> {
  let summary = "means of interpolated values over windows that data moves";
  let gradient = "rule";
  let description = [{
    data: [N, output_dim*group_size*group_size, H, W]; rois: [R, 5]; trans: [R, 2*K, part_size,
    part_size], how far each part of a window moves along x and y in extents of the region times
    trans_std, for K classes of channels; output: [R, output_dim, pooled_size, pooled_size]. A
    window takes sample_per_part points along each axis. part_size 0 is pooled_size.
    C1: part_size is not below 0.
    C2: data has the channels above, rois is [R, 5].
    C3: trans has the shape above; K divides output_dim.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$rois, Optional<SG_Tensor>:$trans),
    SG_MovedParams, (ins BoolD<"false", "nothing moves, and there is no trans">:$no_trans));
  let results = (outs SG_Tensor:$output);
  let hiddenResults = 1;
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_DeformablePSROIGradientOp : SG_GradientOp<"deformable_psroi_gradient"> {
  let summary = "the gradient of deformable_psroi_pooling's data, or of its trans";
  let description = [{
    A point on a row or column of pixels does not move along the other axis: its slope there is 0.
    C1: output has the shape of data, or with `of` trans of trans.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$rois, SG_Tensor:$gradient,
    Optional<SG_Tensor>:$trans, Enum<["data", "trans"], "whose gradient">:$of), SG_MovedParams);
}
