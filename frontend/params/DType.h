//===- DType.h - element types of arrays in files -------------------------===//
//
// MXNet's type flags, as they stand in .params files, `__dtype__` attributes
// and operator parameters, with size and names.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_PARAMS_DTYPE_H
#define SYMC_FRONTEND_PARAMS_DTYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace symc::params {

/// The value is MXNet's flag.
enum class DType : int32_t {
  F32 = 0,
  F64 = 1,
  F16 = 2,
  U8 = 3,
  I32 = 4,
  I8 = 5,
  I64 = 6,
  Bool = 7,
  I16 = 8,
  U16 = 9,
  U32 = 10,
  U64 = 11,
  BF16 = 12,
};

std::optional<DType> dtypeFromFlag(int32_t flag);
/// Bytes of one element.
unsigned elementBytes(DType dtype);
/// f32, i8, bool, ...
llvm::StringRef name(DType dtype);
/// NumPy's code such as "<f4"; bfloat16, which NumPy does not have, gives "".
llvm::StringRef numpyCode(DType dtype);
std::optional<DType> dtypeFromNumpyCode(llvm::StringRef code);

} // namespace symc::params

#endif // SYMC_FRONTEND_PARAMS_DTYPE_H
