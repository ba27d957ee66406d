// Control.cpp: parameters of loops and choices, and how they meet their bodies; the
// numbered constraints are those of Control.td. Shapes and types across the call are
// refined by ir/InferGraph.h, which crosses the calls (C3).
#include "ir/ops/Control.h"
#include "ir/ControlFlow.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Control.cpp.inc"

void symc::sg::registerControlOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Control.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static std::string checkGathered(const ParamView &params, StringRef states) {
  int64_t gathered = params.getInt("num_out_data"), results = params.getInt("num_outputs");
  if (gathered > results)
    return "parameter 'num_out_data' is " + std::to_string(gathered) +
           ", needs at most num_outputs = " + std::to_string(results);
  int64_t carried = params.getTuple(states).size();
  if (carried != results - gathered)
    return "parameter '" + states.str() + "' names " + std::to_string(carried) +
           " inputs, needs one for each of the " + std::to_string(results - gathered) +
           " results that are not gathered";
  return {};
}

std::string ForeachOp::checkParams(const ParamView &params) { // C1
  if (params.getTuple("in_data_locs").empty() && !params.getBool("counted"))
    return "parameter 'in_data_locs' is empty, needs data to go through";
  return checkGathered(params, "in_state_locs");
}
std::string WhileLoopOp::checkParams(const ParamView &params) { // C1
  return checkGathered(params, "func_var_locs");
}
std::string CondOp::checkParams(const ParamView &) { return {}; }

// Inference crosses the calls itself, since it sees the bodies.
LogicalResult ForeachOp::inferShape(ShapeScope &) { return success(); } // C2, C3, C4: bodyCalls
LogicalResult ForeachOp::inferType(TypeScope &) { return success(); }
LogicalResult WhileLoopOp::inferShape(ShapeScope &) { return success(); } // C2, C3: bodyCalls
LogicalResult WhileLoopOp::inferType(TypeScope &) { return success(); }
LogicalResult CondOp::inferShape(ShapeScope &) { return success(); } // C1, C2: bodyCalls
LogicalResult CondOp::inferType(TypeScope &) { return success(); }

// What the kernels take of their scratch (runtime/kernels/reference/control.cpp): addresses,
// each list of them aligned, a condition, and a second place for what is carried, since one
// iteration reads the one and writes the other.
static CheckedSize addressBytes(size_t count) { return llvm::alignTo(8 * count, 64); }

