//===- Density.td - densities of distributions -------------------------------===//
include "ir/GraphBase.td"

class DensityName<string kind>
    : Name<"_random_pdf_" # kind, ["random_pdf_" # kind], ["kind=" # kind]>;

def SG_RandomPdfOp : SG_Op<"random_pdf", [
    DensityName<"uniform">, DensityName<"normal">,
    DensityName<"gamma">, DensityName<"negative_binomial">,
    DensityName<"generalized_negative_binomial">]> {
  let summary = "the density of a distribution of two parameters at given places";
  let gradient = "rule";
  let description = [{
    first, second: [P...], the parameters in MXNet's order (low and high; mu and sigma; alpha and
    beta, a rate; k and p; mu and alpha); sample: [P..., S...], places under each of them. The
    density of uniform is that between the bounds, also beyond them, as in MXNet.
    C1: first and second have one shape; sample's first extents are that.
    C2: sample and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$sample, SG_Tensor:$first, SG_Tensor:$second,
    Enum<["uniform", "normal", "gamma", "negative_binomial", "generalized_negative_binomial"], "which">:$kind,
    BoolD<"false", "the logarithm">:$is_log);
  let results = (outs SG_Tensor:$output);
}

def SG_RandomPdfOneOp : SG_Op<"random_pdf_one", [
    DensityName<"exponential">, DensityName<"poisson">]> {
  let summary = "the density of a distribution of one parameter at given places";
  let gradient = "rule";
  let description = [{
    lam: [P...], a rate; sample: [P..., S...], places under each of them.
    C1: sample's first extents are lam's.
    C2: sample and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$sample, SG_Tensor:$lam, Enum<["exponential", "poisson"], "which">:$kind,
    BoolD<"false", "the logarithm">:$is_log);
  let results = (outs SG_Tensor:$output);
}

def SG_RandomPdfDirichletOp : SG_Op<"random_pdf_dirichlet", [
    Name<"_random_pdf_dirichlet", ["random_pdf_dirichlet"]>]> {
  let summary = "the density of Dirichlet's distribution at given places";
  let gradient = "rule";
  let description = [{
    alpha: [P..., K]; sample: [P..., S..., K], its last axis a place; output: [P..., S...].
    C1: sample's first extents are alpha's but its last, and both end in K.
    C2: output is sample's shape without its last extent, [1] for one place.
  }];
  let arguments = (ins SG_Tensor:$sample, SG_Tensor:$alpha, BoolD<"false", "the logarithm">:$is_log);
  let results = (outs SG_Tensor:$output);
}
