// StrassenScheme.h: one step of Strassen's matrix product (1969) with 15 additions
// (1971): seven products of half-sized matrices instead of eight.
//
//   [C11 C12]   [A11 A12] [B11 B12]     A: weights, halved by outputs and inputs
//   [C21 C22] = [A21 A22] [B21 B22]     B: data, halved by inputs and pixels
//
// Sums of weights are made when weights are packed, sums of data before the products.
// The products of one register tile of the half-sized output run as three chains of
// multiply-adds; what a chain keeps for a later one is three tiles.
//
// A channel's error is that of whatever it is summed with: outputs and inputs of the
// second halves are scaled to the size of those of the first that they meet, by powers of
// two, which is exact. Sizes are the weights': of an output its row's largest, of an input
// what the weights make up for, the largest of its column over the rows' largest.
#ifndef SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENSCHEME_H
#define SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENSCHEME_H

#include <array>
#include <cstdint>

namespace symc::kernel {

/// The coefficients of [11, 12, 21, 22] of a matrix in a sum of its quarters.
using QuarterSum = std::array<int, 4>;

inline constexpr int strassenProductCount = 7, strassenDataSums = 4;

/// Weights end with so many more panels of an output block: a row of elements that holds
/// for each output a scale, then for each input. Those of the first halves are 1, results of
/// the others and data of the others are to be multiplied by theirs.
inline constexpr int64_t strassenScaleBlocks(int64_t inChannels, int64_t outChannels,
                                             int64_t blockWidth) {
  int64_t block = strassenProductCount * inChannels / 2 * blockWidth;
  return (inChannels + outChannels + block - 1) / block;
}

/// The shape of all panels, those of scales among them.
inline std::array<int64_t, 7> strassenPanels(int64_t inChannels, int64_t outChannels,
                                             int64_t blockWidth) {
  int64_t outs = outChannels / (2 * blockWidth), ins = inChannels / (2 * blockWidth);
  int64_t scales = ins ? strassenScaleBlocks(inChannels, outChannels, blockWidth) : 0;
  return {outs + scales, strassenProductCount, ins, 1, 1, blockWidth, blockWidth};
}

/// One of the seven products: a sum of A's quarters times one of B's.
struct StrassenProduct {
  QuarterSum weights, data;
  /// Which sum of data it reads (0 to 3); -1: a quarter of B itself, which is not scaled, so
  /// that its weights are.
  int dataSum;
};

/// In the order in which the chains run through them, which is that of packed weights.
inline constexpr std::array<StrassenProduct, strassenProductCount> strassenProducts{{
    {{1, 0, 0, 0}, {1, 0, 0, 0}, -1},   // A11 B11
    {{0, 1, 0, 0}, {0, 0, 1, 0}, -1},   // A12 B21
    {{-1, 0, 1, 1}, {1, -1, 0, 1}, 1},  // (S1 - A11) (B22 - T1)
    {{1, 0, -1, 0}, {0, -1, 0, 1}, 2},  // (A11 - A21) (B22 - B12)
    {{0, 0, 0, 1}, {-1, 1, 1, -1}, 3},  // A22 (B21 - B22 + T1)
    {{0, 0, 1, 1}, {-1, 1, 0, 0}, 0},   // S1 T1, S1 = A21 + A22, T1 = B12 - B11
    {{1, 1, -1, -1}, {0, 0, 0, 1}, -1}, // (A12 - S1 + A11) B22
}};

/// The four sums of data from B's quarters, given a subtraction of the caller's
/// values: four subtractions for four values.
template <typename Value, typename Subtract>
std::array<Value, strassenDataSums> strassenSumsOfData(Value b11, Value b12, Value b21, Value b22,
                                                       Subtract subtract) {
  Value t1 = subtract(b12, b11), t2 = subtract(b22, t1);
  return {t1, t2, subtract(b22, b12), subtract(b21, t2)};
}

/// Runs the chains of one tile. `t` offers, for tiles of the type that it likes:
///   zero()                        a tile of zeros
///   multiplyAdd(product, tile)    tile + the product of that number
///   add(tile, tile)
///   keep(place, tile), kept(place)  memory for two tiles, places 0 and 1
///   finish(rowHalf, columnHalf, tile)  a quarter of C is complete
/// The order of additions is fixed here, so bits don't depend on who runs it.
template <typename Tiles> void runStrassenChains(Tiles &t) {
  // A chain that begins with what was kept needs no register across two reductions.
  t.keep(0, t.multiplyAdd(0, t.zero()));
  t.finish(0, 0, t.multiplyAdd(1, t.kept(0)));
  auto tile = t.multiplyAdd(2, t.kept(0));
  t.keep(0, tile);
  tile = t.multiplyAdd(3, tile);
  t.keep(1, tile);
  t.finish(1, 0, t.multiplyAdd(4, tile));
  tile = t.multiplyAdd(5, t.zero());
  t.finish(1, 1, t.add(t.kept(1), tile));
  t.finish(0, 1, t.multiplyAdd(6, t.add(t.kept(0), tile)));
}

} // namespace symc::kernel

#endif // SYMC_CODEGEN_CONV_STRASSEN_KERNEL_STRASSENSCHEME_H
