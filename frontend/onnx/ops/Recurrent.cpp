//===- Recurrent.cpp - ONNX's recurrent layers -----------------------------===//
//
// One layer of sg.rnn, whose gates stand in another order: lstm i, f, g, o of ONNX's
// i, o, f, c; gru r, z, n of z, r, h. A layer that runs backwards alone reads its data
// from the end. What sg.rnn does not have (a GRU that resets before its product, peepholes,
// clip, coupled gates, other activations) is a loop over the steps, sg.foreach, for each
// direction.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Body.h"
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/ops/Places.h"

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
    if (backwards && !needsLoop())
      x = reversed(x);
    if (!x)
      return false;
    sg::Shape shape = sg::shapeOf(x.getType());
    steps = shape[0];
    batch = shape[1];
    if (!shape[2].isStatic())
      return node.refuse("its data has features whose number is chosen at run time");
    if (needsLoop())
      return runLoops(x);
    if (node.has(4))
      return runMasked(x);
    Value parameters = pack(shape[2].get());
    Value hidden = initial(5), cell = isLstm() ? initial(6) : Value();
    if (!parameters || !hidden || (isLstm() && !cell))
      return false;
    SmallVector<Value> operands{x, parameters, hidden};
    if (isLstm())
      operands.push_back(cell);
    return giveAll(layer(operands, directions));
  }