static CheckedSize carriedBytes(Operation *op, const LargestShapes &shapes, size_t gathered) {
  CheckedSize bytes = 0;
  for (size_t i = gathered; i < op->getNumResults(); ++i)
    bytes +=
        alignTo(shapes.resultCount(i) * typeBytes(elementTypeOf(op->getResult(i).getType())), 64);
  return bytes;
}
CheckedSize ForeachOp::getScratchBytes(const LargestShapes &shapes) {
  return addressBytes(getNumOperands() + getNumResults()) +
         carriedBytes(*this, shapes, getNumOutData());
}
CheckedSize WhileLoopOp::getScratchBytes(const LargestShapes &shapes) {
  return addressBytes(getCondInputLocs().size() + 1) +
         addressBytes(getFuncInputLocs().size() + getNumResults()) +
         addressBytes(getFuncVarLocs().size()) + addressBytes(1) +
         carriedBytes(*this, shapes, getNumOutData());
}
CheckedSize CondOp::getScratchBytes(const LargestShapes &) {
  return addressBytes(1) + addressBytes(getCondInputLocs().size() + 1) +
         addressBytes(std::max(getThenInputLocs().size(), getElseInputLocs().size()) +
                      getNumResults());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

/// Fills in the calls of one node; every question that fails reports an error.
class CallReader {
public:
  CallReader(Operation *op, MutableArrayRef<BodyCall> calls) : op(op), calls(calls) {}

  LogicalResult readForeach(ForeachOp foreach) {
    size_t total = foreach.getInDataLocs().size() + foreach.getInStateLocs().size() +
                   foreach.getRemainLocs().size();
    if (failed(checkCount(0, total, "the locations")) ||
        failed(checkHeads(0, foreach.getNumOutputs())))
      return failure();
    size_t needed = total + (foreach.getCounted() ? 1 : 0);
    if (op->getNumOperands() != needed)
      return error() << "there are " << op->getNumOperands() << " operands, the locations need "
                     << needed;
    llvm::SmallVector<bool> named(total, false);
    unsigned operand = 0;
    for (auto [locs, isElement, isCarried] : {std::tuple(foreach.getInDataLocs(), true, false),
                                              std::tuple(foreach.getInStateLocs(), false, true),
                                              std::tuple(foreach.getRemainLocs(), false, false)})
      for (int64_t loc : locs) {
        if (loc < 0 || loc >= static_cast<int64_t>(total) || named[loc])
          return error() << "location " << loc << " is named twice or is no input of the subgraph, "
                         << "which has " << total;
        named[loc] = true;
        calls[0].inputs[loc] = {operand++, isElement, isCarried};
      }
    unsigned firstState = foreach.getInDataLocs().size();
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      bool gathered = i < foreach.getNumOutData();
      std::optional<unsigned> carriedBy;
      if (!gathered)
        carriedBy = firstState + i - static_cast<unsigned>(foreach.getNumOutData());
      calls[0].heads.push_back({i, gathered, carriedBy});
    }
    return success();
  }

  LogicalResult readWhile(WhileLoopOp loop) {
    if (failed(readInputs(0, loop.getCondInputLocs(), "cond_input_locs")) ||
        failed(readInputs(1, loop.getFuncInputLocs(), "func_input_locs")) ||
        failed(checkHeads(0, 1)) || failed(checkHeads(1, loop.getNumOutputs())))
      return failure();
    calls[1].iterations =
        Dim::constant(static_cast<int64_t>(loop.getMaxIterations()), op->getContext());
    calls[0].heads.push_back({std::nullopt, false, std::nullopt});
    SmallVector<unsigned> variables;
    for (int64_t loc : loop.getFuncVarLocs()) {
      if (loc < 0 || loc >= static_cast<int64_t>(calls[1].inputs.size()))
        return error() << "location " << loc << " of func_var_locs is none of the "
                       << calls[1].inputs.size() << " inputs of the subgraph";
      variables.push_back(calls[1].inputs[loc].operand);
    }
    for (BodyCall &call : calls)
      for (BodyCall::Input &input : call.inputs)
        input.isCarried = llvm::is_contained(variables, input.operand);
    unsigned gathered = loop.getNumOutData();
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      calls[1].heads.push_back(
          {i, i < gathered,
           i < gathered ? std::nullopt : std::optional<unsigned>(variables[i - gathered])});
    return success();
  }

  LogicalResult readCond(CondOp cond) {
    if (failed(readInputs(0, cond.getCondInputLocs(), "cond_input_locs")) ||
        failed(readInputs(1, cond.getThenInputLocs(), "then_input_locs")) ||
        failed(readInputs(2, cond.getElseInputLocs(), "else_input_locs")) ||
        failed(checkHeads(0, 1)) || failed(checkHeads(1, cond.getNumOutputs())) ||
        failed(checkHeads(2, cond.getNumOutputs())))
      return failure();
    calls[0].heads.push_back({std::nullopt, false, std::nullopt});
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      for (size_t branch : {1, 2})
        calls[branch].heads.push_back({i, false, std::nullopt});
    return success();
  }

private:
  InFlightDiagnostic error() { return nodeError(op); }

  LogicalResult checkCount(size_t call, size_t found, StringRef what) {
    if (found == calls[call].inputs.size())
      return success();
    return error() << what << " name " << found << " inputs, but the subgraph has "
                   << calls[call].inputs.size();
  }
  LogicalResult checkHeads(size_t call, size_t wanted) {
    size_t found = calls[call].body.getBlock().getTerminator()->getNumOperands();
    if (found == wanted)
      return success();
    return error() << "the subgraph has " << found << " heads, needs " << wanted;
  }

  LogicalResult readInputs(size_t call, ArrayRef<int64_t> locs, StringRef what) {
    if (failed(checkCount(call, locs.size(), what)))
      return failure();
    for (auto [i, loc] : llvm::enumerate(locs)) {
      if (loc < 0 || loc >= static_cast<int64_t>(op->getNumOperands()))
        return error() << "location " << loc << " of " << what << " is none of the "
                       << op->getNumOperands() << " operands";
      calls[call].inputs[i] = {static_cast<unsigned>(loc), false, false};
    }
    return success();
  }

  Operation *op;
  MutableArrayRef<BodyCall> calls;
};

} // namespace

size_t ForeachOp::countBodies() { return 1; }
LogicalResult ForeachOp::readCalls(MutableArrayRef<BodyCall> calls) {
  return CallReader(*this, calls).readForeach(*this);
}
size_t WhileLoopOp::countBodies() { return 2; }
LogicalResult WhileLoopOp::readCalls(MutableArrayRef<BodyCall> calls) {
  return CallReader(*this, calls).readWhile(*this);
}
size_t CondOp::countBodies() { return 3; }
LogicalResult CondOp::readCalls(MutableArrayRef<BodyCall> calls) {
  return CallReader(*this, calls).readCond(*this);
}
