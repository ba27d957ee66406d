// StoredCase.h: what the folder of a case holds (test/conformance/README.md).
#ifndef SYMC_TOOLS_CONFORMANCE_STOREDCASE_H
#define SYMC_TOOLS_CONFORMANCE_STOREDCASE_H

#include "frontend/params/ParamsReader.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace symc::conformance {

struct StoredCase {
  std::string symbol, params, io; // files
  struct Tolerance {
    double rtol = 0, atol = 0;
  };
  Tolerance tolerance;              // of states, and of outputs without one of their own
  std::vector<Tolerance> ofOutputs; // empty, or one for each
  int64_t runs = 1;                 // on the same inputs, before results are compared
  std::string mode, mxnet;
  std::vector<std::string> outputs; // their names; empty: not compared
  struct OpenExtent {
    std::string input;
    int64_t axis = 0, least = 0, most = 0;
    std::string symbol; // extents of one name are equal; "" for none
  };
  std::vector<OpenExtent> open;            // of mutants
  std::vector<std::vector<int64_t>> sizes; // what each of `open` is, run by run
  std::vector<std::string> added, dropped; // of training: gradients by grad_req
  int64_t recompute = -1;                  // of training: --recompute
  llvm::StringMap<Tolerance> ofArrays;     // by "out:K", "grad:NAME", "aux_out:NAME"
  bool besideReference = false;            // of mutants: reference kernels have the results
  std::vector<params::ArrayFile> files;
  llvm::StringMap<const params::Array *> arrays; // of `files`, by "data:NAME", "out:K", ...

  /// Reads case.json; `models`: where cases that name a model find its files. The sentence of
  /// what is wrong, or nothing.
  std::optional<std::string> read(llvm::StringRef folder, llvm::StringRef models);
  /// Reads the arrays of the case and, where it names a model, its parameters.
  bool readArrays(Diagnostics &diagnostics);
  const params::Array *find(const llvm::Twine &key) const { return arrays.lookup(key.str()); }
  /// The value of a model's input: of `data:`, `arg:`, or, for the gradient of an output, `ograd:`.
  /// Null where the case has none.
  const params::Array *findInput(llvm::StringRef name) const;
  const Tolerance &toleranceOf(size_t output) const {
    if (output < ofOutputs.size())
      return ofOutputs[output];
    return toleranceOf("out:" + llvm::Twine(output));
  }
  const Tolerance &toleranceOf(const llvm::Twine &key) const {
    auto found = ofArrays.find(key.str());
    return found == ofArrays.end() ? tolerance : found->second;
  }
  /// How many keys begin like this.
  int64_t count(llvm::StringRef prefix) const;

  /// Extents of inputs that one size decides: `ranges` are given to the compiler as ranges of one
  /// name, `inferred` it has to find.
  struct Opening {
    int64_t extent = 0;                                            // what the case has
    std::vector<std::pair<std::string, int64_t>> ranges, inferred; // input, axis
  };
  /// The extent `axis` of the first input that has one, and the same of others where it is equal;
  /// no ranges: no input has it, or no elements.
  Opening openingAlong(int64_t axis) const;
  /// Each extent of each input alone; those of other inputs that equal it are `inferred`.
  std::vector<Opening> openings() const;
  /// The same case without results, of another size: values begin again where there are more.
  /// Points into this one.
  StoredCase resized(const Opening &opening, int64_t extent) const;
  /// Makes the value of such an input as long as that: values begin again where there are more.
  void fitInput(llvm::StringRef name, llvm::ArrayRef<int64_t> shape);
  /// The same with extents of `open` as in one row of `sizes`.
  StoredCase atSizes(llvm::ArrayRef<int64_t> extents) const;
  /// Adds an array of its own.
  void keep(const std::string &key, params::DType dtype, llvm::ArrayRef<int64_t> shape,
            std::vector<char> bytes);

  std::vector<std::shared_ptr<params::Array>> kept; // by keep

private:
  std::optional<std::string> readOpen(const llvm::json::Object &object);
  StoredCase withoutResults() const;
  /// Keeps `array` with another extent along an axis: values begin again where there are more.
  void keepResized(const std::string &key, const params::Array &array, int64_t axis,
                   int64_t extent);
};

} // namespace symc::conformance

#endif // SYMC_TOOLS_CONFORMANCE_STOREDCASE_H
