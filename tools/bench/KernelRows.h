// KernelRows.h: the layers that kernel-bench times, and the ways to compute one that stand
// side by side: symc's kernels, OpenBLAS and oneDNN, each with one thread.
#ifndef SYMC_TOOLS_BENCH_KERNELROWS_H
#define SYMC_TOOLS_BENCH_KERNELROWS_H

#include "codegen/conv/ConvAlgorithm.h"
#include "tools/bench/KernelJit.h"

namespace symc::bench {

struct KernelRow {
  std::string net;
  Layer layer;
  int count; // of such layers in the net
};

/// Every shape of ResNet-50, MobileNetV2 and LeNet's kind, and those of VGG-16, Inception-v3 and
/// DenseNet that differ from them.
std::vector<KernelRow> kernelRows();

/// One way to compute a layer, ready to run with data of its own.
class Contender {
public:
  virtual ~Contender() = default;
  virtual void run() = 0;
};

/// Whether an algorithm of the table can compute the layer.
bool takes(const codegen::ConvAlgorithm &algorithm, const Layer &layer);
/// The layer's step by that algorithm, as the compiler makes and cuts it, with its own tile or
/// the given one; and what is reported of it: its tile, or why there is none.
struct AlgorithmContender {
  std::unique_ptr<Contender> contender;
  std::string label;
};
AlgorithmContender algorithmContender(const codegen::ConvAlgorithm &algorithm, const Layer &layer,
                                      const codegen::TargetDescription &target,
                                      llvm::ArrayRef<int64_t> tile);

/// The product of a 1x1 convolution with stride 1 or of a fully connected layer by cblas_sgemm or
/// cblas_sgemv, without bias and activation. Other layers, or no library: not taken.
bool openBlasTakes(const Layer &layer);
std::unique_ptr<Contender> openBlasContender(const Layer &layer);

/// The layer with bias, residual and ReLU in the layouts that oneDNN likes best. Nothing is
/// taken where kernel-bench was built without oneDNN.
bool oneDnnTakes(const Layer &layer);
std::unique_ptr<Contender> oneDnnContender(const Layer &layer);

/// "OpenBLAS 0.3.21", "oneDNN 2.6.3", or why there is none.
std::string openBlasVersion();
std::string oneDnnVersion();

} // namespace symc::bench

#endif // SYMC_TOOLS_BENCH_KERNELROWS_H
