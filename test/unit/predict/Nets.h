// Nets.h: small nets for the tests of libsymc_predict, in a cache of their own.
#ifndef SYMC_TEST_UNIT_PREDICT_NETS_H
#define SYMC_TEST_UNIT_PREDICT_NETS_H

#include "symc/predict.h"
#include "gtest/gtest.h"
#include <map>
#include <string>
#include <vector>

using Extents = std::vector<uint32_t>;
using Shapes = std::vector<std::pair<std::string, Extents>>;

/// Shapes as the API takes them.
struct GivenShapes {
  explicit GivenShapes(Shapes shapes);
  GivenShapes(const GivenShapes &) = delete;
  const Shapes shapes;
  std::vector<const char *> names;
  std::vector<uint32_t> places, extents;
};

/// data -> conv (2 maps of 3x3) -> act (relu) -> pool (global average) -> fc (2) -> softmax, which
/// takes any batch and any picture.
extern const char *const netJson;
/// A file of float32 arrays.
struct NamedArray {
  std::string key;
  std::vector<int64_t> shape;
  std::vector<float> values;
};
std::string parametersOf(const std::vector<NamedArray> &arrays);
/// Its weights in a file.
const std::string &netParameters();

PredictorHandle createNet(const Shapes &shapes, const std::vector<std::string> &outputs = {});
/// Values that differ from place to place.
std::vector<float> ramp(size_t count);
/// Sets the input, runs and returns the output.
std::vector<float> run(PredictorHandle handle, const std::vector<float> &data, uint32_t index = 0);
std::vector<float> outputOf(PredictorHandle handle, uint32_t index = 0);
Extents shapeOf(PredictorHandle handle, uint32_t index = 0);

/// That the call failed, with this in its message.
void expectMistake(int status, const std::string &text);

#endif // SYMC_TEST_UNIT_PREDICT_NETS_H
