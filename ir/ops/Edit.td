//===- Edit.td - slices put into tensors and taken out of them ---------------===//
include "ir/GraphBase.td"

class SG_EditOp<string mnemonic, list<Name> names, list<Trait> traits = []>
    : SG_Op<mnemonic, names, traits> {
  let results = (outs SG_Tensor:$output);
  string own = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_InsertOp : SG_EditOp<"insert", [
    Name<"_npi_insert_scalar", [], ["kind=index"]>, Name<"_npi_insert_slice", [], ["kind=slice"]>,
    Name<"_npi_insert_tensor", [], ["kind=tensor"]>], [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "slices put in before places along an axis, or into the flattened tensor";
  let gradient = "none";
  let description = [{
    The places are `int_ind` (index; 0 without), those of start:stop:step (slice), or those in
    obj (tensor), an int64 tensor whose places outside -N..N make the run fail. What is put in
    is values, cast to arr's type, or the number `val`; values' shape is extended by 1 in
    front to arr's rank. One number as the place (int_ind, an obj of rank 0): values' first
    axis runs along `axis`. One place in a slice or list: all of values goes there. Several:
    values has a slice for each, or one for all; places are those before anything is put in.
    C1: axis is within arr's rank; without it arr is fixed.
    C2: step is given for a slice, and is not 0.
    C3: int_ind or the slice has arr's extent along axis fixed; int_ind is in -N..N.
    C4: values has fixed extents and, but for 1 in front, at most arr's rank; they are 1 or fit.
    C5: obj has rank 0 or 1 and a fixed extent; of rank 0, values has along its first axis as
        many slices as along `axis`, since MXNet takes both for their number.
  }];
  let arguments = (ins SG_Tensor:$arr, Optional<SG_Tensor>:$values, Optional<SG_Tensor>:$obj,
    Enum<["index", "slice", "tensor"], "what gives the places">:$kind,
    DoubleOpt<"a number in place of values">:$val, IntOpt<"first place of a slice">:$start,
    IntOpt<"end of a slice">:$stop, IntOpt<"step of a slice">:$step, IntOpt<"the place">:$int_ind,
    IntOpt<"the axis, None for the flattened tensor">:$axis);
  let extraClassDeclaration = own;
}

def SG_DeleteOp : SG_EditOp<"delete", [Name<"_npi_delete", [], ["size=-1"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>, SG_DecidesSizeInterface]> {
  let summary = "a tensor, or a flattened one, without the slices at places along an axis";
  let gradient = "none";
  let description = [{
    The places are those of start:stop:step where step is given, `int_ind`, or those in obj, of
    any type. The list is a set: a place named twice goes once, one outside 0..N-1, a negative
    one too, names nothing. With obj values decide the extent (ir/ValueSizes.h), at most N.
    C1: axis is within arr's rank; without it arr has known extents.
    C2: step is not 0.
    C3: int_ind or the slice has arr's extent N along axis fixed; int_ind is in -N..N-1.
    C4: int_ind or the slice leaves something.
    C5: a node with obj is not in the body of a loop or choice.
  }];
  let arguments = (ins SG_Tensor:$arr, Optional<SG_Tensor>:$obj,
    IntOpt<"first place of a slice">:$start, IntOpt<"end of a slice">:$stop,
    IntOpt<"step of a slice">:$step, IntOpt<"the place">:$int_ind,
    IntOpt<"the axis, None for the flattened tensor">:$axis,
    IntD<"-1", "which symbolic size, -1 for a new one">:$size);
  let extraClassDeclaration = own;
}
