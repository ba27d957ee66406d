//===- Deformable.td - windows whose places data decides ---------------------===//
include "ir/GraphBase.td"

def SG_DeformableConvolutionOp : SG_Op<"deformable_convolution", [
    Name<"_contrib_DeformableConvolution">]> {
  let summary = "a convolution whose taps are moved by offsets";
  let gradient = "rewritten";
  let description = [{
    data: [N, C, H, W]; offset: [N, 2*num_deformable_group*kh*kw, oH, oW], for each tap how far it
    moves down and right; weight: [num_filter, C/num_group, kh, kw]; bias: [num_filter]; output:
    [N, num_filter, oH, oW], extents as in convolution. A tap's value is interpolated; beyond the
    last row or column it is that one's, outside of the image 0.
    C1: kernel has two extents, each at least 1; stride, dilate and pad are empty or as long;
        stride and dilate at least 1, pad at least 0; layout is NCHW.
    C2: num_group divides the channels and num_filter, num_deformable_group the channels.
    C3: the dilated kernel fits in the padded image.
    C4: offset, weight and bias have the shapes above.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$offset, SG_Tensor:$weight,
                       Optional<SG_Tensor>:$bias,
    Tuple<"extents of the window">:$kernel,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
    TupleD<"()", "{}", "zeros on both sides, default 0">:$pad,
    Uint<"number of output channels", "1">:$num_filter,
    UintD<"1", "number of groups", "1">:$num_group,
    UintD<"1", "number of groups of channels with offsets of their own", "1">:$num_deformable_group,
    BoolD<"false", "leave the bias out">:$no_bias,
    EnumOpt<["NCW", "NCHW", "NCDHW"], "order of extents">:$layout);
  let hints = ["workspace"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_ModulatedDeformableConvolutionOp : SG_Op<"modulated_deformable_convolution", [
    Name<"_contrib_ModulatedDeformableConvolution">]> {
  let summary = "a convolution whose taps are moved by offsets and weighed by a mask";
  let gradient = "rewritten";
  let description = [{
    As deformable_convolution, with mask: [N, num_deformable_group*kh*kw, oH, oW], a factor of
    each tap. A tap less than a pixel outside of the image is interpolated with zeros.
    C1: as deformable_convolution.
    C2: as deformable_convolution; num_deformable_group divides num_filter too.
    C3: the dilated kernel fits in the padded image.
    C4: offset, mask, weight and bias have the shapes above.
    C5: N is at most im2col_step or a multiple of it.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$offset, SG_Tensor:$mask, SG_Tensor:$weight,
                       Optional<SG_Tensor>:$bias,
    Tuple<"extents of the window">:$kernel,
    TupleD<"()", "{}", "step of the window, default 1">:$stride,
    TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
    TupleD<"()", "{}", "zeros on both sides, default 0">:$pad,
    Uint<"number of output channels", "1">:$num_filter,
    UintD<"1", "number of groups", "1">:$num_group,
    UintD<"1", "number of groups of channels with offsets of their own", "1">:$num_deformable_group,
    BoolD<"false", "leave the bias out">:$no_bias,
    UintD<"64", "images that MXNet works on at a time", "1">:$im2col_step,
    EnumOpt<["NCW", "NCHW", "NCDHW"], "order of extents">:$layout);
  let hints = ["workspace"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

defvar SG_ColumnsParams = (ins
  Tuple<"extents of the window">:$kernel,
  TupleD<"()", "{}", "step of the window, default 1">:$stride,
  TupleD<"()", "{}", "distance of the taps, default 1">:$dilate,
  TupleD<"()", "{}", "zeros on both sides, default 0">:$pad,
  UintD<"1", "number of groups of channels with offsets of their own", "1">:$num_deformable_group);

def SG_DeformableColumnsOp : SG_Op<"deformable_columns", [], [SG_LeadingRows<2>]> {
  let summary = "the values of moved taps, one image of output extents for each tap and channel";
  let gradient = "rule";
  let description = [{
    What sg-decompose makes of a deformable convolution, with a convolution of kernel (1, 1) behind
    it. data, offset, mask: as there; output: [N, C*kh*kw, oH, oW].
    C1: output has the shape above.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$offset, Optional<SG_Tensor>:$mask),
    SG_ColumnsParams);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_DeformableColumnsGradientOp : SG_GradientOp<"deformable_columns_gradient"> {
  let summary = "the gradient of deformable_columns' data, of its offset, or of its mask";
  let description = [{
    C1: output has the shape of the operand that `of` names.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$offset, SG_Tensor:$gradient,
    Optional<SG_Tensor>:$mask, Enum<["data", "offset", "mask"], "whose gradient">:$of),
    SG_ColumnsParams);
}

defvar SG_CorrelationParams = (ins
  UintD<"1", "rows and columns of a window", "1">:$kernel_size,
  UintD<"1", "farthest displacement along each axis">:$max_displacement,
  UintD<"1", "step of the windows", "1">:$stride1,
  UintD<"1", "step of the displacements", "1">:$stride2,
  UintD<"0", "zeros on each side">:$pad_size,
  BoolD<"true", "products, else absolute differences">:$is_multiply);

def SG_CorrelationOp : SG_Op<"correlation", [Name<"Correlation">], [SG_LeadingRows<2>]> {
  let summary = "products or differences of two images' windows at every displacement";
  let gradient = "rule";
  let description = [{
    data1, data2: [N, C, H, W]; output: [N, D*D, oH, oW], D = 2*floor(max_displacement/stride2)+1:
    for each displacement of data2, rows first, the mean over window and channels of products, or
    of absolute differences. Images have pad_size zeros on each side; oH =
    ceil((H + 2*pad_size - 2*(max_displacement + (kernel_size-1)/2)) / stride1).
    C1: kernel_size is odd.
    C2: data1 and data2 have one shape of rank 4.
    C3: windows and displacements fit in the padded images.
  }];
  let arguments = !con((ins SG_Tensor:$data1, SG_Tensor:$data2), SG_CorrelationParams);
  let results = (outs SG_Tensor:$output);
  let hiddenResults = 2;
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_CorrelationGradientOp : SG_GradientOp<"correlation_gradient"> {
  let summary = "the gradient of correlation's data1 or data2";
  let description = [{
    Absolute differences of equal pixels count as those of a greater one of data1.
    C1: output has the shape of the images.
  }];
  let arguments = !con((ins SG_Tensor:$data1, SG_Tensor:$data2, SG_Tensor:$gradient,
    Enum<["data1", "data2"], "whose gradient">:$of), SG_CorrelationParams);
}
