//===- RowsInterface.td - what operators make of the rows of a batch --------===//
//
// Which axis of a result holds the rows of a batch, as its operands do. An operator without
// the interface is taken to mix rows, so that one that nobody has thought about is safe.
// Alike operators share a behaviour (SG_LeadingRows and its kin); the others declare
// getRowAxis in their family's file.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_ROWS_INTERFACE
#define SYMC_ROWS_INTERFACE

include "mlir/IR/OpBase.td"

def SG_RowsInterface : OpInterface<"RowsInterface"> {
  let cppNamespace = "::symc::sg";
  let description = "An operator that may keep the rows of a batch apart.";
  let methods = [
    InterfaceMethod<[{
      The axis of the first result that holds rows; kNoRows where the result is the same for
      all of them, or where they do not stay apart, for which RowScope::mixed has the reason. Called
      only where an operand has rows.
    }], "int64_t", "getRowAxis", (ins "::symc::sg::RowScope &":$rows)>
  ];
}

class SG_RowsTrait<string name> : NativeOpTrait<name> { let cppNamespace = "::symc::sg"; }

// A behaviour that operators share: a class template of ir/RowsInterface.h.
class SG_Rows<string behaviour> : TraitList<[SG_RowsInterface, SG_RowsTrait<behaviour>]>;

// Images and the like: rows lead in the first `count` operands, the others have none.
class SG_LeadingRows<int count> : SG_Rows<"LeadingRows<" # count # ">::Impl">;
// Rows of every operand that has some lie along one axis, those of the result too.
class SG_RowsAlong<int axis> : SG_Rows<"RowsAlong<" # axis # ">::Impl">;
// The result's rows lie along the axis of the first operand's.
def SG_KeptRows : SG_Rows<"KeptRows">;
// The elements stay in order under another shape.
def SG_ReshapedRows : SG_Rows<"ReshapedRows">;
// Elements along the parameter `axis`, or all of them without it, are combined.
def SG_RowsBesideAxis : SG_Rows<"RowsBesideAxis">;
// Rows lie where ElementwiseInterface puts the operands' axes.
def SG_ElementwiseRows : SG_Rows<"ElementwiseRows">;

// Values follow from extents and parameters where no operand has rows: a batch in the result is
// the same in every row.
def SG_SameInRows : SG_RowsTrait<"SameInRows">;

#endif // SYMC_ROWS_INTERFACE
