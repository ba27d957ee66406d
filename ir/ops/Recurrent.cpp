// Recurrent.cpp: shapes and types of recurrent layers, the loss of alignments, and their gradients;
// the numbered constraints are those of Recurrent.td.
#include "ir/ops/Recurrent.h"
#include "ir/Conditions.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Recurrent.cpp.inc"

void symc::sg::registerRecurrentOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Recurrent.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// rnn
//===----------------------------------------------------------------------===//

bool RnnOp::hasOperand(StringRef name, const ParamView &params) {
  return name == "state_cell" ? params.getStr("mode") == "lstm"
                              : params.getBool("use_sequence_length");
}

int64_t RnnOp::countResults(const ParamView &params) {
  if (!params.getBool("state_outputs"))
    return 1;
  return params.getStr("mode") == "lstm" ? 3 : 2;
}

static int64_t gatesOf(StringRef mode) { return mode == "lstm" ? 4 : mode == "gru" ? 3 : 1; }
int64_t RnnOp::countGates() { return gatesOf(getMode()); }

int64_t RnnOp::getProjected() {
  return static_cast<int64_t>(getProjectionSize().value_or(getStateSize()));
}

std::string RnnOp::checkParams(const ParamView &params) { // C1
  for (StringRef name : {"state_size", "num_layers"})
    if (params.getInt(name) < 1)
      return "parameter '" + name.str() + "' is " + std::to_string(params.getInt(name)) +
             ", needs at least 1";
  constexpr int64_t mostLayers = 4096; // each is a few steps
  if (params.getInt("num_layers") > mostLayers)
    return "parameter 'num_layers' is " + std::to_string(params.getInt("num_layers")) +
           ", needs at most " + std::to_string(mostLayers);
  if (!params.isNone("projection_size")) {
    int64_t size = params.getInt("projection_size"), most = params.getInt("state_size");
    if (params.getStr("mode") != "lstm")
      return "parameter 'projection_size' belongs to mode lstm, mode is " +
             params.getStr("mode").str();
    if (size < 1 || size > most)
      return "parameter 'projection_size' is " + std::to_string(size) +
             ", needs 1 to state_size = " + std::to_string(most);
  }
  if (params.isNone("lstm_state_clip_min") != params.isNone("lstm_state_clip_max"))
    return "parameter 'lstm_state_clip_min' and 'lstm_state_clip_max' are given both or not at all";
  return {};
}

LogicalResult RnnOp::inferShape(ShapeScope &scope) {
  int64_t directions = countDirections(), hidden = getStateSize(), projected = getProjected();
  int64_t layers = getNumLayers(), gates = countGates();
  const Shape &data = scope.input(0);
  Dim batch, steps;
  if (data.isRanked()) {
    if (data.rank() != 3) // C2
      return scope.error() << "data has shape " << data.str()
                           << ", needs rank 3: time, batch, features";
    steps = data[0];
    batch = data[1];
    if (data[2].isKnown()) { // C3
      Dim rest = scope.dim(directions * projected + projected + 2) * (layers - 1);
      Dim count = (data[2] + (projected + 2) + rest) * (directions * gates * hidden);
      if (getProjectionSize())
        count = count + scope.dim(projected * hidden) * (layers * directions);
      if (failed(scope.refineInput(1, Shape({count}),
                                   "with state_size = " + Twine(hidden) +
                                       " and num_layers = " + Twine(layers))))
        return failure();
    }
  }
  const Shape &output = scope.output(0);
  if (output.isRanked() && output.rank() == 3 && !batch.isKnown())
    batch = output[1];
  Dim states = scope.dim(layers * directions);
  Shape state({states, batch, scope.dim(projected)}), cell({states, batch, scope.dim(hidden)});
  if (failed(scope.refineInput(2, state))) // C3
    return failure();
  size_t next = 3;
  if (getStateCell() && failed(scope.refineInput(next++, cell)))
    return failure();
  if (getSequenceLength() && failed(scope.refineInput(next, Shape({batch}))))
    return failure();
  if (scope.numOutputs() > 1 && failed(scope.refineOutput(1, state)))
    return failure();
  if (scope.numOutputs() > 2 && failed(scope.refineOutput(2, cell)))
    return failure();
  return scope.refineOutput(0, Shape({steps, batch, scope.dim(directions * projected)}));
}

// All but the lengths, which may have any type, agree.
LogicalResult RnnOp::inferType(TypeScope &scope) {
  size_t same = scope.numInputs() - (getSequenceLength() ? 1 : 0);
  Type type;
  for (size_t i = 0; i < same && !type; ++i)
    type = scope.input(i);
  for (size_t i = 0; i < scope.numOutputs() && !type; ++i)
    type = scope.output(i);
  for (size_t i = 0; i < same; ++i)
    if (failed(scope.refineInput(i, type)))
      return failure();
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, type)))
      return failure();
  return success();
}

// Results of two layers, gates from the input and from the state, states of one sequence.
CheckedSize RnnOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize hidden = getStateSize();
  return 8 * (2 * shapes.resultCount(0) + 2 * countGates() * hidden + 3 * hidden);
}

