// TensorMaps.h: tensors as a device's engine for copies (TMA) finds them. Written from NVIDIA's
// documents: the driver's API, "Tensor Map Object Management", for what is refused; PTX ISA,
// "Tensor copies", "Tiled mode" and "Im2col mode", for which elements a copy takes.
#ifndef SYMC_TOOLS_CUDA_SHIM_TENSORMAPS_H
#define SYMC_TOOLS_CUDA_SHIM_TENSORMAPS_H

#include <cstddef>
#include <cstdint>
#include <functional>

namespace symc::shim {

/// What the shim's driver writes into a CUtensorMap: of elements of 16 bits, zeros outside, rows of
/// 32 bytes in shared memory, whose pieces of 16 bytes have the swizzle of 32 bytes.
struct TensorMap {
  static constexpr unsigned mostAxes = 5;
  static constexpr uint32_t mark = 0x50414d53;
  uint32_t marked;
  uint8_t axes;
  bool window; // else boxes
  uint8_t steps[mostAxes];
  uint64_t memory;
  uint64_t sizes[mostAxes], strides[mostAxes - 1]; // elements; bytes
  uint16_t box[mostAxes];
  int16_t lower[mostAxes - 2], upper[mostAxes - 2]; // of a window, from the second axis on

  /// Null where the memory holds no map that the shim's driver made.
  static const TensorMap *at(const void *memory);
  size_t bytes() const; // of a copy
  /// Calls `visit` with the place of each piece of 16 bytes and how many of these lie inside, in
  /// the order of shared memory, for a copy from `first` on, a coordinate an axis; in a window at
  /// the tap `offsets`, one for each axis between the first and the last.
  void forEachPiece(const int *first, const int *offsets,
                    const std::function<void(uintptr_t, size_t)> &visit) const;
};

/// Where byte `at` of a copy to an address of shared memory lies.
uintptr_t swizzled(uintptr_t begin, size_t at);

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_TENSORMAPS_H
