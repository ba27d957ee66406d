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

llvm::ArrayRef<ProductRow> symc::codegen::productRows() {
  constexpr auto f32 = typeOf<Float32Type>, f16 = typeOf<Float16Type>, bf16 = typeOf<BFloat16Type>;
  constexpr auto i8 = integerOf<8>, i32 = integerOf<32>;
  static const ProductRow rows[] = {
      {"Fma", f32, f32, f32, 1, 1, false, "panels", 4, 1, "", "", true, true},
      {"Vdpbf16ps", bf16, bf16, f32, 2, 2, true, "pairs", 4, 1, "avx512bf16", "x86_64", true, true},
      {"WidenedPairs", f32, bf16, f32, 2, 2, true, "pairs", 4, 0.48, "", "", true, true},
      {"WidenedHalves", f32, f16, f32, 1, 1, false, "halves", 2, 0.96, "f16c", "x86_64", true,
       true},
      {"WidenedHalves", f32, f16, f32, 1, 1, false, "halves", 2, 0.96, "", "aarch64", true, true},
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
  return tileTable ? tileTable(target.vectorBytes) : llvm::ArrayRef(target.tiles);
}

const ProductRow *symc::codegen::productRowOf(const TargetDescription &target, Type lhs, Type rhs) {
  for (const ProductRow &row : productRows())
    if (row.lhs(lhs.getContext()) == lhs && row.rhs(rhs.getContext()) == rhs &&
        (row.needs.empty() || target.has(row.needs)) &&
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
