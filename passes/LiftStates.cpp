// LiftStates.cpp: sg-lift-states.
//
//   sg.graph @main(%x) -> (%y, %new {sg.state = "mom"}):    %old = sg.parameter @mom
//
//   sg.graph @main(%x, %old {sg.state = "mom"}) -> (%y, %new {sg.state = "mom"})
//
// Behind it sg.parameter is a constant wherever it stands. States are the last arguments, in
// the order of the results that are their new values.
#include "ir/States.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_LIFTSTATES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

struct LiftStates : symc::impl::LiftStatesBase<LiftStates> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<GraphOp>("main");
    if (!main)
      return;
    Builder builder(&getContext());
    SmallVector<Attribute> attributes;
    if (ArrayAttr known = main.getArgAttrsAttr())
      attributes.assign(known.begin(), known.end());
    attributes.resize(main.getBlock().getNumArguments(), builder.getDictionaryAttr({}));
    for (unsigned i = 0; i < main.getNumResults(); ++i) {
      StringRef state = stateOfResult(main, i);
      if (state.empty() || isArgument(main, state))
        continue;
      auto weight = getOperation().lookupSymbol<WeightOp>(state);
      if (!weight) {
        main.emitError("internal error: no sg.weight @") << state;
        return signalPassFailure();
      }
      BlockArgument value = main.getBlock().addArgument(weight.getType(), weight.getLoc());
      attributes.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("sg.name", builder.getStringAttr(main.getOutputName(i))),
           builder.getNamedAttr("sg.state", builder.getStringAttr(state))}));
      SmallVector<ParameterOp> parameters(main.getBlock().getOps<ParameterOp>());
      for (ParameterOp parameter : parameters)
        if (parameter.getWeight() == state) {
          parameter.getResult().replaceAllUsesWith(value);
          parameter.erase();
        }
      main.updateType();
      main.setArgAttrsAttr(builder.getArrayAttr(attributes));
    }
  }

  static bool isArgument(GraphOp main, StringRef state) {
    for (unsigned i = 0; i < main.getBlock().getNumArguments(); ++i)
      if (stateOfArgument(main, i) == state)
        return true;
    return false;
  }
};

} // namespace
