// Product.cpp: products of matrices that data decides (dot, batch_dot, linalg_gemm,
// linalg_gemm2, those of attention layers). The right matrix is packed into panels, in the arena
// or, where it is a weight, in @prepare; then the product is a fully connected layer without
// window, with the group's elementwise chain as epilogue. A batch is one step of each, with an
// image and panels for each product. Products of a few elements keep their reference kernel.
//
//   %y = sg.batch_dot(%x, %w)  ->  kernel.conv: an image of rows for each matrix of %x
//
// Panels that a run packs, and a left matrix that it transposes, of many bytes are made for some
// columns or rows at a time, whose products follow at once: their memory serves all of them. In
// training, sums of many terms are sums of shorter chains, one behind the other, whose roundings
// are fewer; gradients add up thousands of terms that prediction has not.
//
// Extents may be known only at run time. Terms and columns are then whole blocks of as many as the
// run has, so that all loops are over blocks: the left matrix is copied with zeros behind its rows,
// and the result is computed with columns to spare and copied.
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/OperandViews.h"
#include "codegen/schedule/Refusals.h"
#include "codegen/schedule/Schedule.h"
#include "ir/Gradient.h"
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

// Panels have 16 columns. From `manyRows` on a tile with one of them used is faster than the
// reference kernel: 2 to 10 times.
static constexpr int64_t fewestColumns = 8, manyRows = 16, fewestMultiplications = 8192,
                         fewestOfWeight = 1024;
// Of what a run makes for a product: more than `manyBytes` come in pieces of about `pieceBytes`.
static constexpr int64_t manyBytes = 12 << 20, pieceBytes = 7 << 20;
// Of a chain in training: more than `manyTerms` become chains of about `pieceTerms`.
static constexpr int64_t manyTerms = 768, pieceTerms = 512;

