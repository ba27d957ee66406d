// metric.cpp: see metric.h. Sums are double.
#include "metric.h"

#include <math.h>
#include <string.h>

namespace symc::train {

using choices::Option;
using choices::Sentence;

namespace {

enum Kind { Accuracy, TopK, F1, Mcc, Mse, Mae, Rmse, CrossEntropy, Nll, Perplexity, Pearson, Loss };

constexpr Option axisOption = {"axis", nullptr, choices::Form::Whole, 1, 0, 7, "0 to 7", nullptr};
constexpr Option topKOption = {"top_k", nullptr, choices::Form::Whole, 1,
                               1,       1e9,     "1 to 1e9",           nullptr};
constexpr Option averageOption = {"average", nullptr, choices::Form::Words, 0, 0,
                                  1,         "",      "macro,micro"};
constexpr Option epsilonOption = {"eps",    nullptr, choices::Form::Number, 1e-12, 0, 1,
                                  "0 to 1", nullptr};
constexpr Option ignoreOption = {"ignore_label", nullptr, choices::Form::Optional, -1, 0, 1e9,
                                 "0 to 1e9",     nullptr};

// In the order of Kind; the names are those of MXNet's logs.
constexpr choices::Kind kinds[] = {
    {"accuracy", "acc", &axisOption, 1},
    {"top_k_accuracy", "top_k_acc,topkaccuracy", &topKOption, 1},
    {"f1", nullptr, &averageOption, 1},
    {"mcc", nullptr, &averageOption, 1},
    {"mse", nullptr, nullptr, 0},
    {"mae", nullptr, nullptr, 0},
    {"rmse", nullptr, nullptr, 0},
    {"cross-entropy", "ce,crossentropy", &epsilonOption, 1},
    {"nll-loss", "nll_loss,negativeloglikelihood", &epsilonOption, 1},
    {"perplexity", nullptr, &ignoreOption, 1},
    {"pearsonr", "pearsoncorrelation", nullptr, 0},
    {"loss", nullptr, nullptr, 0},
};
constexpr choices::Table table = {"metric", kinds, sizeof kinds / sizeof *kinds,
                                  nullptr,  0,     nullptr};

bool is_of(int32_t kind, Kind one, Kind other) { return kind == one || kind == other; }

// A label that is no number, or beyond all classes, is -1.
int64_t class_of(float value) { return value > -1e15f && value < 1e15f ? int64_t(value) : -1; }

// An output as predictions [outer, classes, inner], one for each place of outer and inner.
struct Predictions {
  const float *data;
  int64_t outer, classes, inner;

