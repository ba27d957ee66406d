//===- Custom.td - operators that libraries describe --------------------------===//
//
// One operation for all of them: which operator it is and its parameters are attributes, and
// the description that was loaded answers its queries (ir/CustomOperators.h).
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"
include "mlir/IR/CommonAttrConstraints.td"

def SG_CustomOp : SG_Op<"custom", [], [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "an operator of the library that op_type names";
  let gradient = "rule";
  let description = [{
    params holds the parameters that differ from their defaults. Shapes and element types are
    what the library's functions find; without such a function all shapes, or all types, are one.
    C1: the operator op_type is loaded, has as many inputs and outputs, and parameters of these
        names and kinds.
    C2: the library's shape function accepts the shapes of the inputs, changes none, and gives
        each output one with extents of at least 0 and a rank of at most 8.
    C3: where sizes are open, each extent that it gives is a sum of the sizes' multiples, which do
        not fall.
    C4: the library's type function accepts the element types of the inputs, changes none, and
        gives each output one.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$inputs, StrAttr:$op_type, DictionaryAttr:$params);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
    bool isLoss();
  }];
}
