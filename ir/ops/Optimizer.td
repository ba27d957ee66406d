//===- Optimizer.td - steps of training that a graph can hold ----------------===//
//
// One step for one weight: the result is the weight behind it, the states are auxiliary
// and their new values are the last results. The gradient is multiplied by rescale_grad
// and, where clip_gradient is not negative, held within it; adam_update and the rmsprop
// steps add the decay before that. `mp_` forms keep a weight of
// float32 beside that of the network. All tensors of a node have one shape, but scalars
// that are tensors are [1].
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_UpdateOp<string mnemonic, list<Name> names> : SG_Op<mnemonic, names> {
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_SgdUpdateOp : SG_UpdateOp<"sgd_update", [Name<"sgd_update", ["_sparse_sgd_update"]>]> {
  let summary = "weight - lr * (grad + wd * weight)";
  let gradient = "none";
  let description = [{
    C1: weight, grad and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, Float<"learning rate">:$lr,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let hints = ["lazy_update"];
  let results = (outs SG_Tensor:$output);
}

def SG_SgdMomUpdateOp : SG_UpdateOp<"sgd_mom_update", [Name<"sgd_mom_update", ["_sparse_sgd_mom_update"]>]> {
  let summary = "mom = momentum * mom - lr * (grad + wd * weight); weight + mom";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mom,
    Float<"learning rate">:$lr, FloatD<"0", "what is kept of the last step">:$momentum,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mom"];
  let updates = ["mom"];
  let hints = ["lazy_update"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mom_out);
}

def SG_MpSgdUpdateOp : SG_UpdateOp<"mp_sgd_update", [Name<"mp_sgd_update">]> {
  let summary = "sgd_update on weight32";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$weight32,
    Float<"learning rate">:$lr,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["weight32"];
  let updates = ["weight32"];
  let hints = ["lazy_update"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$weight32_out);
}

def SG_MpSgdMomUpdateOp : SG_UpdateOp<"mp_sgd_mom_update", [Name<"mp_sgd_mom_update">]> {
  let summary = "sgd_mom_update on weight32";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mom, SG_Tensor:$weight32,
    Float<"learning rate">:$lr, FloatD<"0", "what is kept of the last step">:$momentum,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mom", "weight32"];
  let updates = ["mom", "weight32"];
  let hints = ["lazy_update"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mom_out, SG_Tensor:$weight32_out);
}

def SG_NagMomUpdateOp : SG_UpdateOp<"nag_mom_update", [Name<"nag_mom_update">]> {
  let summary = "Nesterov's step: mom as sgd_mom_update; weight + momentum * mom - lr * gradient";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mom,
    Float<"learning rate">:$lr, FloatD<"0", "what is kept of the last step">:$momentum,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mom"];
  let updates = ["mom"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mom_out);
}

def SG_MpNagMomUpdateOp : SG_UpdateOp<"mp_nag_mom_update", [Name<"mp_nag_mom_update">]> {
  let summary = "nag_mom_update on weight32";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mom, SG_Tensor:$weight32,
    Float<"learning rate">:$lr, FloatD<"0", "what is kept of the last step">:$momentum,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mom", "weight32"];
  let updates = ["mom", "weight32"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mom_out, SG_Tensor:$weight32_out);
}

def SG_AdamUpdateOp : SG_UpdateOp<"adam_update", [Name<"adam_update", ["_sparse_adam_update"]>]> {
  let summary = "weight - lr * mean / (sqrt(var) + epsilon), with running mean and square";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mean, SG_Tensor:$var,
    Float<"learning rate">:$lr, FloatD<"0.899999976", "what is kept of mean">:$beta1,
    FloatD<"0.999000013", "what is kept of var">:$beta2,
    FloatD<"9.99999994e-09", "keeps the divisor from 0">:$epsilon,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mean", "var"];
  let updates = ["mean", "var"];
  let hints = ["lazy_update"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mean_out, SG_Tensor:$var_out);
}

def SG_AdamwUpdateOp : SG_UpdateOp<"adamw_update", [Name<"_adamw_update">]> {
  let summary = "adam_update with a decay of its own, scaled by eta";
  let gradient = "none";
  let description = [{
    Where rescale_grad is 0 or not finite, nothing changes.
  }];
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mean, SG_Tensor:$var,
    SG_Tensor:$rescale_grad,
    Float<"learning rate">:$lr, FloatD<"0.899999976", "what is kept of mean">:$beta1,
    FloatD<"0.999000013", "what is kept of var">:$beta2,
    FloatD<"9.99999994e-09", "keeps the divisor from 0">:$epsilon,
    FloatD<"0", "weight decay">:$wd, Float<"factor of the step">:$eta,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mean", "var"];
  let updates = ["mean", "var"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mean_out, SG_Tensor:$var_out);
}

def SG_MpAdamwUpdateOp : SG_UpdateOp<"mp_adamw_update", [Name<"_mp_adamw_update">]> {
  let summary = "adamw_update on weight32";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mean, SG_Tensor:$var,
    SG_Tensor:$weight32, SG_Tensor:$rescale_grad,
    Float<"learning rate">:$lr, FloatD<"0.899999976", "what is kept of mean">:$beta1,
    FloatD<"0.999000013", "what is kept of var">:$beta2,
    FloatD<"9.99999994e-09", "keeps the divisor from 0">:$epsilon,
    FloatD<"0", "weight decay">:$wd, Float<"factor of the step">:$eta,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mean", "var", "weight32"];
  let updates = ["mean", "var", "weight32"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mean_out, SG_Tensor:$var_out,
    SG_Tensor:$weight32_out);
}

def SG_FtmlUpdateOp : SG_UpdateOp<"ftml_update", [Name<"ftml_update">]> {
  let summary = "follow the moving leader";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$d, SG_Tensor:$v, SG_Tensor:$z,
    Float<"learning rate">:$lr, FloatD<"0.600000024", "what is kept of d and z">:$beta1,
    FloatD<"0.999000013", "what is kept of v">:$beta2,
    DoubleD<"9.9999999392252903e-09", "keeps the divisor from 0">:$epsilon,
    Int<"number of the step", "1">:$t,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient with the decay">:$clip_grad);
  let auxiliary = ["d", "v", "z"];
  let updates = ["d", "v", "z"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$d_out, SG_Tensor:$v_out, SG_Tensor:$z_out);
}

def SG_FtrlUpdateOp : SG_UpdateOp<"ftrl_update", [Name<"ftrl_update", ["_sparse_ftrl_update"]>]> {
  let summary = "follow the regularised leader";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$z, SG_Tensor:$n,
    Float<"learning rate">:$lr, FloatD<"0.00999999978", "weight of the absolute values">:$lamda1,
    FloatD<"1", "keeps the rate from 0">:$beta,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["z", "n"];
  let updates = ["z", "n"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$z_out, SG_Tensor:$n_out);
}

def SG_LambUpdatePhase1Op : SG_UpdateOp<"lamb_update_phase1", [Name<"lamb_update_phase1">]> {
  let summary = "the direction of a step: mean / (sqrt(var) + epsilon) + wd * weight";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mean, SG_Tensor:$var,
    FloatD<"0.899999976", "what is kept of mean">:$beta1,
    FloatD<"0.999000013", "what is kept of var">:$beta2,
    FloatD<"9.99999997e-07", "keeps the divisor from 0">:$epsilon,
    Int<"number of the step">:$t, BoolD<"true", "divide by 1 - beta^t">:$bias_correction,
    Float<"weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mean", "var"];
  let updates = ["mean", "var"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mean_out, SG_Tensor:$var_out);
}

def SG_MpLambUpdatePhase1Op : SG_UpdateOp<"mp_lamb_update_phase1", [
    Name<"mp_lamb_update_phase1">]> {
  let summary = "lamb_update_phase1 on weight32, which it leaves as it is; float32 results";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mean, SG_Tensor:$var,
    SG_Tensor:$weight32, FloatD<"0.899999976", "what is kept of mean">:$beta1,
    FloatD<"0.999000013", "what is kept of var">:$beta2,
    FloatD<"9.99999997e-07", "keeps the divisor from 0">:$epsilon,
    Int<"number of the step">:$t, BoolD<"true", "divide by 1 - beta^t">:$bias_correction,
    Float<"weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let auxiliary = ["mean", "var"];
  let updates = ["mean", "var"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mean_out, SG_Tensor:$var_out);
}

def SG_LambUpdatePhase2Op : SG_UpdateOp<"lamb_update_phase2", [Name<"lamb_update_phase2">]> {
  let summary = "weight - lr * r1 / r2 * g, r1 held between bounds that are not negative";
  let gradient = "none";
  let description = [{
    Where r1 or r2 is 0, weight - lr * g.
    C1: weight, g and output have one shape, r1 and r2 are [1].
  }];
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$g, SG_Tensor:$r1, SG_Tensor:$r2,
    Float<"learning rate">:$lr, FloatD<"-1", "least r1">:$lower_bound,
    FloatD<"-1", "greatest r1">:$upper_bound);
  let results = (outs SG_Tensor:$output);
}

def SG_MpLambUpdatePhase2Op : SG_UpdateOp<"mp_lamb_update_phase2", [
    Name<"mp_lamb_update_phase2">]> {
  let summary = "lamb_update_phase2 on weight32";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$g, SG_Tensor:$r1, SG_Tensor:$r2,
    SG_Tensor:$weight32, Float<"learning rate">:$lr, FloatD<"-1", "least r1">:$lower_bound,
    FloatD<"-1", "greatest r1">:$upper_bound);
  let auxiliary = ["weight32"];
  let updates = ["weight32"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$weight32_out);
}

