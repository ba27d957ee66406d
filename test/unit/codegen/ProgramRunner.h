// ProgramRunner.h: compiles the text of a kernel program in-process and runs it
// on memory that ends at an unreadable page, so that one byte too far is a crash.
// Tasks run in reverse order; the arena starts as NaN.
#ifndef SYMC_TEST_UNIT_CODEGEN_PROGRAMRUNNER_H
#define SYMC_TEST_UNIT_CODEGEN_PROGRAMRUNNER_H

#include "codegen/cpu/RowBands.h"
#include "codegen/lower/KernelLowering.h"
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace symc::test {

/// Bytes whose end is followed by a page that cannot be touched.
class GuardedBytes {
public:
  explicit GuardedBytes(size_t bytes);
  GuardedBytes(GuardedBytes &&other);
  GuardedBytes(const GuardedBytes &) = delete;
  ~GuardedBytes();
  uint8_t *data() { return start; }
  const uint8_t *data() const { return start; }
  size_t size() const { return bytes; }
  template <typename T> T *as() { return reinterpret_cast<T *>(start); }

private:
  uint8_t *mapping = nullptr, *start = nullptr;
  size_t mapped = 0, bytes = 0;
};

/// A #kernel.padding.
inline std::string padding(int64_t top, int64_t bottom, int64_t left, int64_t right) {
  return "#kernel.padding<top = " + std::to_string(top) + ", bottom = " + std::to_string(bottom) +
         ", left = " + std::to_string(left) + ", right = " + std::to_string(right) + ">";
}

class CompiledProgram {
public:
  /// Cuts into bands (within `bands`, else not), plans, checks and compiles @main of the
  /// module; null, with diagnostics on standard error, where that fails.
  static std::unique_ptr<CompiledProgram>
  compile(const std::string &text, const std::string &target, bool probes = false,
          std::optional<codegen::BandLimits> bands = std::nullopt);
  virtual ~CompiledProgram() = default;
  /// Runs on io memory (inputs, then outputs), prepared weights and sizes.
  virtual int32_t run(std::vector<void *> io, void *weights = nullptr,
                      std::vector<int64_t> dims = {}) = 0;
  /// Address of a function of the compiled module.
  virtual void *find(const std::string &name) = 0;
  int64_t arenaBytes = 0;
  int64_t kernels = 0; // distinct kernel functions
  int64_t steps = 0;   // pieces of cut ones counted
};

/// Tasks that all steps of the runs so far were cut into (steps of one task,
/// which are called directly, not included).
int64_t parallelTasks();

/// While it lives, programs find a pool of so many threads, and of each step that has several
/// tasks only the one with that number runs.
struct OnlyTask {
  OnlyTask(int64_t task, int32_t threads);
  ~OnlyTask();
};

/// A strided view of a flat argument, and its text.
struct ViewText {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
  std::string type(const std::string &element) const;
  /// `%name = memref.reinterpret_cast %from ...` from memref<flat x element>.
  std::string define(const std::string &name, const std::string &from, int64_t flat,
                     const std::string &element) const;
  int64_t elements() const;
  /// Flat index of an element of the view.
  int64_t at(const std::vector<int64_t> &index) const;
  /// Elements that the flat argument must have.
  int64_t flatSize() const;
};

/// Calls body(index) for every index of the space, in row-major order.
template <typename Body> void forIndices(const std::vector<int64_t> &sizes, Body body) {
  std::vector<int64_t> index(sizes.size(), 0);
  for (int64_t size : sizes)
    if (size == 0)
      return;
  while (true) {
    body(index);
    size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

/// Whether this machine can run code for an instruction set.
inline bool runsHere(const char *isa) {
  auto native = codegen::TargetDescription::get("native");
  return native && codegen::TargetDescription::get(isa)->runsOn(*native);
}

/// A test whose parameter is an instruction set; skipped where this machine cannot run it.
class TargetTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (!runsHere(GetParam()))
      GTEST_SKIP() << "this machine cannot run " << GetParam();
  }
};

} // namespace symc::test

#endif // SYMC_TEST_UNIT_CODEGEN_PROGRAMRUNNER_H
