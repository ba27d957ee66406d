// IntegersFromFloats.cpp: sg-integers-from-floats.
//
//   %x = (float(%q) - 114) * 0.02               DequantizeLinear of data and of weights
//   %k = float(%w) * %s
//   %y = sg.convolution(%x, %k, %b)
//   %r = uint8(clip(round_even(%y / 0.1) + 7))  QuantizeLinear
//     ->  %r = sg.integer_conv(%q, %w, %correction, %bias, %scale) {data_zero = 114, zero = 7}
//
// Exact sums of integers stand for those of floats, so that a result differs by at most one step of
// its scale, where rounding meets a half. relu, clip and bounds between a layer and its rounding
// are bounds of the integers. A layer without such an end gives floats. Layers whose data or
// weights are floats stay as they are; those with data in bytes that no kernel over bytes takes are
// named in a `missed` remark.
#include "ir/CoreBuilder.h"
#include "ir/GraphDialect.h"
#include "ir/Windows.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Nn.h"
#include "ir/ops/NumpyProducts.h"
#include "ir/ops/NumpyShape.h"
#include "ir/ops/Quantized.h"
#include "ir/ops/Shape.h"
#include "ir/ops/Slice.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"
#include <cmath>
#include <limits>

namespace symc {
#define GEN_PASS_DEF_INTEGERSFROMFLOATS
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

/// What an integer stands for: (q - zero) * scale.
struct Levels {
  double scale = 1;
  int64_t zero = 0;
  bool operator==(const Levels &other) const { return scale == other.scale && zero == other.zero; }
};

/// A value of floats that stand for bytes.
struct Dequantised {
  Value integers;
  Levels levels;
  bool isSigned() const { return !elementTypeOf(integers.getType()).isUnsignedInteger(); }
};

/// Weights of bytes, of which each place along an axis, the outputs', or all, have a scale.
struct Rows {
  Value integers;
  int64_t axis; // of the outputs
  Value scales; // in the shape that meets the weights'; null: `scale` of all
  double scale = 1;
};

/// The rounding of a value to bytes, and bounds on its way there.
struct Quantised {
  CastOp end;
  Levels levels;
  int64_t least, most;
};

} // namespace

static Type elementOf(Value value) { return elementTypeOf(value.getType()); }
static bool isByte(Value value) { return elementOf(value).isInteger(8); }

static ScalarOp scalarOf(Value value, StringRef fn) {
  auto op = value.getDefiningOp<ScalarOp>();
  return op && op.getFn() == fn && !op.getReverse() ? op : ScalarOp();
}

static double numberOf(ScalarOp op) { return static_cast<float>(op.getScalar().convertToDouble()); }

static std::optional<int64_t> wholeOf(double number) {
  if (number != std::nearbyint(number) || std::abs(number) > 255)
    return std::nullopt;
  return static_cast<int64_t>(number);
}

// Takes a difference of integers apart, in floats of 32 bits: the bytes, and what is taken away.
static std::optional<Dequantised> differenceOf(Value value) {
  Dequantised found;
  if (ScalarOp zero = scalarOf(value, "sub")) {
    std::optional<int64_t> whole = wholeOf(numberOf(zero));
    if (!whole)
      return std::nullopt;
    found.levels.zero = *whole;
    value = zero.getData();
  }
  auto cast = value.getDefiningOp<CastOp>();
  if (!cast || !elementOf(value).isF32() || !isByte(cast.getData()))
    return std::nullopt;
  found.integers = cast.getData();
  return found;
}

static std::optional<Dequantised> dequantised(Value value) {
  double scale = 1;
  if (ScalarOp by = scalarOf(value, "mul")) {
    scale = numberOf(by);
    value = by.getData();
  }
  std::optional<Dequantised> found = differenceOf(value);
  if (!found || !(scale > 0) || !std::isfinite(scale))
    return std::nullopt;
  found->levels.scale = scale;
  return found;
}

