//===- Recurrent.cpp - ONNX's recurrent layers -----------------------------===//
//
// One layer of sg.rnn, whose gates stand in another order: lstm i, f, g, o of ONNX's
// i, o, f, c; gru r, z, n of z, r, h. A layer that runs backwards alone reads its data
// from the end.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Operators.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx::ops {

namespace {

class Recurrent {
public:
  explicit Recurrent(NodeScope &node) : node(node), op(node.node.op) {}

  bool run() {
    if (!readAttributes())
      return false;
    Value x = node.in(0);
    if (batchFirst)
      x = node.transpose(x, {1, 0, 2});
    if (backwards)
      x = reversed(x);
    if (!x)
      return false;
    sg::Shape shape = sg::shapeOf(x.getType());
    steps = shape[0];
    batch = shape[1];
    if (!shape[2].isStatic())
      return node.refuse("its data has features whose number is chosen at run time");
    Value parameters = pack(shape[2].get());
    Value hidden = initial(5), cell = isLstm() ? initial(6) : Value();
    if (!parameters || !hidden || (isLstm() && !cell))
      return false;
    SmallVector<Value> operands{x, parameters, hidden};
    if (isLstm())
      operands.push_back(cell);
    bool lengths = node.has(4);
    if (lengths)
      operands.push_back(node.in(4));
    StringRef mode = isLstm() ? "lstm" : op == "GRU" ? "gru" : relu ? "rnn_relu" : "rnn_tanh";
    SmallVector<int32_t> segments{1, 1, 1, isLstm() ? 1 : 0, lengths ? 1 : 0};
    SmallVector<Value> made =
        node.makeAll("rnn", operands, isLstm() ? 3 : 2,
                     {node.number("state_size", size), node.number("num_layers", 1),
                      node.flag("bidirectional", directions == 2), node.word("mode", mode),
                      node.flag("state_outputs", true), node.flag("use_sequence_length", lengths),
                      NamedAttribute(StringAttr::get(node.context(), "operandSegmentSizes"),
                                     DenseI32ArrayAttr::get(node.context(), segments))});
    if (!made[0])
      return false;
    Value y = backwards ? reversed(made[0]) : made[0]; // [T, N, D * H]
    y = node.reshape(y, sg::Shape({steps, batch, node.dim(directions), node.dim(size)}));
    y = batchFirst ? node.transpose(y, {1, 0, 2, 3}) : node.transpose(y, {0, 2, 1, 3});
    if (node.needs(0) && !node.give(0, y))
      return false;
    for (size_t i = 1; i < made.size(); ++i)
      if (node.needs(i) && !node.give(i, batchFirst ? node.transpose(made[i], {1, 0, 2}) : made[i]))
        return false;
    return true;
  }

private:
  bool isLstm() const { return op == "LSTM"; }
  int64_t gates() const { return isLstm() ? 4 : op == "GRU" ? 3 : 1; }

  bool readAttributes() {
    StringRef direction = node.text("direction");
    backwards = direction == "reverse";
    directions = direction == "bidirectional" ? 2 : 1;
    if (!backwards && directions == 1 && direction != "forward")
      return node.refuse("it has no direction " + inQuotes(direction));
    batchFirst = node.integer("layout") != 0;
    sg::Shape weight = node.shape(1), state = node.shape(2);
    if (node.rank(0) != 3 || !weight.isStatic() || !state.isStatic() || weight.rank() != 3 ||
        state.rank() != 3)
      return node.refuse(
          "its data, weights and recurrence weights need three extents, the weights' fixed ones");
    size = state[2].get();
    if (weight[0].get() != directions || weight[1].get() != gates() * size ||
        state[1].get() != gates() * size)
      return node.refuse("its weights have the shapes " + weight.str() + " and " + state.str());
    if (node.given("clip"))
      return node.refuse("clip is not computed yet");
    if (node.integer("input_forget") != 0)
      return node.refuse("input_forget is not computed yet");
    if (isLstm() && node.has(7))
      return node.refuse("peepholes are not computed yet");
    if (op == "GRU" && node.integer("linear_before_reset") == 0)
      return node.refuse("linear_before_reset = 0 is not computed yet");
    return readActivations();
  }

