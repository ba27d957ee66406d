// KernelJit.h: one convolution, matrix product or depthwise convolution compiled
// in-process, run beside an obvious C++ version, with its assembly at hand. Used
// by the kernel benchmark and by the unit tests of the kernel generator.
#ifndef SYMC_TOOLS_BENCH_KERNELJIT_H
#define SYMC_TOOLS_BENCH_KERNELJIT_H

#include "codegen/lower/KernelLowering.h"
#include <memory>

namespace symc::bench {

struct Layer {
  std::string name;
  int64_t batch = 1, in = 16, rows = 8, columns = 8, out = 16; // input image, channels
  int64_t kernelRows = 1, kernelColumns = 1;
  int64_t stride = 1, dilation = 1;
  int64_t padRows = 0, padColumns = 0;
  int64_t outHalo = 0; // pixels around the output image in its buffer
  bool planar = false; // input is [N, C, H, W], else blocks of 16 channels
  bool matrix = false; // fully connected: batch rows of `in`, image is 1x1
  bool depthwise = false;
  int64_t group = 1;     // of a depthwise layer: channels of a group, in and out
  bool positive = false; // no negative inputs, as behind a rectifier
  bool bias = true, relu = true, residual = false;
  bool dynamic = false;      // batch, rows and columns are run-time values
  std::vector<int64_t> tile; // empty: the cost model chooses
  int64_t winograd = 0;      // 2 to 5: by F(2x2, 3x3), F(3x3, 4x4), F(4x4, 3x3), F(5x5, 2x2)
  bool onTheFly = false;     // of Winograd: the step transforms its weights
  bool strassen = false;     // by Strassen's product
  // The row of products (ProductRow.h) whose types data and weights have, of direct layers that
  // are looked at and not run.
  std::string product = "Fma";
  bool weightSums =
      false; // the sums of its weights' gradient, of which there is code to look at alone
  // Of Winograd: block and per_task; of Strassen: flat, unit and per_task; empty: the model's.
  std::vector<int64_t> cut;
  codegen::MathMode math = codegen::MathMode::Default;

  int64_t outRows() const {
    return (rows + 2 * padRows - dilation * (kernelRows - 1) - 1) / stride + 1;
  }
  int64_t outColumns() const {
    return (columns + 2 * padColumns - dilation * (kernelColumns - 1) - 1) / stride + 1;
  }
  double flops() const {
    return 2.0 * batch * out * outRows() * outColumns() * (depthwise ? group : in) * kernelRows *
           kernelColumns;
  }
};

/// Operands of one layer, in the layouts that the kernel reads, filled from a seed.
struct Operands {
  Operands(const Layer &layer, uint64_t seed);
  // 64-byte aligned; out carries a canary in every element that must stay.
  std::vector<float> data, weights, bias, residual, out;
  // Not of direct kernels: their weights, one row of scratch a task, the words of its rows.
  std::vector<float> transformed, scratch;
  std::vector<int32_t> slots;
  float *dataAt, *outAt, *residualAt; // element [0, ..., 0] of the views
  /// The layer by plain loops in the kernel's order: fused multiply-adds or not.
  std::vector<float> expected(const Layer &layer, bool fused) const;
  /// The same in f64, rounded once.
  std::vector<float> exact(const Layer &layer) const;
  /// The largest |out - expected| over the largest |expected|; infinity where an
  /// element that must stay was written.
  double error(const std::vector<float> &expected) const;
  /// The largest of any output channel: its largest error over its largest value.
  double channelError(const Layer &layer, const std::vector<float> &expected) const;
  /// Elements of out that differ from `expected` by more than `tolerance` of the
  /// largest, halo and dead lanes included (those must be untouched).
  int64_t mismatches(const Layer &layer, const std::vector<float> &expected,
                     double tolerance) const;
  void clearOut();
};

class CompiledLayer {
public:
  /// Prints what fails and returns nothing.
  static std::unique_ptr<CompiledLayer> compile(const Layer &layer,
                                                const codegen::TargetDescription &target);
  virtual ~CompiledLayer() = default;
  virtual int64_t tasks(const Layer &sizes) const = 0;
  /// All tasks, in order, or shared by so many threads.
  virtual void run(const Layer &sizes, Operands &operands, int threads = 1) const = 0;
  virtual const std::string &assembly() const = 0;
  virtual const std::vector<int64_t> &tile() const = 0;
};

/// True if this machine can execute the target's code.
bool runsHere(const codegen::TargetDescription &target);

/// Those of x86-64-v2, v3 and v4 that it can execute.
std::vector<codegen::TargetDescription> targetsHere();

/// One of these, by the layer's numbers, so that tests over many layers compile some for each;
/// all of them where SYMC_ALL_CASES is set.
std::vector<codegen::TargetDescription> targetsFor(const Layer &layer);

} // namespace symc::bench

#endif // SYMC_TOOLS_BENCH_KERNELJIT_H
