// measures.h: the metrics that are reported, of all outputs and their labels: MXNet's (metric.h),
// each over the batches since the last line of the log and over the epoch.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_MEASURES_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_MEASURES_H

#include "metric.h"
#include "network.h"

namespace symc::train {

class Measures {
public:
  static constexpr int most = 16;

  // `names` with commas, each with its options behind it: "accuracy,top_k_accuracy,top_k=5,ce";
  // NULL: accuracy where there are classes, mse where there are numbers, else loss. `topK` and
  // `losses` ("ce,nll") add to them.
  bool start(const char *names, int64_t topK, const char *losses, const Network &network,
             Problem &problem);
  void reset();
  void resetLocal();
  // `rows` of the batch count.
  bool update(const float *const *outputs, const float *const *inputs, int64_t rows,
              Problem &problem);
  int count() const { return n; }
  const char *name(int index) const { return metrics[index].name(); }
  double local(int index) const { return metrics[index].local(); }
  double global(int index) const { return metrics[index].global(); }

  // What the metrics are made of, for sums over processes (metric.h).
  int numberCount() const { return n * Metric::numberCount; }
  void numbers(double *to) const;
  void share(const double *from);

private:
  bool add(const char *text, const char *option, Problem &problem);
  const Network *network = nullptr;
  int n = 0;
  Metric metrics[most];
};

} // namespace symc::train
#endif