def SG_RmspropUpdateOp : SG_UpdateOp<"rmsprop_update", [Name<"rmsprop_update">]> {
  let summary = "weight - lr * gradient / sqrt(n + epsilon), n the running square";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$n, Float<"learning rate">:$lr,
    FloatD<"0.949999988", "what is kept of n">:$gamma1,
    FloatD<"9.99999994e-09", "keeps the divisor from 0">:$epsilon,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient,
    FloatD<"-1", "bound of the weight">:$clip_weights);
  let auxiliary = ["n"];
  let updates = ["n"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$n_out);
}

def SG_RmspropalexUpdateOp : SG_UpdateOp<"rmspropalex_update", [Name<"rmspropalex_update">]> {
  let summary = "rmsprop_update over the variance, with momentum";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$n, SG_Tensor:$g,
    SG_Tensor:$delta, Float<"learning rate">:$lr,
    FloatD<"0.949999988", "what is kept of n and g">:$gamma1,
    FloatD<"0.899999976", "what is kept of delta">:$gamma2,
    FloatD<"9.99999994e-09", "keeps the divisor from 0">:$epsilon,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient,
    FloatD<"-1", "bound of the weight">:$clip_weights);
  let auxiliary = ["n", "g", "delta"];
  let updates = ["n", "g", "delta"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$n_out, SG_Tensor:$g_out, SG_Tensor:$delta_out);
}

