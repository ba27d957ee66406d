//===- Image.td - pictures on their way to a net -----------------------------===//
//
// A picture is [H, W, C], or [N, H, W, C] for several; to_tensor and what follows it
// have the channels before the extents.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

def SG_ImageToTensorOp : SG_Op<"image_to_tensor", [
    Name<"_image_to_tensor", ["_npx__image_to_tensor"]>]> {
  let summary = "a picture of 0..255 as a float32 tensor of 0..1, channels first";
  let description = [{
    data: [H, W, C] or [N, H, W, C]; output: [C, H, W] or [N, C, H, W].
    C1: data has rank 3 or 4.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_ImageNormalizeOp : SG_Op<"image_normalize", [
    Name<"_image_normalize", ["_npx__image_normalize"]>]> {
  let summary = "(data - mean) / std by channel";
  let description = [{
    data: [C, H, W] or [N, C, H, W]; mean and std: one number for all channels, or C.
    C1: data has rank 3 or 4 and 1 or 3 channels.
    C2: mean and std have one number, or at least one for each channel.
    C3: output has data's shape.
  }];
  let arguments = (ins SG_Tensor:$data, FloatTupleD<"(0,0,0,0)", "{0, 0, 0, 0}", "subtracted">:$mean,
    FloatTupleD<"(1,1,1,1)", "{1, 1, 1, 1}", "divided by">:$std);
  let results = (outs SG_Tensor:$output);
}

def SG_ImageCropOp : SG_Op<"image_crop", [Name<"_image_crop", ["_npx__image_crop"]>]> {
  let summary = "a rectangle of a picture";
  let description = [{
    C1: data has rank 3 or 4.
    C2: the rectangle lies within the picture and is not empty.
    C3: output has the rectangle's height and width.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"left edge", "0">:$x, Int<"upper edge", "0">:$y,
    Int<"of the rectangle", "1">:$width, Int<"of the rectangle", "1">:$height);
  let results = (outs SG_Tensor:$output);
}

def SG_ImageFlipOp : SG_Op<"image_flip", [
    Name<"_image_flip_left_right", ["_npx__image_flip_left_right"], ["axis=-2"]>,
    Name<"_image_flip_top_bottom", ["_npx__image_flip_top_bottom"], ["axis=-3"]>]> {
  let summary = "a picture mirrored";
  let description = [{
    C1: data has rank 3.
    C2: output has data's shape.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"the axis, from the end", "-3", "-2">:$axis);
  let results = (outs SG_Tensor:$output);
}

def SG_ImageResizeOp : SG_Op<"image_resize", [Name<"_image_resize", ["_npx__image_resize"]>]> {
  let summary = "a picture in another size";
  let description = [{
    size: (width, height), or one number for both, or with keep_ratio for the shorter side.
    interp: 0 nearest, 1 bilinear, 2 bicubic; pixel centres lie at halves.
    C1: size has one or two extents of at least 1, interp is one of the above.
    C2: data has rank 3 or 4, and constant extents with keep_ratio.
    C3: output has the size above.
  }];
  let arguments = (ins SG_Tensor:$data, TupleD<"()", "{}", "(width, height)">:$size,
    BoolD<"false", "keep the ratio of the sides">:$keep_ratio, IntD<"1", "interpolation">:$interp);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_ImageAdjustLightingOp : SG_Op<"image_adjust_lighting", [
    Name<"_image_adjust_lighting", ["_npx__image_adjust_lighting"]>]> {
  let summary = "a picture shifted along the principal colours of ImageNet";
  let description = [{
    A picture of one channel stays as it is.
    C1: data has rank 3 and 1 or 3 channels.
    C2: alpha has three numbers.
    C3: output has data's shape.
  }];
  let arguments = (ins SG_Tensor:$data, FloatTuple<"weights of the colours">:$alpha);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}
