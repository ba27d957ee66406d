// LossFunctions.cpp: see LossFunctions.h.
#include "tools/conformance/LossFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace symc;
using namespace symc::conformance;

namespace {

double number(const symbol::Node &head, llvm::StringRef key, double otherwise) {
  double value = otherwise;
  if (auto text = head.attrs.get(key))
    text->getAsDouble(value);
  return value;
}

bool flag(const symbol::Node &head, llvm::StringRef key) {
  auto text = head.attrs.get(key);
  return text && (*text == "True" || *text == "true" || *text == "1");
}

double regression(const symbol::Node &head, const LossValues &values) {
  double sum = 0;
  for (auto [y, label] : llvm::zip_equal(values.output, values.label))
    sum += head.op == "LinearRegressionOutput" ? 0.5 * (y - label) * (y - label)
           : head.op == "MAERegressionOutput" ? std::fabs(y - label)
                                              : -label * std::log(y) - (1 - label) * std::log1p(-y);
  double samples = values.shape.empty() ? 1 : double(values.shape[0]);
  return sum * number(head, "grad_scale", 1) * samples / double(values.output.size());
}

// The hinge at each class: s is 1 at the label and -1 elsewhere.
double hinges(const symbol::Node &head, const LossValues &values) {
  double sum = 0, margin = number(head, "margin", 1);
  int64_t classes = values.shape[1];
  for (auto [i, x] : llvm::enumerate(values.output)) {
    double s = values.label[i / classes] == double(i % classes) ? 1 : -1;
    double violation = std::max(0.0, margin - s * x);
    sum += flag(head, "use_linear") ? violation : violation * violation;
  }
  return sum * number(head, "regularization_coefficient", 1);
}

// Of [samples, classes, places], or with multi_output false of [samples, all others].
double crossEntropy(const symbol::Node &head, const LossValues &values) {
  int64_t samples = values.shape[0], all = int64_t(values.output.size());
  int64_t classes = flag(head, "multi_output") ? values.shape[1] : all / samples;
  int64_t places = all / samples / classes;
  double sum = 0;
  for (int64_t sample = 0; sample < samples; ++sample)
    for (int64_t place = 0; place < places; ++place) {
      auto label = int64_t(values.label[sample * places + place]);
      sum -= std::log(values.output[(sample * classes + label) * places + place]);
    }
  return sum * number(head, "grad_scale", 1) / double(places);
}

} // namespace

std::optional<double> conformance::lossOf(const symbol::Node &head, const LossValues &values) {
  llvm::StringRef op = head.op;
  if (op.ends_with("RegressionOutput"))
    return regression(head, values);
  if (op == "SVMOutput")
    return hinges(head, values);
  if (op == "SoftmaxOutput" || op == "Softmax")
    return crossEntropy(head, values);
  if (op == "MakeLoss" || op == "make_loss") {
    double sum = 0;
    for (double y : values.output)
      sum += y;
    return sum * number(head, "grad_scale", 1);
  }
  return std::nullopt;
}
