// MatrixTile.cpp: see MatrixTile.h. Of the eight registers up to four hold sums, the others
// factors: those of the shorter side of the tile stay for a step, those of the longer one pass
// through.
//
//   configure; sums[g][v] = starts or 0
//   step:    b[v] = load weights of output block v, rows of 16 pairs of channels
//            a[g] = load data, a pixel's channels in each row
//            sums[g][v] += a[g] * b[v]
//   finish:  store sums; release
//
// Pixels and channels that do not exist are not read: a register has as many rows and columns as
// there are. Registers have one shape between two configurations, so that the last channels, of
// which there may be fewer, have registers of their own, and all groups of pixels are of one size:
// where the columns of a tile are no multiple of it, the last two of a row overlap.
#include "codegen/lower/products/MatrixTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace symc::codegen;

static constexpr int64_t registerCount = 8, mostSums = 4;
static constexpr int64_t lineBytes = 64, lineFloats = 16, mostPairs = 16; // of a register's row

/// From `first` on those that stay for a step, then those that the others pass through.
struct MatrixTile::Factors {
  int64_t first, count, pairs;
  bool holdsWeights; // else data
  int64_t held;      // a single one is loaded anew where there is no place for all of the side
};

static int64_t groupsIn(int64_t columns) { return llvm::divideCeil(columns, lineFloats); }

MatrixTile::MatrixTile(Emission &e, const ConvSite &site, const TileExtent &extent,
                       const ProductRow &row)
    : e(e), site(site), extent(extent), element(site.data.elementType),
      sumType(row.accumulator(e.builder().getContext())),
      vectors(llvm::divideCeil(extent.channels, e.blockWidth())),
      groupsOfRow(groupsIn(extent.columns)), pixels(llvm::divideCeil(extent.columns, groupsOfRow)) {
  assert(row.name == "Tdpbf16ps" && row.matrixPixels == lineFloats &&
         row.lanes(e.target()) == lineFloats && "the only row of matrices");
  bool isOpen = !constantOf(site.data.sizes[1]);
  bool isPointwise = site.kernel[0] * site.kernel[1] == 1;
  int64_t block = *constantOf(site.weights.sizes[4]);
  bool sideBySide = isConstant(site.data.strides[1], block);
  channels = (isPointwise && sideBySide && !isOpen ? 2 : 1) * block;
  assert(channels <= 2 * mostPairs && "a block has 16 channels at most");
  bool hasRest = !isOpen && site.inChannels % channels;
  kinds = hasRest && site.inChannels > channels ? 2 : 1;
  room = site.room ? site.room : roomFor(e, {vectors, extent.rows, extent.columns});
}

bool MatrixTile::fits(const ProductRow &row, const ConvTile &tile) {
  return tile.blocks * tile.rows * groupsIn(tile.columns) <= mostSums;
}

Value MatrixTile::roomFor(Emission &e, const ConvTile &tile) {
  int64_t lines = 1 + tile.blocks + tile.blocks * tile.rows * tile.columns;
  return e.stack(e.builder().getF32Type(), lines * lineFloats);
}

MatrixTile::Factors MatrixTile::factorsOf(int64_t taken) const {
  int64_t groups = extent.rows * groupsOfRow, sums = groups * vectors;
  int64_t count = (registerCount - sums) / kinds;
  bool isRest = kinds == 2 && taken != channels;
  Factors factors{sums + (isRest ? count : 0), count, taken / 2, vectors <= groups, 1};
  int64_t shorter = std::min(groups, vectors);
  if (shorter < count)
    factors.held = shorter;
  return factors;
}

void MatrixTile::call(StringRef name, ValueRange operands) {
  OpBuilder &b = e.builder();
  LLVM::CallIntrinsicOp::create(b, e.location(), b.getStringAttr(("llvm.x86." + name).str()),
                                operands);
}

Value MatrixTile::numberOf(int64_t tile) {
  OpBuilder &b = e.builder();
  return LLVM::ConstantOp::create(b, e.location(), b.getI8Type(), b.getI8IntegerAttr(tile));
}

Value MatrixTile::bytes(OpFoldResult count) {
  OpBuilder &b = e.builder();
  return arith::IndexCastOp::create(b, e.location(), b.getI64Type(), e.index(count));
}

Value MatrixTile::inRoom(int64_t lines) {
  return e.offset(room, sumType, e.constant(lines * lineFloats));
}

void MatrixTile::load(int64_t tile, Value from, OpFoldResult byteStride) {
  call("tileloadd64", {numberOf(tile), from, bytes(byteStride)});
}

// Each register of sums: the first pixel of its group.
void MatrixTile::forEachSum(function_ref<void(int64_t, int64_t, int64_t, int64_t)> body) {
  for (int64_t y = 0; y < extent.rows; ++y)
    for (int64_t group = 0; group < groupsOfRow; ++group)
      for (int64_t v = 0; v < vectors; ++v)
        body(y, std::min(group * pixels, extent.columns - pixels), v,
             (y * groupsOfRow + group) * vectors + v);
}

