// States.cpp: see States.h.
#include "ir/States.h"

using namespace mlir;

static StringRef stateIn(ArrayAttr all, unsigned i) {
  if (!all || i >= all.size())
    return {};
  auto state = cast<DictionaryAttr>(all[i]).getAs<StringAttr>("sg.state");
  return state ? state.getValue() : StringRef();
}

StringRef symc::sg::stateOfArgument(GraphOp graph, unsigned i) {
  return stateIn(graph.getArgAttrsAttr(), i);
}

StringRef symc::sg::stateOfResult(GraphOp graph, unsigned i) {
  return stateIn(graph.getResAttrsAttr(), i);
}
