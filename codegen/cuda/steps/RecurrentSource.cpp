// RecurrentSource.cpp: kernel.recurrent: one start of the kernel a time step, one thread a unit of
// a sample. A unit's sums go over the state in order, each a chain of multiply-adds. Where the
// number of time steps is known only at run time, starts behind the last one do nothing.
#include "codegen/cuda/BodyText.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"

using namespace mlir;

namespace symc::codegen::cuda {

static LogicalResult writeRecurrent(kernel::RecurrentOp op, KernelWriter &writer) {
  if (op.getScratch())
    return op.emitOpError("internal error: Strassen's product on a CUDA device");
  FailureOr<View> gates = writer.view(op.getGates(), "gates"),
                  weights = writer.view(op.getWeights(), "filter"),
                  state = writer.view(op.getState(), "state"),
                  out = writer.view(op.getOut(), "out");
  FailureOr<View> bias = View(), cell = View(), cellOut = View();
  if (op.getBias())
    bias = writer.view(op.getBias(), "bias");
  if (op.getCell()) {
    cell = writer.view(op.getCell(), "cell");
    cellOut = writer.view(op.getCellOut(), "cell_out");
  }
  if (failed(gates) || failed(weights) || failed(state) || failed(out) || failed(bias) ||
      failed(cell) || failed(cellOut))
    return failure();
  if (!gates->elementType.isF32())
    return op.emitOpError("internal error: no code on a CUDA device for ") << gates->elementType;
  auto constant = [](AffineExpr expr) { return cast<AffineConstantExpr>(expr).getValue(); };
  AffineExpr steps = gates->sizes[0];
  int64_t count = constant(gates->sizes[2]), units = constant(gates->sizes[3]),
          width = constant(weights->sizes.back());
  auto text = [](int64_t value) { return std::to_string(value); };

  std::string round = writer.round(), last = writer.size(steps - 1);
  if (!isa<AffineConstantExpr>(steps)) {
    writer.line("if (" + round + " >= " + writer.size(steps) + ")");
    writer.line("  return;");
  }
  writer.line("const long long time = " + (op.getReverse() ? last + " - " + round : round) + ";");
  SmallVector<std::string> at = writer.walk({gates->sizes[1], gates->sizes[3]});
  std::string block = "(" + at[1] + " / " + text(width) + ")",
              lane = "(" + at[1] + " % " + text(width) + ")";
  std::string before = op.getReverse() ? "(time + 1)" : "(time - 1)";
  writer.line("const float *const previous = " + round + " ? &" +
              writer.element(*out, {before, at[0], "0"}) + " : &" +
              writer.element(*state, {at[0], "0"}) + ";");
  writer.line("float sum[" + text(count) + "] = {};");
  writer.open("for (int k = 0; k < " + text(units) + "; ++k)");
  writer.line("const float x = previous[k];");
  writer.line("#pragma unroll");
  writer.open("for (int gate = 0; gate < " + text(count) + "; ++gate)");
  writer.line("sum[gate] = fmaf(x, " + writer.load(*weights, {block, "k", "gate", "0", "0", lane}) +
              ", sum[gate]);");
  writer.close();
  writer.close();
  SmallVector<std::string> arguments;
  for (int64_t gate = 0; gate < count; ++gate)
    arguments.push_back("sum[" + text(gate) + "]");
  for (int64_t gate = 0; gate < count; ++gate)
    arguments.push_back(writer.load(*gates, {"time", at[0], text(gate), at[1]}));
  for (int64_t gate = 0; gate < count && op.getBias(); ++gate)
    arguments.push_back(writer.load(*bias, {block, "0", text(gate), "0", "0", lane}));
  arguments.push_back("previous[" + at[1] + "]");
  if (op.getCell())
    arguments.push_back("(" + round + " ? " + writer.load(*cellOut, at) + " : " +
                        writer.load(*cell, at) + ")");
  FailureOr<SmallVector<std::string>> results = writeBody(writer, op.getBody(), arguments);
  if (failed(results))
    return failure();
  writer.store(*out, {"time", at[0], at[1]}, results->front());
  if (op.getCell())
    writer.store(*cellOut, at, results->back());
  writer.close();
  writer.rounds(writer.largest(steps));
  return success();
}

void registerRecurrentSource(DialectRegistry &registry) {
  addSource<kernel::RecurrentOp, writeRecurrent>(registry);
}

} // namespace symc::codegen::cuda