// Whether @prepare can compute a value.
static bool isKnownBefore(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<ParameterOp>(op) || (op->getNumOperands() > 0 && op->getNumRegions() == 0 &&
                                         llvm::all_of(op->getOperands(), isKnownBefore)));
}

//===----------------------------------------------------------------------===//
// From a layer's result to bytes
//===----------------------------------------------------------------------===//

static Operation *onlyReader(Value value) {
  return value.hasOneUse() ? *value.user_begin() : nullptr;
}

// The nearest integer of a real bound.
static double stepOf(double bound, const Levels &levels) {
  return std::nearbyint(bound / levels.scale) + double(levels.zero);
}

// What a reader, the first of a chain, makes of a value.
static std::optional<Quantised> quantisedBy(Operation *op) {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  auto bound = [&](double least, double most) {
    low = std::min(std::max(low, least), most);
    high = std::min(std::max(high, least), most);
  };
  auto next = [&] { op = onlyReader(op->getResult(0)); };
  constexpr double open = std::numeric_limits<double>::infinity();
  for (; op; next()) {
    if (auto unary = dyn_cast<UnaryOp>(op); unary && unary.getFn() == "relu")
      bound(0, open);
    else if (auto clip = dyn_cast<ClipOp>(op))
      bound(clip.getAMin().convertToDouble(), clip.getAMax().convertToDouble());
    else if (auto limit = dyn_cast<ScalarOp>(op); limit && limit.getFn() == "maximum")
      bound(numberOf(limit), open);
    else if (limit && limit.getFn() == "minimum")
      bound(-open, numberOf(limit));
    else
      break;
  }
  Quantised found;
  auto isRounding = [](Operation *op) {
    auto unary = dyn_cast_or_null<UnaryOp>(op);
    return unary && unary.getFn() == "round_even";
  };
  if (auto by = dyn_cast_or_null<ScalarOp>(op); by && by.getFn() == "div" && !by.getReverse()) {
    found.levels.scale = numberOf(by);
    next();
  }
  if (!isRounding(op) || !(found.levels.scale > 0) || !std::isfinite(found.levels.scale))
    return std::nullopt;
  next();
  if (auto zero = dyn_cast_or_null<ScalarOp>(op); zero && zero.getFn() == "add") {
    std::optional<int64_t> whole = wholeOf(numberOf(zero));
    if (!whole)
      return std::nullopt;
    found.levels.zero = *whole;
    next();
  }
  auto range = dyn_cast_or_null<ClipOp>(op);
  if (!range)
    return std::nullopt;
  next();
  found.end = dyn_cast_or_null<CastOp>(op);
  if (!found.end || !isByte(found.end.getOutput()))
    return std::nullopt;
  bool isUnsigned = elementOf(found.end.getOutput()).isUnsignedInteger();
  double least = std::ceil(range.getAMin().convertToDouble()),
         most = std::floor(range.getAMax().convertToDouble());
  if (least < (isUnsigned ? 0 : -128) || most > (isUnsigned ? 255 : 127) || !(least <= most))
    return std::nullopt;
  auto within = [&](double x) { return std::min(std::max(x, least), most); };
  found.least = static_cast<int64_t>(within(stepOf(low, found.levels)));
  found.most = static_cast<int64_t>(within(stepOf(high, found.levels)));
  return found;
}

