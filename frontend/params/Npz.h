//===- Npz.h - NumPy files for tools --------------------------------------===//
//
// Writers of .npy and .npz, readable by NumPy. Reading is readArrays() of
// ParamsReader.h, which takes all formats.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_PARAMS_NPZ_H
#define SYMC_FRONTEND_PARAMS_NPZ_H

#include "frontend/params/ParamsReader.h"

namespace symc::params {

/// A dense array to be written; the writer copies nothing.
struct ArrayView {
  /// The whole key, such as "arg:conv0_weight".
  llvm::StringRef key;
  DType dtype = DType::F32;
  llvm::ArrayRef<int64_t> shape;
  /// As many bytes as shape and type need.
  const void *data = nullptr;
};

/// Bytes of the elements; 0 if a dimension is 0.
uint64_t byteCount(const ArrayView &array);

/// Writes one .npy. bfloat16, which NumPy does not have, becomes float32.
void writeNpy(llvm::raw_ostream &os, const ArrayView &array);

/// Writes an uncompressed .npz with one member for each array. Same arrays, same
/// bytes. False (with nothing written) if a key is longer than 65,000 bytes.
bool writeNpz(llvm::raw_ostream &os, llvm::ArrayRef<ArrayView> arrays);

} // namespace symc::params

#endif // SYMC_FRONTEND_PARAMS_NPZ_H
