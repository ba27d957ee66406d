// DecomposeNumpyProducts.cpp: the products of sg-decompose-numpy, and tensors made from
// parameters.
//
//   sg.numpy_tensordot(%a, %b)   -> sg.batch_dot over [1, kept, summed] x [1, summed, kept]
//   sg.numpy_matmul(%a, %b), %b a matrix -> sg.dot(%a, %b)
//   sg.numpy_einsum "bij,bjk->bik" -> sg.batch_dot over [b, i, j] x [b, j, k]
//
// Every product becomes one batch of matrices, whose three axes gather those that both
// operands keep, that one keeps, and that are summed over.
#include "ir/ops/NumpyProducts.h"
#include "passes/Numpy.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace symc;
using namespace symc::sg;

static Shape resultShape(Operation *op) { return shapeOf(op->getResult(0).getType()); }

static SmallVector<int64_t> without(int64_t rank, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> others;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(axes, i))
      others.push_back(i);
  return others;
}

static Dim extentOf(const Shape &shape, ArrayRef<int64_t> axes, MLIRContext *context) {
  Dim product = Dim::constant(1, context);
  for (int64_t axis : axes)
    product = product * shape[axis];
  return product;
}

// The operand's axes gathered in three groups, in order.
static Value gathered(Value x, ArrayRef<int64_t> a, ArrayRef<int64_t> b, ArrayRef<int64_t> c,
                      CoreBuilder &core) {
  Shape shape = shapeOf(x.getType());
  MLIRContext *context = core.b.getContext();
  SmallVector<int64_t> order(a);
  order.append(b.begin(), b.end());
  order.append(c.begin(), c.end());
  return core.reshape(core.transpose(x, order),
                      Shape({extentOf(shape, a, context), extentOf(shape, b, context),
                             extentOf(shape, c, context)}));
}

static Value contract(Value a, Value b, ArrayRef<int64_t> left, ArrayRef<int64_t> right,
                      CoreBuilder &core) {
  int64_t leftRank = shapeOf(a.getType()).rank(), rightRank = shapeOf(b.getType()).rank();
  return core.batchDot(gathered(a, {}, without(leftRank, left), left, core),
                       gathered(b, {}, right, without(rightRank, right), core));
}

static Value dot(Operation *op, CoreBuilder &core) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  int64_t left = shapeOf(a.getType()).rank(), right = shapeOf(b.getType()).rank();
  return core.reshape(contract(a, b, {left - 1}, {right > 1 ? right - 2 : 0}, core),
                      resultShape(op));
}
static Value decompose(NumpyDotOp op, CoreBuilder &core) { return dot(op, core); }

static Value decompose(NumpyMatmulOp op, CoreBuilder &core) {
  Value a = op.getA(), b = op.getB();
  Shape left = shapeOf(a.getType()), right = shapeOf(b.getType()), output = resultShape(op);
  if (left.rank() <= 2 && right.rank() <= 2)
    return dot(op, core);
  Dim one = core.dim(1);
  // One matrix at the right multiplies all rows of the stacks at the left.
  bool isOne = right.rank() >= 2 && left.rank() >= right.rank() &&
               llvm::all_of(right.list().drop_back(2), [&](Dim dim) { return dim.isStatic(1); });
  if (isOne) {
    Value matrix = core.reshape(b, Shape(right.list().take_back(2)));
    return core.make("dot", {a, matrix}, op->getResult(0).getType());
  }
  if (left.rank() == 1)
    left = Shape({one, left[0]});
  if (right.rank() == 1)
    right = Shape({right[0], one});
  // The stacks repeat to one, then lie along one axis.
  size_t front = std::max(left.rank(), right.rank()) - 2;
  auto stacked = [&](Value x, const Shape &shape) {
    Shape full(front + 2);
    for (size_t i = 0; i < front; ++i)
      full[i] = output[i];
    full[front] = shape[shape.rank() - 2];
    full[front + 1] = shape[shape.rank() - 1];
    Value repeated = core.broadcastTo(core.reshape(x, shape), full);
    return core.reshape(
        repeated, Shape({full.product(0, front, op.getContext()), full[front], full[front + 1]}));
  };
  return core.reshape(core.batchDot(stacked(a, left), stacked(b, right)), output);
}

static Value decompose(NumpyTensordotOp op, CoreBuilder &core) {
  int64_t leftRank = shapeOf(op.getA().getType()).rank(),
          rightRank = shapeOf(op.getB().getType()).rank();
  auto [left, right] = op.getPairs(leftRank);
  for (int64_t &axis : left)
    axis = axis < 0 ? axis + leftRank : axis;
  for (int64_t &axis : right)
    axis = axis < 0 ? axis + rightRank : axis;
  return core.reshape(contract(op.getA(), op.getB(), left, right, core), resultShape(op));
}