void MatrixTile::begin(ArrayRef<Value> starts) {
  // Palette 1; from byte 16 on bytes of a row, of 16 bits each, from 48 on rows.
  uint8_t configuration[lineBytes] = {1};
  auto shape = [&](int64_t tile, int64_t rows, int64_t rowBytes) {
    configuration[16 + 2 * tile] = rowBytes;
    configuration[48 + tile] = rows;
  };
  forEachSum([&](int64_t, int64_t, int64_t, int64_t tile) { shape(tile, pixels, lineBytes); });
  int64_t rest = site.inChannels % channels;
  auto shapesOf = [&](int64_t taken) {
    Factors f = factorsOf(taken);
    for (int64_t i = 0; i < f.count; ++i) {
      bool ofWeights = (i < f.held) == f.holdsWeights;
      shape(f.first + i, ofWeights ? f.pairs : pixels, ofWeights ? lineBytes : f.pairs * 4);
    }
  };
  if (kinds == 2 || rest == 0 || !constantOf(site.data.sizes[1]))
    shapesOf(channels);
  if (kinds == 2 || (rest && constantOf(site.data.sizes[1])))
    shapesOf(rest);
  OpBuilder &b = e.builder();
  auto type = VectorType::get({lineFloats}, b.getI32Type());
  ArrayRef<char> raw(reinterpret_cast<const char *>(configuration), lineBytes);
  e.store(LLVM::ConstantOp::create(b, e.location(), type,
                                   DenseElementsAttr::getFromRawBuffer(type, raw)),
          inRoom(0));
  call("ldtilecfg", {inRoom(0)});
  for (auto [v, start] : llvm::enumerate(starts))
    e.store(start, inRoom(1 + v));
  forEachSum([&](int64_t, int64_t, int64_t v, int64_t tile) {
    if (starts.empty())
      call("tilezero", {numberOf(tile)});
    else // the same line for each row
      load(tile, inRoom(1 + v), e.constant(0));
  });
}

void MatrixTile::step(Value data, Value weights, int64_t taken) {
  constexpr int64_t elementBytes = 2;
  Factors f = factorsOf(taken);
  int64_t groups = extent.rows * groupsOfRow;
  auto loadWeights = [&](int64_t tile, int64_t v) {
    OpFoldResult elements = e.mul(site.weights.strides[0], e.constant(v));
    load(tile, e.offset(weights, element, elements), e.constant(lineBytes));
  };
  OpFoldResult column = e.mul(site.data.strides[3], e.constant(site.strides[1]));
  auto loadData = [&](int64_t tile, int64_t group) {
    int64_t x = std::min(group % groupsOfRow * pixels, extent.columns - pixels);
    OpFoldResult elements =
        e.add(e.mul(site.data.strides[2], e.constant(group / groupsOfRow * site.strides[0])),
              e.mul(column, e.constant(x)));
    load(tile, e.offset(data, element, elements), e.mul(column, e.constant(elementBytes)));
  };
  int64_t shorter = f.holdsWeights ? vectors : groups, longer = f.holdsWeights ? groups : vectors;
  auto loadHeld = [&](int64_t tile, int64_t i) {
    f.holdsWeights ? loadWeights(tile, i) : loadData(tile, i);
  };
  auto loadOther = [&](int64_t tile, int64_t i) {
    f.holdsWeights ? loadData(tile, i) : loadWeights(tile, i);
  };
  auto multiply = [&](int64_t group, int64_t v, int64_t a, int64_t b) {
    call("tdpbf16ps", {numberOf(group * vectors + v), numberOf(a), numberOf(b)});
  };
  for (int64_t first = 0; first < shorter; first += f.held) {
    for (int64_t i = 0; i < f.held; ++i)
      loadHeld(f.first + i, first + i);
    for (int64_t k = 0; k < longer; ++k) {
      int64_t other = f.first + f.held + k % (f.count - f.held);
      loadOther(other, k);
      for (int64_t i = 0; i < f.held; ++i) {
        int64_t held = f.first + i;
        f.holdsWeights ? multiply(k, first + i, other, held) : multiply(first + i, k, held, other);
      }
    }
  }
}

SmallVector<Value> MatrixTile::finish() {
  int64_t firstLine = 1 + vectors;
  forEachSum([&](int64_t y, int64_t x, int64_t v, int64_t tile) {
    Value to = inRoom(firstLine + (y * extent.columns + x) * vectors + v);
    call("tilestored64", {numberOf(tile), to, bytes(e.constant(vectors * lineBytes))});
  });
  call("tilerelease", {});
  SmallVector<Value> sums;
  for (int64_t i = 0; i < extent.rows * extent.columns * vectors; ++i)
    sums.push_back(e.load(inRoom(firstLine + i), sumType, lineFloats));
  return sums;
}
