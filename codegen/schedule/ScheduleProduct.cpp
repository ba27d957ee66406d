// ScheduleProduct.cpp: products of matrices that data decides (dot, batch_dot, linalg_gemm,
// linalg_gemm2, those of attention layers). The right matrix is packed into panels, in the arena
// or, where it is a weight, in @prepare; then the product is a fully connected layer without
// window. A batch is one step of each, with an image and panels for each product. Products of a
// few elements and of run-time extents keep their reference kernel.
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Attention.h"
#include "ir/ops/Linalg.h"
#include "ir/ops/Matrix.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// Panels have 16 columns.
static constexpr int64_t fewestColumns = 8, fewestMultiplications = 8192;

namespace {

/// Matrices of a value, as many as products: number n begins at n * step + first and has
/// these distances between rows and columns.
struct Matrices {
  Value value;
  int64_t row, column = 1, step = 0, first = 0;
};

/// out[n] = alpha * left[n] * right[n] + beta * addend[n].
struct Product {
  int64_t batch, rows, inner, columns;
  Matrices left, right, out;
  Value addend = {}; // as out
  double alpha = 1, beta = 0;
};

std::optional<SmallVector<int64_t>> staticExtents(Value value) {
  SmallVector<int64_t> extents;
  for (AffineExpr expr : extentsOf(value)) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant)
      return std::nullopt;
    extents.push_back(constant.getValue());
  }
  return extents;
}

