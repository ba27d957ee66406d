//===- Sequences.cpp - ONNX's lists of tensors ------------------------------===//
//
// A sequence is a list of values while a graph is read: no operation is made for it. Places in it
// have to be known.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

using Elements = std::vector<Operand>;

static bool giveSequence(NodeScope &node, Elements elements) {
  node.results.resize(1);
  node.results[0].sequence = std::make_shared<const Elements>(std::move(elements));
  return true;
}

static const Elements *sequenceOf(NodeScope &node, size_t i) {
  if (const Elements *elements = node.sequence(i))
    return elements;
  node.refuse("operand " + Twine(i) + " is no sequence");
  return nullptr;
}

// A place in a sequence that has `count` of them; counted from the end below 0.
static std::optional<size_t> placeOf(NodeScope &node, size_t operand, size_t count) {
  auto given = node.numbers(operand);
  if (!given)
    return std::nullopt;
  auto extent = int64_t(count);
  int64_t place = given->empty() ? extent : (*given)[0];
  if (place < -extent || place >= extent) {
    node.refuse("the place " + Twine(place) + " is not within a sequence of " + Twine(count) +
                " places");
    return std::nullopt;
  }
  return size_t(place < 0 ? place + extent : place);
}

bool sequenceConstruct(NodeScope &node) {
  Elements elements;
  for (size_t i = 0; i < node.count(); ++i)
    elements.push_back(node.operands[i]);
  return giveSequence(node, std::move(elements));
}

bool sequenceEmpty(NodeScope &node) { return giveSequence(node, {}); }

bool sequenceInsert(NodeScope &node) {
  const Elements *elements = sequenceOf(node, 0);
  if (!elements)
    return false;
  Elements made = *elements;
  size_t place = made.size();
  if (node.has(2)) {
    auto given = node.numbers(2);
    if (!given)
      return false;
    auto extent = int64_t(made.size());
    int64_t number = given->empty() ? extent : (*given)[0];
    if (number < -extent || number > extent)
      return node.refuse("the place " + Twine(number) + " is not within a sequence of " +
                         Twine(extent) + " places");
    place = size_t(number < 0 ? number + extent : number);
  }
  made.insert(made.begin() + long(place), node.operands[1]);
  return giveSequence(node, std::move(made));
}

bool sequenceErase(NodeScope &node) {
  const Elements *elements = sequenceOf(node, 0);
  if (!elements)
    return false;
  Elements made = *elements;
  size_t place = made.empty() ? 0 : made.size() - 1;
  if (node.has(1)) {
    auto given = placeOf(node, 1, made.size());
    if (!given)
      return false;
    place = *given;
  }
  if (made.empty())
    return node.refuse("its sequence is empty");
  made.erase(made.begin() + long(place));
  return giveSequence(node, std::move(made));
}

bool sequenceAt(NodeScope &node) {
  const Elements *elements = sequenceOf(node, 0);
  auto place = elements ? placeOf(node, 1, elements->size()) : std::nullopt;
  if (!place)
    return false;
  node.results = {(*elements)[*place]};
  return true;
}

bool sequenceLength(NodeScope &node) {
  const Elements *elements = sequenceOf(node, 0);
  if (!elements)
    return false;
  Known known = Known::scalar(int64_t(elements->size()), int64Type(node));
  return node.give(node.constant(known), known);
}

bool splitToSequence(NodeScope &node) {
  auto axis = node.axis(node.integer("axis"), node.rank(0));
  if (!axis)
    return false;
  sg::Dim extent = node.shape(0)[*axis];
  if (!extent.isStatic())
    return node.refuse("the extent of the axis that is split is chosen at run time");
  SmallVector<int64_t> sizes;
  bool drops = false;
  if (!node.has(1)) {
    sizes.assign(size_t(extent.get()), 1);
    drops = node.integer("keepdims") == 0;
  } else {
    auto given = node.numbers(1);
    if (!given)
      return false;
    if (node.rank(1) > 0)
      sizes = *given;
    else if ((*given)[0] < 1)
      return node.refuse("split has the size " + Twine((*given)[0]));
    for (int64_t at = 0; node.rank(1) == 0 && at < extent.get(); at += (*given)[0])
      sizes.push_back(std::min((*given)[0], extent.get() - at));
  }
  if (!checkSplit(node, sizes, extent))
    return false;
  Elements elements;
  int64_t at = 0;
  for (int64_t size : sizes) {
    Operand part;
    part.value = size == extent.get() ? node.in(0) : node.slice(node.in(0), *axis, at, at + size);
    if (drops && part.value) {
      sg::Shape shape = node.shape(0);
      SmallVector<sg::Dim> dims(shape.list());
      dims.erase(dims.begin() + *axis);
      part.value = node.reshape(part.value, sg::Shape(dims));
    }
    if (!part.value)
      return false;
    elements.push_back(part);
    at += size;
  }
  return giveSequence(node, std::move(elements));
}

bool concatFromSequence(NodeScope &node) {
  const Elements *elements = sequenceOf(node, 0);
  if (!elements)
    return false;
  if (elements->empty())
    return node.refuse("its sequence is empty");
  bool isNew = node.integer("new_axis") != 0;
  int64_t rank = int64_t(sg::shapeOf(elements->front().value.getType()).rank()) + (isNew ? 1 : 0);
  auto axis = node.axis(node.integer("axis"), rank);
  if (!axis)
    return false;
  SmallVector<Value> parts;
  for (const Operand &each : *elements)
    parts.push_back(isNew ? node.expandDims(each.value, *axis) : each.value);
  return node.give(node.concat(parts, *axis));
}

} // namespace symc::onnx::ops
