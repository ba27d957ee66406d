//===- Loss.td - loss heads: what training minimises -----------------------===//
//
// In prediction most heads give their data and never read the label.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

def SG_RegressionOutputOp : SG_Op<"regression_output",
    [Name<"LinearRegressionOutput", ["_sparse_LinearRegressionOutput"], ["kind=linear"]>,
     Name<"LogisticRegressionOutput", ["_sparse_LogisticRegressionOutput"], ["kind=logistic"]>,
     Name<"MAERegressionOutput", ["_sparse_MAERegressionOutput"], ["kind=mae"]>]> {
  let summary = "data, or its sigmoid (logistic), in prediction";
  let gradient = "rule";
  let description = [{
    label: [N] where data is [N, 1], else data's shape.
    C1: output has data's shape.
    C2: label has data's number of items and of elements, or is left out (sg.no_label).
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$label,
    Enum<["linear", "logistic", "mae"], "which of the three">:$kind,
    FloatD<"1", "factor of the gradient">:$grad_scale);
  let trainingOnly = ["label"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::Value getPassThrough();
    bool isLoss();
  }];
}

def SG_SVMOutputOp : SG_Op<"svm_output", [Name<"SVMOutput">]> {
  let summary = "data in prediction; the hinge loss's gradient in training";
  let gradient = "rule";
  let description = [{
    data: [N, C]; label: [N].
    C1: output has data's shape.
    C2: label has data's shape without the last extent, or is left out (sg.no_label).
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$label,
    FloatD<"1", "margin of the hinge">:$margin,
    FloatD<"1", "weight of the loss">:$regularization_coefficient,
    BoolD<"false", "linear instead of squared hinge">:$use_linear);
  let trainingOnly = ["label"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::Value getPassThrough();
    bool isLoss();
  }];
}

def SG_MakeLossOp : SG_Op<"make_loss", [Name<"MakeLoss">]> {
  let summary = "data in prediction; a constant gradient in training";
  let gradient = "rule";
  let description = [{
    C1: output has data's shape.
  }];
  let arguments = (ins SG_Tensor:$data,
    FloatD<"1", "the gradient">:$grad_scale,
    FloatD<"0", "what counts as valid with normalization = valid">:$valid_thresh,
    EnumD<"null", ["null", "batch", "valid"], "how the gradient is divided">:$normalization);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::Value getPassThrough();
    bool isLoss();
  }];
}

// Its result is called otherwise than MakeLoss's.
def SG_LossOp : SG_Op<"loss", [Name<"make_loss", ["_sparse_make_loss"]>]> {
  let summary = "data in prediction; a gradient of 1 in training";
  let gradient = "rule";
  let description = [{
    C1: loss has data's shape.
  }];
  let arguments = (ins SG_Tensor:$data);
  let results = (outs SG_Tensor:$loss);
  let extraClassDeclaration = [{
    ::mlir::Value getPassThrough();
    bool isLoss();
  }];
}

def SG_IdentityAttachKLSparseRegOp
    : SG_Op<"identity_attach_kl_sparse_reg", [Name<"IdentityAttachKLSparseReg">],
            [SG_Float32ByDefault]> {
  let summary = "data in prediction; a sparseness penalty's gradient in training";
  let gradient = "rule";
  let description = [{
    data: [N, C]; moving_avg: [C].
    C1: output has data's shape.
    C2: moving_avg is [C].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$moving_avg,
    FloatD<"0.1", "wanted mean activation", "0", "1">:$sparseness_target,
    FloatD<"0.001", "weight of the penalty">:$penalty,
    FloatD<"0.9", "decay of the moving mean", "0", "1">:$momentum);
  let auxiliary = ["moving_avg"];
  let initializers = [Initializer<"moving_avg", "[\"zero\", {}]">];
  let trainingOnly = ["moving_avg"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{ ::mlir::Value getPassThrough(); }];
}

def SG_SoftmaxCrossEntropyOp : SG_Op<"softmax_cross_entropy", [Name<"softmax_cross_entropy">]> {
  let summary = "the sum over items of -log softmax(data)[label]";
  let gradient = "rule";
  let description = [{
    data: [N, C]; label: [N], cut off to integers; output: [1].
    C1: data has rank 2.
    C2: label is [N].
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$label);
  let results = (outs SG_Tensor:$output);
}
