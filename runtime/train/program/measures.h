// measures.h: the metrics that are reported: MXNet's, each over the batches since the last line of
// the log and over the epoch.
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_MEASURES_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_MEASURES_H

#include "network.h"

namespace symc::train {

class Measures {
public:
  static constexpr int most = 16;
  ~Measures();
  Measures() = default;
  Measures(const Measures &) = delete;
  Measures &operator=(const Measures &) = delete;

  // `names` with commas; `topK` and `losses` ("ce,nll") add to them. Unknown names are refused with
  // the nearest one.
  bool start(const char *names, int64_t topK, const char *losses, const Network &network,
             Problem &problem);
  void reset();
  void resetLocal();
  // `rows` of the batch count.
  bool update(const float *const *outputs, const float *const *inputs, int64_t rows,
              Problem &problem);
  int count() const { return n; }
  const char *name(int index) const;
  double local(int index) const;
  double global(int index) const;

private:
  const Network *network = nullptr;
  int n = 0;
  struct Measure;
  Measure *measures[most] = {};
};

} // namespace symc::train
#endif
