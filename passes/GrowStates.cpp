// GrowStates.cpp: sg-grow-states.
//
//   sg.graph @main(%past {sg.grows = [1, 64]}, %x) -> (%y, %all):     %all = sg.concat(%past, %new)
//
//   sg.graph @main(%x, %past {sg.state = "past", sg.grows = [1, 64]})
//     -> (%y, %all {sg.state = "past", sg.grows = [1, 64]}):          the same node, with sg.grows
//
// The schedule writes %new behind the rows of %past, in the state's memory, and all who read %all
// read it there.
#include "ir/Conditions.h"
#include "ir/States.h"
#include "ir/ops/Slice.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_GROWSTATES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

struct GrowStates : symc::impl::GrowStatesBase<GrowStates> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<GraphOp>("main");
    if (!main)
      return;
    SmallVector<BlockArgument> growing;
    for (BlockArgument argument : main.getBlock().getArguments())
      if (unsigned i = argument.getArgNumber();
          growthOfArgument(main, i) && stateOfArgument(main, i).empty())
        growing.push_back(argument);
    for (BlockArgument argument : growing)
      if (failed(grow(main, argument)))
        return signalPassFailure();
  }

  static InFlightDiagnostic refuse(GraphOp main, BlockArgument argument) {
    return emitError(argument.getLoc())
           << "input '" << main.getInputName(argument.getArgNumber()) << "' cannot grow: ";
  }

  // The one concatenation that appends to the argument; equal ones become one. Null after an error.
  static ConcatOp findConcat(GraphOp main, BlockArgument argument, Growth growth) {
    ConcatOp found;
    int64_t rank = shapeOf(argument.getType()).rank();
    for (auto concat : llvm::make_early_inc_range(main.getBlock().getOps<ConcatOp>())) {
      if (concat->getOperand(0) != argument ||
          (int64_t(concat.getDim()) + rank) % rank != growth.axis)
        continue;
      if (llvm::is_contained(concat->getOperands().drop_front(), argument)) {
        refuse(main, argument) << "'" << nodeName(concat) << "' appends it to itself";
        return {};
      }
      if (!found) {
        found = concat;
        continue;
      }
      if (!llvm::equal(found->getOperands(), concat->getOperands())) {
        refuse(main, argument) << "'" << nodeName(found) << "' and '" << nodeName(concat)
                               << "' both append to it along axis " << growth.axis;
        return {};
      }
      concat.getOutput().replaceAllUsesWith(found.getOutput());
      concat.erase();
    }
    if (!found)
      refuse(main, argument) << "it is the first operand of no concatenation along axis "
                             << growth.axis;
    return found;
  }

  static LogicalResult grow(GraphOp main, BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    Growth growth = *growthOfArgument(main, number);
    Shape shape = shapeOf(argument.getType());
    if (growth.axis < 0 || growth.axis >= int64_t(shape.rank()))
      return refuse(main, argument)
             << "axis " << growth.axis << " is out of range for shape " << shape.str();
    for (auto [axis, extent] : llvm::enumerate(shape.list()))
      if (int64_t(axis) != growth.axis && !extent.isStatic())
        return refuse(main, argument) << "it has shape " << shape.str()
                                      << ", and extents along other axes need to be fixed";
    ConcatOp concat = findConcat(main, argument, growth);
    if (!concat)
      return failure();
    if (growthOf(concat)) // equal operands: it appends to one argument alone
      return concat.emitError("internal error: a concatenation grows two states");
    StringAttr name = StringAttr::get(main.getContext(), main.getInputName(number));
    Dim rows = shapeOf(concat.getOutput().getType())[growth.axis];
    if (failed(needRoom(main, argument, rows, growth)))
      return failure();
    Builder builder(main.getContext());
    auto grows = builder.getDenseI64ArrayAttr({growth.axis, growth.rows});
    concat->setAttr(growsName, grows);
    DictionaryAttr marks = builder.getDictionaryAttr({builder.getNamedAttr("sg.name", name),
                                                      builder.getNamedAttr("sg.state", name),
                                                      builder.getNamedAttr(growsName, grows)});
    // Arguments, the state as the last one.
    SmallVector<Attribute> attributes;
    if (ArrayAttr known = main.getArgAttrsAttr())
      attributes.assign(known.begin(), known.end());
    attributes.resize(main.getBlock().getNumArguments(), builder.getDictionaryAttr({}));
    BlockArgument state = main.getBlock().addArgument(argument.getType(), argument.getLoc());
    argument.replaceAllUsesWith(state);
    main.getBlock().eraseArgument(number);
    attributes.erase(attributes.begin() + number);
    attributes.push_back(marks);
    // Results, likewise.
    Operation *heads = main.getBlock().getTerminator();
    SmallVector<Value> values;
    SmallVector<Attribute> results;
    for (auto [i, value] : llvm::enumerate(heads->getOperands())) {
      if (value == concat.getOutput() && stateOfResult(main, i).empty())
        continue;
      values.push_back(value);
      ArrayAttr known = main.getResAttrsAttr();
      results.push_back(known && i < known.size() ? known[i] : builder.getDictionaryAttr({}));
    }
    values.push_back(concat.getOutput());
    results.push_back(marks);
    heads->setOperands(values);
    main.updateType();
    main.setArgAttrsAttr(builder.getArrayAttr(attributes));
    main.setResAttrsAttr(builder.getArrayAttr(results));
    return success();
  }

  // Behind a run the state is no longer than its memory. A condition even where the range of its
  // size proves it: a state may be set to all that there is room for.
  static LogicalResult needRoom(GraphOp main, BlockArgument argument, Dim rows, Growth growth) {
    Conditions conditions(main);
    Need need = atMost(rows, growth.rows);
    SmallVector<Need::Term> open;
    if (conditions.judge(need, open) == Conditions::Verdict::Fails)
      return refuse(main, argument) << "a run would make it " << rows.str()
                                    << " long, and it has room for " << growth.rows;
    std::string name = main.getInputName(argument.getArgNumber()).str();
    conditions.add(need.getTerms(), "state '" + name + "' would grow to " + rows.str() +
                                        ", and it has room for " + std::to_string(growth.rows));
    conditions.write();
    return success();
  }
};

} // namespace
