//===- Bits.td - elements as what their bits are in another type ---------------===//
include "ir/GraphBase.td"

def SG_BitCastOp : SG_Op<"bit_cast", []> {
  let summary = "the same bits in another element type of the same width";
  let gradient = "zero";
  let description = [{
    C1: data and output have one shape.
    C2: both element types have as many bits.
  }];
  let arguments = (ins SG_Tensor:$data, DType<"element type of the result">:$dtype);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