  Predictions(const MetricArray &output, int32_t axis) : data(output.data), outer(1) {
    for (int32_t i = 0; i < axis; ++i)
      outer *= output.shape[i];
    classes = output.shape[axis];
    inner = output.count(axis + 1);
  }
  int64_t count() const { return outer * inner; }
  float at(int64_t n, int64_t c) const {
    return data[(n / inner * classes + c) * inner + n % inner];
  }
  // The first of the largest.
  int64_t best(int64_t n) const {
    int64_t found = 0;
    for (int64_t c = 1; c < classes; ++c)
      if (at(n, c) > at(n, found))
        found = c;
    return found;
  }
  // Whether class `c` is among the k largest; of equals the earlier.
  bool among(int64_t n, int64_t c, int64_t k) const {
    if (c < 0 || c >= classes)
      return false;
    int64_t before = 0;
    for (int64_t other = 0; other < classes; ++other)
      before += at(n, other) > at(n, c) || (at(n, other) == at(n, c) && other < c);
    return before < k;
  }
};

} // namespace

bool Metric::start(const char *text, char *error, size_t errorBytes) {
  Sentence sentence(error, errorBytes);
  choices::Parsed parsed = {0, 0, values, int32_t(sizeof values / sizeof *values)};
  if (!choices::parse(table, text, parsed, sentence))
    return false;
  kind = parsed.kind;
  Sentence named(label, sizeof label);
  named << kinds[kind].name;
  if (kind == TopK)
    named << "_" << int64_t(values[0]);
  reset();
  return true;
}

bool Metric::takesLabels() const { return kind != Loss; }

void Metric::reset() {
  sums[0] = sums[1] = Sums();
  isShared = false;
}

void Metric::resetLocal() { sums[0] = shared[0] = Sums(); }

void Metric::numbers(double *to) const {
  for (const Sums &each : sums) {
    *to++ = each.total;
    *to++ = each.count;
    memcpy(to, each.pairs, sizeof each.pairs);
    to += 4;
  }
}

void Metric::share(const double *from) {
  for (Sums &each : shared) {
    each.total = *from++;
    each.count = *from++;
    memcpy(each.pairs, from, sizeof each.pairs);
    from += 4;
  }
  isShared = true;
}

// --- One batch ------------------------------------------------------------------

bool Metric::refuse(const MetricArray &labels, int64_t predictions, Sentence &error) const {
  error << "metric '" << label << "': " << labels.count() << " labels for " << predictions
        << " predictions";
  return false;
}

// Labels are classes of the predictions along an axis of the output.
bool Metric::ofClasses(const MetricArray &labels, const MetricArray &output, Sums &own,
                       Sentence &error) const {
  bool anyRank = kind == Accuracy || kind == Perplexity;
  int32_t axis = kind == Accuracy ? int32_t(values[0]) : kind == Perplexity ? output.rank - 1 : 1;
  if (axis < 0 || axis >= output.rank || (!anyRank && output.rank != 2)) {
    error << "metric '" << label << "' needs an output of " << (anyRank ? "more" : "two")
          << " dimensions, it has " << output.rank;
    return false;
  }
  Predictions all(output, axis);
  if (labels.count() != all.count())
    return refuse(labels, all.count(), error);
  own.count = double(all.count());
  for (int64_t n = 0; n < all.count(); ++n) {
    int64_t wanted = class_of(labels.data[n]);
    if (kind == Accuracy) {
      own.total += all.best(n) == wanted;
    } else if (kind == TopK) {
      own.total += all.among(n, wanted, int64_t(values[0]));
    } else if (kind == Perplexity) {
      if (values[0] >= 0 && double(wanted) == values[0]) {
        --own.count;
        continue;
      }
      int64_t c = wanted < 0 ? 0 : wanted >= all.classes ? all.classes - 1 : wanted;
      own.total -= log(all.at(n, c) > 1e-10f ? double(all.at(n, c)) : 1e-10);
    } else if (wanted >= 0 && wanted < all.classes) {
      own.total -= log(double(all.at(n, wanted)) + values[0]);
    } else {
      error << "metric '" << label << "': label " << wanted << " lies outside of " << all.classes
            << " classes";
      return false;
    }
  }
  return true;
}

// Of two classes, of which 1 is what is looked for.
bool Metric::ofTwo(const MetricArray &labels, const MetricArray &output, Sums &own,
                   Sentence &error) const {
  if (output.rank != 2) {
    error << "metric '" << label << "' needs an output of two dimensions, it has " << output.rank;
    return false;
  }
  Predictions all(output, 1);
  if (labels.count() != all.count())
    return refuse(labels, all.count(), error);
  int64_t seen[2] = {};
  int32_t count = 0;
  for (int64_t n = 0; n < all.count(); ++n) {
    int64_t wanted = class_of(labels.data[n]);
    bool known = (count > 0 && wanted == seen[0]) || (count > 1 && wanted == seen[1]);
    if (!known && count == 2) {
      error << "metric '" << label << "' needs two classes, the labels have more";
      return false;
    }
    if (!known)
      seen[count++] = wanted;
    ++own.pairs[wanted == 1][all.best(n) == 1];
  }
  own.total = ofPairs(own.pairs);
  own.count = 1;
  return true;
}

// A mean over elements; a label or an output of one column stands beside all of the other's.
bool Metric::ofElements(const MetricArray &labels, const MetricArray &output, Sums &own,
                        Sentence &error) const {
  int64_t rows = output.shape[0], mine = rows ? output.count() / rows : 0,
          theirs = rows ? labels.count() / rows : 0, columns = mine > theirs ? mine : theirs;
  if (labels.shape[0] != rows || (mine != theirs && mine != 1 && theirs != 1))
    return refuse(labels, output.count(), error);
  for (int64_t n = 0; n < rows * columns; ++n) {
    int64_t row = n / columns, column = n % columns;
    double difference = double(labels.data[row * theirs + (theirs == 1 ? 0 : column)]) -
                        double(output.data[row * mine + (mine == 1 ? 0 : column)]);
    own.total += kind == Mae ? fabs(difference) : difference * difference;
  }
  own.total /= double(rows * columns);
  own.total = kind == Rmse ? sqrt(own.total) : own.total;
  own.count = 1;
  return true;
}

bool Metric::ofCorrelation(const MetricArray &labels, const MetricArray &output, Sums &own,
                           Sentence &error) const {
  int64_t count = output.count();
  if (labels.count() != count)
    return refuse(labels, count, error);
  double means[2] = {}, squares[2] = {}, product = 0;
  for (int64_t n = 0; n < count; ++n) {
    means[0] += double(output.data[n]) / double(count);
    means[1] += double(labels.data[n]) / double(count);
  }
  for (int64_t n = 0; n < count; ++n) {
    double a = double(output.data[n]) - means[0], b = double(labels.data[n]) - means[1];
    squares[0] += a * a;
    squares[1] += b * b;
    product += a * b;
  }
  own.total = product / sqrt(squares[0]) / sqrt(squares[1]);
  own.count = 1;
  return true;
}

bool Metric::update(const MetricArray &labels, const MetricArray &output, char *error,
                    size_t errorBytes) {
  Sentence sentence(error, errorBytes);
  Sums own;
  isShared = false;
  bool done = true;
  bool sameShape = kind == Accuracy && labels.rank == output.rank &&
                   !memcmp(labels.shape, output.shape, size_t(output.rank) * sizeof(int64_t));
  if (kind == Loss || sameShape) {
    own.count = double(output.count());
    for (int64_t n = 0; n < output.count(); ++n)
      own.total += kind == Loss ? double(output.data[n])
                                : double(class_of(output.data[n]) == class_of(labels.data[n]));
  } else if (is_of(kind, F1, Mcc)) {
    done = ofTwo(labels, output, own, sentence);
  } else if (kind == Pearson) {
    done = ofCorrelation(labels, output, own, sentence);
  } else if (is_of(kind, Mse, Mae) || kind == Rmse) {
    done = ofElements(labels, output, own, sentence);
  } else {
    done = ofClasses(labels, output, own, sentence);
  }
  for (Sums &each : sums) {
    each.total += done ? own.total : 0;
    each.count += done ? own.count : 0;
    for (int i = 0; i < 4 && done; ++i)
      (&each.pairs[0][0])[i] += (&own.pairs[0][0])[i];
  }
  return done;
}

double Metric::ofPairs(const double (&pairs)[2][2]) const {
  double right = pairs[1][1], wrong = pairs[0][1], missed = pairs[1][0], none = pairs[0][0];
  if (kind == F1)
    return right != 0 ? 2 * right / (2 * right + wrong + missed) : 0;
  const double sides[] = {none + missed, wrong + right, none + wrong, missed + right};
  double below = 1;
  for (double sum : sides)
    below *= sum != 0 ? sum : 1;
  return (none * right - wrong * missed) / sqrt(below);
}

double Metric::value(const Sums &of) const {
  if (of.count == 0)
    return NAN;
  if (is_of(kind, F1, Mcc) && values[0] != 0) // micro: of all pairs
    return ofPairs(of.pairs);
  double mean = of.total / of.count;
  return kind == Perplexity ? exp(mean) : mean;
}

} // namespace symc::train
