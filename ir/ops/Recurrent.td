//===- Recurrent.td - recurrent layers, the loss of their alignments, their gradients ---===//
include "ir/GraphBase.td"

defvar SG_RnnParams = (ins Uint<"length of a state">:$state_size, Uint<"number of layers">:$num_layers,
    BoolD<"false", "each layer runs backwards too">:$bidirectional,
    Enum<["rnn_relu", "rnn_tanh", "lstm", "gru"], "the cell">:$mode,
    FloatD<"0", "share of zeros between layers in training", "0", "1">:$p,
    BoolD<"false", "states behind the last step are results">:$state_outputs,
    IntOpt<"length of lstm's projected state">:$projection_size,
    DoubleOpt<"least value of lstm's cell">:$lstm_state_clip_min,
    DoubleOpt<"greatest value of lstm's cell">:$lstm_state_clip_max,
    BoolD<"false", "NaN in the cell is limited, too">:$lstm_state_clip_nan,
    BoolD<"false", "sequences have lengths of their own">:$use_sequence_length);
defvar SG_CtcParams = (ins
    BoolD<"false", "sequences have lengths of their own">:$use_data_lengths,
    BoolD<"false", "rows of labels have lengths of their own">:$use_label_lengths,
    EnumD<"first", ["first", "last"], "the class that is blank">:$blank_label);

def SG_RnnOp : SG_Op<"rnn", [Name<"RNN", ["_npx_rnn"]>], [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "a stack of recurrent layers over a batch of sequences";
  let description = [{
    data: [T, N, I]; state: [L*D, N, P]; state_cell (lstm): [L*D, N, H]; sequence_length:
    [N]; output: [T, N, D*P], then, with state_outputs, the states behind the last
    step. H = state_size, L = num_layers, D = 2 with bidirectional, else 1; P is
    projection_size (lstm), else H. parameters holds all weights, then all biases; for
    each layer and direction (forwards first) the input's matrix [G*H, I or D*P], the
    state's [G*H, P] and the projection's [P, H]; biases are [G*H] for the input and
    [G*H] for the state. Gates: lstm i, f, g, o; gru r, z, n with
    n = tanh(Wx + b + r * (Rh + c)), h' = (1 - z) * n + z * h.
    Beyond sequence_length output is 0 and states stay; backward layers begin at the
    sequence's last element. lstm_state_clip limits the cell after each step. In training a share
    p of what a layer reads of the one below is 0, and the rest is divided by 1 - p.
    C1: state_size and num_layers are at least 1, num_layers at most 4096; projection_size
        belongs to lstm and is 1 to state_size; the clipping limits are given both or not at all.
    C2: data has rank 3.
    C3: parameters has as many elements as the layers need; states, sequence_length and
        results have the shapes above.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$parameters, SG_Tensor:$state,
    Optional<SG_Tensor>:$state_cell, Optional<SG_Tensor>:$sequence_length), SG_RnnParams);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let resultNames = ["output", "state_output", "statecell_output"];
  let gradient = "rule";
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    static int64_t countResults(const ::symc::sg::ParamView &params);
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
    int64_t countGates();
    int64_t countDirections() { return getBidirectional() ? 2 : 1; }
    int64_t getProjected();
  }];
}

def SG_CtcLossOp : SG_Op<"ctc_loss",
    [Name<"CTCLoss", ["ctc_loss", "_contrib_CTCLoss", "_contrib_ctc_loss"]>],
    [AttrSizedOperandSegments]> {
  let summary = "negative logarithm of the probability of labels, over all alignments";
  let description = [{
    data: [T, N, A], before softmax; label: [N, L]; data_lengths and label_lengths: [N];
    output: [N]. The blank is class 0, or A - 1 with `last`; without label_lengths a row of
    labels ends at its first 0, or -1 with `last`. A row too long for its data costs 0.
    C1: data has rank 3, label rank 2 with data's batch; data_lengths, label_lengths and
        output are [N].
    C2: there are no more labels than time steps.
  }];
  let arguments = !con((ins SG_Tensor:$data, SG_Tensor:$label,
    Optional<SG_Tensor>:$data_lengths, Optional<SG_Tensor>:$label_lengths), SG_CtcParams);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let hiddenResults = 1;
  let gradient = "rule";
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

//===----------------------------------------------------------------------===//
// Gradients. No file names these: the rules in RecurrentGradient.cpp make them.
//===----------------------------------------------------------------------===//

def SG_RnnGradientOp : SG_Op<"rnn_gradient", []> {
  let summary = "the gradients of what a recurrent layer reads";
  let description = [{
    Operands: those of rnn, then the gradients of its results, as many as state_outputs makes;
    parameters are rnn's, and p is not read. Results: the gradients of data, parameters, state and
    (lstm) state_cell. The steps are computed again. A cell that lstm_state_clip limits passes no
    gradient on.
    C1: results have the shapes of what they are the gradients of.
    C2: there are as many operands.
  }];
  let arguments = !con((ins Variadic<SG_Tensor>:$inputs), SG_RnnParams);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let gradient = "none";
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_CtcLossGradientOp : SG_Op<"ctc_loss_gradient", []> {
  let summary = "the gradient of ctc_loss's data";
  let description = [{
    Operands: those of ctc_loss, then the gradient of its result, [N]; parameters are its. At each
    time step the softmax of data less the probability of each class over all alignments, times the
    gradient of the row; 0 behind the end of a sequence, and for a row too long for its data.
    C1: output has data's shape.
    C2: gradient is [N].
  }];
  let arguments = !con((ins Variadic<SG_Tensor>:$inputs), SG_CtcParams);
  let results = (outs SG_Tensor:$output);
  let gradient = "none";
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}