  bool readActivations() {
    const Attribute *given = node.find("activations");
    if (!given)
      return true;
    SmallVector<StringRef> usual;
    if (isLstm())
      usual = {"Sigmoid", "Tanh", "Tanh"};
    else if (op == "GRU")
      usual = {"Sigmoid", "Tanh"};
    else
      usual = {"Tanh"};
    for (auto [i, name] : enumerate(given->texts)) {
      StringRef wanted = usual[i % usual.size()];
      if (op == "RNN" && name.equals_insensitive("relu") && (i == 0 || relu)) {
        relu = true;
        continue;
      }
      if (!name.equals_insensitive(wanted) || relu)
        return node.refuse("the activation " + inQuotes(name) + " is not computed");
    }
    return true;
  }

  // Each sequence from its end.
  Value reversed(Value x) {
    if (node.has(4))
      return node.make("sequence_reverse", {x, node.in(4)},
                       {node.flag("use_sequence_length", true)});
    return node.make("reverse", x, {node.list("axis", {0})});
  }

  Value initial(size_t operand) {
    if (node.has(operand))
      return batchFirst ? node.transpose(node.in(operand), {1, 0, 2}) : node.in(operand);
    if (!batch.isStatic()) {
      node.refuse("states that are left out need a fixed batch");
      return {};
    }
    uint64_t count = uint64_t(directions * batch.get() * size);
    return node.constant(Known::real64(std::vector<double>(count, 0),
                                       {directions, batch.get(), size}, node.type(0)));
  }

  // Rows of one direction with the gates in sg's order, flattened.
  Value inOrder(Value rows, int64_t first) {
    SmallVector<int64_t> order = isLstm()      ? SmallVector<int64_t>{0, 2, 3, 1}
                                 : op == "GRU" ? SmallVector<int64_t>{1, 0, 2}
                                               : SmallVector<int64_t>{0};
    SmallVector<Value> parts;
    for (int64_t gate : order)
      parts.push_back(node.slice(rows, 0, first + gate * size, first + (gate + 1) * size));
    Value joined = node.concat(parts, 0);
    if (!joined)
      return joined;
    sg::Shape shape = sg::shapeOf(joined.getType());
    return node.reshape(joined, sg::Shape({shape.product(0, shape.rank(), node.context())}));
  }

  Value direction(size_t operand, int64_t d) {
    sg::Shape shape = node.shape(operand);
    Value one = node.slice(node.in(operand), 0, d, d + 1);
    return one ? node.reshape(one, sg::Shape(shape.list().drop_front())) : one;
  }

  Value pack(int64_t) {
    SmallVector<Value> parts;
    for (int64_t d = 0; d < directions; ++d)
      for (size_t operand : {1, 2})
        parts.push_back(inOrder(direction(operand, d), 0));
    for (int64_t d = 0; d < directions; ++d) {
      if (!node.has(3)) {
        std::vector<double> zeros(size_t(2 * gates() * size), 0);
        parts.push_back(node.constant(Known::real64(zeros, {int64_t(zeros.size())}, node.type(0))));
        continue;
      }
      Value biases = direction(3, d);
      parts.push_back(inOrder(biases, 0));
      parts.push_back(inOrder(biases, gates() * size));
    }
    return node.concat(parts, 0);
  }

  NodeScope &node;
  StringRef op;
  bool backwards = false, batchFirst = false, relu = false;
  int64_t directions = 1, size = 0;
  sg::Dim steps, batch;
};

} // namespace

bool recurrent(NodeScope &node) { return Recurrent(node).run(); }

} // namespace symc::onnx::ops
