//===- Index.td - elements chosen by the values of other tensors --------------===//
//
// Indices may have any element type; they are cut off to integers. What happens
// to one outside the range: `clip` takes the nearest, `wrap` the remainder,
// `raise` makes the run fail.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_IndexedOp<string mnemonic, list<Name> names, list<Trait> traits = []>
    : SG_Op<mnemonic, names, traits> {
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes) {
      return shapes.resultCount(0); // of a large table few elements are read
    }
  }];
}

def SG_TakeOp : SG_IndexedOp<"take", [Name<"take", ["_npi_take"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "slices of data along an axis, chosen by indices";
  let gradient = "rule";
  let description = [{
    output: data's extents before axis, those of indices, data's behind axis.
    C1: axis is within the rank.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$a, SG_Tensor:$indices, IntD<"0", "the axis">:$axis,
    EnumD<"clip", ["raise", "wrap", "clip"], "indices outside the range">:$mode);
}

def SG_BatchTakeOp : SG_IndexedOp<"batch_take", [Name<"batch_take">]> {
  let summary = "one element of each row";
  let gradient = "zero";
  let description = [{
    a: [N, M]; indices: [N], nearest taken; output: [N].
    C1: a has rank 2, and rows with elements in them.
    C2: indices and output are [N].
  }];
  let arguments = (ins SG_Tensor:$a, SG_Tensor:$indices);
}

def SG_PickOp : SG_IndexedOp<"pick", [Name<"pick", ["choose_element_0index", "_npx_pick"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "one element along an axis, chosen at each place of the others";
  let gradient = "rule";
  let description = [{
    index: data's shape without axis, or with extent 1 there. Without axis (None), one
    element of the flattened data, index and output [1].
    C1: axis is within the rank.
    C2: index has the shape above.
    C3: output has data's shape without axis, or with extent 1 there (keepdims).
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$index, IntOrNoneD<"-1", "the axis">:$axis,
    BoolD<"false", "keep the axis">:$keepdims,
    EnumD<"clip", ["wrap", "clip"], "indices outside the range">:$mode);
}

def SG_OneHotOp : SG_IndexedOp<"one_hot", [Name<"one_hot", ["_npx_one_hot"]>], [SG_KeptRows]> {
  let summary = "rows that are on at an index and off elsewhere";
  let gradient = "zero";
  let description = [{
    A row whose index lies outside 0..depth-1 is off everywhere.
    C1: output has the shape of indices and one more extent, depth.
  }];
  let arguments = (ins SG_Tensor:$indices, Int<"extent of the rows", "1">:$depth,
    DoubleD<"1", "at the index">:$on_value, DoubleD<"0", "elsewhere">:$off_value,
    DTypeD<"float32", "element type of the result">:$dtype);
}

def SG_GatherNDOp : SG_IndexedOp<"gather_nd", [Name<"gather_nd", ["_npi_gather_nd", "_npx_gather_nd"]>]> {
  let summary = "elements or slices of data at places that columns of indices name";
  let gradient = "rule";
  let description = [{
    indices: [M, Y...]; output: [Y..., data's extents from M on]. Negative indices count from
    the end; others outside the range make the run fail.
    C1: M is known and not larger than data's rank.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$indices);
}

def SG_ScatterNDOp : SG_IndexedOp<"scatter_nd", [Name<"scatter_nd">]> {
  let summary = "data put at places that columns of indices name, zero elsewhere";
  let gradient = "rule";
  let description = [{
    The inverse of gather_nd: indices: [M, Y...]; data: [Y..., shape from M on]; of two
    elements for one place the later stays.
    C1: M is not larger than the extents of shape; data has the shape above.
    C2: output has the given shape.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$indices, Tuple<"shape of the result">:$shape);
}

def SG_TopKOp : SG_Op<"topk", [Name<"topk", ["_npx_topk"]>], [SG_RowsBesideAxis]> {
  let summary = "the largest elements along an axis, their values, places or a mask";
  let gradient = "rule";
  let description = [{
    In order, k of them (all for k < 1), the smallest with is_ascend; equal elements keep
    their order. Without axis (None), of the flattened data. `both` gives values and places.
    C1: axis is within the rank.
    C2: k is not larger than the extent.
    C3: results have data's shape with k along axis; a mask has data's shape.
    C4: dtype counts up to the elements along axis, where places are wanted.
  }];
  let arguments = (ins SG_Tensor:$data, IntOrNoneD<"-1", "the axis">:$axis,
    IntD<"1", "how many">:$k,
    EnumD<"indices", ["value", "indices", "mask", "both"], "what is wanted">:$ret_typ,
    BoolD<"false", "the smallest, in rising order">:$is_ascend,
    EnumD<"float32", ["uint8", "int32", "int64", "float16", "float32", "float64"],
          "element type of places">:$dtype);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let showHidden = ["ret_typ=both", "dtype=int32"]; // MXNet's places are that beside values
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
    static int64_t countResults(const ::symc::sg::ParamView &params);
    static ::std::optional<int64_t> countHiddenResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_SortOp : SG_Op<"sort", [Name<"sort", ["_npi_sort"]>], [SG_RowsBesideAxis]> {
  let summary = "elements in order along an axis";
  let gradient = "rule";
  let description = [{
    Without axis (None), of the flattened data. output1 holds the elements' places, int32.
    C1: axis is within the rank.
    C2: output has data's shape, or is one-dimensional without axis.
    C3: int32 counts up to the elements along axis, where output1 is a result.
  }];
  let arguments = (ins SG_Tensor:$data, IntOrNoneD<"-1", "the axis">:$axis,
    BoolD<"true", "rising order">:$is_ascend, ShowHidden:$show_hidden);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output0", "output1"];
  let showHidden = ["show_hidden=true"];
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_ArgsortOp : SG_IndexedOp<"argsort", [Name<"argsort", ["_npi_argsort"]>],
    [SG_RowsBesideAxis]> {
  let summary = "the places of elements in order along an axis";
  let gradient = "zero";
  let description = [{
    Equal elements keep their order. Without axis (None), of the flattened data.
    C1: axis is within the rank.
    C2: output has data's shape, or is one-dimensional without axis.
    C3: dtype counts up to the elements along axis.
  }];
  let arguments = (ins SG_Tensor:$data, IntOrNoneD<"-1", "the axis">:$axis,
    BoolD<"true", "rising order">:$is_ascend,
    EnumD<"float32", ["uint8", "int32", "int64", "float16", "float32", "float64"],
          "element type of the result">:$dtype);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_RavelMultiIndexOp : SG_Op<"ravel_multi_index", [
    Name<"_ravel_multi_index", ["ravel_multi_index"]>]> {
  let summary = "places in a shape as places in its flattened form";
  let gradient = "zero";
  let description = [{
    data: [rank of shape, Y...]; output: [Y...], [1] where nothing is left.
    C1: data's first extent is the length of shape.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, TupleD<"()", "{}", "the shape">:$shape);
  let results = (outs SG_Tensor:$output);
}

//===----------------------------------------------------------------------===//
// Values decide the size of the result: its first extent is a symbolic size of the graph,
// which inference adds when it finds the largest value; `size` is its number
// (ir/ValueSizes.h).
//===----------------------------------------------------------------------===//

defvar SG_OwnType = "::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);\n";
defvar SG_OwnCheck = "static ::std::string checkParams(const ::symc::sg::ParamView &params);\n";
defvar SG_DecidedSize = IntD<"-1", "which symbolic size, -1 for a new one">;

def SG_BooleanMaskOp : SG_Op<"boolean_mask", [
    Name<"_contrib_boolean_mask", ["_npi_boolean_mask"], ["size=-1"]>], [SG_DecidesSizeInterface]> {
  let summary = "the rows of data where a mask is not zero, in order";
  let gradient = "rule";
  let description = [{
    data: [N, X...]; index: [N]; output: [rows that are left, X...], at most N. Nodes
    with one mask share the size.
    C1: axis is 0; MXNet has no kernel for another.
    C2: data has at least one extent, and index is [N].
    C3: the node is not in the body of a loop or choice.
    C4: output has data's shape behind the first extent.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$index, IntD<"0", "the axis">:$axis,
    SG_DecidedSize:$size);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = !strconcat(SG_OwnType, SG_OwnCheck);
}

def SG_BooleanMaskGradientOp : SG_GradientOp<"boolean_mask_gradient"> {
  let summary = "the gradient of boolean_mask's data: that of the rows that are left, else zeros";
  let description = [{
    C1: output has the shape of data.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$index, SG_Tensor:$gradient);
}

def SG_NonzeroOp : SG_Op<"nonzero", [Name<"_npx_nonzero", ["_npi_nonzero"], ["size=-1"]>],
    [SG_DecidesSizeInterface]> {
  let summary = "the places of elements that are not zero, one row each, as int64";
  let gradient = "zero";
  let description = [{
    C1: data has at least one extent.
    C2: the node is not in the body of a loop or choice.
    C3: output is [places found, rank of data].
  }];
  let arguments = (ins SG_Tensor:$data, SG_DecidedSize:$size);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = SG_OwnType;
}

def SG_UniqueOp : SG_Op<"unique", [Name<"_npi_unique", [], ["size=-1"]>],
    [SG_DecidesSizeInterface]> {
  let summary = "the different elements of data, or slices along an axis, in rising order, NaN last";
  let gradient = "none";
  let description = [{
    Behind them, where requested and as int64: the place of the first of each, the number of
    each one's value, how often each value occurs. Places are those of the flattened data, or
    along `axis`; slices are compared element by element, in row-major order.
    C1: axis is within data's rank, or None.
    C2: the node is not in the body of a loop or choice.
    C3: the first result is [values found], with an axis data's shape with as many there; the
        numbers of values are [elements], or [slices]; the others [values found].
  }];
  let arguments = (ins SG_Tensor:$data, BoolD<"false", "first places">:$return_index,
    BoolD<"false", "number of each element's value">:$return_inverse,
    BoolD<"false", "how often each occurs">:$return_counts, IntOpt<"the axis">:$axis,
    SG_DecidedSize:$size);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = !strconcat(SG_OwnType, [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }]);
}
