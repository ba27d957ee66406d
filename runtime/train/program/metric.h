// metric.h: how far outputs are from labels, by MXNet's names: one metric of one output and its
// label, over the rows that it is given. A mean since resetLocal() and one since reset().
#ifndef SYMC_RUNTIME_TRAIN_PROGRAM_METRIC_H
#define SYMC_RUNTIME_TRAIN_PROGRAM_METRIC_H

#include "../options/option_text.h"

namespace symc::train {

// Row-major; shape[0] are the rows that count, without those that fill a batch up.
struct MetricArray {
  const float *data;
  const int64_t *shape;
  int32_t rank;

  int64_t count(int32_t first = 0) const {
    int64_t product = 1;
    for (int32_t i = first; i < rank; ++i)
      product *= shape[i];
    return product;
  }
};

class Metric {
public:
  // "accuracy", "top_k_accuracy,top_k=5", "perplexity,ignore_label=0". False with a sentence.
  bool start(const char *text, char *error, size_t errorBytes);
  // As MXNet's log has it: "top_k_accuracy_5".
  const char *name() const { return label; }
  // False for the metric that takes outputs alone.
  bool takesLabels() const;

  void reset();
  void resetLocal();
  // Adds what one batch has. False with a sentence, where shapes or labels do not fit.
  bool update(const MetricArray &labels, const MetricArray &output, char *error, size_t errorBytes);
  // Since resetLocal(), since reset(); NaN where nothing was counted.
  double local() const { return value(isShared ? shared[0] : sums[0]); }
  double global() const { return value(isShared ? shared[1] : sums[1]); }

  // What the two are made of, for sums over processes.
  static constexpr int numberCount = 12;
  void numbers(double *to) const;
  // Until the next update, local() and global() are of these numbers.
  void share(const double *from);

private:
  // What one or several updates add up to; of two classes, how often labels and outputs meet.
  struct Sums {
    double total = 0, count = 0, pairs[2][2] = {}; // label is 1, output is 1
  };
  bool refuse(const MetricArray &labels, int64_t predictions, choices::Sentence &error) const;
  bool ofClasses(const MetricArray &, const MetricArray &, Sums &, choices::Sentence &) const;
  bool ofTwo(const MetricArray &, const MetricArray &, Sums &, choices::Sentence &) const;
  bool ofElements(const MetricArray &, const MetricArray &, Sums &, choices::Sentence &) const;
  bool ofCorrelation(const MetricArray &, const MetricArray &, Sums &, choices::Sentence &) const;
  double value(const Sums &sums) const;
  double ofPairs(const double (&pairs)[2][2]) const;

  char label[48] = "";
  int32_t kind = 0;
  double values[4] = {};
  Sums sums[2], shared[2];
  bool isShared = false;
};

} // namespace symc::train
#endif
