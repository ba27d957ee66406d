//===- Detection.td - anchors, matching, decoding and suppression of boxes --===//
//
// A box is (left, top, right, bottom) unless an operator states otherwise. Parameters that MXNet
// keeps as 32-bit floats are rounded to them by the kernels, since they decide comparisons.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

def SG_MultiBoxPriorOp : SG_Op<"multibox_prior", [
    Name<"_contrib_MultiBoxPrior", ["_npx_multibox_prior"]>],
    [SG_Float32ByDefault, DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "anchor boxes of several sizes and ratios at every pixel";
  let gradient = "zero";
  let description = [{
    data: [N, C, H, W, ...], of which only H and W count; output: [1, H*W*(S+R-1), 4], boxes in
    units of the image. For each pixel the sizes with the first ratio, then the first size
    with the other ratios. Centres lie at (row + offsets[0]) * steps[0] and
    (column + offsets[1]) * steps[1]; a step of 0 or less stands for 1/H and 1/W.
    C1: sizes and ratios have at least one element; steps has two of one sign, offsets two in 0 .. 1.
    C2: data has a rank of at least 4, H and W at least 1.
  }];
  let arguments = (ins SG_Tensor:$data,
    FloatTupleD<"(1,)", "{1.0}", "sizes of the boxes, in heights of the image">:$sizes,
    FloatTupleD<"(1,)", "{1.0}", "widths over heights">:$ratios,
    BoolD<"false", "limit corners to 0 .. 1">:$clip,
    FloatTupleD<"(-1,-1)", "{-1.0, -1.0}", "distance of centres along y and x">:$steps,
    FloatTupleD<"(0.5,0.5)", "{0.5, 0.5}", "where in a pixel its centre lies, along y and x">:$offsets);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_MultiBoxTargetOp : SG_Op<"multibox_target", [
    Name<"_contrib_MultiBoxTarget", ["_npx_multibox_target"]>],
    [SG_Float32ByDefault]> {
  let summary = "the training targets of a detector of boxes at anchors";
  let gradient = "zero";
  let description = [{
    anchor: [1, A, 4]; label: [N, L, W], rows (class, box, ...), which end at a class of -1;
    cls_pred: [N, classes, A]; loc_target and loc_mask: [N, 4*A]; cls_target: [N, A].
    Each label takes the anchor that overlaps it most, best pairs first; other anchors take
    their best label above overlap_threshold. The rest is background (0), or with
    negative_mining_ratio only as many as that times the taken ones, those with the least
    background score first among overlaps below negative_mining_thresh; what remains gets
    ignore_label.
    C1: variances has four elements; negative_mining_thresh is above 0 where the ratio is.
    C2: anchor is [1, A, 4] with A at least 1.
    C3: label is [N, L, W] with L at least 1 and W at least 5.
    C4: cls_pred is [N, classes, A].
  }];
  let arguments = (ins SG_Tensor:$anchor, SG_Tensor:$label, SG_Tensor:$cls_pred,
    FloatD<"0.5", "overlap from which on an anchor takes a label">:$overlap_threshold,
    FloatD<"-1", "class of anchors that do not count">:$ignore_label,
    FloatD<"-1", "background anchors for each taken one, -1 for all">:$negative_mining_ratio,
    FloatD<"0.5", "overlap below which an anchor may be mined">:$negative_mining_thresh,
    IntD<"0", "read by no one, as in MXNet">:$minimum_negative_samples,
    FloatTupleD<"(0.1,0.1,0.2,0.2)", "{0.1, 0.1, 0.2, 0.2}", "divisors of the targets">:$variances);
  let results = (outs SG_Tensor:$loc_target, SG_Tensor:$loc_mask, SG_Tensor:$cls_target);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_MultiBoxDetectionOp : SG_Op<"multibox_detection", [
    Name<"_contrib_MultiBoxDetection", ["_npx_multibox_detection"]>],
    [SG_LeadingRows<2>, SG_Float32ByDefault]> {
  let summary = "detections from class probabilities and offsets at anchors";
  let gradient = "zero";
  let description = [{
    cls_prob: [N, classes, A], class 0 the background; loc_pred: [N, 4*A]; anchor: [1, A, 4];
    output: [N, A, 6], rows (class - 1, score, box) by falling score, others and suppressed
    ones with class -1. A row suppresses later ones of its class (of any with
    force_suppress) that overlap it by nms_threshold or more.
    C1: variances has four elements.
    C2: anchor is [1, A, 4] with A at least 1.
    C3: cls_prob is [N, classes, A] and loc_pred [N, 4*A].
  }];
  let arguments = (ins SG_Tensor:$cls_prob, SG_Tensor:$loc_pred, SG_Tensor:$anchor,
    BoolD<"true", "limit boxes to 0 .. 1">:$clip,
    FloatD<"0.01", "least score">:$threshold,
    IntD<"0", "read by no one, as in MXNet: the background is class 0">:$background_id,
    FloatD<"0.5", "overlap that suppresses; outside of 0 .. 1 nothing is sorted">:$nms_threshold,
    BoolD<"false", "suppress across classes">:$force_suppress,
    FloatTupleD<"(0.1,0.1,0.2,0.2)", "{0.1, 0.1, 0.2, 0.2}", "factors of the offsets">:$variances,
    IntD<"-1", "how many rows suppression looks at, -1 for all">:$nms_topk);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_ProposalOp : SG_Op<"proposal", [
    Name<"_contrib_Proposal">, Name<"_contrib_MultiProposal", [], ["multi=true"]>],
    [SG_Float32ByDefault]> {
  let summary = "regions of interest from the scores and offsets of anchors";
  let gradient = "zero";
  let description = [{
    cls_prob: [N, 2*A, H, W], the second half of the channels the objects' scores; bbox_pred:
    [N, 4*A, H, W]; im_info: [N, 3], rows (height, width, scale); output: [N*rpn_post_nms_top_n,
    5], rows (image, box in pixels); score: [N*rpn_post_nms_top_n, 1], listed with output_score.
    A is the number of ratios times that of scales. Where fewer boxes remain than are requested
    they are repeated in turn.
    C1: scales and ratios have at least one element, above 0.
    C2: cls_prob is [N, 2*A, H, W]; N is 1 unless multi.
    C3: bbox_pred is [N, 4*A, H, W] and im_info [N, 3].
  }];
  let arguments = (ins SG_Tensor:$cls_prob, SG_Tensor:$bbox_pred, SG_Tensor:$im_info,
    IntD<"6000", "how many boxes suppression looks at, 0 or less for all">:$rpn_pre_nms_top_n,
    IntD<"300", "how many boxes an image gets", "1">:$rpn_post_nms_top_n,
    FloatD<"0.7", "overlap above which a box is suppressed">:$threshold,
    IntD<"16", "least width and height at scale 1">:$rpn_min_size,
    FloatTupleD<"(4,8,16,32)", "{4.0, 8.0, 16.0, 32.0}", "sizes of anchors, in strides">:$scales,
    FloatTupleD<"(0.5,1,2)", "{0.5, 1.0, 2.0}", "heights over widths">:$ratios,
    IntD<"16", "pixels of the image from one place to the next", "1">:$feature_stride,
    BoolD<"false", "scores are a result too">:$output_score,
    BoolD<"false", "bbox_pred moves corners, else centres and logarithms of extents">:$iou_loss,
    BoolD<"false", "several images">:$multi);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "score"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def RowsRead : IntD<"-1", "how many of the first rows somebody reads, below 0 for all"> {
  let paramInternal = 1;
}

defvar SG_SuppressionParams = (ins
  FloatD<"0.5", "overlap above which a box is left out">:$overlap_thresh,
  FloatD<"0", "score that a box must exceed">:$valid_thresh,
  IntD<"-1", "how many boxes are looked at, below 0 for all">:$topk,
  IntD<"2", "place of the first coordinate">:$coord_start,
  IntD<"1", "place of the score">:$score_index,
  IntD<"-1", "place of the class, below 0 for none">:$id_index,
  IntD<"-1", "class that never counts">:$background_id,
  BoolD<"false", "suppress across classes">:$force_suppress,
  EnumD<"corner", ["corner", "center"], "form of data's boxes">:$in_format,
  EnumD<"corner", ["corner", "center"], "form of output0's boxes">:$out_format);

def SG_NonMaxSuppressionOp : SG_Op<"non_max_suppression", [], [SG_DecidesSizeInterface]> {
  let summary = "boxes by falling score, for each image and class, without those that overlap a better one";
  let gradient = "none";
  let description = [{
    ONNX's. boxes: [N, B, 4], corners in any order, or centre, width and height with `center`; scores:
    [N, C, B]; output, int64: [boxes chosen, 3], rows (image, class, box), the best first, at most
    `most` of one image and class, whose scores exceed score_threshold where that is given.
    C1: boxes is [N, B, 4] and scores [N, C, B].
    C2: the node is not in the body of a loop or choice.
    C3: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$boxes, SG_Tensor:$scores, Uint<"boxes of an image and class at most">:$most,
    FloatD<"0", "overlap above which a box is left out">:$iou_threshold,
    FloatOpt<"score that a box must exceed">:$score_threshold,
    BoolD<"false", "boxes are centre, width and height">:$center,
    IntD<"-1", "which symbolic size, -1 for a new one">:$size);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_BoxNmsOp : SG_Op<"box_nms", [
    Name<"_contrib_box_nms", ["_contrib_box_non_maximum_suppression"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "boxes by falling score without those that overlap a better one";
  let gradient = "rule";
  let description = [{
    data and output0: [..., n, k], rows of n boxes each; rows that are left out are -1 at the end.
    Boxes count whose score is above valid_thresh and whose class is not background_id. `center`
    boxes are (x, y, width, height); only boxes with a first coordinate of at least 0 change
    their form. topk = 0 leaves data as it is.
    C1: data has a rank of at least 2.
    C2: coord_start to coord_start + 3, score_index and id_index (unless below 0) are
        different places of a row.
  }];
  let arguments = !con((ins SG_Tensor:$data), SG_SuppressionParams, (ins RowsRead:$rows));
  let results = (outs SG_Tensor:$output0);
  let hiddenResults = 1;
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_BoxNmsGradientOp : SG_GradientOp<"box_nms_gradient"> {
  let summary = "the gradient of box_nms's data";
  let description = [{
    A row that stays gets the gradient of what became of it, another one zeros.
    C1: output and gradient have data's shape.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$gradient), SG_SuppressionParams);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_BoxIouOp : SG_Op<"box_iou", [Name<"_contrib_box_iou">]> {
  let summary = "overlap of each box with each other box: shared over common area";
  let gradient = "zero";
  let description = [{
    lhs: [a..., 4]; rhs: [b..., 4]; output: [a..., b...]. `center` boxes are (x, y, width, height).
    C1: lhs and rhs have a rank of at least 2 and 4 columns.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs,
    EnumD<"corner", ["corner", "center"], "form of the boxes">:$format);
  let results = (outs SG_Tensor:$output);
}

def SG_BoxEncodeOp : SG_Op<"box_encode", [Name<"_contrib_box_encode">]> {
  let summary = "offsets from anchors to the boxes that they are matched with";
  let gradient = "zero";
  let description = [{
    samples, matches: [B, N]; anchors: [B, N, 4]; refs: [B, M, 4]; means, stds: [4]; output0
    (offsets) and output1 (1 where samples is above 0.5, else 0): [B, N, 4]. A match outside of
    refs means the nearest one.
    C1: samples and matches are [B, N], anchors is [B, N, 4], refs [B, M, 4] with M at least 1.
    C2: means and stds are [4].
  }];
  let arguments = (ins SG_Tensor:$samples, SG_Tensor:$matches, SG_Tensor:$anchors,
                       SG_Tensor:$refs, SG_Tensor:$means, SG_Tensor:$stds);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
}

def SG_BoxDecodeOp : SG_Op<"box_decode", [Name<"_contrib_box_decode">]> {
  let summary = "boxes from offsets at anchors";
  let gradient = "zero";
  let description = [{
    data: [B, N, 4]; anchors: [1, N, 4]; output: [B, N, 4], corners. std0 ... std3 multiply the
    offsets; with clip above 0 the logarithms of extents are at most clip.
    C1: data is [B, N, 4] and anchors [1, N, 4].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$anchors,
    FloatD<"1", "factor of x">:$std0, FloatD<"1", "factor of y">:$std1,
    FloatD<"1", "factor of the width">:$std2, FloatD<"1", "factor of the height">:$std3,
    FloatD<"-1", "largest logarithm of an extent, 0 or less for any">:$clip,
    EnumD<"center", ["corner", "center"], "form of the anchors">:$format);
  let results = (outs SG_Tensor:$output);
}

def SG_BipartiteMatchingOp : SG_Op<"bipartite_matching", [Name<"_contrib_bipartite_matching">]> {
  let summary = "pairs of rows and columns, best scores first, each used once";
  let gradient = "zero";
  let description = [{
    data: [..., R, C] scores; output0: [..., R], each row's column; output1: [..., C], each
    column's row; -1 where there is none. With topk above 0 it stops after topk + 1
    pairs, as MXNet does.
    C1: data has a rank of at least 2.
  }];
  let arguments = (ins SG_Tensor:$data,
    BoolD<"false", "small scores are good ones">:$is_ascend,
    Float<"score that a pair must exceed, or stay below with is_ascend">:$threshold,
    IntD<"-1", "how many pairs, 0 or less for any number">:$topk);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}