// Sums over the letters that nobody else has, and puts the others in the order of `wanted`.
static Value reduceLetters(Value x, std::string &letters, StringRef wanted, CoreBuilder &core) {
  SmallVector<int64_t> dropped;
  std::string kept;
  for (size_t i = 0; i < letters.size(); ++i)
    if (wanted.contains(letters[i]))
      kept += letters[i];
    else
      dropped.push_back(i);
  letters = kept;
  return core.reduce("sum", x, dropped, false);
}

// The operand with each letter once, and without those that repeat it along another operand.
static Value withOwnLetters(Value x, std::string &letters, const std::map<char, Dim> &extents,
                            CoreBuilder &core) {
  for (size_t first = 0; first < letters.size();) {
    size_t second = letters.find(letters[first], first + 1);
    if (second == std::string::npos) {
      ++first;
      continue;
    }
    Shape shape = shapeOf(x.getType()), lines{size_t(0)};
    std::string rest;
    for (size_t i = 0; i < letters.size(); ++i)
      if (i != first && i != second) {
        lines.push_back(shape[i]);
        rest += letters[i];
      }
    lines.push_back(shape[first]);
    x = core.make("diag", x, core.withShape(x, lines),
                  {core.number("k", 0), core.number("axis1", first), core.number("axis2", second)});
    letters = rest + letters[first];
  }
  Shape shape = shapeOf(x.getType()), kept{size_t(0)};
  std::string own;
  for (size_t i = 0; i < letters.size(); ++i)
    if (shape[i] == extents.at(letters[i])) {
      kept.push_back(shape[i]);
      own += letters[i];
    }
  letters = own;
  return core.reshape(x, kept);
}

static Value decompose(NumpyEinsumOp op, CoreBuilder &core) {
  SmallVector<int64_t> ranks;
  for (Value operand : op.getData())
    ranks.push_back(shapeOf(operand.getType()).rank());
  SmallVector<std::string> letters = op.getLetters(ranks);
  std::string result = letters.pop_back_val();
  std::map<char, Dim> extents;
  for (auto [operand, part] : llvm::zip(op.getData(), letters))
    for (size_t i = 0; i < part.size(); ++i)
      if (Dim &extent = extents[part[i]]; !extent.isKnown() || extent.isStatic(1))
        extent = shapeOf(operand.getType())[i];
  SmallVector<Value> data;
  for (auto [operand, part] : llvm::zip(op.getData(), letters))
    data.push_back(withOwnLetters(operand, part, extents, core));
  Value value = data[0];
  std::string have = letters[0];
  for (size_t next = 0; next < letters.size(); ++next) {
    std::string needed = result; // by the result or by operands that are still to come
    for (size_t i = next + 1; i < letters.size(); ++i)
      needed += letters[i];
    if (next == 0) {
      value = reduceLetters(value, have, needed, core);
      continue;
    }
    std::string part = letters[next];
    Value other = reduceLetters(data[next], part, needed + have, core);
    SmallVector<int64_t> leftBoth, leftOwn, leftSum, rightBoth, rightOwn, rightSum;
    std::string both, own, others;
    for (size_t i = 0; i < have.size(); ++i) {
      size_t place = part.find(have[i]);
      if (place == std::string::npos) {
        leftOwn.push_back(i);
        own += have[i];
      } else if (StringRef(needed).contains(have[i])) {
        leftBoth.push_back(i);
        rightBoth.push_back(place);
        both += have[i];
      } else {
        leftSum.push_back(i);
        rightSum.push_back(place);
      }
    }
    for (size_t i = 0; i < part.size(); ++i)
      if (have.find(part[i]) == std::string::npos) {
        rightOwn.push_back(i);
        others += part[i];
      }
    value = core.batchDot(gathered(value, leftBoth, leftOwn, leftSum, core),
                          gathered(other, rightBoth, rightSum, rightOwn, core));
    have = both + own + others;
    Shape shape{size_t(0)};
    for (char letter : have)
      shape.push_back(extents[letter]);
    value = core.reshape(value, shape);
  }
  SmallVector<int64_t> order;
  for (char letter : result)
    order.push_back(have.find(letter));
  return core.transpose(value, order);
}

