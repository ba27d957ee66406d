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
  let gradient = "rule";
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
  let gradient = "rule";
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
  let gradient = "rule";
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
  let gradient = "rule";
  let description = [{
    C1: data has rank 3.
    C2: output has data's shape.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"the axis, from the end", "-3", "-2">:$axis);
  let results = (outs SG_Tensor:$output);
}

def SG_ImageResizeOp : SG_Op<"image_resize", [Name<"_image_resize", ["_npx__image_resize"]>]> {
  let summary = "a picture in another size";
  let gradient = "none";
  let description = [{
    size: (width, height), or one number for both, or with keep_ratio for the shorter side.
    interp: 0 nearest, 1 bilinear, 2 bicubic, 3 by area (means of what a pixel covers; bilinear
    where the picture grows), 4 Lanczos over 8 x 8 pixels; pixel centres lie at halves.
    C1: size has one or two extents of at least 1, interp is one of the above.
    C2: data has rank 3 or 4, and constant extents above 0 with keep_ratio.
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
  let gradient = "none";
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

//===----------------------------------------------------------------------===//
// Random augmentation of pictures [H, W, 3] or [H, W, 1]. It is drawn as Random.td states, once for
// a picture; what is then done to it is what MXNet does, in its order of operations. Bytes are
// held within 0 and 255 and cut off; other integers are cut off.
//===----------------------------------------------------------------------===//


class ChangedName<string name, list<string> presets = []>
    : Name<"_image_random_" # name, ["_npx__image_random_" # name], presets>;

class SG_ChangedImageOp<string mnemonic, list<Name> names, dag own>
    : SG_DrawingOp<mnemonic, names> {
  let arguments = !con((ins SG_Tensor:$data), own);
  let results = (outs SG_Tensor:$output);
  string checked = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";
}

def SG_ImageRandomFlipOp : SG_ChangedImageOp<"image_random_flip", [
    ChangedName<"flip_left_right", ["axis=-2"]>, ChangedName<"flip_top_bottom", ["axis=-3"]>],
    (ins Int<"the axis, from the end", "-3", "-2">:$axis)> {
  let summary = "a picture mirrored, or left as it is, with equal chances";
  let gradient = "none";
  let description = [{
    C1: data has rank 3 and 1 or 3 channels.
    C2: output has data's shape.
  }];
}

def SG_ImageRandomAdjustOp : SG_ChangedImageOp<"image_random_adjust", [
    ChangedName<"brightness", ["kind=brightness"]>, ChangedName<"contrast", ["kind=contrast"]>,
    ChangedName<"saturation", ["kind=saturation"]>, ChangedName<"hue", ["kind=hue"]>],
    (ins Enum<["brightness", "contrast", "saturation", "hue"], "what changes">:$kind,
         Float<"least factor", "0">:$min_factor, Float<"greatest factor", "0">:$max_factor)> {
  let summary = "brightness, contrast, saturation or hue by a factor drawn evenly from a range";
  let gradient = "none";
  let description = [{
    brightness: data * factor. contrast: data * factor + (1 - factor) * the mean grey value.
    saturation: data * factor + (1 - factor) * 0.114 * the last channel, which MXNet takes for
    the grey value. hue: rotated by factor * 360 degrees, with colours of 0..255. A picture of
    one channel keeps its saturation and its hue.
    C1: max_factor is not below min_factor.
    C2: data has rank 3 and 1 or 3 channels.
    C3: output has data's shape.
  }];
  let extraClassDeclaration = checked;
}

def SG_ImageRandomLightingOp : SG_ChangedImageOp<"image_random_lighting", [ChangedName<"lighting">],
    (ins FloatD<"0.05", "standard deviation of the weights">:$alpha_std)> {
  let summary = "a picture shifted along the principal colours of ImageNet by normal weights";
  let gradient = "none";
  let description = [{
    A picture of one channel stays as it is.
    C1: alpha_std is not negative.
    C2: data has rank 3 and 1 or 3 channels.
    C3: output has data's shape.
  }];
  let extraClassDeclaration = checked;
}

def SG_ImageRandomJitterOp : SG_ChangedImageOp<"image_random_jitter", [ChangedName<"color_jitter">],
    (ins Float<"reach of the factor around 1">:$brightness, Float<"reach of the factor around 1">:$contrast,
         Float<"reach of the factor around 1">:$saturation, Float<"reach of the rotation around 0">:$hue)> {
  let summary = "brightness, contrast, saturation and hue changed in an order of chance";
  let gradient = "none";
  let description = [{
    What has a reach of 0 or less is left out.
    C1: data has rank 3 and 1 or 3 channels.
    C2: output has data's shape.
  }];
}
