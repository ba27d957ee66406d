// Parts.cpp: see Parts.h.
#include "ir/Parts.h"
#include "ir/States.h"

using namespace mlir;
using namespace symc::sg;

static bool hasAny(ArrayAttr all, unsigned i, ArrayRef<StringRef> names) {
  if (!all || i >= all.size())
    return false;
  auto attributes = cast<DictionaryAttr>(all[i]);
  return llvm::any_of(names, [&](StringRef name) { return attributes.contains(name); });
}

bool symc::sg::isOfBackward(GraphOp graph, unsigned result) {
  return hasAny(graph.getResAttrsAttr(), result, {"sg.gradient", backwardName});
}

bool symc::sg::hasBackward(GraphOp graph) {
  if (graph->hasAttr(onePartName))
    return false;
  return llvm::any_of(llvm::seq<unsigned>(0, graph.getResultTypes().size()),
                      [&](unsigned i) { return isOfBackward(graph, i); });
}

StringRef symc::sg::partOfResult(GraphOp graph, unsigned result) {
  return isOfBackward(graph, result) ? "backward" : "forward";
}

StringRef symc::sg::partOfArgument(GraphOp graph, unsigned argument) {
  if (hasAny(graph.getArgAttrsAttr(), argument, {"sg.head_gradient", "sg.added_gradient"}))
    return "backward";
  StringRef state = stateOfArgument(graph, argument);
  for (unsigned i = 0; !state.empty() && i < graph.getResultTypes().size(); ++i)
    if (stateOfResult(graph, i) == state && isOfBackward(graph, i))
      return "both";
  return "forward";
}
