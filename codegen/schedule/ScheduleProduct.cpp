// ScheduleProduct.cpp: products of matrices that data decides (dot, batch_dot, linalg_gemm,
// linalg_gemm2). The right matrix is packed into panels, in the arena or, where it is a
// weight, in @prepare; then the product is a fully connected layer without window. Products
// of a few elements, of many small matrices and of run-time extents keep their reference kernel.
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Linalg.h"
#include "ir/ops/Matrix.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// Each product of a batch is steps of its own, and panels have 16 columns.
static constexpr int64_t mostProducts = 64, fewestColumns = 8, fewestMultiplications = 8192;

namespace {

/// out[b] = alpha * left[b] * right[b] + beta * addend[b], row-major but for the two flags.
struct Product {
  Value left, right, addend;
  bool transposeLeft = false, transposeRight = false;
  int64_t batch = 1, rows = 1, inner = 1, columns = 1;
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

int64_t productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

// One axis is summed over, the others make one.
std::optional<Product> productOf(DotOp op) {
  auto left = staticExtents(op.getLhs()), right = staticExtents(op.getRhs());
  if (!left || !right)
    return std::nullopt;
  Product product{op.getLhs(), op.getRhs(), {}, op.getTransposeA(), op.getTransposeB()};
  product.inner = product.transposeLeft ? left->front() : left->back();
  product.rows = product.inner ? productOf(*left) / product.inner : 0;
  product.columns = product.inner ? productOf(*right) / product.inner : 0;
  return product;
}

// Batches of matrices in the last two axes.
template <typename Op> std::optional<Product> batchedProduct(Op op, Value left, Value right) {
  auto extents = staticExtents(left), result = staticExtents(op.getOutput());
  if (!extents || !result)
    return std::nullopt;
  Product product{left, right, {}, op.getTransposeA(), op.getTransposeB()};
  product.batch = productOf(ArrayRef(*result).drop_back(2));
  product.rows = (*result)[result->size() - 2];
  product.columns = result->back();
  product.inner = (*extents)[extents->size() - (product.transposeLeft ? 2 : 1)];
  return product;
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

std::optional<Product> productFrom(Operation *op) {
  if (auto dot = dyn_cast<DotOp>(op))
    return productOf(dot);
  if (auto dot = dyn_cast<BatchDotOp>(op))
    return batchedProduct(dot, dot.getLhs(), dot.getRhs());
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
std::string obstacle(const Product &product) {
  if (product.batch > mostProducts)
    return llvm::formatv("it is {0} products, at most {1} are steps", product.batch, mostProducts);
  if (product.columns < fewestColumns)
    return llvm::formatv("its result has {0} columns, panels have 16", product.columns);
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
  if (!isa<DotOp, BatchDotOp, LinalgGemmOp, LinalgGemm2Op>(op) ||
      !elementTypeOf(op->getResult(0).getType()).isF32() ||
      !llvm::all_of(op->getOperandTypes(), [](Type type) { return elementTypeOf(type).isF32(); }))
    return false;
  std::optional<Product> product = productFrom(op);
  if (!product)
    return false;
  Location location = op->getLoc();
  auto named = remark::RemarkOpts::name("product").category("kernel-schedule");
  if (std::string why = obstacle(*product); !why.empty()) {
    remark::missed(location, named) << "'" + nodeName(op).str() + "' is not packed: " + why;
    return false;
  }
  int64_t rows = product->rows, inner = product->inner, columns = product->columns;
  auto blocksOf = [](int64_t extent) { return (extent + kBlock - 1) / kBlock; };
  int64_t inBlocks = blocksOf(inner), outBlocks = blocksOf(columns);
  auto constants = [&](ArrayRef<int64_t> values) {
    SmallVector<AffineExpr, 5> list;
    for (int64_t value : values)
      list.push_back(t.constant(value));
    return list;
  };
  auto rowsOf = [&](Value base, int64_t number, int64_t width) {
    return t.materialise({base, t.constant(number * rows * width),
                          constants({1, blocksOf(width), 1, rows, kBlock}),
                          constants({0, kBlock, 0, width, 1})},
                         location);
  };
  OpBuilder &b = t.builder;
  Type f32 = b.getF32Type();
  auto panelType = MemRefType::get({outBlocks, inBlocks, 1, 1, kBlock, kBlock}, f32);
  bool packed = Tensors::isWeight(product->right);
  Value left = t.plainView(product->left, location).base, right, panels, addend;
  if (!packed) {
    right = t.plainView(product->right, location).base;
    panels = t.buffer(constants(panelType.getShape()), f32, location);
  }
  if (product->addend)
    addend = t.plainView(product->addend, location).base;
  // Rows of the left matrix are read in one piece.
  if (product->transposeLeft) {
    Value turned = t.buffer(constants({product->batch, rows, inner}), f32, location);
    t.copy({left, t.constant(0), constants({product->batch, rows, inner}),
            constants({rows * inner, 1, rows})},
           t.rowMajor(turned, constants({product->batch, rows, inner})), location);
    left = turned;
  }
  Value out = t.createPlain(op->getResult(0), location).base;
  SmallVector<int64_t, 4> sizes{columns, inner, 1, 1}, strides{1, columns, 0, 0};
  if (product->transposeRight)
    strides = {inner, 1, 0, 0};
  int64_t ones[] = {1, 1};
  for (int64_t number = 0; number < product->batch; ++number) {
    int64_t offset = number * inner * columns;
    if (packed)
      panels = t.requestWeight({product->right, WeightForm::Panels, kBlock, 0, 1, "", panelType,
                                {offset, sizes, strides}});
    else
      kernel::PackOp::create(
          b, location,
          t.materialise({right, t.constant(offset), constants(sizes), constants(strides)}, location),
          panels, IntegerAttr());
    SmallVector<Value> extras;
    if (addend)
      extras.push_back(rowsOf(addend, number, columns));
    auto step = kernel::ConvOp::create(
        b, location, rowsOf(left, number, inner), panels, extras, rowsOf(out, number, columns),
        b.getDenseI64ArrayAttr(ones), b.getDenseI64ArrayAttr(ones), b.getDenseI64ArrayAttr(ones),
        b.getI64IntegerAttr(inner), b.getI64IntegerAttr(columns), DenseI64ArrayAttr(), IntegerAttr());
    fillBody(step.getBody(), *product, b, location);
  }
  remark::passed(location, named)
      << llvm::formatv("'{0}' is {1} product{2} of {3}x{4} by {4}x{5}, packed {6}", nodeName(op),
                       product->batch, product->batch == 1 ? "" : "s", rows, inner, columns,
                       packed ? "in @prepare" : "at each run")
             .str();
  return true;
}