namespace {

using Extents = SmallVector<AffineExpr, 4>;

/// Matrices of a value, as many as products: number n begins at n * step + first and has
/// these distances between rows and columns.
struct Matrices {
  Value value;
  AffineExpr row, column, step;
  int64_t first = 0;
};

/// out[n] = alpha * left[n] * right[n] + beta * addend[n].
struct Product {
  AffineExpr batch, rows, inner, columns;
  Matrices left, right, out;
  // The result's axes of rows and of columns begin here, those of the batch stand before.
  size_t rowAxis = 0, columnAxis = 0;
  Value addend = {}; // as out
  double alpha = 1, beta = 0;
  bool splitsColumns = false; // the last axis of the result holds columns of several products
};

/// How the epilogue reads an operand: distances between products, rows and columns.
struct EpilogueOperand {
  Operand operand;
  AffineExpr step, row, column;
};

// Row-major matrices behind each other, transposed or not.
Product rowMajorProduct(AffineExpr batch, AffineExpr rows, AffineExpr inner, AffineExpr columns,
                        Value left, bool turnLeft, Value right, bool turnRight, Value out) {
  AffineExpr one = getAffineConstantExpr(1, batch.getContext());
  Product product{batch,
                  rows,
                  inner,
                  columns,
                  {left, inner, one, rows * inner},
                  {right, columns, one, inner * columns},
                  {out, columns, one, rows * columns}};
  if (turnLeft)
    std::tie(product.left.row, product.left.column) = std::pair(one, rows);
  if (turnRight)
    std::tie(product.right.row, product.right.column) = std::pair(one, inner);
  return product;
}

// One axis is summed over, the others make one.
std::optional<Product> productOf(DotOp op) {
  Extents left = extentsOf(op.getLhs()), right = extentsOf(op.getRhs());
  if (left.empty() || right.empty())
    return std::nullopt;
  MLIRContext *context = op.getContext();
  AffineExpr inner = op.getTransposeA() ? left.front() : left.back();
  if (constantOf(inner) == 0)
    return std::nullopt;
  auto others = [&](ArrayRef<AffineExpr> extents, bool first) {
    return countOf(first ? extents.drop_front() : extents.drop_back(), context);
  };
  Product product =
      rowMajorProduct(getAffineConstantExpr(1, context), others(left, op.getTransposeA()), inner,
                      others(right, !op.getTransposeB()), op.getLhs(), op.getTransposeA(),
                      op.getRhs(), op.getTransposeB(), op.getOutput());
  product.columnAxis = left.size() - 1;
  return product;
}

// Batches of matrices in the last two axes.
template <typename Op> Product batchedProduct(Op op, Value left, Value right) {
  Extents extents = extentsOf(left), result = extentsOf(op.getOutput());
  AffineExpr inner = extents[extents.size() - (op.getTransposeA() ? 2 : 1)];
  Product product = rowMajorProduct(countOf(ArrayRef(result).drop_back(2), op.getContext()),
                                    result[result.size() - 2], inner, result.back(), left,
                                    op.getTransposeA(), right, op.getTransposeB(), op.getOutput());
  product.rowAxis = result.size() - 2;
  product.columnAxis = result.size() - 1;
  return product;
}

template <typename Op> std::optional<Product> scaledProduct(Op op) {
  int64_t rank = extentsOf(op.getOutput()).size(), axis = op.getAxis();
  if (axis != -2 && axis != rank - 2)
    return std::nullopt;
  Product product = batchedProduct(op, op.getA(), op.getB());
  product.alpha = op.getAlpha().convertToDouble();
  return product;
}

// Part `own` of a projection [length, batch, heads * parts * width]; a product for each head
// of each element of the batch, whose heads lie behind those of the element before.
Matrices partOf(Value projection, int64_t heads, int64_t parts, int64_t own) {
  Extents extents = extentsOf(projection);
  int64_t width = *constantOf(extents[2]) / (heads * parts);
  MLIRContext *context = projection.getContext();
  return {projection, extents[1] * extents[2], getAffineConstantExpr(1, context),
          getAffineConstantExpr(parts * width, context), own * width};
}

std::optional<Product> productOf(InterleavedQkOp op) {
  Value other = op.getIsSelf() ? op.getQueries() : op.getKeysValues();
  Extents queries = extentsOf(op.getQueries()), result = extentsOf(op.getOutput());
  auto inputs = constantOf(queries[2]);
  if (!inputs)
    return std::nullopt;
  int64_t heads = op.getHeads(), width = *inputs / (heads * (op.getIsSelf() ? 3 : 1));
  AffineExpr rows = result[1], columns = result[2], one = getAffineConstantExpr(1, op.getContext());
  Product product{result[0],
                  rows,
                  getAffineConstantExpr(width, op.getContext()),
                  columns,
                  partOf(op.getQueries(), heads, op.getIsSelf() ? 3 : 1, 0),
                  partOf(other, heads, op.getIsSelf() ? 3 : 2, op.getIsSelf() ? 1 : 0),
                  {op.getOutput(), columns, one, rows * columns}};
  product.rowAxis = 1;
  product.columnAxis = 2;
  std::swap(product.right.row, product.right.column); // keys are rows
  product.alpha = 1 / std::sqrt(static_cast<double>(width));
  return product;
}

std::optional<Product> productOf(InterleavedValattOp op) {
  Extents values = extentsOf(op.getKeysValues()), attention = extentsOf(op.getAttention());
  auto inputs = constantOf(values[2]);
  if (!inputs)
    return std::nullopt;
  int64_t heads = op.getHeads(), parts = op.getIsSelf() ? 3 : 2;
  AffineExpr rows = attention[1], length = attention[2],
             one = getAffineConstantExpr(1, op.getContext());
  Product product{attention[0],
                  rows,
                  length,
                  getAffineConstantExpr(*inputs / (heads * parts), op.getContext()),
                  {op.getAttention(), length, one, rows * length},
                  partOf(op.getKeysValues(), heads, parts, parts - 1),
                  partOf(op.getOutput(), heads, 1, 0)};
  product.splitsColumns = true;
  return product;
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

// Why the reference kernel is to be kept; nothing where it is not. A weight is packed once, and a
// tile of which a third is used is still much faster than the reference kernel, whatever the rows.
std::string obstacle(const Product &product, bool packed, bool openProducts, const Tensors &t) {
  CheckedSize rows = t.rangeOf(product.rows).max, inner = t.rangeOf(product.inner).max,
              columns = t.rangeOf(product.columns).max;
  bool isOpen = !constantOf(product.inner) || !constantOf(product.columns);
  if (isOpen && !openProducts)
    return "its columns or terms are known only at run time";
  if (isOpen && product.addend)
    return "its columns or terms are known only at run time, and another matrix is added";
  if (!packed && columns.get() < fewestColumns && rows.get() < manyRows)
    return llvm::formatv("its result has {0} columns, panels have {1}", columns.get(),
                         t.blockWidth);
  CheckedSize products = rows * inner * columns;
  int64_t fewest = packed ? fewestOfWeight : fewestMultiplications;
  if (products < fewest)
    return llvm::formatv("it takes {0} multiplications, packing pays from {1} on", products.get(),
                         fewest);
  return "";
}

} // namespace

// The distance between elements of some of the result's axes, which count as one, in an operand
// that has `have` of their extents in row-major order and `step` elements behind each; nothing
// where some axes are repeated and others are not.
static std::optional<AffineExpr> jointStride(ArrayRef<AffineExpr> wanted, ArrayRef<AffineExpr> have,
                                             AffineExpr step, AffineExpr one) {
  if (wanted == have)
    return step;
  if (llvm::all_of(have, [&](AffineExpr extent) { return extent == one; }))
    return getAffineConstantExpr(0, one.getContext());
  return std::nullopt;
}

static std::optional<EpilogueOperand>
epilogueOperand(const Operand &operand, const Product &product, Value result, const Tensors &t) {
  AffineExpr one = t.constant(1), zero = t.constant(0);
  Extents wanted = extentsOf(result), have = extentsOf(operand.value);
  if (have == wanted)
    return EpilogueOperand{operand, product.out.step, product.out.row, product.out.column};
  if (llvm::all_of(have, [&](AffineExpr extent) { return extent == one; }))
    return EpilogueOperand{operand, zero, zero, zero};
  if (product.splitsColumns)
    return std::nullopt;
  Extents aligned(wanted.size(), one);
  for (auto [axis, extent] : llvm::zip(operand.axes, have))
    aligned[axis] = extent;
  AffineExpr step = one;
  auto next = [&](size_t from, size_t to) {
    std::optional<AffineExpr> stride =
        jointStride(ArrayRef(wanted).slice(from, to - from),
                    ArrayRef(aligned).slice(from, to - from), step, one);
    for (AffineExpr extent : ArrayRef(aligned).slice(from, to - from))
      step = step * extent;
    return stride;
  };
  std::optional<AffineExpr> column = next(product.columnAxis, wanted.size());
  std::optional<AffineExpr> row = next(product.rowAxis, product.columnAxis);
  std::optional<AffineExpr> batch = next(0, product.rowAxis);
  if (!column || !row || !batch)
    return std::nullopt;
  return EpilogueOperand{operand, *batch, *row, *column};
}

// The sum of this piece and of those before it, where it goes on; then, where it ends, times alpha
// and the addend times beta, and the chain.
static void fillBody(Region &region, const GroupView &group, const Product &product,
                     ArrayRef<EpilogueOperand> operands, bool goesOn, bool ends, OpBuilder &b,
                     Location location) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region);
  Type f32 = b.getF32Type();
  auto scaled = [&](Value value, double factor) -> Value {
    if (factor == 1)
      return value;
    Value constant = arith::ConstantOp::create(b, location, b.getF32FloatAttr(factor));
    return arith::MulFOp::create(b, location, value, constant);
  };
  auto next = [&] { return block->addArgument(f32, location); };
  Value last = next();
  if (goesOn)
    last = arith::AddFOp::create(b, location, next(), last);
  if (!ends) {
    kernel::YieldOp::create(b, location, ValueRange{last});
    return;
  }
  last = scaled(last, product.alpha);
  if (product.addend)
    last = arith::AddFOp::create(b, location, last, scaled(next(), product.beta));
  DenseMap<Value, Value> scalars{{group.root->getResult(0), last}};
  SmallVector<std::pair<Operand, Value>> outer;
  for (const EpilogueOperand &each : operands)
    outer.emplace_back(each.operand, block->addArgument(f32, location));
  if (!group.chain.empty())
    last = emitChain(
        group, group.chain, scalars,
        [&](const Operand &operand) {
          return llvm::find_if(outer, [&](const auto &each) { return each.first == operand; })
              ->second;
        },
        b);
  kernel::YieldOp::create(b, location, ValueRange{last});
}