int64_t countOf(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

// Row-major matrices behind each other, transposed or not.
Product rowMajorProduct(ArrayRef<int64_t> sizes, Value left, bool turnLeft, Value right,
                        bool turnRight, Value out) {
  int64_t rows = sizes[1], inner = sizes[2], columns = sizes[3];
  Product product{sizes[0],
                  rows,
                  inner,
                  columns,
                  {left, inner, 1, rows * inner},
                  {right, columns, 1, inner * columns},
                  {out, columns, 1, rows * columns}};
  if (turnLeft)
    std::tie(product.left.row, product.left.column) = std::pair<int64_t, int64_t>(1, rows);
  if (turnRight)
    std::tie(product.right.row, product.right.column) = std::pair<int64_t, int64_t>(1, inner);
  return product;
}

// One axis is summed over, the others make one.
std::optional<Product> productOf(DotOp op) {
  auto left = staticExtents(op.getLhs()), right = staticExtents(op.getRhs());
  if (!left || !right)
    return std::nullopt;
  int64_t inner = op.getTransposeA() ? left->front() : left->back();
  if (inner == 0)
    return std::nullopt;
  return rowMajorProduct({1, countOf(*left) / inner, inner, countOf(*right) / inner}, op.getLhs(),
                         op.getTransposeA(), op.getRhs(), op.getTransposeB(), op.getOutput());
}

// Batches of matrices in the last two axes.
template <typename Op> std::optional<Product> batchedProduct(Op op, Value left, Value right) {
  auto extents = staticExtents(left), result = staticExtents(op.getOutput());
  if (!extents || !result)
    return std::nullopt;
  int64_t inner = (*extents)[extents->size() - (op.getTransposeA() ? 2 : 1)];
  return rowMajorProduct({countOf(ArrayRef(*result).drop_back(2)), (*result)[result->size() - 2],
                          inner, result->back()},
                         left, op.getTransposeA(), right, op.getTransposeB(), op.getOutput());
}

template <typename Op> std::optional<Product> scaledProduct(Op op) {
  int64_t rank = extentsOf(op.getOutput()).size(), axis = op.getAxis();
  if (axis != -2 && axis != rank - 2)
    return std::nullopt;
  std::optional<Product> product = batchedProduct(op, op.getA(), op.getB());
  if (product)
    product->alpha = op.getAlpha().convertToDouble();
  return product;
}

// Part `own` of a projection [length, batch, heads * parts * width]; a product for each head
// of each element of the batch, whose heads lie behind those of the element before.
Matrices partOf(Value projection, ArrayRef<int64_t> extents, int64_t heads, int64_t parts,
                int64_t own) {
  int64_t width = extents[2] / (heads * parts);
  return {projection, extents[1] * extents[2], 1, parts * width, own * width};
}

std::optional<Product> productOf(InterleavedQkOp op) {
  Value other = op.getIsSelf() ? op.getQueries() : op.getKeysValues();
  auto queries = staticExtents(op.getQueries()), keys = staticExtents(other);
  auto result = staticExtents(op.getOutput());
  if (!queries || !keys || !result)
    return std::nullopt;
  int64_t heads = op.getHeads(), rows = (*result)[1], columns = (*result)[2];
  int64_t width = (*queries)[2] / (heads * (op.getIsSelf() ? 3 : 1));
  Product product{(*result)[0],
                  rows,
                  width,
                  columns,
                  partOf(op.getQueries(), *queries, heads, op.getIsSelf() ? 3 : 1, 0),
                  partOf(other, *keys, heads, op.getIsSelf() ? 3 : 2, op.getIsSelf() ? 1 : 0),
                  {op.getOutput(), columns, 1, rows * columns}};
  std::swap(product.right.row, product.right.column); // keys are rows
  product.alpha = 1 / std::sqrt(static_cast<double>(width));
  return product;
}

std::optional<Product> productOf(InterleavedValattOp op) {
  auto values = staticExtents(op.getKeysValues()), attention = staticExtents(op.getAttention());
  auto result = staticExtents(op.getOutput());
  if (!values || !attention || !result)
    return std::nullopt;
  int64_t heads = op.getHeads(), parts = op.getIsSelf() ? 3 : 2;
  int64_t rows = (*attention)[1], length = (*attention)[2];
  return Product{(*attention)[0],
                 rows,
                 length,
                 (*values)[2] / (heads * parts),
                 {op.getAttention(), length, 1, rows * length},
                 partOf(op.getKeysValues(), *values, heads, parts, parts - 1),
                 partOf(op.getOutput(), *result, heads, 1, 0)};
}

std::optional<Product> productFrom(Operation *op) {
  if (auto dot = dyn_cast<DotOp>(op))
    return productOf(dot);
  if (auto dot = dyn_cast<BatchDotOp>(op))
    return batchedProduct(dot, dot.getLhs(), dot.getRhs());
  if (auto product = dyn_cast<InterleavedQkOp>(op))
    return productOf(product);
  if (auto product = dyn_cast<InterleavedValattOp>(op))
    return productOf(product);
  if (auto gemm = dyn_cast<LinalgGemm2Op>(op))
    return scaledProduct(gemm);
  auto gemm = dyn_cast<LinalgGemmOp>(op);
  std::optional<Product> product = gemm ? scaledProduct(gemm) : std::nullopt;
  if (product) {
    product->addend = gemm.getC();
    product->beta = gemm.getBeta().convertToDouble();
  }
  return product;
}

// Why the reference kernel is to be kept; nothing where it is not.
std::string obstacle(const Product &product, int64_t panelColumns) {
  if (product.columns < fewestColumns)
    return llvm::formatv("its result has {0} columns, panels have {1}", product.columns,
                         panelColumns);
  if (product.rows * product.inner * product.columns < fewestMultiplications)
    return llvm::formatv("it takes {0} multiplications, packing pays from {1} on",
                         product.rows * product.inner * product.columns, fewestMultiplications);
  return "";
}

} // namespace

// Sums times alpha, and the addend times beta.
static void fillBody(Region &region, const Product &product, OpBuilder &b, Location location) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region);
  Type f32 = b.getF32Type();
  auto scaled = [&](double factor) -> Value {
    Value value = block->addArgument(f32, location);
    if (factor == 1)
      return value;
    Value constant = arith::ConstantOp::create(b, location, b.getF32FloatAttr(factor));
    return arith::MulFOp::create(b, location, value, constant);
  };
  Value result = scaled(product.alpha);
  if (product.addend)
    result = arith::AddFOp::create(b, location, result, scaled(product.beta));
  kernel::YieldOp::create(b, location, ValueRange{result});
}

