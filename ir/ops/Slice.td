//===- Slice.td - tensors put together and taken apart -----------------------===//
//
// Data movement along axes. Symbolic sizes flow through wherever the arithmetic
// is affine; where it is not, an error requires a fixed extent.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

def SG_ConcatOp : SG_Op<"concat", [Name<"Concat", ["concat", "_sparse_concat"]>,
                                   Name<"_rnn_param_concat", ["_npi_rnn_param_concat"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "operands behind each other along one axis";
  let gradient = "rule";
  let description = [{
    C1: dim is within the rank.
    C2: ranks are equal, and extents along all other axes.
    C3: output's extent along dim is the sum of the operands'.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, Int<"number of operands", "1">:$num_args,
    IntD<"1", "axis along which they lie">:$dim);
  let variadicCount = "num_args";
  let results = (outs SG_Tensor:$output);
}

def SG_StackOp : SG_Op<"stack", [Name<"stack">, Name<"_npi_stack">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "operands behind each other along a new axis";
  let gradient = "rewritten";
  let description = [{
    C1: axis is within output's rank.
    C2: all operands have one shape.
    C3: output has that shape and, at axis, the number of operands.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$data, IntD<"0", "place of the new axis">:$axis,
    Int<"number of operands", "1">:$num_args);
  let variadicCount = "num_args";
  let results = (outs SG_Tensor:$output);
}

def SG_SliceChannelOp : SG_Op<"slice_channel", [Name<"SliceChannel", ["split"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "equal parts along one axis";
  let gradient = "rule";
  let description = [{
    C1: axis is within the rank.
    C2: num_outputs divides data's extent along axis, and equals it with squeeze_axis.
    C3: every part has data's shape with that extent divided, or left out with squeeze_axis.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"number of parts", "1">:$num_outputs,
    IntD<"1", "axis that is divided">:$axis,
    BoolD<"false", "leave the axis out of the parts">:$squeeze_axis);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output0"]; // of one part, too
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
  }];
}

def SG_SplitV2Op : SG_Op<"split_v2", [Name<"_split_v2", ["_npi_split"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "parts along one axis that begin at given places";
  let gradient = "rule";
  let description = [{
    `sections` parts, the first ones longer by 1 where it does not divide the extent; or,
    where it is 0, part i from indices[i] to indices[i+1], the last to the end.
    C1: axis is within the rank.
    C2: sections is not above data's extent along axis; indices rise and stay within it.
    C3: squeeze_axis needs parts of extent 1.
  }];
  let arguments = (ins SG_Tensor:$data, Tuple<"where parts begin">:$indices,
    IntD<"1", "axis that is divided">:$axis,
    BoolD<"false", "leave the axis out of the parts">:$squeeze_axis,
    IntD<"0", "number of parts, 0 for indices", "0">:$sections);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_SliceOp : SG_Op<"slice", [Name<"slice", ["crop", "_npi_slice", "_npx_slice", "_sparse_slice"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "from begin to end, not included, by steps, along the leading axes";
  let gradient = "rule";
  let description = [{
    None and missing axes take all; negative places count from the end; places beyond an end
    are moved to it; negative steps go backwards.
    C1: begin and end are as long, at most data's rank; step is empty or as long; no step is 0.
    C2: no part is empty.
    C3: where an extent is known only at run time, so is that of the part. A graph whose shapes do
        not agree so is one where the step is 1, an end that counts from the start has a
        beginning that does, and no place lies beyond an end but an end beyond all that the
        extent can be.
  }];
  let arguments = (ins SG_Tensor:$data, Places<"first place by axis">:$begin,
    Places<"place after the last by axis">:$end, PlacesD<"()", "{}", "step by axis">:$step);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_SliceAssignOp : SG_Op<"slice_assign", [
    Name<"_slice_assign", ["_crop_assign", "_npi_slice_assign"]>]> {
  let summary = "lhs with the part from begin to end replaced by rhs";
  let gradient = "rule";
  let description = [{
    The part is chosen as slice chooses it.
    C1: begin and end are as long, at most lhs's rank; step is empty or as long; no step is 0;
        the part is not empty.
    C2: rhs has the shape of the part, output that of lhs.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs, Places<"first place by axis">:$begin,
    Places<"place after the last by axis">:$end, PlacesD<"()", "{}", "step by axis">:$step);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_SliceAssignScalarOp : SG_Op<"slice_assign_scalar", [
    Name<"_slice_assign_scalar", ["_crop_assign_scalar", "_npi_slice_assign_scalar"]>]> {
  let summary = "data with one value in the part from begin to end";
  let gradient = "rule";
  let description = [{
    The part is chosen as slice chooses it.
    C1: begin and end are as long, at most data's rank; step is empty or as long; no step is 0;
        the part is not empty.
    C2: output has the shape of data.
  }];
  let arguments = (ins SG_Tensor:$data, DoubleD<"0", "the value">:$scalar,
    Places<"first place by axis">:$begin, Places<"place after the last by axis">:$end,
    PlacesD<"()", "{}", "step by axis">:$step);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
  }];
}

def SG_SliceAxisOp : SG_Op<"slice_axis", [Name<"slice_axis">], [SG_KeptRows]> {
  let summary = "from begin to end, not included, along one axis";
  let gradient = "rule";
  let description = [{
    Negative places count from the end; end None is the end.
    C1: axis is within the rank.
    C2: begin lies before end, both within the extent.
    C3: where the extent is known only at run time, so is that of a part whose end alone counts
        from the start. A graph whose shapes do not agree so has none.
  }];
  let arguments = (ins SG_Tensor:$data, Int<"the axis">:$axis, Int<"first place">:$begin,
    IntOpt<"place after the last">:$end);
  let results = (outs SG_Tensor:$output);
}

def SG_SliceLikeOp : SG_Op<"slice_like", [Name<"slice_like">], [SG_KeptRows]> {
  let summary = "data cut to the extents of another tensor";
  let gradient = "rule";
  let description = [{
    Along `axes`, all by default, the first elements, as many as shape_like has.
    C1: axes are within both ranks; without axes the ranks are equal.
    C2: shape_like's extents are not larger than data's.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$shape_like,
    TupleD<"()", "{}", "axes that are cut, none for all">:$axes);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
