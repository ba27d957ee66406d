// CustomOperators.cpp: see CustomOperators.h. The table of names that everyone looks in is made
// anew by each addition; older ones stay, since views of them may be in use.
#include "ir/CustomOperators.h"
#include "ir/CustomTable.h"
#include "ir/ops/Custom.h"

#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <mutex>

using namespace mlir;
using namespace symc::sg;

namespace {
struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<CustomOperator>> operators;
  std::vector<std::unique_ptr<const std::vector<OpName>>> tables; // the last one counts
};
std::atomic<const std::vector<OpName> *> newest{nullptr};
} // namespace

static Registry &registry() {
  static Registry only;
  return only;
}

// The registry is locked.
static const CustomOperator *find(const Registry &all, const OpInfo &info) {
  for (const auto &one : all.operators)
    if (&one->info == &info)
      return one.get();
  return nullptr;
}

std::optional<ArrayRef<OpName>> symc::sg::namesWithCustomOperators() {
  const std::vector<OpName> *names = newest.load(std::memory_order_acquire);
  return names ? std::optional(ArrayRef<OpName>(*names)) : std::nullopt;
}

std::string symc::sg::addCustomOperators(std::vector<std::unique_ptr<CustomOperator>> operators) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::vector<OpName> names(allOpNames());
  for (const auto &one : operators) {
    if (const OpName *known = lookupOp(one->name))
      return std::string("an operator '") + one->name + "' is " +
             (find(all, *known->info) ? "loaded already" : "built in");
    if (one->isListed)
      names.push_back({one->name, one->name, &one->info, {}});
    for (const auto &known : all.operators)
      for (const CustomOperator::Kernel &kernel : one->kernels)
        for (const CustomOperator::Kernel &other : known->kernels)
          if (kernel.symbol == other.symbol)
            return "kernel '" + kernel.symbol + "' is one of the loaded operator '" + known->name +
                   "'";
  }
  llvm::sort(names, [](const OpName &a, const OpName &b) { return a.name < b.name; });
  for (size_t i = 1; i < names.size(); ++i)
    if (names[i].name == names[i - 1].name)
      return "the operator '" + names[i].name.str() + "' is described twice";
  std::move(operators.begin(), operators.end(), std::back_inserter(all.operators));
  all.tables.push_back(std::make_unique<const std::vector<OpName>>(std::move(names)));
  newest.store(all.tables.back().get(), std::memory_order_release);
  return "";
}

const CustomOperator *symc::sg::customOperator(const OpInfo &info) {
  if (info.mnemonic != "custom") // most of the table
    return nullptr;
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  return find(all, info);
}

const CustomOperator *symc::sg::customOperator(StringRef name) {
  if (const OpName *found = lookupOp(name))
    return customOperator(*found->info);
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto &one : all.operators)
    if (!one->isListed && one->name == name)
      return one.get();
  return nullptr;
}

const OpInfo *symc::sg::infoOf(Operation *op) {
  if (auto custom = dyn_cast<CustomOp>(op))
    if (const CustomOperator *found = customOperator(custom.getOpType()))
      return &found->info;
  return lookupMnemonic(op->getName().stripDialect());
}

DictionaryAttr symc::sg::paramsOf(Operation *op) {
  auto custom = dyn_cast<CustomOp>(op);
  return custom ? custom.getParams() : op->getAttrDictionary();
}