namespace {

struct IntegersFromFloats : symc::impl::IntegersFromFloatsBase<IntegersFromFloats> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      if (graph.getTraining())
        continue;
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
        if (auto conv = dyn_cast<ConvolutionOp>(op))
          convolution(conv);
        else if (auto layer = dyn_cast<FullyConnectedOp>(op))
          fullyConnected(layer);
        else if (auto product = dyn_cast<NumpyMatmulOp>(op))
          matmul(product);
        else if (auto product = dyn_cast<IntegerProductOp>(op))
          scaled(product);
        else if (auto pool = dyn_cast<PoolingOp>(op))
          pooling(pool);
        else
          move(&op);
        dropRounding(&op);
      }
    }
  }

  static remark::RemarkOpts remarkOf() {
    return remark::RemarkOpts::name("integers").category("sg-integers-from-floats");
  }

  static void remarkMissed(Operation *op, StringRef reason) {
    remark::missed(op->getLoc(), remarkOf())
        << ("'" + nodeName(op) + "' is computed in floats: " + reason).str();
  }

  static void remarkPassed(Operation *op, const std::optional<Quantised> &end) {
    remark::passed(op->getLoc(), remarkOf())
        << ("'" + nodeName(op) + "' sums products of bytes and gives " + (end ? "bytes" : "floats"))
               .str();
  }

  // The weights of a layer whose outputs lie along `axis`; none after `reason` was set.
  static std::optional<Rows> rowsOf(Value weight, int64_t axis, std::string &reason) {
    if (!isKnownBefore(weight)) {
      reason = "its weights are not known before the run";
      return std::nullopt;
    }
    while (auto transposed = weight.getDefiningOp<TransposeOp>()) {
      Shape shape = shapeOf(weight.getType());
      if (shape.rank() != 2)
        break;
      bool swaps = transposed.getAxes().empty() || transposed.getAxes()[0] == 1;
      axis = swaps ? 1 - axis : axis;
      weight = transposed.getData();
    }
    Rows rows{{}, axis, {}};
    Value difference = weight;
    if (ScalarOp by = scalarOf(weight, "mul")) {
      rows.scale = numberOf(by);
      difference = by.getData();
    } else if (auto by = weight.getDefiningOp<BinaryOp>(); by && by.getFn() == "mul") {
      Shape own = shapeOf(weight.getType()), scales = shapeOf(by.getRhs().getType());
      bool meets = scales.rank() <= own.rank() && by.getLhs().getType() == weight.getType();
      for (size_t i = 0; meets && i < scales.rank(); ++i) {
        size_t place = own.rank() - scales.rank() + i;
        meets = int64_t(place) == axis ? scales[i] == own[place] : scales[i].isStatic(1);
      }
      if (!meets || scales.rank() + axis < own.rank()) {
        reason = "scales of its weights are not those of outputs";
        return std::nullopt;
      }
      rows.scales = by.getRhs();
      difference = by.getLhs();
    }
    std::optional<Dequantised> found = differenceOf(difference);
    if (!found) {
      reason = "its weights are not bytes with a scale and one zero point";
      return std::nullopt;
    }
    constexpr int64_t middle = 128; // of uint8
    if (found->levels.zero != (found->isSigned() ? 0 : middle)) {
      reason = "its weights have a zero point of " + std::to_string(found->levels.zero);
      return std::nullopt;
    }
    rows.integers = found->integers;
    return rows;
  }

  // Weights as int8, outputs first; those of uint8 are in the middle of the range.
  static Value signedRows(CoreBuilder &b, const Rows &rows) {
    Value integers = rows.integers;
    if (elementOf(integers).isUnsignedInteger())
      integers =
          b.cast(b.scalar("sub", b.cast(integers, b.b.getI32Type()), 128), b.b.getIntegerType(8));
    return rows.axis == 0 ? integers : b.transpose(integers, {1, 0});
  }

  // What a layer over bytes reads beside data and weights.
  struct Vectors {
    Value correction, bias, scale;
  };

  static Value filled(CoreBuilder &b, int64_t count, double value, Type element) {
    Type type = b.typeOf(Shape({b.dim(count)}), element);
    return b.make(
        "full", {}, type,
        {b.numbers("shape", {count}), b.text("dtype", typeName(element)), b.real("value", value)});
  }

  // The bias is one of sums, or of results where it is added behind their scale.
  static Vectors vectorsOf(CoreBuilder &b, const Dequantised &data, const Rows &rows,
                           Value integers, Value bias, bool behindScale,
                           const std::optional<Quantised> &end) {
    Type f32 = b.b.getF32Type(), i32 = b.b.getI32Type();
    Shape shape = shapeOf(integers.getType());
    int64_t count = shape[0].get();
    Vectors v;
    int64_t shift = data.levels.zero + (data.isSigned() ? 128 : 0);
    if (shift == 0) {
      v.correction = b.cast(filled(b, count, 0, f32), i32);
    } else {
      SmallVector<int64_t> axes;
      for (size_t i = 1; i < shape.rank(); ++i)
        axes.push_back(static_cast<int64_t>(i));
      Value sums = b.reduce("sum", b.cast(integers, i32), axes, /*keep=*/false);
      v.correction = b.scalar("mul", sums, -double(shift));
    }
    double unit = data.levels.scale, result = end ? end->levels.scale : 1;
    Value scales = rows.scales ? b.reshape(rows.scales, Shape({shape[0]})) : Value();
    v.scale = scales ? b.scalar("mul", scales, unit / result)
                     : filled(b, count, unit * rows.scale / result, f32);
    if (!bias)
      v.bias = filled(b, count, 0, f32);
    else if (behindScale)
      v.bias = b.scalar("div", bias, result);
    else if (scales)
      v.bias = b.binary("div", bias, b.scalar("mul", scales, unit));
    else
      v.bias = b.scalar("div", bias, unit * rows.scale);
    return v;
  }

  static void addRange(CoreBuilder &b, SmallVectorImpl<NamedAttribute> &attributes,
                       const Quantised &end) {
    attributes.push_back(b.number("zero", end.levels.zero));
    attributes.push_back(b.number("least", end.least));
    attributes.push_back(b.number("most", end.most));
  }

  static NamedAttribute segments(CoreBuilder &b, ArrayRef<int32_t> counts) {
    return b.b.getNamedAttr("operandSegmentSizes", b.b.getDenseI32ArrayAttr(counts));
  }

  static void convolution(ConvolutionOp op) {
    std::optional<Dequantised> data = dequantised(op.getData());
    if (!data)
      return;
    std::string reason;
    std::optional<Rows> rows = rowsOf(op.getWeight(), 0, reason);
    if (!rows)
      return remarkMissed(op, reason);
    Shape image = shapeOf(data->integers.getType());
    bool isDepthwise = op.getNumGroup() > 1 && op.getNumGroup() == op.getNumFilter() &&
                       image[1].isStatic(op.getNumGroup());
    if (op.getKernel().size() != 2 || !isChannelsFirst(op.getLayout()) || !image[1].isStatic())
      return remarkMissed(op, "it is not over two extents behind channels");
    if (op.getNumGroup() != 1 && !isDepthwise)
      return remarkMissed(op, "it has groups of several channels");
    std::optional<Quantised> end = quantisedBy(onlyReader(op.getOutput()));
    CoreBuilder b(op);
    Value integers = signedRows(b, *rows);
    Vectors vectors = vectorsOf(b, *data, *rows, integers, op.getBias(), false, end);
    SmallVector<NamedAttribute> attributes;
    for (StringRef name :
         {"kernel", "stride", "dilate", "pad", "pad_end", "num_filter", "num_group"})
      if (Attribute value = op->getAttr(name))
        attributes.push_back({b.b.getStringAttr(name), value});
    Type type = op.getOutput().getType();
    if (end) {
      addRange(b, attributes, *end);
      type = end->end.getOutput().getType();
    }
    attributes.push_back(b.number("data_zero", data->levels.zero));
    attributes.push_back(segments(b, {1, 1, 1, 1, 1, 0, 0}));
    Value result = b.make(
        "integer_conv", {data->integers, integers, vectors.correction, vectors.bias, vectors.scale},
        type, attributes);
    remarkPassed(op, end);
    (end ? end->end.getOutput() : op.getOutput()).replaceAllUsesWith(result);
  }

  // A product of rows and weights whose outputs lie along `axis`.
  static void product(Operation *op, Value rows, Value weight, int64_t axis, Value bias) {
    std::optional<Dequantised> data = dequantised(rows);
    if (!data)
      return;
    std::string reason;
    std::optional<Rows> known = rowsOf(weight, axis, reason);
    if (!known)
      return remarkMissed(op, reason);
    Value result = op->getResult(0);
    // A row of biases behind it.
    auto sum = dyn_cast_or_null<BinaryOp>(onlyReader(result));
    if (sum && sum.getFn() == "add" && !bias && sum.getOutput().getType() == result.getType()) {
      Value other = sum.getLhs() == result ? sum.getRhs() : sum.getLhs();
      Shape shape = shapeOf(other.getType()), full = shapeOf(result.getType());
      bool isRow = shape.rank() >= 1 && shape[shape.rank() - 1] == full[full.rank() - 1] &&
                   shape.isStatic() && shape.rank() <= full.rank();
      for (size_t i = 0; isRow && i + 1 < shape.rank(); ++i)
        isRow = shape[i].isStatic(1);
      if (isRow && isKnownBefore(other)) {
        bias = other;
        result = sum.getOutput();
      }
    }
    std::optional<Quantised> end = quantisedBy(onlyReader(result));
    CoreBuilder b(result.getDefiningOp());
    Value integers = signedRows(b, *known);
    if (bias)
      bias = b.reshape(bias, Shape({shapeOf(integers.getType())[0]}));
    Vectors vectors = vectorsOf(b, *data, *known, integers, bias, true, end);
    Value last = end ? end->end.getOutput() : result;
    SmallVector<NamedAttribute> attributes{b.text("out_type", typeName(elementOf(last))),
                                           segments(b, {1, 1, 1, 1, 1})};
    if (end)
      addRange(b, attributes, *end);
    Value made = b.make("integer_product",
                        {data->integers, integers, vectors.correction, vectors.scale, vectors.bias},
                        last.getType(), attributes);
    remarkPassed(op, end);
    last.replaceAllUsesWith(made);
  }

  static void fullyConnected(FullyConnectedOp op) {
    if (op.getFlatten() && shapeOf(op.getData().getType()).rank() != 2)
      return;
    product(op, op.getData(), op.getWeight(), 0, op.getBias());
  }

  static void matmul(NumpyMatmulOp op) {
    if (shapeOf(op.getB().getType()).rank() == 2)
      product(op, op.getA(), op.getB(), 1, {});
    else if (dequantised(op.getA()))
      remarkMissed(op, "it multiplies stacks of matrices");
  }

  // An exact product in int32 that becomes floats times a scale.
  static void scaled(IntegerProductOp op) {
    if (op.getScale())
      return;
    auto cast = dyn_cast_or_null<CastOp>(onlyReader(op.getOutput()));
    if (!cast || !elementOf(cast.getOutput()).isF32())
      return;
    Shape full = shapeOf(cast.getOutput().getType());
    Dim outputs = full[full.rank() - 1];
    Operation *reader = onlyReader(cast.getOutput());
    auto times = dyn_cast_or_null<BinaryOp>(reader);
    auto by = dyn_cast_or_null<ScalarOp>(reader);
    Value result;
    CoreBuilder b(reader ? reader : op.getOperation());
    Value scale;
    if (times && times.getFn() == "mul" &&
        times.getOutput().getType() == cast.getOutput().getType()) {
      Value other = times.getLhs() == cast.getOutput() ? times.getRhs() : times.getLhs();
      Shape shape = shapeOf(other.getType());
      bool isOne =
          shape.isStatic() && llvm::all_of(shape.list(), [](Dim dim) { return dim.isStatic(1); });
      bool isRow = shape.rank() >= 1 && shape.isStatic() && shape[shape.rank() - 1] == outputs;
      for (size_t i = 0; isRow && i + 1 < shape.rank(); ++i)
        isRow = shape[i].isStatic(1);
      if ((!isOne && !isRow) || other == cast.getOutput())
        return;
      Shape row({outputs});
      scale =
          isRow ? b.reshape(other, row) : b.broadcastTo(b.reshape(other, Shape({b.dim(1)})), row);
      result = times.getOutput();
    } else if (by && by.getFn() == "mul") {
      scale = filled(b, outputs.get(), numberOf(by), b.b.getF32Type());
      result = by.getOutput();
    } else {
      return;
    }
    Value bias = filled(b, outputs.get(), 0, b.b.getF32Type());
    Value made =
        b.make("integer_product", {op.getData(), op.getWeight(), op.getCorrection(), scale, bias},
               result.getType(), {b.text("out_type", "float32"), segments(b, {1, 1, 1, 1, 1})});
    remarkPassed(op, std::nullopt);
    result.replaceAllUsesWith(made);
  }

  // (q - zero) * scale, in floats.
  static Value floatsOf(CoreBuilder &b, Value integers, const Levels &levels) {
    Value x = b.cast(integers, b.b.getF32Type());
    if (levels.zero)
      x = b.scalar("sub", x, double(levels.zero));
    return b.scalar("mul", x, levels.scale);
  }

  // A maximum of what integers stand for is that of the integers.
  static void pooling(PoolingOp op) {
    std::optional<Dequantised> data = dequantised(op.getData());
    if (!data || op.getPoolType() != "max")
      return;
    auto holds = [](ArrayRef<int64_t> ends, ArrayRef<int64_t> begins) {
      return ends.empty() || ends == begins;
    };
    if (op.getGlobalPool() || op.getKernel().size() != 2 || op.getPoolingConvention() == "same" ||
        !isChannelsFirst(op.getLayout()) || !holds(op.getPadEnd(), op.getPad()))
      return;
    CoreBuilder b(op);
    SmallVector<NamedAttribute> attributes;
    for (StringRef name : {"kernel", "pool_type", "pooling_convention", "stride", "pad"})
      if (Attribute value = op->getAttr(name))
        attributes.push_back({b.b.getStringAttr(name), value});
    // Limits, which pass through: of nobody's interest.
    Value limit = filled(b, 1, 0, b.b.getF32Type());
    Type bytes = b.withElement(op.getOutput(), elementOf(data->integers));
    ResultRange made = b.makeAll("quantized_pooling", {data->integers, limit, limit},
                                 {bytes, limit.getType(), limit.getType()}, attributes);
    op.getOutput().replaceAllUsesWith(floatsOf(b, made[0], data->levels));
  }

  // Bytes move in place of floats.
  static void move(Operation *op) {
    bool moves = isa<NumpyReshapeOp, ReshapeOp, TransposeOp, ExpandDimsOp, FlattenOp, SliceOp,
                     SliceAxisOp, ConcatOp>(op);
    if (!moves || op->getNumOperands() == 0 || op->getNumResults() != 1)
      return;
    std::optional<Levels> levels;
    SmallVector<Value> integers;
    for (Value operand : op->getOperands()) {
      std::optional<Dequantised> data = dequantised(operand);
      if (!data || (levels && !(*levels == data->levels)) ||
          (!integers.empty() && elementOf(integers[0]) != elementOf(data->integers)))
        return;
      levels = data->levels;
      integers.push_back(data->integers);
    }
    CoreBuilder b(op);
    Value result = op->getResult(0);
    Value made = b.make(op->getName().stripDialect(), integers,
                        b.withElement(result, elementOf(integers[0])), op->getAttrs());
    result.replaceAllUsesWith(floatsOf(b, made, *levels));
  }

  // Rounding what stands for integers to the same integers.
  static void dropRounding(Operation *op) {
    if (!isa<ScalarOp, UnaryOp>(op) || op->getNumOperands() != 1)
      return;
    std::optional<Dequantised> data = dequantised(op->getOperand(0));
    if (!data)
      return;
    std::optional<Quantised> end = quantisedBy(op);
    bool isUnsigned = !data->isSigned();
    if (end && end->levels == data->levels &&
        elementOf(end->end.getOutput()) == elementOf(data->integers) &&
        end->least == (isUnsigned ? 0 : -128) && end->most == (isUnsigned ? 255 : 127))
      end->end.getOutput().replaceAllUsesWith(data->integers);
  }
};

} // namespace
