//===- Sequence.td - batches of sequences of different lengths ---------------===//
//
// data: [T, B, ...] (time first, axis = 0) or [B, T, ...] (axis = 1);
// sequence_length: [B], read where use_sequence_length is set.
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

class SG_SequenceOp<string mnemonic, list<Name> names, list<Trait> traits = []>
    : SG_Op<mnemonic, names, traits> {
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}

def SG_SequenceMaskOp : SG_SequenceOp<"sequence_mask", [Name<"SequenceMask", ["_npx_sequence_mask"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "elements beyond each sequence's length set to a value";
  let gradient = "rule";
  let description = [{
    C1: data has at least two extents; axis is 0 or 1.
    C2: sequence_length is [B].
    C3: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$sequence_length,
    BoolD<"false", "mask by sequence_length">:$use_sequence_length,
    FloatD<"0", "the value">:$value, IntD<"0", "time axis", "0", "1">:$axis);
}

def SG_SequenceLastOp : SG_SequenceOp<"sequence_last", [Name<"SequenceLast">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "the last element of each sequence";
  let gradient = "rule";
  let description = [{
    At sequence_length - 1, or at the end without it.
    C1: data has at least two extents; axis is 0 or 1.
    C2: sequence_length is [B].
    C3: output has data's shape without the time axis.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$sequence_length,
    BoolD<"false", "take the place from sequence_length">:$use_sequence_length,
    IntD<"0", "time axis", "0", "1">:$axis);
}

def SG_SequenceReverseOp : SG_SequenceOp<"sequence_reverse", [Name<"SequenceReverse">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "the first elements of each sequence, as many as its length, reversed";
  let gradient = "rule";
  let description = [{
    Elements beyond the length stay where they are; without sequence_length all are reversed.
    C1: data has at least two extents; axis is 0.
    C2: sequence_length is [B].
    C3: data and output have one shape.
  }];
  let arguments = (ins SG_Tensor:$data, Optional<SG_Tensor>:$sequence_length,
    BoolD<"false", "reverse by sequence_length">:$use_sequence_length,
    IntD<"0", "time axis", "0", "0">:$axis);
}