private:
  // sg.rnn of so many directions: [T, N, D * H] and the last states.
  SmallVector<Value> layer(ArrayRef<Value> operands, int64_t count) {
    StringRef mode = isLstm() ? "lstm" : op == "GRU" ? "gru" : relu ? "rnn_relu" : "rnn_tanh";
    SmallVector<int32_t> segments{1, 1, 1, isLstm() ? 1 : 0, 0};
    return node.makeAll("rnn", operands, isLstm() ? 3 : 2,
                        {node.number("state_size", size), node.number("num_layers", 1),
                         node.flag("bidirectional", count == 2), node.word("mode", mode),
                         node.flag("state_outputs", true),
                         NamedAttribute(StringAttr::get(node.context(), "operandSegmentSizes"),
                                        DenseI32ArrayAttr::get(node.context(), segments))});
  }

  bool giveAll(ArrayRef<Value> made) {
    if (llvm::is_contained(made, Value()))
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

  Value masked(Value x, double value) {
    return node.make("sequence_mask", {x, node.in(4)},
                     {node.flag("use_sequence_length", true), node.realNumber("value", value)});
  }

  // Sequences that have lengths, by layers without them. Behind its sequence a feature more is 1,
  // whose weights hold the state: of an LSTM they shut the gate of what is new and open that
  // of the cell, of a GRU they open z. What a layer gives there is overwritten.
  bool runMasked(Value x) {
    constexpr double shut = 1e4; // far beyond where the logistic function is 0 or 1
    int64_t features = sg::shapeOf(x.getType())[2].get(), more = op == "RNN" ? 0 : 1;
    if (more && (features + more) % 32 == 0)
      ++more; // Strassen's product mixes rows: those weights would round what stands in others
    SmallVector<double> held;
    for (int64_t gate = 0; more && gate < gates(); ++gate) // i, o, f, c; z, r, h
      for (int64_t i = 0; i < size; ++i) {
        bool opens = gate == (isLstm() ? 2 : 0), shuts = isLstm() && gate == 0;
        held.push_back(opens ? shut : shuts ? -shut : 0);
        held.append(more - 1, 0);
      }
    x = masked(x, 0);
    if (more) {
      SmallVector<Value> parts{x};
      parts.push_back(
          masked(node.filled(sg::Shape({steps, batch, node.dim(1)}), 0, node.type(0)), 1));
      if (more > 1)
        parts.push_back(
            node.filled(sg::Shape({steps, batch, node.dim(more - 1)}), 0, node.type(0)));
      x = node.concat(parts, 2);
    }
    Value hidden = initial(5), cell = isLstm() ? initial(6) : Value();
    if (!x || !hidden || (isLstm() && !cell))
      return false;
    Value lengths = node.in(4), one = node.scalarLike(1, node.type(4));
    Value isEmpty =
        node.compare("lesser", node.reshape(lengths, sg::Shape({batch, node.dim(1)})), one);
    Value lasting = node.binary("maximum", lengths, one);
    SmallVector<SmallVector<Value>> byResult(isLstm() ? 3 : 2);
    for (int64_t d = 0; d < directions; ++d) {
      auto stateOf = [&](Value states) { return node.slice(states, 0, d, d + 1); };
      Value weight = direction(1, d);
      if (more)
        weight = node.concat(
            {weight, node.constant(Known::real64(held, {gates() * size, more}, node.type(0)))}, 1);
      SmallVector<Value> parts{inOrder(weight, 0), inOrder(direction(2, d), 0)};
      addBiases(parts, d);
      SmallVector<Value> operands{d == 1 ? reversed(x) : x, node.concat(parts, 0), stateOf(hidden)};
      if (cell)
        operands.push_back(stateOf(cell));
      SmallVector<Value> made = layer(operands, 1);
      Value y = masked(made[0], 0);
      if (op != "GRU") { // [N, H]
        Value last =
            node.make("sequence_last", {y, lasting}, {node.flag("use_sequence_length", true)});
        sg::Shape rows({batch, node.dim(size)});
        last = node.where(isEmpty, node.reshape(stateOf(hidden), rows), last);
        made[1] = node.expandDims(last, 0);
      }
      made[0] = d == 1 ? reversed(y) : y;
      for (auto [list, value] : zip_equal(byResult, made))
        list.push_back(value);
    }
    SmallVector<Value> results;
    for (auto [i, list] : enumerate(byResult)) {
      if (llvm::is_contained(list, Value()))
        return false;
      results.push_back(node.concat(list, i == 0 ? 2 : 0));
    }
    return giveAll(results);
  }

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
    return readActivations();
  }

  // Names of the activations of all directions, and their parameters, in order.
  bool readActivations() {
    SmallVector<StringRef> usual;
    if (isLstm())
      usual = {"Sigmoid", "Tanh", "Tanh"};
    else if (op == "GRU")
      usual = {"Sigmoid", "Tanh"};
    else
      usual = {"Tanh"};
    const Attribute *given = node.find("activations");
    size_t wanted = usual.size() * size_t(directions), alpha = 0, beta = 0;
    if (given && given->texts.size() != wanted)
      return node.refuse("it has " + Twine(given->texts.size()) + " activations, needs " +
                         Twine(wanted));
    auto next = [&](StringRef name, size_t &at, double otherwise) {
      const Attribute *list = node.find(name);
      return list && at < list->reals.size() ? double(list->reals[at++]) : otherwise;
    };
    bool allRelu = given != nullptr;
    for (size_t i = 0; i < wanted; ++i) {
      Activation each{given ? given->texts[i].lower() : usual[i % usual.size()].lower(), 0, 0};
      isUsual &= each.name == usual[i % usual.size()].lower();
      allRelu &= each.name == "relu";
      // In this order the parameters of those that have any.
      if (each.name == "affine") {
        each.alpha = next("activation_alpha", alpha, 1);
        each.beta = next("activation_beta", beta, 0);
      } else if (each.name == "leakyrelu") {
        each.alpha = next("activation_alpha", alpha, 0.01);
      } else if (each.name == "thresholdedrelu" || each.name == "elu") {
        each.alpha = next("activation_alpha", alpha, 1);
      } else if (each.name == "scaledtanh") {
        each.alpha = next("activation_alpha", alpha, 1);
        each.beta = next("activation_beta", beta, 1);
      } else if (each.name == "hardsigmoid") {
        each.alpha = next("activation_alpha", alpha, 0.2);
        each.beta = next("activation_beta", beta, 0.5);
      } else if (each.name != "sigmoid" && each.name != "tanh" && each.name != "relu" &&
                 each.name != "softsign" && each.name != "softplus") {
        return node.refuse("there is no activation " + inQuotes(given->texts[i]));
      }
      activations.push_back(each);
    }
    relu = op == "RNN" && allRelu;
    return true;
  }

  struct Activation {
    std::string name;
    double alpha, beta;
  };

  // fn of a row of `activations`.
  Value activated(Value x, int64_t d, size_t i) {
    size_t each = activations.size() / size_t(directions);
    const Activation &f = activations[size_t(d) * each + i];
    if (f.name == "affine")
      return node.scalar("add", node.scalar("mul", x, f.alpha), f.beta);
    if (f.name == "scaledtanh")
      return node.scalar("mul", node.unary("tanh", node.scalar("mul", x, f.beta)), f.alpha);
    if (f.name == "hardsigmoid")
      return node.make("hard_sigmoid", x,
                       {node.realNumber("alpha", f.alpha), node.realNumber("beta", f.beta)});
    if (f.name == "leakyrelu" || f.name == "elu")
      return node.make("leaky_relu", x,
                       {node.word("act_type", f.name == "elu" ? "elu" : "leaky"),
                        node.realNumber("slope", f.alpha)});
    if (f.name == "thresholdedrelu") {
      Value above = node.make("numpy_scalar", x,
                              {node.word("fn", "greater"), node.realNumber("scalar", f.alpha),
                               node.flag("is_int", false)});
      return node.where(above, x, node.scalarLike(0, node.type(0)));
    }
    return node.unary(f.name == "softplus" ? "softrelu" : f.name, x);
  }

  bool needsLoop() {
    return node.given("clip") || node.integer("input_forget") != 0 || (isLstm() && node.has(7)) ||
           (op == "GRU" && node.integer("linear_before_reset") == 0) || !(isUsual || relu);
  }

  Value clipped(Value x) {
    if (!node.given("clip"))
      return x;
    double most = std::abs(node.real("clip"));
    return node.make("clip", x, {node.realNumber("a_min", -most), node.realNumber("a_max", most)});
  }

  // Gate `i` of a row of all gates.
  Value gate(Value x, int64_t i) {
    auto last = int64_t(sg::shapeOf(x.getType()).rank()) - 1;
    return node.slice(x, last, i * size, (i + 1) * size);
  }

  // A direction's steps, one after the other: [T, N, H], then the states.
  SmallVector<Value> loop(Value x, int64_t d) {
    bool backward = backwards || d == 1;
    if (backward)
      x = reversed(x);
    Value weight = direction(1, d), state = direction(2, d);
    Value biases;
    // All inputs' products at once.
    Value inputs = node.make("numpy_matmul", {x, node.transpose(weight, {1, 0})});
    if (node.has(3)) {
      biases = direction(3, d);
      inputs = node.binary("add", inputs, node.slice(biases, 0, 0, gates() * size));
      biases = node.slice(biases, 0, gates() * size, 2 * gates() * size);
      bool apart = op == "GRU" && node.integer("linear_before_reset") != 0;
      if (!apart) {
        inputs = node.binary("add", inputs, biases);
        biases = Value();
      }
    }
    Value recurrent = node.transpose(state, {1, 0});
    Value hidden = node.slice(initial(5), 0, d, d + 1);
    hidden = node.reshape(hidden, sg::Shape({batch, node.dim(size)}));
    Value cell;
    if (isLstm())
      cell = node.reshape(node.slice(initial(6), 0, d, d + 1), sg::Shape({batch, node.dim(size)}));
    Value peepholes = isLstm() && node.has(7) ? direction(7, d) : Value();
    SmallVector<Value> data{inputs};
    if (node.has(4)) { // which steps are within the sequences
      Value numbers = node.make("arange_like", node.filled(sg::Shape({steps}), 0, int64Type(node)));
      Value column = node.reshape(numbers, sg::Shape({steps, node.dim(1), node.dim(1)}));
      Value lengths = node.reshape(node.cast(node.in(4), int64Type(node)),
                                   sg::Shape({node.dim(1), batch, node.dim(1)}));
      data.push_back(node.compare("lesser", column, lengths));
    }
    SmallVector<Value> states{hidden};
    if (cell)
      states.push_back(cell);
    if (llvm::is_contained(data, Value()) || llvm::is_contained(states, Value()) || !recurrent)
      return {};
    Body body(node.state, node.location);
    SmallVector<Value> elements, carried;
    for (Value each : data) {
      sg::Shape shape = sg::shapeOf(each.getType());
      elements.push_back(
          body.argument(sg::makeTensorType(sg::Shape(shape.list().drop_front()),
                                           sg::elementTypeOf(each.getType()), node.context())));
    }
    for (Value each : states)
      carried.push_back(body.argument(each.getType()));
    Value r = body.capture(recurrent), rb = biases ? body.capture(biases) : Value(),
          p = peepholes ? body.capture(peepholes) : Value();
    SmallVector<Value> next = isLstm()      ? lstmStep(elements[0], carried, r, p, d)
                              : op == "GRU" ? gruStep(elements[0], carried[0], r, rb, d)
                                            : rnnStep(elements[0], carried[0], r, d);
    if (next.empty() || llvm::is_contained(next, Value()))
      return {};
    Value y = next[0];
    if (node.has(4)) {
      for (size_t i = 0; i < next.size(); ++i)
        next[i] = node.where(elements[1], next[i], carried[i]);
      y = node.where(elements[1], y, node.scalarLike(0, node.type(0)));
    }
    if (!y || llvm::is_contained(next, Value()))
      return {};
    SmallVector<Value> heads{y};
    llvm::append_range(heads, next);
    body.finish(heads);
    SmallVector<Value> made = makeForeach(node.state, node.location, body, data, states, 1);
    if (backward)
      made[0] = reversed(made[0]);
    return made;
  }

  SmallVector<Value> rnnStep(Value x, Value h, Value r, int64_t d) {
    return {activated(clipped(node.binary("add", x, node.matmul(h, r))), d, 0)};
  }

  // Gates z, r, h: h' = (1 - z) * g(...) + z * h.
  SmallVector<Value> gruStep(Value x, Value h, Value r, Value bias, int64_t d) {
    bool after = node.integer("linear_before_reset") != 0;
    Value both = node.slice(r, 1, 0, 2 * size), last = gate(r, 2);
    Value product = node.matmul(h, both);
    if (bias)
      product = node.binary("add", product, node.slice(bias, 0, 0, 2 * size));
    Value sums = clipped(node.binary("add", node.slice(x, 1, 0, 2 * size), product));
    if (!sums)
      return {};
    Value z = activated(gate(sums, 0), d, 0), reset = activated(gate(sums, 1), d, 0), inner;
    if (after) {
      inner = node.matmul(h, last);
      if (bias)
        inner = node.binary("add", inner, gate(bias, 2));
      inner = node.binary("mul", reset, inner);
    } else {
      inner = node.matmul(node.binary("mul", reset, h), last);
    }
    Value candidate = activated(clipped(node.binary("add", gate(x, 2), inner)), d, 1);
    Value kept = node.scalar("sub", z, 1, /*reverse=*/true);
    return {node.binary("add", node.binary("mul", kept, candidate), node.binary("mul", z, h))};
  }

  // Gates i, o, f, c.
  SmallVector<Value> lstmStep(Value x, ArrayRef<Value> carried, Value r, Value peepholes,
                              int64_t d) {
    Value sums = node.binary("add", x, node.matmul(carried[0], r)), c = carried[1];
    if (!sums)
      return {};
    auto peep = [&](Value sum, int64_t i, Value cell) {
      return peepholes ? node.binary("add", sum, node.binary("mul", gate(peepholes, i), cell))
                       : sum;
    };
    Value i = activated(clipped(peep(gate(sums, 0), 0, c)), d, 0);
    Value f = node.integer("input_forget") != 0
                  ? node.scalar("sub", i, 1, /*reverse=*/true)
                  : activated(clipped(peep(gate(sums, 2), 2, c)), d, 0);
    Value inner = activated(clipped(gate(sums, 3)), d, 1);
    Value next = node.binary("add", node.binary("mul", f, c), node.binary("mul", i, inner));
    Value o = activated(clipped(peep(gate(sums, 1), 1, next)), d, 0);
    return {node.binary("mul", o, activated(next, d, 2)), next};
  }

  bool runLoops(Value x) {
    SmallVector<SmallVector<Value>> made;
    for (int64_t d = 0; d < directions; ++d) {
      made.push_back(loop(x, d));
      if (made.back().empty())
        return false;
    }
    // Each of a direction with an axis for it, which `layout` puts elsewhere.
    for (size_t i = 0; i < made[0].size(); ++i) {
      if (!node.needs(i))
        continue;
      int64_t axis = i == 0 ? (batchFirst ? 2 : 1) : (batchFirst ? 1 : 0);
      SmallVector<Value> parts;
      for (auto &each : made) {
        Value part = i == 0 && batchFirst ? node.transpose(each[i], {1, 0, 2}) : each[i];
        parts.push_back(part ? node.expandDims(part, axis) : part);
      }
      if (!node.give(i, node.concat(parts, axis)))
        return false;
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
    if (!batch.isStatic())
      return node.filled(sg::Shape({node.dim(directions), batch, node.dim(size)}), 0, node.type(0));
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
    for (int64_t d = 0; d < directions; ++d)
      addBiases(parts, d);
    return node.concat(parts, 0);
  }

  void addBiases(SmallVector<Value> &parts, int64_t d) {
    if (!node.has(3)) {
      std::vector<double> zeros(size_t(2 * gates() * size), 0);
      parts.push_back(node.constant(Known::real64(zeros, {int64_t(zeros.size())}, node.type(0))));
      return;
    }
    Value biases = direction(3, d);
    parts.push_back(inOrder(biases, 0));
    parts.push_back(inOrder(biases, gates() * size));
  }

  NodeScope &node;
  StringRef op;
  bool backwards = false, batchFirst = false, relu = false, isUsual = true;
  SmallVector<Activation> activations;
  int64_t directions = 1, size = 0;
  sg::Dim steps, batch;
};

} // namespace

bool recurrent(NodeScope &node) { return Recurrent(node).run(); }

} // namespace symc::onnx::ops
