// CheckRows.cpp: sg-check-rows.
//
//   %data : [s0, 3, 8, 8]         rows along axis 0
//   %0 = sg.convolution(%data)    axis 0
//   %1 = sg.transpose(%0)         axis 1
//   %2 = sg.softmax(%1) {axis=1}  error: it combines elements along axis 1
//
// Walks @main once, in its order; each operator declares what it makes of rows (RowsInterface).
#include "ir/GraphDialect.h"
#include "ir/RowsInterface.h"
#include "ir/States.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_CHECKROWS
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

struct CheckRows : symc::impl::CheckRowsBase<CheckRows> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<GraphOp>("main");
    if (main && main.getDimMin() && failed(check(main)))
      signalPassFailure();
  }

  LogicalResult check(GraphOp main) {
    for (BlockArgument argument : main.getBlock().getArguments())
      if (!argument.use_empty() &&
          failed(leads(argument, main.getLoc(),
                       "input '" + main.getInputName(argument.getArgNumber()) + "'")))
        return failure();
    for (Operation &op : main.getBlock().without_terminator()) {
      SmallVector<int64_t> operands;
      for (Value operand : op.getOperands())
        operands.push_back(axes.at(operand));
      if (failed(visit(op, operands)))
        return failure();
    }
    Operation *heads = main.getBlock().getTerminator();
    for (auto [i, head] : llvm::enumerate(heads->getOperands())) {
      if (!stateOfResult(main, i).empty())
        return main.emitError() << "auxiliary state '" << main.getOutputName(i)
                                << "' changes from run to run, so that the parts of a batch would "
                                   "not see the same one";
      if (failed(leads(head, head.getLoc(), "output '" + main.getOutputName(i) + "'")))
        return failure();
    }
    return success();
  }

  LogicalResult visit(Operation &op, ArrayRef<int64_t> operands) {
    RowAnswer answer = rowsOfResults(&op, operands);
    if (!answer.mixed.empty())
      return op.emitError() << "node '" << nodeName(&op) << "' (" << op.getName().getStringRef()
                            << ") does not keep the rows of a batch apart: " << answer.mixed;
    for (auto [result, axis] : llvm::zip(op.getResults(), answer.results))
      axes[result] = axis;
    return success();
  }

  // An input or output: rows along the first axis, or none.
  LogicalResult leads(Value value, Location location, const Twine &what) {
    std::optional<int64_t> axis = rowAxisOf(value.getType());
    if (!axis || (*axis != kNoRows && *axis != 0))
      return emitError(location) << what << " has shape " << shapeOf(value.getType()).str()
                                 << ", its first extent must be that of the batch";
    axes.try_emplace(value, *axis);
    return success();
  }

  llvm::DenseMap<Value, int64_t> axes; // looked up only
};

} // namespace
