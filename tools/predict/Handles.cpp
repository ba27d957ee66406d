// Handles.cpp: see Handles.h.
#include "tools/predict/Handles.h"

using namespace symc;
using namespace symc::predict;

Handles<Predictor> &predict::predictors() {
  static auto *only = new Handles<Predictor>("predictor", 0);
  return *only;
}

Handles<ArrayList> &predict::arrayLists() {
  static auto *only = new Handles<ArrayList>("list of arrays", 1);
  return *only;
}

Handles<HandedArray> &predict::handedArrays() {
  static auto *only = new Handles<HandedArray>("array", 2);
  return *only;
}

NDArrayHandle predict::handOut(Array array) {
  return handedArrays().add(std::make_shared<HandedArray>(HandedArray{std::move(array), {}}));
}

static std::string &errorText() {
  static thread_local std::string text;
  return text;
}

const char *predict::lastError() { return errorText().c_str(); }

llvm::Error predict::nullPointer(const char *parameter) {
  return mistake(llvm::Twine("'") + parameter + "' is NULL");
}

int predict::guarded(llvm::function_ref<llvm::Error()> work) {
  llvm::Error error = work();
  if (!error)
    return 0;
  errorText() = llvm::toString(std::move(error));
  return -1;
}
