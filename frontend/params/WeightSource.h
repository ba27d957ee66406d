//===- WeightSource.h - where the values of weights come from -------------===//
//
// A source lists arrays and hands out their values: a file of parameters, memory
// of the caller, or a function that computes them. The importer reads names, types
// and shapes alone; values are requested once, when weights are prepared, and may go
// as soon as their reader is done. A new kind of source is a class of its own.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_PARAMS_WEIGHTSOURCE_H
#define SYMC_FRONTEND_PARAMS_WEIGHTSOURCE_H

#include "frontend/params/ParamsReader.h"
#include <functional>

namespace symc::params {

/// The elements of an array: row-major, little-endian, at any address.
struct ArrayValues {
  llvm::ArrayRef<char> bytes;
  /// Keeps `bytes` alive; null where the source does, as long as it lives.
  std::shared_ptr<const void> owner;
};

class WeightSource {
public:
  virtual ~WeightSource() = default;

  /// What messages and `sg.weight` call the source: the path of a file. Sources of
  /// one compilation have names of their own.
  virtual llvm::StringRef name() const = 0;
  virtual size_t count() const = 0;
  virtual const ArrayInfo &array(size_t i) const = 0;
  /// The values of array `i`, as many bytes as its type and shape need. A source may
  /// compute them on each call: request them once.
  virtual ArrayValues values(size_t i) const = 0;
  /// Lets go of memory that fills again when it is read; all values stay valid.
  virtual void releasePages() const {}

  /// xxh3_64 of the values of array `i`.
  uint64_t hash(size_t i) const;
};

/// The arrays of a file (ParamsReader.h).
class FileWeights : public WeightSource {
public:
  explicit FileWeights(ArrayFile file) : file(std::move(file)) {}

  llvm::StringRef name() const override { return file.path; }
  size_t count() const override { return file.arrays.size(); }
  const ArrayInfo &array(size_t i) const override { return file.arrays[i]; }
  ArrayValues values(size_t i) const override;
  void releasePages() const override { file.releasePages(); }

private:
  ArrayFile file;
};

/// Arrays of the caller, who keeps them as they are while the source lives.
class MemoryWeights : public WeightSource {
public:
  explicit MemoryWeights(std::string name = "memory") : ownName(std::move(name)) {}

  /// `key` is a variable's name, which may open with "arg:" or "aux:" as in a file.
  /// `data`: row-major elements of `dtype`, at any address.
  void add(llvm::StringRef key, DType dtype, llvm::ArrayRef<int64_t> shape, const void *data);

  llvm::StringRef name() const override { return ownName; }
  size_t count() const override { return arrays.size(); }
  const ArrayInfo &array(size_t i) const override { return arrays[i]; }
  ArrayValues values(size_t i) const override;

private:
  std::string ownName;
  std::vector<Array> arrays;
};

/// Arrays whose values a function makes when they are requested, and which go with
/// their reader.
class ComputedWeights : public WeightSource {
public:
  /// Returns exactly ArrayInfo::byteCount bytes, the same on each call.
  using Function = std::function<std::vector<char>(const ArrayInfo &)>;

  explicit ComputedWeights(std::string name) : ownName(std::move(name)) {}

  /// `key` as in MemoryWeights.
  void add(llvm::StringRef key, DType dtype, llvm::ArrayRef<int64_t> shape, Function compute);

  llvm::StringRef name() const override { return ownName; }
  size_t count() const override { return arrays.size(); }
  const ArrayInfo &array(size_t i) const override { return arrays[i].info; }
  ArrayValues values(size_t i) const override;

private:
  struct Computed {
    ArrayInfo info;
    Function compute;
  };
  std::string ownName;
  std::vector<Computed> arrays;
};

} // namespace symc::params

#endif // SYMC_FRONTEND_PARAMS_WEIGHTSOURCE_H
