// Deconvolution.cpp: deconvolutions that double the images of a head, each channel alone
// (ir/DoubledImages.h), as one elementwise step. Output row 2 i + a takes rows i + s - t of data,
// by rows 2 t + r of the window, where a + pad = 2 s + r; columns alike. Where pad is odd, r is
// 1 - a and s grows with a: the weights' neighbours change places first. All are views then:
//
//   kernel.loops over [N, C, H', 2, W', 2]: data, in zeros, and the weight of each tap, which is
//       one number for all of an image -> output [N, C, 2 H', 2 W']
//
// Taps are added row by row, behind the bias.
#include "codegen/schedule/ScheduleRule.h"
#include "ir/DoubledImages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static constexpr int64_t floatsOfVector = 8; // loads of 32 bytes are dearer where they cross a line

namespace {

/// Rows or columns.
struct Axis {
  int64_t taps;  // of one element of output
  int64_t first; // s, where a = 0
  int64_t step;  // by how much s grows with a: r is 1 - a where it does
  int64_t zeros; // around data, on both sides
  int64_t pairs; // elements of output / 2

  Axis(int64_t kernel, int64_t pad, int64_t input, int64_t output)
      : taps(kernel / 2), first(pad / 2), step(pad % 2), pairs(output / 2) {
    int64_t before = taps - 1 - first, last = pairs - 1 + first + step;
    zeros = std::max<int64_t>({0, before, last - (input - 1)});
  }
};

struct DoublingSteps {
  DeconvolutionOp op;
  Tensors &t;
  Axis rows, columns;
  Location location = op.getLoc();

  static Axis axisOf(DeconvolutionOp op, unsigned i) {
    return Axis(op.getKernel()[i], op.getPad().empty() ? 0 : op.getPad()[i],
                shapeOf(op.getData().getType())[2 + i].get(),
                shapeOf(op.getOutput().getType())[2 + i].get());
  }
  DoublingSteps(DeconvolutionOp op, Tensors &t)
      : op(op), t(t), rows(axisOf(op, 0)), columns(axisOf(op, 1)) {}

  /// Zeros in the rows above and below images, and in each strip from the right edge of a row to
  /// where the next one begins.
  void fillStrips(ArrayRef<AffineExpr> extents, AffineExpr left, AffineExpr width, Value memory) {
    ViewSpec whole = t.rowMajor(memory, extents);
    auto fill = [&](AffineExpr row, AffineExpr count, AffineExpr column, AffineExpr width) {
      ViewSpec view = whole;
      view.offset = whole.strides[2] * row + column;
      view.sizes[2] = count;
      view.sizes[3] = width;
      t.fill(view, t.builder.getF32FloatAttr(0), location);
    };
    AffineExpr above = t.constant(rows.zeros), none = t.constant(0);
    fill(none, above, none, extents[3]);
    fill(extents[2] - above, above, none, extents[3]);
    fill(above - 1, extents[2] - above * 2 + 1, left + width, extents[3] - width);
  }

  /// data [N, C, H, W] with zeros around it. Its rows begin at whole vectors.
  ViewSpec surrounded() {
    Value data = op.getData();
    SmallVector<AffineExpr, 4> image = extentsOf(data), extents = image;
    AffineExpr left = t.constant(llvm::alignTo(columns.zeros, floatsOfVector));
    extents[2] = image[2] + 2 * rows.zeros;
    extents[3] = (left + image[3] + columns.zeros).ceilDiv(floatsOfVector) * floatsOfVector;
    ViewSpec whole = t.rowMajor(t.buffer(extents, t.builder.getF32Type(), location), extents);
    whole.offset = left - columns.zeros;
    whole.sizes[3] = image[3] + 2 * columns.zeros;
    if (rows.zeros && columns.zeros)
      fillStrips(extents, left, image[3], whole.base);
    else
      t.fillBorder(whole, Halo{rows.zeros, columns.zeros}.padding(), location);
    ViewSpec inner = whole;
    inner.offset = inner.offset + inner.strides[2] * rows.zeros + columns.zeros;
    inner.sizes.assign(image.begin(), image.end());
    if (t.hasBlocked(data) && !t.hasPlain(data))
      t.pairPlanarBlocked(inner, t.blockedView(data, {}, location), *constantOf(image[1]),
                          [&](const ViewSpec &planar, const ViewSpec &blocks) {
                            t.copy(blocks, planar, location);
                          });
    else
      t.copy(t.stridedView(data, location), inner, location);
    return whole;
  }

