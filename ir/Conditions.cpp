// Conditions.cpp: see Conditions.h.
#include "ir/Conditions.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace symc::sg;

namespace {

/// The values that an expression can take. Bounds stop at the ends of int64_t.
struct Interval {
  int64_t min, max;
};

} // namespace

static int64_t product(int64_t a, int64_t b) {
  int64_t result;
  if (!llvm::MulOverflow(a, b, result))
    return result;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

static int64_t sum(int64_t a, int64_t b) {
  int64_t result;
  if (!llvm::AddOverflow(a, b, result))
    return result;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

// Never too narrow: a symbol that stands twice counts as two.
static Interval intervalOf(AffineExpr expr, ArrayRef<Interval> symbols) {
  const Interval any{INT64_MIN, INT64_MAX};
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbol.getPosition() < symbols.size() ? symbols[symbol.getPosition()] : any;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return any;
  if (binary.getKind() == AffineExprKind::Mul && binary.getLHS() == binary.getRHS()) {
    Interval a = intervalOf(binary.getLHS(), symbols);
    int64_t low = product(a.min, a.min), high = product(a.max, a.max);
    return {a.min <= 0 && a.max >= 0 ? 0 : std::min(low, high), std::max(low, high)};
  }
  Interval a = intervalOf(binary.getLHS(), symbols), b = intervalOf(binary.getRHS(), symbols);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return {sum(a.min, b.min), sum(a.max, b.max)};
  case AffineExprKind::Mul: {
    int64_t corners[] = {product(a.min, b.min), product(a.min, b.max), product(a.max, b.min),
                         product(a.max, b.max)};
    return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  }
  default:
    break;
  }
  if (b.min != b.max || b.min < 1)
    return any;
  if (binary.getKind() == AffineExprKind::FloorDiv)
    return {llvm::divideFloorSigned(a.min, b.min), llvm::divideFloorSigned(a.max, b.min)};
  if (binary.getKind() == AffineExprKind::CeilDiv)
    return {llvm::divideCeilSigned(a.min, b.min), llvm::divideCeilSigned(a.max, b.min)};
  if (a.min == a.max && a.min >= 0)
    return {a.min % b.min, a.min % b.min};
  return {0, b.min - 1};
}

static ArrayRef<int64_t> leastOf(GraphOp graph) {
  return graph.getDimMin().value_or(ArrayRef<int64_t>());
}
static ArrayRef<int64_t> mostOf(GraphOp graph) {
  return graph.getDimMax().value_or(ArrayRef<int64_t>());
}

static unsigned countSymbols(ArrayRef<Need::Term> terms) {
  unsigned count = 0;
  for (const Need::Term &term : terms)
    term.expr.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        count = std::max(count, symbol.getPosition() + 1);
    });
  return count;
}

Conditions::Conditions(GraphOp graph) : graph(graph) {
  if (!graph.getConditions() || !graph.getSentences())
    return;
  for (auto [set, sentence] : llvm::zip(*graph.getConditions(), *graph.getSentences()))
    found.insert({set, sentence});
}

Conditions::Verdict Conditions::judge(const Need &need, SmallVectorImpl<Need::Term> &open) const {
  SmallVector<Interval> symbols;
  for (auto [least, most] : llvm::zip(leastOf(graph), mostOf(graph)))
    symbols.push_back({least, most});
  for (Need::Term term : need.getTerms()) {
    if (!isa<AffineConstantExpr>(term.expr))
      term.expr = simplifyAffineExpr(term.expr, 0, countSymbols(term));
    Interval range = intervalOf(term.expr, symbols);
    if (range.max < 0 || (term.isZero && range.min > 0))
      return Verdict::Fails;
    if (term.isZero ? range.min < 0 || range.max > 0 : range.min < 0)
      open.push_back(term);
  }
  return open.empty() ? Verdict::Holds : Verdict::Open;
}

void Conditions::add(ArrayRef<Need::Term> open, const Twine &sentence) {
  SmallVector<AffineExpr> exprs;
  SmallVector<bool> areZero;
  for (const Need::Term &term : open) {
    exprs.push_back(term.expr);
    areZero.push_back(term.isZero);
  }
  auto set = IntegerSet::get(0, countSymbols(open), exprs, areZero);
  if (Attribute &known = found[IntegerSetAttr::get(set)]; !known)
    known = StringAttr::get(graph.getContext(), sentence);
}

void Conditions::explain(InFlightDiagnostic &diagnostic, const Need &need) const {
  GraphOp owner = graph;
  SmallVector<bool> met(leastOf(owner).size());
  for (const Need::Term &term : need.getTerms())
    term.expr.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part);
          symbol && symbol.getPosition() < met.size())
        met[symbol.getPosition()] = true;
    });
  for (auto [i, isMet] : llvm::enumerate(met))
    if (isMet)
      diagnostic.attachNote(owner.getLoc())
          << "s" << i << " is "
          << (owner.getDimNames() ? cast<StringAttr>((*owner.getDimNames())[i]).getValue()
                                  : StringRef("a size"))
          << ", " << leastOf(owner)[i] << ".." << mostOf(owner)[i];
}

void Conditions::write() {
  if (found.empty())
    return;
  SmallVector<Attribute> sets, sentences;
  for (auto [set, sentence] : found) {
    sets.push_back(set);
    sentences.push_back(sentence);
  }
  Builder builder(graph.getContext());
  graph.setConditionsAttr(builder.getArrayAttr(sets));
  graph.setSentencesAttr(builder.getArrayAttr(sentences));
}

static std::string written(llvm::function_ref<void(llvm::raw_ostream &)> message) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  message(stream);
  return text;
}

LogicalResult ShapeScope::refuse(llvm::function_ref<void(llvm::raw_ostream &)> message) {
  return error() << written(message);
}

LogicalResult ShapeScope::need(const Need &need,
                               llvm::function_ref<void(llvm::raw_ostream &)> message) {
  SmallVector<Need::Term> open;
  switch (conditions->judge(need, open)) {
  case Conditions::Verdict::Holds:
    return success();
  case Conditions::Verdict::Open:
    conditions->add(open, "node '" + nodeName(op) + "': " + written(message));
    return success();
  case Conditions::Verdict::Fails:
    break;
  }
  InFlightDiagnostic diagnostic = error() << written(message);
  conditions->explain(diagnostic, need);
  return diagnostic;
}
