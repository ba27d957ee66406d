// Clips.cpp: see Clips.h.
#include "ir/Clips.h"
#include "ir/ControlFlow.h"

using namespace mlir;
using namespace symc::sg;

static StringRef keyOf(bool isLargest) { return isLargest ? "largest" : "least"; }

static std::optional<Clip> clipOf(Attribute attribute) {
  auto entry = dyn_cast<DictionaryAttr>(attribute);
  auto size = entry ? entry.getAs<IntegerAttr>("size") : IntegerAttr();
  for (bool isLargest : {false, true})
    if (auto map = size ? entry.getAs<AffineMapAttr>(keyOf(isLargest)) : AffineMapAttr())
      return Clip{unsigned(size.getInt()), isLargest, map.getValue()};
  return std::nullopt;
}

SmallVector<Clip> symc::sg::clipsOf(Operation *op) {
  SmallVector<Clip> clips;
  // The attribute that the operation verifies.
  StringRef name = isa<GraphOp>(op) ? clipsOfGraph : clipsOfProgram;
  if (auto list = op->getAttrOfType<ArrayAttr>(name))
    for (Attribute each : list)
      clips.push_back(*clipOf(each));
  return clips;
}

std::string symc::sg::badClips(Attribute attribute, int64_t sizes) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  if (!list)
    return "clips are no list";
  int64_t next = 0;
  for (auto [i, each] : llvm::enumerate(list)) {
    std::optional<Clip> clip = clipOf(each);
    if (!clip || clip->size < next || clip->size >= sizes || clip->map.getNumDims() ||
        clip->map.getNumSymbols() > clip->size || !clip->map.getNumResults())
      return "clip " + std::to_string(i) + " needs the number of one of " + std::to_string(sizes) +
             " sizes, rising, and a map over the sizes before it";
    next = clip->size + 1;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

// Whether an expression rises or falls with a symbol (1, -1), or does not have it (0).
static std::optional<int> slopeOf(AffineExpr expr, unsigned symbol) {
  if (!expr.isFunctionOfSymbol(symbol))
    return 0;
  if (isa<AffineSymbolExpr>(expr))
    return 1;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int> left = slopeOf(binary.getLHS(), symbol),
                     right = slopeOf(binary.getRHS(), symbol);
  if (!left || !right)
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return *left * *right < 0 ? std::nullopt : std::optional(*left ? *left : *right);
  case AffineExprKind::Mul:
    if (!constant)
      return std::nullopt;
    return constant.getValue() < 0 ? -*left : constant.getValue() ? *left : 0;
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return constant && constant.getValue() > 0 ? left : std::nullopt;
  default:
    return std::nullopt;
  }
}

static unsigned countSymbols(AffineExpr expr) {
  unsigned count = 0;
  expr.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      count = std::max(count, symbol.getPosition() + 1);
  });
  return count;
}

Interval symc::sg::boundsOf(AffineExpr expr, const SymbolRanges &symbols, ArrayRef<Clip> clips) {
  expr = simplifyAffineExpr(expr, 0, countSymbols(expr));
  Interval bounds = intervalOf(expr, symbols);
  // Of a clip the expression is what it is of one of its operands.
  for (size_t i = clips.size(); i-- > 0;) {
    const Clip &clip = clips[i];
    std::optional<int> slope = slopeOf(expr, clip.size);
    if (slope == 0)
      continue;
    if (!slope)
      break;
    bool isLargest = clip.isLargest == (*slope > 0);
    std::optional<Interval> all;
    for (AffineExpr operand : clip.map.getResults()) {
      AffineExpr one = expr.replace(getAffineSymbolExpr(clip.size, expr.getContext()), operand);
      Interval each = boundsOf(one, symbols, clips.take_front(i));
      if (!all)
        all = each;
      all->min = isLargest ? std::max(all->min, each.min) : std::min(all->min, each.min);
      all->max = isLargest ? std::max(all->max, each.max) : std::min(all->max, each.max);
    }
    return {std::max(bounds.min, all->min), std::min(bounds.max, all->max)};
  }
  return bounds;
}

void symc::sg::setClips(ArrayRef<Clip> clips, MutableArrayRef<int64_t> sizes) {
  for (const Clip &clip : clips) {
    SmallVector<int64_t> values;
    for (AffineExpr operand : clip.map.getResults())
      values.push_back(Dim(operand).valueAt(sizes).get());
    sizes[clip.size] = clip.isLargest ? *llvm::max_element(values) : *llvm::min_element(values);
  }
}

//===----------------------------------------------------------------------===//
// Clips of a graph
//===----------------------------------------------------------------------===//

Clipping::Clipping(Operation *node, bool mayAdd)
    : graph(node->getParentOfType<GraphOp>()), node(node), mayAdd(mayAdd) {
  if (graph.getSymName() == "main") // which nothing calls
    return;
  auto module = node->getParentOfType<ModuleOp>();
  if (auto main = module.lookupSymbol<GraphOp>("main"))
    if (llvm::is_contained(bodiesOf(module), graph))
      graph = main;
}

bool Clipping::isOn(Operation *node, Dim extent) {
  return extent.isKnown() && countSymbols(extent.getExpr()) <= largestSizes(node).size() &&
         !node->getParentOfType<ModuleOp>()->hasAttr(unclipped);
}

