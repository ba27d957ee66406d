//===- Formats.h - the three array formats --------------------------------===//
//
// One reader for each format, over bytes in memory, and the bytes by which the
// formats are distinguished. Internal to frontend/params: use readArrays().
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_PARAMS_FORMATS_H
#define SYMC_FRONTEND_PARAMS_FORMATS_H

#include "frontend/params/ParamsReader.h"

namespace symc::params {

constexpr llvm::StringLiteral NdarrayListMagic =
    llvm::StringLiteral::withInnerNUL("\x12\x01\0\0\0\0\0\0");
constexpr llvm::StringLiteral NpyMagic("\x93NUMPY");
constexpr llvm::StringLiteral ZipMagic("PK\x03\x04");
constexpr llvm::StringLiteral EmptyZipMagic("PK\x05\x06");

/// More dimensions than any framework writes.
constexpr unsigned MaxDims = 32;

/// Appends the arrays of an NDArray list, with keys if the list has names.
bool readNdarrayList(llvm::StringRef bytes, llvm::StringRef path, const ReadOptions &options,
                     Diagnostics &diagnostics, std::vector<Array> &arrays, bool &named);

/// Appends the arrays of a zip archive of .npy files; keys are the names of its
/// members without ".npy".
bool readNpz(llvm::StringRef bytes, llvm::StringRef path, Diagnostics &diagnostics,
             std::vector<Array> &arrays);

/// Reads one .npy text. `fileOffset` is where `bytes` begins in the file;
/// `member` is its name in an archive, for messages, or empty. The array points
/// into `bytes` but where it must be transposed.
bool readNpy(llvm::StringRef bytes, uint64_t fileOffset, llvm::StringRef path,
             llvm::StringRef member, Diagnostics &diagnostics, Array &array);

/// What the first bytes of a .npy contain.
struct NpyHeader {
  DType dtype = DType::F32;
  bool columnMajor = false;
  std::vector<int64_t> shape;
  uint64_t dataOffset = 0;
  uint64_t dataBytes = 0;
};

/// Reads the header; `bytes` may end after it. On a mistake, `mistake` describes it.
std::optional<NpyHeader> parseNpyHeader(llvm::StringRef bytes, std::string &mistake);

} // namespace symc::params

#endif // SYMC_FRONTEND_PARAMS_FORMATS_H