  /// The weights [C, 1, 2 taps, 2 taps], neighbours exchanged along axes whose pad is odd.
  ViewSpec weights() {
    ViewSpec given = t.plainView(op.getWeight(), location);
    if (!rows.step && !columns.step)
      return given;
    ViewSpec result =
        t.rowMajor(t.buffer(given.sizes, t.builder.getF32Type(), location), given.sizes);
    auto every2nd = [&](ViewSpec view, int64_t row, int64_t column) {
      view.offset = view.offset + view.strides[2] * row + view.strides[3] * column;
      view.sizes[2] = t.constant(rows.taps);
      view.sizes[3] = t.constant(columns.taps);
      view.strides[2] = view.strides[2] * 2;
      view.strides[3] = view.strides[3] * 2;
      return view;
    };
    for (int64_t row : {0, 1})
      for (int64_t column : {0, 1})
        t.copy(every2nd(given, row ^ rows.step, column ^ columns.step),
               every2nd(result, row, column), location);
    return result;
  }

  void emit() {
    ViewSpec out = t.createPlain(op.getOutput(), location);
    ViewSpec data = surrounded(), weight = weights();
    AffineExpr none = t.constant(0), two = t.constant(2);
    // Elements of output, by their places in pairs of rows and pairs of columns.
    auto view = [&](const ViewSpec &of, AffineExpr offset, ArrayRef<AffineExpr> strides) {
      ViewSpec result{
          of.base,
          of.offset + offset,
          {out.sizes[0], out.sizes[1], t.constant(rows.pairs), two, t.constant(columns.pairs), two},
          {}};
      result.strides.assign(strides.begin(), strides.end());
      return result;
    };
    SmallVector<Value> sources;
    auto read = [&](const ViewSpec &of, AffineExpr offset, ArrayRef<AffineExpr> strides) {
      sources.push_back(t.materialise(view(of, offset, strides), location));
    };
    for (int64_t row = 0; row < rows.taps; ++row)
      for (int64_t column = 0; column < columns.taps; ++column) {
        read(data,
             data.strides[2] * (rows.zeros + rows.first - row) +
                 data.strides[3] * (columns.zeros + columns.first - column),
             {data.strides[0], data.strides[1], data.strides[2], data.strides[2] * rows.step,
              data.strides[3], data.strides[3] * columns.step});
        read(weight, weight.strides[2] * (2 * row) + weight.strides[3] * (2 * column),
             {none, weight.strides[0], none, weight.strides[2], none, weight.strides[3]});
      }
    if (Value bias = op.getBias())
      read(t.plainView(bias, location), none, {none, t.constant(1), none, none, none, none});
    Value target = t.materialise(view(out, none,
                                      {out.strides[0], out.strides[1], out.strides[2] * 2,
                                       out.strides[2], two, t.constant(1)}),
                                 location);
    auto step = kernel::LoopsOp::create(t.builder, location, sources, ValueRange{target});
    fill(step.getBody(), sources.size());
  }

  void fill(Region &region, size_t operands) {
    OpBuilder::InsertionGuard guard(t.builder);
    Block *block = t.builder.createBlock(&region);
    for (size_t i = 0; i < operands; ++i)
      block->addArgument(t.builder.getF32Type(), location);
    auto at = [&](size_t i) -> Value { return block->getArgument(i); };
    Value sum = operands % 2 ? at(operands - 1) : Value();
    for (size_t i = 0; i + 1 < operands; i += 2)
      sum = sum ? math::FmaOp::create(t.builder, location, at(i), at(i + 1), sum).getResult()
                : arith::MulFOp::create(t.builder, location, at(i), at(i + 1)).getResult();
    kernel::YieldOp::create(t.builder, location, ValueRange{sum});
  }
};

struct DeconvolutionRule {
  static constexpr RuleTraits traits{"deconvolution", Benefit::Walks, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    DeconvolutionOp op;
  };

  static Match<Plan> match(const GroupView &group) {
    auto op = dyn_cast<DeconvolutionOp>(group.op);
    if (!op)
      return std::nullopt;
    if (!doublesImages(op))
      return Refusal{"it does anything else than to double images of float32, channel by channel"};
    return Plan{{}, op};
  }

  static void emit(const GroupView &, const Plan &plan, Tensors &t) {
    DoublingSteps(plan.op, t).emit();
  }
};

} // namespace

namespace symc::codegen {
void registerDeconvolutionRule(RuleList &rules) { rules.add<DeconvolutionRule>(); }
} // namespace symc::codegen
