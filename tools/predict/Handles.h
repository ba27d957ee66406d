// Handles.h: numbers that stand for objects outside of the library. A number is never given twice,
// so that one that was freed, or never given, is distinguished from the others.
#ifndef SYMC_TOOLS_PREDICT_HANDLES_H
#define SYMC_TOOLS_PREDICT_HANDLES_H

#include "tools/predict/Predictor.h"

namespace symc::predict {

/// The arrays of MXNDListCreate.
struct ArrayList {
  std::vector<std::string> keys;
  std::vector<Array> arrays; // float32
  std::vector<uint32_t> extents;
};

/// An array that a callback got, and its extents as C has them.
struct HandedArray {
  Array array;
  std::vector<uint32_t> extents;
};

/// The objects of one kind.
template <class T> class Handles {
public:
  /// `kind` names them in messages: "predictor"; kinds have numbers of their own, below 16.
  Handles(const char *kind, uintptr_t kindNumber) : kind(kind), last(kindNumber) {}

  void *add(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> lock(mutex);
    last += 16; // so that those of different kinds differ
    objects[last] = std::move(object);
    return reinterpret_cast<void *>(last);
  }

  llvm::Expected<std::shared_ptr<T>> find(void *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = objects.find(reinterpret_cast<uintptr_t>(handle));
    if (found != objects.end())
      return found->second;
    auto number = reinterpret_cast<uintptr_t>(handle);
    bool wasGiven = number >= 16 && number <= last && number % 16 == last % 16;
    return mistake(llvm::Twine("the handle is of no ") + kind +
                   (!handle    ? ": it is NULL"
                    : wasGiven ? ": it was freed"
                               : ""));
  }

  llvm::Error remove(void *handle) {
    auto found = find(handle);
    if (!found)
      return found.takeError();
    std::lock_guard<std::mutex> lock(mutex);
    objects.erase(reinterpret_cast<uintptr_t>(handle));
    return llvm::Error::success();
  }

private:
  const char *kind;
  std::mutex mutex;
  std::map<uintptr_t, std::shared_ptr<T>> objects;
  uintptr_t last;
};

/// All of the process; they outlive its last thread.
Handles<Predictor> &predictors();
Handles<ArrayList> &arrayLists();
Handles<HandedArray> &handedArrays();

llvm::Error nullPointer(const char *parameter);
/// Calls `work` for a function of the C API: 0, or -1 with the error kept for MXGetLastError.
int guarded(llvm::function_ref<llvm::Error()> work);
const char *lastError();

} // namespace symc::predict

#endif // SYMC_TOOLS_PREDICT_HANDLES_H
