// Nets.cpp: see Nets.h.
#include "Nets.h"

#include "frontend/params/ParamsWriter.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>

using namespace symc;

const char *const netJson = R"json({
  "nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "conv_weight", "inputs": []},
    {"op": "Convolution", "name": "conv", "inputs": [[0, 0, 0], [1, 0, 0]],
     "attrs": {"kernel": "(3, 3)", "num_filter": "2", "no_bias": "True"}},
    {"op": "Activation", "name": "act", "inputs": [[2, 0, 0]], "attrs": {"act_type": "relu"}},
    {"op": "Pooling", "name": "pool", "inputs": [[3, 0, 0]],
     "attrs": {"global_pool": "True", "pool_type": "avg", "kernel": "(1, 1)"}},
    {"op": "null", "name": "fc_weight", "inputs": []},
    {"op": "null", "name": "fc_bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc", "inputs": [[4, 0, 0], [5, 0, 0], [6, 0, 0]],
     "attrs": {"num_hidden": "2"}},
    {"op": "null", "name": "label", "inputs": []},
    {"op": "SoftmaxOutput", "name": "softmax", "inputs": [[7, 0, 0], [8, 0, 0]]}
  ],
  "arg_nodes": [0, 1, 5, 6, 8],
  "heads": [[9, 0, 0]],
  "attrs": {"mxnet_version": ["int", 10901]}
})json";

std::string parametersOf(const std::vector<NamedArray> &arrays) {
  std::vector<params::ArrayView> views;
  for (const NamedArray &array : arrays)
    views.push_back({array.key, params::DType::F32, array.shape, array.values.data()});
  std::string text;
  llvm::raw_string_ostream os(text);
  params::writeNdarrayList(os, views);
  return text;
}

const std::string &netParameters() {
  static const std::string bytes =
      parametersOf({{"arg:conv_weight", {2, 1, 3, 3}, ramp(18)},
                    {"arg:fc_weight", {2, 2}, {1, -2, 3, 0.5f}},
                    {"arg:fc_bias", {2}, {0.25f, -0.25f}},
                    {"arg:nobody's", {2}, {1, 2}}}); // MXNet passes it over
  return bytes;
}

GivenShapes::GivenShapes(Shapes given) : shapes(std::move(given)) {
  places.push_back(0);
  for (const auto &[name, shape] : shapes) {
    names.push_back(name.c_str());
    extents.insert(extents.end(), shape.begin(), shape.end());
    places.push_back(extents.size());
  }
}

PredictorHandle createNet(const Shapes &shapes, const std::vector<std::string> &outputs) {
  GivenShapes given(shapes);
  std::vector<const char *> keys;
  for (const std::string &output : outputs)
    keys.push_back(output.c_str());
  PredictorHandle handle = nullptr;
  EXPECT_EQ(MXPredCreatePartialOut(netJson, netParameters().data(), netParameters().size(), 1, 0,
                                   shapes.size(), given.names.data(), given.places.data(),
                                   given.extents.data(), keys.size(), keys.data(), &handle),
            0)
      << MXGetLastError();
  return handle;
}

std::vector<float> ramp(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = float(i * 37 % 101) / 101 - 0.5f;
  return values;
}

std::vector<float> outputOf(PredictorHandle handle, uint32_t index) {
  size_t count = 1;
  for (uint32_t extent : shapeOf(handle, index))
    count *= extent;
  std::vector<float> values(count);
  EXPECT_EQ(MXPredGetOutput(handle, index, values.data(), count), 0) << MXGetLastError();
  return values;
}

std::vector<float> run(PredictorHandle handle, const std::vector<float> &data, uint32_t index) {
  EXPECT_EQ(MXPredSetInput(handle, "data", data.data(), data.size()), 0) << MXGetLastError();
  EXPECT_EQ(MXPredForward(handle), 0) << MXGetLastError();
  return outputOf(handle, index);
}

Extents shapeOf(PredictorHandle handle, uint32_t index) {
  uint32_t *extents = nullptr, rank = 0;
  EXPECT_EQ(MXPredGetOutputShape(handle, index, &extents, &rank), 0) << MXGetLastError();
  return Extents(extents, extents + rank);
}

void expectMistake(int status, const std::string &text) {
  EXPECT_EQ(status, -1);
  EXPECT_NE(std::string(MXGetLastError()).find(text), std::string::npos) << MXGetLastError();
}

namespace {
struct OwnCache : testing::Environment {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("symc-predict", folder));
    ::setenv("SYMC_CACHE_DIR", folder.c_str(), 1);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  llvm::SmallString<128> folder;
};
} // namespace

static testing::Environment *const ownCache = testing::AddGlobalTestEnvironment(new OwnCache);
