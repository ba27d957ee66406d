//===- Weights.h - the tensors of an ONNX model as weights -----------------===//
//
// Initializers and constants: bytes of the model's file or of files beside it, or
// bytes that are computed when weights are prepared (lists of varints, constants of
// the importer).
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_WEIGHTS_H
#define SYMC_FRONTEND_ONNX_WEIGHTS_H

#include "frontend/onnx/Model.h"
#include "frontend/params/WeightSource.h"
#include "llvm/ADT/StringMap.h"

namespace symc::onnx {

/// What messages call the tensors of a model.
class ModelWeights : public params::WeightSource {
public:
  explicit ModelWeights(std::shared_ptr<const Model> model) : model(std::move(model)) {}

  /// Checks a tensor against its type and shape; "" or what is wrong with it.
  std::string check(const Tensor &tensor, params::DType dtype);
  /// Adds a tensor that check() took, and gives its number.
  size_t add(llvm::StringRef name, const Tensor &tensor, params::DType dtype);
  /// The bytes of a tensor whose elements fill `bits` bits each, as one list; nothing where it is
  /// no raw data, or `mistake` states what is wrong with it.
  std::optional<size_t> addPacked(llvm::StringRef name, const Tensor &tensor, unsigned bits,
                                  std::string &mistake);
  /// Adds bytes of the importer's.
  size_t add(llvm::StringRef name, params::DType dtype, llvm::ArrayRef<int64_t> dims,
             std::vector<char> bytes);
  /// An array whose elements all have these bytes.
  size_t addFilled(llvm::StringRef name, params::DType dtype, llvm::ArrayRef<int64_t> dims,
                   std::vector<char> element);

  llvm::StringRef name() const override { return model->path; }
  size_t count() const override { return entries.size(); }
  const params::ArrayInfo &array(size_t i) const override { return entries[i].info; }
  params::ArrayValues values(size_t i) const override;
  void releasePages() const override;

private:
  struct Entry {
    params::ArrayInfo info;
    const Tensor *tensor = nullptr; // whose lists are read, or
    llvm::ArrayRef<char> bytes;     // of a file, or of `owned`
    std::shared_ptr<const std::vector<char>> owned;
    std::vector<char> element; // of all places, or none
  };
  struct External {
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    std::string mistake;
  };
  const External &open(llvm::StringRef location);
  std::string locate(const Tensor &tensor, uint64_t bytes, llvm::ArrayRef<char> &place,
                     uint64_t &offset);

  std::shared_ptr<const Model> model;
  std::vector<Entry> entries;
  llvm::StringMap<External> files;
};

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_WEIGHTS_H