bool Scheduler::scheduleProduct(Operation *op) {
  std::optional<Product> product = productFrom(op);
  if (!product)
    return false;
  Location location = op->getLoc();
  auto named = remark::RemarkOpts::name("product").category("kernel-schedule");
  if (std::string why = obstacle(*product, t.blockWidth); !why.empty()) {
    remark::missed(location, named) << "'" + nodeName(op).str() + "' is not packed: " + why;
    return false;
  }
  int64_t rows = product->rows, inner = product->inner, columns = product->columns;
  auto blocksOf = [&](int64_t extent) { return (extent + t.blockWidth - 1) / t.blockWidth; };
  auto constants = [&](ArrayRef<int64_t> values) {
    SmallVector<AffineExpr, 5> list;
    for (int64_t value : values)
      list.push_back(t.constant(value));
    return list;
  };
  auto rowsOf = [&](const Matrices &matrices, Value memory, int64_t width) {
    return t.materialise({memory, t.constant(matrices.first),
                          constants({product->batch, blocksOf(width), 1, rows, t.blockWidth}),
                          constants({matrices.step, t.blockWidth, 0, matrices.row, 1})},
                         location);
  };
  OpBuilder &b = t.builder;
  Type f32 = b.getF32Type();
  // One product has no extent of the batch: panels [OB, IB, 1, 1, B, B].
  bool single = product->batch == 1;
  SmallVector<int64_t, 8> panelShape{blocksOf(columns), blocksOf(inner), 1, 1,
                                     t.blockWidth,      t.blockWidth};
  SmallVector<int64_t, 4> sizes{columns, inner, 1, 1};
  SmallVector<int64_t, 4> strides{product->right.column, product->right.row, 0, 0};
  if (!single) {
    panelShape.insert(panelShape.begin(), product->batch);
    sizes.insert(sizes.begin(), product->batch);
    strides.insert(strides.begin(), product->right.step);
  }
  auto panelType = MemRefType::get(panelShape, f32);
  bool packed = Tensors::isWeight(product->right.value);
  Matrices left = product->left;
  Value leftMemory = t.plainView(left.value, location).base, right, panels;
  SmallVector<Value> extras;
  if (!packed) {
    right = t.plainView(product->right.value, location).base;
    panels = t.buffer(constants(panelShape), f32, location);
  }
  if (product->addend)
    extras.push_back(t.plainView(product->addend, location).base);
  // Rows of the left matrix are read in one piece.
  if (left.column != 1) {
    SmallVector<AffineExpr, 5> extents = constants({product->batch, rows, inner});
    ViewSpec transposed = t.rowMajor(t.buffer(extents, f32, location), extents);
    t.copy({leftMemory, t.constant(left.first), extents,
            constants({left.step, left.row, left.column})},
           transposed, location);
    leftMemory = transposed.base;
    left = {left.value, inner, 1, rows * inner};
  }
  Value out = t.createPlain(op->getResult(0), location).base;
  if (product->batch == 0)
    return true;
  if (packed)
    panels = t.requestWeight({product->right.value,
                              t.form(weight_form::panels),
                              t.blockWidth,
                              0,
                              1,
                              "",
                              panelType,
                              {product->right.first, sizes, strides}});
  else
    kernel::PackPanelsOp::create(b, location,
                                 t.materialise({right, t.constant(product->right.first),
                                                constants(sizes), constants(strides)},
                                               location),
                                 panels);
  for (Value &extra : extras)
    extra = rowsOf(product->out, extra, columns);
  int64_t ones[] = {1, 1};
  auto step =
      kernel::ConvOp::create(b, location, rowsOf(left, leftMemory, inner), panels, extras,
                             rowsOf(product->out, out, columns), ones, ones, ones, inner, columns);
  fillBody(step.getBody(), *product, b, location);
  remark::passed(location, named)
      << llvm::formatv("'{0}' is {1} product{2} of {3}x{4} by {4}x{5}, packed {6}", nodeName(op),
                       product->batch, product->batch == 1 ? "" : "s", rows, inner, columns,
                       packed ? "in @prepare" : "at each run")
             .str();
  return true;
}

const Scheduler::Rule Scheduler::productRule = {
    "product", Rule::Tiles,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      const ElementRow *elements = s.t.layerElements(group.result);
      auto isSame = [&](Value value) { return s.t.layerElements(value) == elements; };
      if (!isa<DotOp, BatchDotOp, LinalgGemmOp, LinalgGemm2Op, InterleavedQkOp,
               InterleavedValattOp>(group.op) ||
          !elements || !llvm::all_of(group.op->getOperands(), isSame))
        return std::nullopt;
      return RuleForms();
    },
    [](Scheduler &s, Group &group) { return s.scheduleProduct(group.op); }};