namespace {

struct ProductRule {
  static constexpr RuleTraits traits{"product", Benefit::Tiles, Use::Tiles};
  struct Plan {
    RuleForms forms = {};
    Product product;
    SmallVector<EpilogueOperand> operands = {}; // of the chain
  };

  static Match<Plan> match(const GroupView &group) {
    std::optional<Product> product = group.root ? productFrom(group.root) : std::nullopt;
    if (!product)
      return std::nullopt;
    const ElementRow *elements = group.t.layerElements(group.result);
    auto isSame = [&](Value value) { return group.t.layerElements(value) == elements; };
    if (!elements || !llvm::all_of(group.root->getOperands(), isSame))
      return elementRefusal(group.result);
    bool packed = Tensors::isWeight(group.resolve(product->right.value));
    if (std::string why = obstacle(*product, packed, group.options.openProducts, group.t);
        !why.empty())
      return Refusal{std::move(why)};
    if (!group.chainIsEmittable())
      return chainRefusal();
    Plan plan{{}, *product};
    for (const Operand &operand : group.externalOperands()) {
      std::optional<EpilogueOperand> read =
          epilogueOperand(operand, *product, group.result, group.t);
      // Columns to spare have no place in an operand.
      if (!read || (!constantOf(product->columns) && read->column != group.t.constant(0)))
        return operandRefusal();
      plan.operands.push_back(*read);
    }
    for (Value *value : {&plan.product.left.value, &plan.product.right.value, &plan.product.addend})
      if (*value)
        *value = group.resolve(*value);
    return plan;
  }

  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

namespace {
/// Rows and columns of a result that are computed at once, and the terms that are summed.
struct Piece {
  int64_t firstRow = 0, firstColumn = 0, firstTerm = 0;
  AffineExpr rows, columns, terms;
};
} // namespace

// In the order in which they are computed: those of one place follow each other, by rising terms.
static SmallVector<Piece> piecesOf(const Product &product, bool packed, bool copiesLeft,
                                   bool training, int64_t blockWidth) {
  auto batch = constantOf(product.batch), rows = constantOf(product.rows),
       inner = constantOf(product.inner), columns = constantOf(product.columns);
  if (batch != 1 || !rows || !inner || !columns)
    return {{0, 0, 0, product.rows, product.columns, product.inner}};
  constexpr int64_t floatBytes = 4;
  auto step = [](int64_t extent, int64_t count, int64_t unit) {
    return int64_t(llvm::alignTo(llvm::divideCeil(extent, count), unit));
  };
  auto bytes = [&](int64_t a, int64_t b) { return (CheckedSize(a) * b * floatBytes).get(); };
  int64_t rowStep = *rows, columnStep = *columns, termStep = *inner;
  if (training && !packed && *inner > manyTerms)
    termStep = step(*inner, llvm::divideCeil(*inner, pieceTerms), blockWidth);
  if (int64_t all = bytes(*rows, termStep); copiesLeft && all > manyBytes)
    rowStep = step(*rows, llvm::divideCeil(all, pieceBytes), 1);
  else if (int64_t all = bytes(*columns, termStep); !packed && all > manyBytes)
    columnStep = step(*columns, llvm::divideCeil(all, pieceBytes), blockWidth);
  SmallVector<Piece> pieces;
  auto constant = [&](int64_t value) {
    return getAffineConstantExpr(value, product.rows.getContext());
  };
  for (int64_t row = 0; row < *rows; row += rowStep)
    for (int64_t column = 0; column < *columns; column += columnStep)
      for (int64_t term = 0; term < *inner; term += termStep)
        pieces.push_back({row, column, term, constant(std::min(rowStep, *rows - row)),
                          constant(std::min(columnStep, *columns - column)),
                          constant(std::min(termStep, *inner - term))});
  return pieces;
}

void ProductRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  const Product &product = plan.product;
  Location location = group.location;
  AffineExpr batch = product.batch, rows = product.rows;
  AffineExpr inner = product.inner, columns = product.columns;
  bool openInner = !constantOf(inner), openColumns = !constantOf(columns);
  AffineExpr one = t.constant(1), zero = t.constant(0), lanes = t.constant(t.blockWidth);
  auto blocksOf = [&](AffineExpr extent) {
    return (extent + (t.blockWidth - 1)).floorDiv(t.blockWidth);
  };
  OpBuilder &b = t.builder;
  Type f32 = b.getF32Type();
  const Matrices &given = product.right;
  bool packed = Tensors::isWeight(given.value);
  Matrices left = product.left;
  Value leftMemory = t.plainView(left.value, location).base, givenMemory;
  SmallVector<Value> extras;
  if (!packed)
    givenMemory = t.plainView(given.value, location).base;
  if (product.addend)
    extras.push_back(t.plainView(product.addend, location).base);
  for (const EpilogueOperand &each : plan.operands)
    extras.push_back(t.plainView(each.operand.value, location).base);
  // Rows of the left matrix are read in one piece.
  bool copiesLeft = left.column != one || openInner;
  SmallVector<Piece> pieces =
      piecesOf(product, packed, copiesLeft, isTraining(group.root), t.blockWidth);
  auto copyLeft = [&](const Piece &piece) {
    AffineExpr width = openInner ? blocksOf(inner) * lanes : piece.terms;
    SmallVector<AffineExpr, 5> extents{batch, piece.rows, width};
    ViewSpec copy = t.rowMajor(t.buffer(extents, f32, location), extents), tail = copy;
    copy.sizes.back() = piece.terms;
    t.copy({leftMemory,
            product.left.row * piece.firstRow + product.left.column * piece.firstTerm +
                product.left.first,
            copy.sizes,
            {product.left.step, product.left.row, product.left.column}},
           copy, location);
    if (openInner) {
      tail.offset = inner;
      tail.sizes.back() = width - inner;
      t.fill(tail, b.getF32FloatAttr(0), location);
    }
    left = {product.left.value, width, one, piece.rows * width, 0};
    return copy.base;
  };
  // One product has no extent of the batch: panels [OB, IB, 1, 1, B, B].
  auto panelsOf = [&](const Piece &piece) -> Value {
    SmallVector<AffineExpr, 8> shape{
        blocksOf(piece.columns), blocksOf(piece.terms), one, one, lanes, lanes};
    ViewSpec source{givenMemory,
                    given.column * piece.firstColumn + given.row * piece.firstTerm + given.first,
                    {piece.columns, piece.terms, one, one},
                    {given.column, given.row, zero, zero}};
    if (batch != one) {
      shape.insert(shape.begin(), batch);
      source.sizes.insert(source.sizes.begin(), batch);
      source.strides.insert(source.strides.begin(), given.step);
    }
    if (!packed) {
      Value panels = t.buffer(shape, f32, location);
      kernel::PackPanelsOp::create(b, location, t.materialise(source, location), panels);
      return panels;
    }
    auto constants = [](ArrayRef<AffineExpr> exprs) {
      return llvm::map_to_vector<8>(exprs, [](AffineExpr expr) { return *constantOf(expr); });
    };
    return t.requestWeight({given.value,
                            t.form(weight_form::panels),
                            t.blockWidth,
                            0,
                            1,
                            "",
                            MemRefType::get(constants(shape), f32),
                            {given.first, SmallVector<int64_t, 4>(constants(source.sizes)),
                             SmallVector<int64_t, 4>(constants(source.strides))}});
  };
  bool copiesAll = copiesLeft && pieces.size() == 1;
  Value leftRows = copiesAll ? copyLeft(pieces.front()) : leftMemory;
  Value out = t.createPlain(group.result, location).base, sums = out;
  Matrices result = product.out;
  if (openColumns) {
    AffineExpr width = blocksOf(columns) * lanes;
    sums = t.buffer({batch, rows, width}, f32, location);
    result = {result.value, width, one, rows * width};
  }
  if (batch == zero)
    return;
  int64_t ones[] = {1, 1};
  auto channelsOf = [&](AffineExpr extent) { // those of all blocks where these are a run's
    auto known = constantOf(extent);
    return known ? *known : t.rangeOf(blocksOf(extent) * lanes).max;
  };
  Value panels, before;
  for (size_t number = 0; number < pieces.size(); ++number) {
    const Piece &piece = pieces[number];
    const Piece *last = number ? &pieces[number - 1] : nullptr;
    bool sameTerms = last && last->firstTerm == piece.firstTerm;
    if (copiesLeft && !copiesAll && !(sameTerms && last->firstRow == piece.firstRow))
      leftRows = copyLeft(piece);
    if (!(sameTerms && last->firstColumn == piece.firstColumn))
      panels = panelsOf(piece);
    auto rowsOf = [&](const Matrices &matrices, Value memory, AffineExpr first, AffineExpr width) {
      return t.materialise({memory,
                            first + matrices.first,
                            {batch, blocksOf(width), one, piece.rows, lanes},
                            {matrices.step, lanes, zero, matrices.row, one}},
                           location);
    };
    auto placeIn = [&](const Matrices &matrices) {
      return matrices.row * piece.firstRow + matrices.column * piece.firstColumn;
    };
    auto operandView = [&](Value memory, const EpilogueOperand &operand) {
      bool repeats = operand.column == zero;
      // The whole result, whose matrices may begin behind each other in its rows.
      AffineExpr lane = repeats ? zero : one, block = repeats ? zero : lanes;
      return t.materialise({memory,
                            operand.row * piece.firstRow + (repeats ? 0 : piece.firstColumn),
                            {batch, blocksOf(piece.columns), one, piece.rows, lanes},
                            {operand.step, block, zero, operand.row, lane}},
                           location);
    };
    bool isFirst = piece.firstTerm == 0;
    bool isLast = number + 1 == pieces.size() || pieces[number + 1].firstTerm == 0;
    SmallVector<Value> views;
    if (!isFirst)
      views.push_back(before);
    if (isLast && product.addend)
      views.push_back(rowsOf(product.out, extras.front(), placeIn(product.out), piece.columns));
    if (isLast)
      for (auto [extra, operand] :
           llvm::zip(ArrayRef(extras).take_back(plan.operands.size()), plan.operands))
        views.push_back(operandView(extra, operand));
    AffineExpr ofLeft = copiesLeft ? zero : left.row * piece.firstRow + piece.firstTerm;
    Value rowsView = rowsOf(left, leftRows, ofLeft, piece.terms), target;
    if (isLast) {
      target = rowsOf(result, sums, placeIn(result), piece.columns);
    } else {
      AffineExpr width = blocksOf(piece.columns) * lanes;
      // As the result lies, so that the next chain can take this one's place.
      target = rowsOf({{}, width, one, piece.rows * width},
                      t.buffer({piece.rows, width}, f32, location), zero, piece.columns);
    }
    auto step = kernel::ConvOp::create(b, location, rowsView, panels, views, target, ones, ones,
                                       ones, channelsOf(piece.terms), channelsOf(piece.columns));
    fillBody(step.getBody(), group, product, plan.operands, !isFirst, isLast, b, location);
    before = target;
  }
  if (openColumns) {
    const Matrices &place = product.out;
    SmallVector<AffineExpr, 5> extents{batch, rows, columns};
    t.copy({sums, zero, extents, {result.step, result.row, one}},
           {out, t.constant(place.first), extents, {place.step, place.row, one}}, location);
  }
  auto textOf = [](AffineExpr expr) {
    std::string text = Dim(expr).str();
    return StringRef(text).contains(' ') ? "(" + text + ")" : text;
  };
  remark::passed(location, remark::RemarkOpts::name("product").category("kernel-schedule"))
      << llvm::formatv("'{0}' is {1} product{2} of {3}x{4} by {4}x{5}, packed {6}",
                       nodeName(group.root), textOf(batch), batch == one ? "" : "s", textOf(rows),
                       textOf(inner), textOf(columns), packed ? "in @prepare" : "at each run")
             .str();
}

namespace symc::codegen {
void registerProductRule(RuleList &rules) { rules.add<ProductRule>(); }
} // namespace symc::codegen
