// ProductRows.cpp: see ProductRow.h. An emitter of the row's name is a file of
// codegen/lower/products.
#include "codegen/cpu/ProductRow.h"

#include "codegen/cpu/TargetDescription.h"

using namespace mlir;
using namespace symc::codegen;

template <typename T> static Type typeOf(MLIRContext *context) { return T::get(context); }
template <unsigned bits> static Type integerOf(MLIRContext *context) {
  return IntegerType::get(context, bits);
}

// Weights that are widened pass through a register more, and LLVM loads some of them early.
static llvm::ArrayRef<TileShape> tilesOfWidenedPairs(int vectorBytes) {
  static const TileShape widest[] = {{2, 12}, {2, 11}, {2, 10}, {3, 7}, {3, 6},
                                     {4, 5},  {4, 4},  {6, 3},  {6, 2}, {8, 1}};
  static const TileShape wide[] = {{2, 5}, {2, 4}, {2, 3}, {4, 2}, {4, 1}};
  static const TileShape narrow[] = {{4, 1}};
  return vectorBytes == 64   ? llvm::ArrayRef(widest)
         : vectorBytes == 32 ? llvm::ArrayRef(wide)
                             : llvm::ArrayRef(narrow);
}
static llvm::ArrayRef<TileShape> tilesOfWidenedHalves(int vectorBytes) {
  static const TileShape wide[] = {{2, 6}, {6, 2}, {8, 1}};
  return vectorBytes == 32 ? llvm::ArrayRef(wide) : llvm::ArrayRef<TileShape>();
}

// Rows of a register of matrices, as many as its columns of float32.
static constexpr int pixelsOfMatrix = 64 / 4;

// Four sums; the other four registers hold factors.
static llvm::ArrayRef<TileShape> tilesOfMatrices(int) {
  constexpr int pixels = pixelsOfMatrix;
  static const TileShape shapes[] = {{2, 2 * pixels}, {4, pixels},     {1, 4 * pixels},
                                     {2, pixels},     {1, 2 * pixels}, {1, pixels}};
  return shapes;
}

llvm::ArrayRef<ProductRow> symc::codegen::productRows() {
  constexpr auto f32 = typeOf<Float32Type>, f16 = typeOf<Float16Type>, bf16 = typeOf<BFloat16Type>;
  constexpr auto i8 = integerOf<8>, i32 = integerOf<32>;
  static const ProductRow rows[] = {
      {"Fma", f32, f32, f32, 1, 1, false, "panels", 4, 1, "", "", true, true},
      // Sixteen channels of a block at once fill half of what an instruction takes.
      {"Tdpbf16ps", bf16, bf16, f32, 2, 2, true, "pairs", 4, 4, "amx-bf16", "x86_64", false, false,
       tilesOfMatrices, pixelsOfMatrix, /*leastPixels=*/4},
      {"Vdpbf16ps", bf16, bf16, f32, 2, 2, true, "pairs", 4, 1, "avx512bf16", "x86_64", true, true},
      {"WidenedPairs", f32, bf16, f32, 2, 2, true, "pairs", 4, 0.48, "", "", true, true,
       tilesOfWidenedPairs},
      {"WidenedHalves", f32, f16, f32, 1, 1, false, "halves", 2, 0.96, "f16c", "x86_64", true, true,
       tilesOfWidenedHalves},
      {"WidenedHalves", f32, f16, f32, 1, 1, false, "halves", 2, 0.96, "", "aarch64", true, true,
       tilesOfWidenedHalves},
      {"Vpdpbusd", i8, i8, i32, 4, 4, true, "quads", 4, 1, "avx512vnni", "x86_64", false, false},
      {"Pmaddwd", i8, i8, i32, 4, 4, true, "quads", 4, 1, "", "", false, false},
      // What kernel.split_bytes made of the same: two words of each quad.
      {"PmaddwdWords", i32, i32, i32, 4, 2, false, "quads", 4, 1, "", "", false, false},
  };
  return rows;
}

int64_t ProductRow::lanes(const TargetDescription &target) const {
  constexpr int bytesOfSum = 4;
  return std::min<int64_t>(target.blockWidth, target.lanes(bytesOfSum));
}

llvm::ArrayRef<TileShape> ProductRow::tiles(const TargetDescription &target) const {
  llvm::ArrayRef<TileShape> own =
      tileTable ? tileTable(target.vectorBytes) : llvm::ArrayRef<TileShape>();
  return own.empty() ? llvm::ArrayRef(target.tiles) : own;
}

int64_t ProductRow::rowsOf(const TileShape &shape, int64_t columns) const {
  int64_t taken = matrixPixels ? llvm::alignTo(columns, matrixPixels) : columns;
  return shape.pixels / taken;
}

const ProductRow *symc::codegen::productRowOf(const TargetDescription &target, Type lhs, Type rhs,
                                              int64_t pixels) {
  for (const ProductRow &row : productRows())
    if (row.lhs(lhs.getContext()) == lhs && row.rhs(rhs.getContext()) == rhs &&
        row.leastPixels <= pixels && (row.needs.empty() || target.has(row.needs)) &&
        (row.architecture.empty() || row.architecture == target.architecture()))
      return &row;
  return nullptr;
}

const ProductRow *symc::codegen::productRowNamed(llvm::StringRef name) {
  for (const ProductRow &row : productRows())
    if (row.name == name)
      return &row;
  return nullptr;
}
