// Predictor.h: what a PredictorHandle stands for: a form, memory of its inputs and outputs, and
// the callback that watches it. Used by one thread at a time.
#ifndef SYMC_TOOLS_PREDICT_PREDICTOR_H
#define SYMC_TOOLS_PREDICT_PREDICTOR_H

#include "symc/predict.h"
#include "tools/predict/Forms.h"

namespace symc::predict {

/// An array of its own memory, zeros at first.
class Array {
public:
  Array() = default;
  /// False where there is no memory.
  bool allocate(int32_t dtype, llvm::ArrayRef<int64_t> extents);
  /// Fewer elements, which stand at the front, where values decided an extent.
  void shrink(llvm::ArrayRef<int64_t> extents) { shape.assign(extents.begin(), extents.end()); }
  int64_t elementCount() const;
  size_t byteCount() const { return elementCount() * symc_dtype_bytes(dtype); }
  symc_tensor view() const {
    return {bytes.get(), shape.data(), int32_t(shape.size()), dtype, 0, 0};
  }
  /// At the size that it was allocated with.
  symc_tensor wholeView() const {
    return {bytes.get(), whole.data(), int32_t(whole.size()), dtype, 0, 0};
  }

  int32_t dtype = SYMC_F32;
  std::vector<int64_t> shape;
  std::shared_ptr<char> bytes;

private:
  std::vector<int64_t> whole;
};

/// Copies all elements, `count` of them, which `what` names in an error.
llvm::Error copyOut(const Array &array, const llvm::Twine &what, void *data, uint64_t count);

using Shapes = std::map<std::string, std::vector<int64_t>>;

class Predictor {
public:
  static llvm::Expected<std::unique_ptr<Predictor>> create(std::shared_ptr<Source> source,
                                                           const Shapes &shapes,
                                                           std::map<std::string, int> types,
                                                           std::vector<std::string> outputs);
  /// Another one over the same code and weights.
  llvm::Expected<std::unique_ptr<Predictor>> share() const;
  llvm::Expected<std::unique_ptr<Predictor>> reshape(const Shapes &changes) const;

  llvm::Error setInput(llvm::StringRef key, const void *data, uint64_t count);
  llvm::Error forward();
  llvm::Expected<int> partialForward(int step); // how many are left
  llvm::Expected<const Array *> output(uint32_t index) const;
  void setMonitor(PredMonitorCallback function, void *user, bool all);

  std::recursive_mutex mutex;    // a callback may call again
  std::vector<uint32_t> extents; // what MXPredGetOutputShape returned

private:
  /// Forms that serve several shapes, of handles that came from each other.
  struct Family;

  Predictor() = default;
  static llvm::Expected<std::unique_ptr<Predictor>> make(std::shared_ptr<Source> source,
                                                         FormSpec spec, Shapes shapes,
                                                         std::shared_ptr<Family> family);
  static llvm::Expected<std::shared_ptr<Form>> findRanged(Source &source, const FormSpec &spec,
                                                          const Shapes &shapes, Family &family);
  llvm::Error bind(std::shared_ptr<Form> form);
  void prepareSides();
  llvm::Error makeInput(llvm::StringRef name);
  llvm::Error run(Form &form, std::vector<Array> &results);
  llvm::Error runWatched();
  llvm::Error reportStep(size_t step);
  llvm::Expected<Array> valueOf(llvm::StringRef variable) const;
  llvm::Expected<size_t> nodeCount();

  std::shared_ptr<Source> source;
  FormSpec spec; // as if all shapes were fixed
  Shapes shapes;
  std::shared_ptr<Family> family;
  std::shared_ptr<Form> form;
  std::vector<Array> inputs, outputs;       // in the order of the form's
  std::shared_ptr<symc_context> ownContext; // of a model with states, which are the handle's

  PredMonitorCallback callback = nullptr;
  void *callbackUser = nullptr;
  bool watchInputs = false;
  std::shared_ptr<Form> watchedForm;
  std::vector<Array> watched;                 // outputs of watchedForm
  std::shared_ptr<const symbol::Graph> nodes; // whose heads are outputs of watchedForm
  std::vector<uint32_t> order;                // of nodes: the steps of a partial run
  bool begun = false;                         // a partial run has its results
};

/// A new number for an array, which a callback frees (Handles.h).
NDArrayHandle handOut(Array array);

} // namespace symc::predict

#endif // SYMC_TOOLS_PREDICT_PREDICTOR_H