static SymbolRanges rangesOf(GraphOp graph) {
  return {graph.getDimMin().value_or(ArrayRef<int64_t>()),
          graph.getDimMax().value_or(ArrayRef<int64_t>())};
}

Dim Clipping::choose(Dim a, Dim b, bool isLargest, int64_t axis) {
  if (!a.isKnown() || !b.isKnown())
    return Dim();
  SmallVector<Clip> clips = clipsOf(graph);
  Dim difference = a - b;
  Interval bounds = boundsOf(difference.getExpr(), rangesOf(graph), clips);
  if (bounds.max <= 0)
    return isLargest ? b : a;
  if (bounds.min >= 0)
    return isLargest ? a : b;
  return clipOf(a, b, isLargest, axis);
}

Dim Clipping::clipOf(Dim a, Dim b, bool isLargest, int64_t axis) {
  SmallVector<Clip> clips = clipsOf(graph);
  AffineExpr exprs[] = {a.getExpr(), b.getExpr()};
  unsigned symbols = std::max(countSymbols(exprs[0]), countSymbols(exprs[1]));
  Clip wanted{0, isLargest, AffineMap::get(0, symbols, exprs, graph.getContext())};
  for (const Clip &clip : clips)
    if (clip.isLargest == isLargest && clip.map == wanted.map)
      return Dim(getAffineSymbolExpr(clip.size, graph.getContext()));
  return mayAdd ? add(wanted, axis) : Dim();
}

Dim Clipping::add(const Clip &clip, int64_t axis) {
  Builder b(graph.getContext());
  SmallVector<int64_t> lows(rangesOf(graph).min), highs(rangesOf(graph).max);
  SmallVector<Clip> clips = clipsOf(graph);
  clips.push_back(clip);
  clips.back().size = highs.size();
  AffineExpr own = getAffineSymbolExpr(clips.back().size, graph.getContext());
  lows.push_back(INT64_MIN);
  highs.push_back(INT64_MAX);
  Interval bounds = boundsOf(own, {lows, highs}, clips);
  lows.back() = bounds.min;
  highs.back() = bounds.max;
  SmallVector<Attribute> names, entries;
  if (ArrayAttr known = graph.getDimNamesAttr())
    names.assign(known.begin(), known.end());
  if (auto known = graph->getAttrOfType<ArrayAttr>(clipsOfGraph))
    entries.assign(known.begin(), known.end());
  names.resize(lows.size() - 1, b.getStringAttr("a size"));
  names.push_back(b.getStringAttr(nodeName(node) + "[" + Twine(axis) + "]"));
  entries.push_back(
      b.getDictionaryAttr({b.getNamedAttr("size", b.getI64IntegerAttr(clips.back().size)),
                           b.getNamedAttr(keyOf(clip.isLargest), AffineMapAttr::get(clip.map))}));
  graph.setDimNamesAttr(b.getArrayAttr(names));
  graph.setDimMinAttr(b.getDenseI64ArrayAttr(lows));
  graph.setDimMaxAttr(b.getDenseI64ArrayAttr(highs));
  graph->setAttr(clipsOfGraph, b.getArrayAttr(entries));
  for (GraphOp body : bodiesOf(graph->getParentOfType<ModuleOp>()))
    shareSizes(graph, body);
  return Dim(own);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Dim Clipping::moved(Dim extent, int64_t place, Dim low, Dim high, int64_t axis) {
  constexpr int64_t beyond = 2 * kMostElements; // of any extent
  place = std::clamp(place, -beyond, beyond);
  Dim at = place < 0 ? extent + place : Dim::constant(place, graph.getContext());
  return least(largest(at, low, axis), high, axis);
}

Dim Clipping::begin(Dim extent, int64_t place, int64_t step, int64_t axis) {
  Dim zero = Dim::constant(0, graph.getContext());
  if (step > 0)
    return place == kNoneElement ? zero : moved(extent, place, zero, extent, axis);
  return place == kNoneElement ? extent - 1 : moved(extent, place, zero - 1, extent - 1, axis);
}

Dim Clipping::end(Dim extent, int64_t place, int64_t step, int64_t axis) {
  Dim zero = Dim::constant(0, graph.getContext());
  if (step > 0)
    return place == kNoneElement ? extent : moved(extent, place, zero, extent, axis);
  return place == kNoneElement ? zero - 1 : moved(extent, place, zero - 1, extent - 1, axis);
}

Dim Clipping::count(Dim first, Dim last, int64_t step, int64_t axis) {
  Dim whole = step > 0 ? ceilDiv(last - first, step) : ceilDiv(first - last, -step);
  Dim zero = Dim::constant(0, graph.getContext());
  if (!whole.isKnown())
    return whole;
  // Of several sizes that rise together the difference need not rise: it gets a range of its own.
  bool rises = isa<AffineSymbolExpr>(whole.getExpr()) ||
               llvm::none_of(clipsOf(graph), [&](const Clip &clip) {
                 return whole.getExpr().isFunctionOfSymbol(clip.size);
               });
  return rises ? largest(whole, zero, axis) : clipOf(whole, zero, true, axis);
}
