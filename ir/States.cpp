// States.cpp: see States.h.
#include "ir/States.h"

using namespace mlir;
using namespace symc::sg;

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

static std::optional<Growth> growthIn(DictionaryAttr attributes) {
  auto pair = attributes ? attributes.getAs<DenseI64ArrayAttr>(growsName) : DenseI64ArrayAttr();
  return pair && pair.size() == 2 ? std::optional(Growth{pair[0], pair[1]}) : std::nullopt;
}

static std::optional<Growth> growthIn(ArrayAttr all, unsigned i) {
  return all && i < all.size() ? growthIn(cast<DictionaryAttr>(all[i])) : std::nullopt;
}

std::optional<Growth> symc::sg::growthOfArgument(GraphOp graph, unsigned i) {
  return growthIn(graph.getArgAttrsAttr(), i);
}

std::optional<Growth> symc::sg::growthOfResult(GraphOp graph, unsigned i) {
  return growthIn(graph.getResAttrsAttr(), i);
}

std::optional<Growth> symc::sg::growthOf(Operation *concat) {
  return growthIn(concat->getDiscardableAttrDictionary());
}
