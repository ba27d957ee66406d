// OperatorLibrary.cpp: see OperatorLibrary.h.
#include "tools/operators/OperatorLibrary.h"
#include "tools/operators/DescribedOperator.h"

#include <deque>
#include <dlfcn.h>
#include <mutex>

using namespace symc;

namespace {
struct Libraries {
  std::mutex mutex;
  std::deque<OperatorLibrary> list; // its elements stay where they are
};
} // namespace

static Libraries &libraries() {
  static Libraries only;
  return only;
}

const OperatorLibrary &symc::operatorLibrary(size_t number) {
  Libraries &all = libraries();
  std::lock_guard<std::mutex> lock(all.mutex);
  return all.list[number];
}

static std::string checkVersion(const symc_op_library *library) {
  if (!library || !library->ops)
    return "describes no operators: its list is NULL";
  if (library->version == SYMC_OP_VERSION)
    return "";
  return "was made for version " + std::to_string(library->version) +
         " of symc/custom_op.h, this is version " + std::to_string(SYMC_OP_VERSION);
}

// What the library describes; a mistake is in `message`.
static const symc_op_library *describe(void *handle, std::string &message) {
  auto function = reinterpret_cast<const symc_op_library *(*)()>(dlsym(handle, "symc_operators"));
  if (!function) {
    message = "describes no operators: it has no function 'symc_operators'";
    return nullptr;
  }
  const symc_op_library *library = function();
  message = checkVersion(library);
  return message.empty() ? library : nullptr;
}

// The function of a kernel is the one that a compiled model will find by its name; without a
// handle, that of this process.
static std::string checkSymbols(void *handle, const sg::CustomOperator &op) {
  for (const auto *list : {&op.kernels, &op.trainingKernels})
    for (const auto &kernel : *list)
      if (!kernel.function)
        return "operator '" + op.name + "': kernel '" + kernel.symbol + "' has no function";
      else if (handle && dlsym(handle, kernel.symbol.c_str()) != kernel.function)
        return "operator '" + op.name + "': kernel '" + kernel.symbol +
               "' is no function that the library exports";
  return "";
}

using Operators = std::vector<std::unique_ptr<sg::CustomOperator>>;

static std::string readOperators(const symc_op_library *library, void *handle, size_t number,
                                 Operators &operators) {
  for (const symc_op *const *op = library->ops; *op; ++op) {
    if ((*op)->bytes < DescribedOperator::leastBytes)
      return "describes an operator in " + std::to_string((*op)->bytes) + " bytes, needs " +
             std::to_string(DescribedOperator::leastBytes);
    auto made = std::make_unique<DescribedOperator>(**op);
    if (std::string mistake = made->check(); !mistake.empty())
      return "operator '" + made->name + "': " + mistake;
    made->library = number;
    std::unique_ptr<sg::CustomOperator> gradient = made->makeGradient();
    for (const sg::CustomOperator *one :
         {static_cast<sg::CustomOperator *>(made.get()), gradient.get()})
      if (std::string mistake = one ? checkSymbols(handle, *one) : ""; !mistake.empty())
        return mistake;
    operators.push_back(std::move(made));
    if (gradient)
      operators.push_back(std::move(gradient));
  }
  return operators.empty() ? "describes no operators: its list is empty" : "";
}

std::string symc::openOperators(llvm::StringRef path, OperatorLibrary library) {
  Libraries &all = libraries();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const OperatorLibrary &known : all.list)
    if (known.path == library.path && known.objects == library.objects)
      return "";
  void *handle = dlopen(path.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return "cannot open operators '" + library.file + "': " + dlerror();
  Operators operators;
  std::string mistake;
  if (const symc_op_library *described = describe(handle, mistake))
    mistake = readOperators(described, handle, all.list.size(), operators);
  if (mistake.empty())
    mistake = sg::addCustomOperators(std::move(operators));
  if (mistake.empty()) {
    all.list.push_back(std::move(library));
    return "";
  }
  dlclose(handle);
  return "operators '" + library.file + "': " + mistake;
}

std::string symc::addOperators(const symc_op_library *described) {
  Libraries &all = libraries();
  std::lock_guard<std::mutex> lock(all.mutex);
  Operators operators;
  std::string mistake = checkVersion(described);
  if (mistake.empty())
    mistake = readOperators(described, nullptr, all.list.size(), operators);
  if (mistake.empty())
    mistake = sg::addCustomOperators(std::move(operators));
  if (!mistake.empty())
    return "operators of this process: " + mistake;
  all.list.emplace_back();
  return "";
}