// Each number of the layers is used once for each element of the batch and time step.
CheckedSize RnnOp::getReferenceWork(const LargestShapes &shapes) {
  return shapes.operands[0][0] * shapes.operands[0][1] * shapes.operandCount(1);
}

//===----------------------------------------------------------------------===//
// rnn_gradient
//===----------------------------------------------------------------------===//

int64_t RnnGradientOp::countResults(const ParamView &params) {
  return params.getStr("mode") == "lstm" ? 4 : 3;
}

LogicalResult RnnGradientOp::inferShape(ShapeScope &scope) {
  size_t states = getMode() == "lstm" ? 2 : 1;
  size_t own = 2 + states + (getUseSequenceLength() ? 1 : 0);
  size_t needed = own + (getStateOutputs() ? 1 + states : 1);
  if (scope.numInputs() != needed) // C2
    return scope.error() << "there are " << scope.numInputs() << " operands, needs " << needed
                         << ": those of rnn and the gradients of its results";
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, scope.input(i)))) // C1
      return failure();
  for (size_t i = own + 1; i < needed; ++i)
    if (failed(scope.refineInput(i, scope.input(2 + i - own - 1)))) // C1
      return failure();
  return success();
}

LogicalResult RnnGradientOp::inferType(TypeScope &scope) {
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, scope.input(0))))
      return failure();
  return success();
}

// Of each step: gates, one number more for each element of the state and the output, all twice in
// the layer that goes backwards; what sums of one row need.
CheckedSize RnnGradientOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize ways = getBidirectional() ? 2 : 1, layers = getNumLayers(), hidden = getStateSize();
  CheckedSize projected = int64_t(getProjectionSize().value_or(getStateSize()));
  CheckedSize rows = hidden * gatesOf(getMode()), features = shapes.operands[0][2];
  CheckedSize steps = shapes.operands[0][0] * shapes.operands[0][1], out = ways * projected;
  CheckedSize widest = features + out;
  CheckedSize kept = layers * ways * (rows + hidden) + layers * out;
  return 8 * (steps * (kept + 2 * widest + 2 * rows + projected) + widest + 2 * rows + 3 * hidden +
              3 * projected);
}

// The steps are computed again, and each number of the layers is used twice more for each.
CheckedSize RnnGradientOp::getReferenceWork(const LargestShapes &shapes) {
  return shapes.operands[0][0] * shapes.operands[0][1] * shapes.operandCount(1) * 3;
}

//===----------------------------------------------------------------------===//
// ctc_loss
//===----------------------------------------------------------------------===//

bool CtcLossOp::hasOperand(StringRef name, const ParamView &params) {
  return params.getBool(name == "data_lengths" ? "use_data_lengths" : "use_label_lengths");
}

LogicalResult CtcLossOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &label = scope.input(1);
  if (data.isRanked() && data.rank() != 3) // C1
    return scope.error() << "data has shape " << data.str()
                         << ", needs rank 3: time, batch, classes";
  Dim batch = data.isRanked() ? data[1] : Dim();
  if (failed(scope.refineInput(1, Shape({batch, Dim()}))))
    return failure();
  if (data.isRanked() &&
      failed(scope.need(atLeast(data[0], label[1]), [&](raw_ostream &message) { // C2
        message << "label has shape " << label.str() << ", needs no more labels than data's "
                << data[0].str() << " time steps";
      })))
    return failure();
  for (size_t i = 2; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, Shape({batch}))))
      return failure();
  return scope.refineOutput(0, Shape({batch}));
}

LogicalResult CtcLossOp::inferType(TypeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

// Labels with blanks between them, twice: before and behind a time step.
CheckedSize CtcLossOp::getScratchBytes(const LargestShapes &shapes) {
  return 16 * (2 * shapes.operands[1][1] + 1) + 8 * shapes.operands[1][1];
}

//===----------------------------------------------------------------------===//
// ctc_loss_gradient
//===----------------------------------------------------------------------===//

LogicalResult CtcLossGradientOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0)))) // C1
    return failure();
  const Shape &data = scope.input(0);
  if (!data.isRanked() || data.rank() != 3)
    return success();
  return scope.refineInput(scope.numInputs() - 1, Shape({data[1]})); // C2
}

LogicalResult CtcLossGradientOp::inferType(TypeScope &scope) {
  if (failed(scope.refineInput(scope.numInputs() - 1, scope.input(0))))
    return failure();
  return scope.refineOutput(0, scope.input(0));
}

// Labels with blanks between them for each time step, and three times more; classes.
CheckedSize CtcLossGradientOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize places = 2 * shapes.operands[1][1] + 1;
  return 8 * (places * (shapes.operands[0][0] + 2) + shapes.operands[1][1] + shapes.operands[0][2]);
}

CheckedSize CtcLossGradientOp::getReferenceWork(const LargestShapes &shapes) {
  return shapes.operandCount(0) +
         shapes.operands[0][0] * shapes.operands[0][1] * (4 * shapes.operands[1][1] + 2);
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t RnnOp::getRowAxis(RowScope &rows) {
  if (!rows.hasNone(1))
    return kNoRows;
  for (unsigned i = 0; i < rows.count(); ++i)
    if (!rows.at(i, rows.rank(i) == 1 ? 0 : 1)) // lengths are [N]
      return kNoRows;
  return 1;
}
