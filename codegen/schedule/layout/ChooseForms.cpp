// ChooseForms.cpp: form, plain or blocked. Layers with tile kernels read and write blocks, calls
// and reshapes rows; elementwise groups, concatenations along channels and parts of images can do
// either, as their rules' plans have it. A value that is read in another form than it is written in
// costs its bytes twice, once, however many readers. The cheapest assignment is a minimum cut
// between "blocked" and "plain", so it is exact for any graph.
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/layout/FormCut.h"
#include "codegen/schedule/layout/GraphLayouts.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

/// Chooses the forms of one graph.
class FormChooser {
public:
  explicit FormChooser(GraphLayouts &layouts) : layouts(layouts), t(layouts.t) {}
  void run(GraphOp graph);

private:
  /// What is decided of a node before the cut: its vertex.
  FormCut::Vertex vertexOf(Operation *op);
  /// The vertex whose side is the form in which `use` is read; none if it reads either.
  std::optional<FormCut::Vertex> readerOf(OpOperand &use);

  GraphLayouts &layouts;
  const Tensors &t;
  FormCut cut;
  DenseMap<Operation *, FormCut::Vertex> vertices; // looked up only
  // Operands that nodes read in another form than their own.
  DenseMap<Operation *, SmallVector<std::pair<Value, RuleForms::Kind>, 2>> operands;
  SmallVector<std::pair<Operation *, FormCut::Vertex>> free;
};

} // namespace

FormCut::Vertex FormChooser::vertexOf(Operation *op) {
  std::optional<PlannedStep> step;
  if (hasRules(op))
    step = matchRules(layouts.view(op));
  RuleForms forms = step ? step->forms : RuleForms();
  operands[op] = forms.operands;
  if (forms.kind != RuleForms::Either)
    return forms.kind == RuleForms::Blocked ? FormCut::blocked : FormCut::plain;
  FormCut::Vertex vertex = cut.add();
  free.push_back({op, vertex});
  cut.costIfPlain(vertex, forms.costIfPlain);
  cut.costIfBlocked(vertex, forms.costIfBlocked);
  return vertex;
}

std::optional<FormCut::Vertex> FormChooser::readerOf(OpOperand &use) {
  Operation *op = use.getOwner();
  for (auto [value, kind] : operands[op])
    if (value == use.get())
      switch (kind) {
      case RuleForms::Either:
        return std::nullopt;
      case RuleForms::Plain:
        return FormCut::plain;
      case RuleForms::Blocked:
        return FormCut::blocked;
      }
  return vertices.lookup(op);
}

void FormChooser::run(GraphOp graph) {
  for (Operation &op : graph.getBlock())
    vertices[&op] = vertexOf(&op);
  auto connect = [&](Value value, FormCut::Vertex producer) {
    if (Tensors::isWeight(value) || !channelsOf(value))
      return;
    SmallVector<AffineExpr, 4> image = t.imageShape(value);
    bool pixel = image[2] == t.constant(1) && image[3] == t.constant(1);
    if (pixel && *channelsOf(value) % t.blockWidth == 0)
      return; // both forms are the same bytes
    SmallVector<FormCut::Vertex> readers;
    for (OpOperand &use : value.getUses())
      if (std::optional<FormCut::Vertex> reader = readerOf(use))
        readers.push_back(*reader);
    cut.costIfForeign(producer, readers, 2 * bytesOf(value));
  };
  for (BlockArgument argument : graph.getBlock().getArguments())
    connect(argument, FormCut::plain);
  for (Operation &op : graph.getBlock())
    for (Value result : op.getResults())
      connect(result, vertices.lookup(&op));
  int64_t bytes = cut.solve();
  for (Operation &op : graph.getBlock())
    if (!isa<ParameterOp, PreparedOp>(op))
      layouts.forms.set(&op, cut.isBlocked(vertices.lookup(&op)));
  for (auto [op, vertex] : free) {
    bool blocked = cut.isBlocked(vertex);
    remark::analysis(op->getLoc(), layoutRemark("form"))
        << ("'" + nodeName(op) + "' is computed " + (blocked ? "in blocks" : "in rows")).str();
  }
  if (bytes)
    remark::analysis(graph.getLoc(), layoutRemark("form"))
        << ("conversions between forms move " + Twine(bytes) + " bytes, the least possible").str();
}

void symc::codegen::chooseForms(GraphOp graph, GraphLayouts &layouts) {
  FormChooser(layouts).run(graph);
}
