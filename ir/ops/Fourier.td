//===- Fourier.td - discrete Fourier transforms --------------------------------===//
include "ir/GraphBase.td"

def SG_DftOp : SG_Op<"dft", []> {
  let summary = "the discrete Fourier transform along the axis before the last";
  let gradient = "none";
  let description = [{
    data: [..., n, 1 or 2], real numbers, or real and imaginary parts; waves: [L, 2], cosine and
    sine of 2*pi*k/L in row k; output: [..., L, 2], with onesided the first L/2 + 1 of them. What
    data has beyond L is not read, what it lacks is 0. The inverse is divided by L; the onesided one
    reads [..., L/2 + 1, 2] as half of the spectrum of real numbers, and gives [..., L, 1].
    C1: data has rank 2 at least, a fixed extent n and 1 or 2 numbers for each element.
    C2: waves is [L, 2], and L is a product of factors 2, 3 and 5.
    C3: the onesided inverse reads real and imaginary parts.
    C4: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$waves,
    BoolD<"false", "from frequencies to elements">:$inverse,
    BoolD<"false", "half of a spectrum whose other half is its mirror image">:$onesided);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}
