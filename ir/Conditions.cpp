// Conditions.cpp: see Conditions.h.
#include "ir/Conditions.h"

#include "ir/Clips.h"

using namespace mlir;
using namespace symc::sg;

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
  SymbolRanges symbols{leastOf(graph), mostOf(graph)};
  SmallVector<Clip> clips = clipsOf(graph);
  for (Need::Term term : need.getTerms()) {
    if (!isa<AffineConstantExpr>(term.expr))
      term.expr = simplifyAffineExpr(term.expr, 0, countSymbols(term));
    Interval range = boundsOf(term.expr, symbols, clips);
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
