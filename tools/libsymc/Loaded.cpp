// Loaded.cpp: see Loaded.h.
#include "Loaded.h"
#include "Library.h"
#include "runtime/core/ranks.h"
#include "symc/runtime.h"
#include <cstdio>
#include <deque>
#include <map>

using namespace symc;
using namespace symc::library;

// The runtime's own, under the names that it is compiled with for this library.
extern "C" symc_status symc_runtime_create(const symc_model *model, const symc_options *options,
                                           symc_context **context);
extern "C" void symc_runtime_destroy(symc_context *context);
// Of runs by tables (runtime/train/steps.h), which report nothing but in trainers.
extern "C" int32_t symc_run_steps(const symc_frame *frame, const void *entries,
                                  void *const *functions, int64_t count);
extern "C" void symc_report_step(const symc_frame *, int32_t) {}

namespace {

struct Loaded {
  PreparedWeights weights; // that the code reads
  std::unique_ptr<codegen::InProcess> code;
  symc_model *table = nullptr;
  bool freed = false;

  // Nobody has a context: the table becomes one without a mark, inputs and outputs.
  ~Loaded() { *table = {}; }
};

struct Models {
  std::mutex mutex;
  std::deque<symc_model> tables; // never given back
  std::map<symc_loaded, std::shared_ptr<Loaded>> byNumber;
  std::map<const symc_model *, std::weak_ptr<Loaded>> byTable;
  std::map<symc_context *, std::shared_ptr<Loaded>> byContext;
  symc_loaded last = 0; // numbers are never given twice
};

// Never destroyed: a program's last threads may call while it ends.
Models &models() {
  static auto *only = new Models();
  return *only;
}

int failNoModel(symc_loaded number, const Models &all) {
  return fail(llvm::Twine(number) + " is no loaded model" +
              (number != 0 && number <= all.last ? ": it was freed" : ""));
}

} // namespace

symc_loaded library::addLoaded(std::unique_ptr<codegen::InProcess> code, PreparedWeights weights) {
  auto loaded = std::make_shared<Loaded>();
  loaded->weights = std::move(weights);
  loaded->code = std::move(code);
  Models &all = models();
  std::lock_guard<std::mutex> lock(all.mutex);
  loaded->table = &all.tables.emplace_back(*loaded->code->model());
  all.byTable[loaded->table] = loaded;
  all.byNumber[++all.last] = std::move(loaded);
  return all.last;
}

std::vector<std::pair<std::string, const void *>> library::hostFunctions() {
  return {{"symc_parallel", reinterpret_cast<const void *>(&symc_parallel)},
          {"symc_gather_ranks", reinterpret_cast<const void *>(&symc_gather_ranks)},
          {"symc_run_steps", reinterpret_cast<const void *>(&symc_run_steps)}};
}

extern "C" int symc_loaded_model(symc_loaded loaded, const symc_model **model) {
  if (!model)
    return failNull("model");
  Models &all = models();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto found = all.byNumber.find(loaded);
  if (found == all.byNumber.end())
    return failNoModel(loaded, all);
  *model = found->second->table;
  return 0;
}

extern "C" int symc_loaded_free(symc_loaded loaded) {
  std::shared_ptr<Loaded> last; // goes without the lock
  Models &all = models();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto found = all.byNumber.find(loaded);
  if (found == all.byNumber.end())
    return failNoModel(loaded, all);
  last = std::move(found->second);
  last->freed = true;
  all.byNumber.erase(found);
  return 0;
}

// In front of the runtime's functions: whose contexts there are.
extern "C" __attribute__((visibility("default"))) symc_status
symc_create(const symc_model *model, const symc_options *options, symc_context **context) {
  static const symc_model none = {};
  std::shared_ptr<Loaded> loaded;
  {
    Models &all = models();
    std::lock_guard<std::mutex> lock(all.mutex);
    if (auto found = all.byTable.find(model); found != all.byTable.end())
      loaded = found->second.lock();
    if (loaded && loaded->freed)
      model = &none;
  }
  symc_status status = symc_runtime_create(model, options, context);
  if (status != SYMC_STATUS_OK || !loaded)
    return status;
  Models &all = models();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.byContext[*context] = std::move(loaded);
  return status;
}

extern "C" __attribute__((visibility("default"))) void symc_destroy(symc_context *context) {
  std::shared_ptr<Loaded> loaded;
  {
    Models &all = models();
    std::lock_guard<std::mutex> lock(all.mutex);
    if (auto found = all.byContext.find(context); found != all.byContext.end()) {
      loaded = std::move(found->second);
      all.byContext.erase(found);
    }
  }
  symc_runtime_destroy(context);
}
