//===- Reduce.td - many elements to one -------------------------------------===//
include "ir/GraphBase.td"

def SG_ReduceOp : SG_Op<"reduce", [
    Name<"sum", ["sum_axis", "_sparse_sum"], ["kind=sum"]>, Name<"mean", ["_sparse_mean"], ["kind=mean"]>,
    Name<"prod", [], ["kind=prod"]>, Name<"max", ["max_axis"], ["kind=max"]>,
    Name<"min", ["min_axis"], ["kind=min"]>, Name<"nansum", [], ["kind=nansum"]>,
    Name<"nanprod", [], ["kind=nanprod"]>], [DeclareOpInterfaceMethods<SG_RowsInterface>,
     DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "sum, mean, product, maximum or minimum along axes";
  let gradient = "rule";
  let description = [{
    Along the axes of `axis`, or all others with `exclude`; along all without (None or ()).
    nansum and nanprod leave NaN out; max and min give NaN where there is one. A reduction of
    all axes gives [1]; `keepdims` leaves each reduced axis with extent 1.
    C1: each axis is within the rank and named once.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data,
    Enum<["sum", "mean", "prod", "max", "min", "nansum", "nanprod"], "what is taken">:$kind,
    TupleOpt<"axes, None for all">:$axis, BoolD<"false", "keep reduced axes">:$keepdims,
    BoolD<"false", "reduce all other axes">:$exclude);
  let results = (outs SG_Tensor:$output);
}

def SG_NormOp : SG_Op<"norm", [Name<"norm", ["_sparse_norm"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>,
     DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "the 1-norm or 2-norm along axes";
  let gradient = "rule";
  let description = [{
    The sum of absolute values, or the root of the sum of squares, along `axis`, all axes
    without; shapes as in reduce.
    C1: each axis is within the rank and named once.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, IntD<"2", "1 or 2", "1", "2">:$ord,
    TupleOpt<"axes, None for all">:$axis,
    EnumOpt<["float16", "float32", "float64", "int64", "int32", "int8"],
            "element type of the result">:$out_dtype,
    BoolD<"false", "keep reduced axes">:$keepdims);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_MomentsOp : SG_Op<"moments", [Name<"moments">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>,
     DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "mean and variance along axes";
  let gradient = "rule";
  let description = [{
    The variance divides by the number of elements. Shapes as in reduce.
    C1: each axis is within the rank and named once.
    C2: both results have the shape above.
  }];
  let arguments = (ins SG_Tensor:$data, TupleOpt<"axes, None for all">:$axes,
    BoolD<"false", "keep reduced axes">:$keepdims);
  let results = (outs SG_Tensor:$output0, SG_Tensor:$output1);
}

def SG_ArgReduceOp : SG_Op<"arg_reduce", [
    Name<"argmax", [], ["kind=argmax", "channel=false"]>,
    Name<"argmin", [], ["kind=argmin", "channel=false"]>,
    Name<"argmax_channel", [], ["kind=argmax", "axis=1", "channel=true"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>,
     DeclareOpInterfaceMethods<SG_ReductionInterface>]> {
  let summary = "the place of the first largest or smallest element along an axis";
  let gradient = "zero";
  let description = [{
    The place is a number of data's element type; a NaN beats all that is none. Without axis,
    the place in the flattened data, in a result of shape [1].
    C1: axis is within the rank.
    C2: output has data's shape without axis, or with extent 1 there (keepdims).
    C3: a type of 32 bits, or of 64, holds the place of each element (of fewer bits it is cut off,
    and floats are rounded, as in MXNet).
  }];
  let arguments = (ins SG_Tensor:$data, Enum<["argmax", "argmin"], "which">:$kind,
    IntOpt<"the axis, None for all">:$axis, BoolD<"false", "keep the reduced axis">:$keepdims,
    BoolD<"false", "no gradient may be wanted of data">:$channel);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_CumsumOp : SG_Op<"cumsum", [Name<"_np_cumsum", ["cumsum"]>], [SG_RowsBesideAxis]> {
  let summary = "running sums along an axis";
  let gradient = "rule";
  let description = [{
    Without axis, of the flattened data.
    C1: axis is within the rank.
    C2: output has data's shape, or is one-dimensional without axis.
  }];
  let arguments = (ins SG_Tensor:$a, IntOpt<"the axis, None for all">:$axis,
    DTypeOpt<"element type of the result, None for data's">:$dtype);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
