//===- ParamsReader.h - arrays from .params, .npz and .npy files ----------===//
//
// Reads NDArray lists of every MXNet version and NumPy archives. The file is
// mapped and arrays point into it; only compressed, sparse and column-major
// arrays own a copy. Every count, shape and offset in a file is checked against
// the size of the file before anything is allocated for it.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_PARAMS_PARAMSREADER_H
#define SYMC_FRONTEND_PARAMS_PARAMSREADER_H

#include "frontend/Diagnostics.h"
#include "frontend/params/DType.h"
#include "llvm/ADT/ArrayRef.h"

namespace symc::params {

enum class ParamKind {
  None, // no prefix, or one that MXNet does not use for parameters
  Arg,  // "arg:"
  Aux,  // "aux:"
};

/// What is known of an array without its values.
struct ArrayInfo {
  /// The name without "arg:" or "aux:", and as it stands in the file. Both are
  /// empty in a list without names.
  std::string name;
  std::string key;
  ParamKind kind = ParamKind::None;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  /// An array without a shape ("none" in MXNet): no elements, byteCount 0. A
  /// scalar has an empty shape, isNone false and one element.
  bool isNone = false;
  /// Of the dense array.
  uint64_t byteCount = 0;
  /// Where the elements are in the file, if they are there as they are.
  bool inFile = true;
  uint64_t fileOffset = 0;

  uint64_t elementCount() const { return byteCount / elementBytes(dtype); }
  /// Sets key, name and kind.
  void setKey(std::string whole);
};

/// A dense array in row-major order, little-endian.
struct Array : ArrayInfo {
  /// The elements. Not aligned: files have no padding.
  const char *data = nullptr;
  /// Keeps `data` alive where it is not in the file.
  std::shared_ptr<const char> owned;
};

enum class FileFormat { NdarrayList, Npz, Npy };

/// The arrays of one file in file order, and the mapping that they point into.
struct ArrayFile {
  std::string path;
  FileFormat format = FileFormat::NdarrayList;
  std::vector<Array> arrays;
  std::unique_ptr<llvm::MemoryBuffer> buffer;

  /// The array called `name` in this kind, or null. Linear in the number of arrays.
  const Array *find(ParamKind kind, llvm::StringRef name) const;
  /// Lets go of the pages that were read of a mapped file; they come back from
  /// the file where they are read again.
  void releasePages() const;
};

struct ReadOptions {
  /// A sparse array is refused if its dense form takes more than this and more
  /// than sixteen times the bytes of the file.
  uint64_t maxDenseBytes = uint64_t(1) << 30;
};

/// Reads a file of any of the three formats. Reports what is wrong and returns
/// nothing then. Keys are unique and not empty, but for lists without names.
std::optional<ArrayFile> readArrays(llvm::StringRef path, Diagnostics &diagnostics,
                                    const ReadOptions &options = {});

/// The same over bytes in memory that are called `path` in messages.
std::optional<ArrayFile> readArrays(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                    llvm::StringRef path, Diagnostics &diagnostics,
                                    const ReadOptions &options = {});

/// Lets go of the pages that were read of a mapped file; they come back where they are read again.
void releasePages(const llvm::MemoryBuffer &buffer);

/// "[7, 4]", for messages.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace symc::params

#endif // SYMC_FRONTEND_PARAMS_PARAMSREADER_H