static Value decompose(NumpyPolyvalOp op, CoreBuilder &core) {
  Value p = op.getP(), x = op.getX();
  Shape shape = resultShape(op), ones(shape.rank());
  for (size_t i = 0; i < shape.rank(); ++i)
    ones[i] = core.dim(1);
  Value sum = core.fillLike(x, 0);
  for (int64_t i = 0, count = shapeOf(p.getType())[0].get(); i < count; ++i) // Horner's scheme
    sum = core.broadcast("add", core.binary("mul", sum, x),
                         core.reshape(core.slice(p, 0, i, i + 1), ones), shape);
  return sum;
}

static Value decompose(NumpyFullLikeOp op, CoreBuilder &core) {
  Value like = core.cast(op.getA(), elementTypeOf(op.getOutput().getType()));
  return core.fillLike(like, op.getFillValue().convertToDouble());
}

static Value eye(Operation *op, int64_t k, CoreBuilder &core) {
  Shape shape = resultShape(op);
  return core.make("eye", {}, op->getResult(0).getType(),
                   {core.number("N", shape[0].get()), core.number("M", shape[1].get()),
                    core.number("k", k),
                    core.text("dtype", typeName(elementTypeOf(op->getResult(0).getType())))});
}
static Value decompose(NumpyEyeOp op, CoreBuilder &core) { return eye(op, op.getK(), core); }
static Value decompose(NumpyIdentityOp op, CoreBuilder &core) { return eye(op, 0, core); }

static Value decompose(NumpyIndicesOp op, CoreBuilder &core) {
  ArrayRef<int64_t> extents = op.getDimensions();
  Type type = elementTypeOf(op.getOutput().getType());
  SmallVector<Value> planes;
  Shape plane = resultShape(op);
  plane[0] = core.dim(1);
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    Shape line(extents.size() + 1);
    for (size_t i = 0; i <= extents.size(); ++i)
      line[i] = core.dim(i == axis + 1 ? extent : 1);
    planes.push_back(core.broadcastTo(core.reshape(core.arange(0, 1, extent, type), line), plane));
  }
  return core.concat(planes, 0);
}

// Computed in float64 and rounded once. A float32 is no better of a power than of an exponential,
// which processors compute in vectors.
static Value decompose(NumpyLogspaceOp op, CoreBuilder &core) {
  Type wide = core.b.getF64Type();
  Value exponents =
      core.make("linspace", {}, core.typeOf(resultShape(op), wide),
                {core.real("start", op.getStart().convertToDouble()),
                 core.real("stop", op.getStop().convertToDouble()), core.number("num", op.getNum()),
                 core.flag("endpoint", op.getEndpoint()), core.text("dtype", "float64")});
  double base = op.getBase().convertToDouble();
  Type type = elementTypeOf(op.getOutput().getType());
  bool isExponential = type.isF32() && base > 0 && std::isfinite(base);
  Value powers = isExponential ? core.unary("exp", core.scalar("mul", exponents, std::log(base)))
                               : core.scalar("power", exponents, base, true);
  return core.cast(powers, type);
}

static Value decompose(NumpyWindowOp op, CoreBuilder &core) {
  int64_t count = op.getM();
  Value n = core.arange(0, 1, count, core.b.getF64Type());
  Value value = core.fillLike(n, 1);
  if (count > 1) {
    Value t = core.scalar("mul", n, 2 * M_PI / (count - 1));
    bool hamming = op.getKind() == "hamming", blackman = op.getKind() == "blackman";
    double level = hamming ? 0.54 : blackman ? 0.42 : 0.5;
    Value cosine = core.unary("cos", t);
    value = core.scalar("add", core.scalar("mul", cosine, hamming ? -0.46 : -0.5), level);
    if (blackman) { // cos 2t = 2 cos^2 t - 1
      Value twice = core.scalar("add", core.scalar("mul", core.unary("square", cosine), 2), -1);
      value = core.binary("add", value, core.scalar("mul", twice, 0.08));
    }
  }
  return core.cast(value, elementTypeOf(op.getOutput().getType()));
}

bool symc::decomposeNumpyProduct(Operation *op, CoreBuilder &core,
                                 SmallVectorImpl<Value> &results) {
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<NumpyDotOp, NumpyMatmulOp, NumpyTensordotOp, NumpyEinsumOp, NumpyPolyvalOp,
                NumpyFullLikeOp, NumpyEyeOp, NumpyIdentityOp, NumpyIndicesOp, NumpyLogspaceOp,
                NumpyWindowOp>([&](auto node) { return decompose(node, core); })
          .Default(Value());
  if (result)
    results.push_back(result);
  return static_cast<bool>(result);
}