def SG_SignsgdUpdateOp : SG_UpdateOp<"signsgd_update", [Name<"signsgd_update">]> {
  let summary = "(1 - lr * wd) * weight - lr * sign(grad)";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, Float<"learning rate">:$lr,
    FloatD<"0", "weight decay">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient);
  let results = (outs SG_Tensor:$output);
}

def SG_SignumUpdateOp : SG_UpdateOp<"signum_update", [Name<"signum_update">]> {
  let summary = "(1 - lr * wd_lh) * weight + lr * sign(mom)";
  let gradient = "none";
  let arguments = (ins SG_Tensor:$weight, SG_Tensor:$grad, SG_Tensor:$mom,
    Float<"learning rate">:$lr, FloatD<"0", "what is kept of mom">:$momentum,
    FloatD<"0", "weight decay in mom">:$wd, FloatD<"1", "factor of the gradient">:$rescale_grad,
    FloatD<"-1", "bound of the gradient">:$clip_gradient,
    FloatD<"0", "weight decay of its own">:$wd_lh);
  let auxiliary = ["mom"];
  let updates = ["mom"];
  let results = (outs SG_Tensor:$output, SG_Tensor:$mom_out);
}

def SG_MultiLarsOp : SG_Op<"multi_lars", [Name<"multi_lars">]> {
  let summary = "learning rates by layer, from the norms of weights and gradients";
  let gradient = "none";
  let description = [{
    C1: all operands and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$lrs, SG_Tensor:$weights_sum_sq, SG_Tensor:$grads_sum_sq,
    SG_Tensor:$wds, Float<"factor of the rates">:$eta, Float<"keeps the divisor from 0">:$eps,
    FloatD<"1", "factor of the gradient">:$rescale_grad);
  let results = (outs SG_Tensor:$output);
}

def SG_MultiSumSqOp : SG_Op<"multi_sum_sq", [Name<"multi_sum_sq">]> {
  let summary = "the sum of squares of each operand, float32";
  let gradient = "zero";
  let description = [{
    C1: output is [number of operands].
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, Int<"number of operands", "1">:$num_arrays);
  let variadicCount = "num_arrays";
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_AllFiniteOp : SG_Op<"all_finite", [Name<"all_finite", [], ["num_arrays=1"]>,
    Name<"multi_all_finite">]> {
  let summary = "1 where every element of every operand is finite, else 0; float32";
  let gradient = "zero";
  let description = [{
    C1: output is [1].
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, IntD<"1", "number of operands", "1">:$num_arrays);
  let variadicCount = "num_arrays";
  let hints = ["init_output"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
