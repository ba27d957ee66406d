// MisuseTest.cpp: MXNet's C predict API called with what no program should give it. If this fails,
// a mistake ends the program, or goes unnoticed.
#include "Nets.h"

namespace {

struct Misuse : testing::Test {
  void SetUp() override {
    handle = createNet({{"data", {1, 1, 6, 6}}});
    ASSERT_TRUE(handle);
  }
  void TearDown() override { EXPECT_EQ(MXPredFree(handle), 0); }

  int create(const char *json, const std::string &parameters, const Shapes &shapes,
             int device = 1) {
    GivenShapes given(shapes);
    PredictorHandle made = nullptr;
    int status = MXPredCreate(json, parameters.data(), parameters.size(), device, 0, shapes.size(),
                              given.names.data(), given.places.data(), given.extents.data(), &made);
    EXPECT_EQ(made, nullptr);
    return status;
  }
  int reshape(const Shapes &shapes) {
    GivenShapes given(shapes);
    PredictorHandle made = nullptr;
    return MXPredReshape(shapes.size(), given.names.data(), given.places.data(),
                         given.extents.data(), handle, &made);
  }

  PredictorHandle handle = nullptr;
  Shapes shapes{{"data", {1, 1, 6, 6}}};
  float values[64] = {};
  uint32_t *extents = nullptr, rank = 0;
  int number = 0;
};

TEST_F(Misuse, OfHandles) {
  PredictorHandle freed = createNet(shapes);
  ASSERT_EQ(MXPredFree(freed), 0);
  NDListHandle list = nullptr;
  uint32_t count = 0;
  ASSERT_EQ(MXNDListCreate(netParameters().data(), netParameters().size(), &list, &count), 0);
  for (auto [wrong, text] : {std::make_pair(freed, "the handle is of no predictor: it was freed"),
                             {nullptr, "the handle is of no predictor: it is NULL"},
                             {list, "the handle is of no predictor"},
                             {static_cast<void *>(values), "the handle is of no predictor"}}) {
    PredictorHandle made = nullptr;
    expectMistake(MXPredForward(wrong), text);
    expectMistake(MXPredPartialForward(wrong, 0, &number), text);
    expectMistake(MXPredSetInput(wrong, "data", values, 36), text);
    expectMistake(MXPredGetOutput(wrong, 0, values, 2), text);
    expectMistake(MXPredGetOutputShape(wrong, 0, &extents, &rank), text);
    expectMistake(MXPredGetOutputType(wrong, 0, &number), text);
    expectMistake(MXPredSetMonitorCallback(wrong, nullptr, nullptr, false), text);
    expectMistake(MXPredReshape(0, nullptr, nullptr, nullptr, wrong, &made), text);
    if (wrong)
      expectMistake(MXPredFree(wrong), text);
  }
  EXPECT_EQ(MXPredFree(nullptr), 0); // as MXNet
  expectMistake(MXNDListFree(handle), "the handle is of no list of arrays");
  EXPECT_EQ(MXNDListFree(list), 0);
}

TEST_F(Misuse, OfArrays) {
  expectMistake(MXPredSetInput(handle, "nobody", values, 36), "cannot find input key 'nobody'");
  expectMistake(MXPredSetInput(handle, "data", values, 35),
                "input 'data' is [1, 1, 6, 6], 36 elements, but the size that was given is 35");
  expectMistake(MXPredGetOutput(handle, 0, values, 3),
                "output 0 is [1, 2], 2 elements, but the size");
  expectMistake(MXPredGetOutput(handle, 1, values, 2),
                "output 1 was requested, but the model has 1");
  expectMistake(MXPredGetOutputType(handle, 7, &number), "output 7 was requested");
  expectMistake(MXPredGetOutputShape(handle, 7, &extents, &rank), "output 7 was requested");
  expectMistake(MXPredPartialForward(handle, -1, &number),
                "step -1 was requested, but steps count from 0");
  NDListHandle list = nullptr;
  uint32_t count = 0;
  expectMistake(MXNDListCreate(netParameters().data(), 50, &list, &count), "arrays: error: ");
  expectMistake(MXNDListCreate(netParameters().data(), -1, &list, &count),
                "nd_file_size is -1: expected a number of bytes");
  ASSERT_EQ(MXNDListCreate(netParameters().data(), netParameters().size(), &list, &count), 0);
  const char *key;
  const float *data;
  const uint32_t *shape;
  expectMistake(MXNDListGet(list, 4, &key, &data, &shape, &rank),
                "array 4 was requested, but the list has 4");
  expectMistake(MXNDListGet(list, 0, nullptr, &data, &shape, &rank),
                "'out_key, out_data, out_shape or out_ndim' is NULL");
  MXNDListFree(list);
}

TEST_F(Misuse, OfNull) {
  expectMistake(MXPredSetInput(handle, nullptr, values, 36), "'key' is NULL");
  expectMistake(MXPredSetInput(handle, "data", nullptr, 36), "'data' is NULL");
  expectMistake(MXPredGetOutput(handle, 0, nullptr, 2), "'data' is NULL");
  expectMistake(MXPredGetOutputShape(handle, 0, nullptr, &rank), "'shape_data' is NULL");
  expectMistake(MXPredGetOutputType(handle, 0, nullptr), "'out_dtype' is NULL");
  expectMistake(MXPredPartialForward(handle, 0, nullptr), "'step_left' is NULL");
  expectMistake(MXPredReshape(0, nullptr, nullptr, nullptr, handle, nullptr), "'out' is NULL");
  expectMistake(create(nullptr, netParameters(), shapes), "'symbol_json_str' is NULL");
  PredictorHandle made = nullptr;
  expectMistake(MXPredCreate(netJson, nullptr, 5, 1, 0, 0, nullptr, nullptr, nullptr, &made),
                "'param_bytes' is NULL");
  expectMistake(MXPredCreate(netJson, values, 5, 1, 0, 1, nullptr, nullptr, nullptr, &made),
                "'input_keys' is NULL");
  const char *name = nullptr;
  expectMistake(MXPredCreateEx(netJson, values, 5, 1, 0, 0, nullptr, nullptr, nullptr, 1, nullptr,
                               nullptr, &made),
                "'provided_arg_dtype_names or provided_arg_dtypes' is NULL");
  expectMistake(MXPredCreatePartialOut(netJson, values, 5, 1, 0, 0, nullptr, nullptr, nullptr, 1,
                                       &name, &made),
                "'output_keys' is NULL");
  uint32_t count = 0;
  expectMistake(MXNDListCreate(nullptr, 0, &made, &count), "'nd_file_bytes' is NULL");
}

TEST_F(Misuse, OfModels) {
  expectMistake(create("garbage", netParameters(), shapes), "symbol:1:1: error: ");
  expectMistake(create(netJson, "", shapes), "parameters: error: ");
  expectMistake(create(netJson, netParameters(), {}), "shape inference stopped");
  expectMistake(create(netJson, netParameters(), {{"dota", {1, 1, 6, 6}}}),
                "shape inference stopped");
  std::string message = MXGetLastError();
  for (const char *text : {"which has no shape; give it among input_keys\n",
                           "symbol: note: input key 'dota' is that of no variable"})
    EXPECT_NE(message.find(text), std::string::npos) << message;
  EXPECT_EQ(message.find("--shape"), std::string::npos) << message;
  expectMistake(create(netJson, netParameters(), {{"data", {1, 1, 6}}}), "node 'conv'");
  expectMistake(
      create(netJson, netParameters(), {{"data", Extents(9, 1)}}),
      "input_shape_indptr gives input 'data' the extents 0 up to 9: expected 0 to 8 of them");
  expectMistake(create(netJson, netParameters(), shapes, 2),
                "dev_type 2 is a GPU, and models are compiled for the CPU alone: pass 1");
  expectMistake(create(netJson, netParameters(), shapes, 77),
                "dev_type 77 is no device: pass 1, the CPU");
  PredictorHandle made = nullptr;
  expectMistake(MXPredCreate(netJson, values, -1, 1, 0, 0, nullptr, nullptr, nullptr, &made),
                "param_size is -1: expected a number of bytes");
  GivenShapes given(shapes);
  const char *output = "convv", *weight = "fc_weight";
  const std::string &parameters = netParameters();
  expectMistake(MXPredCreatePartialOut(netJson, parameters.data(), parameters.size(), 1, 0, 1,
                                       given.names.data(), given.places.data(),
                                       given.extents.data(), 1, &output, &made),
                "symbol: error: no output is called 'convv'; did you mean 'conv_output'?");
  for (auto [type, text] :
       {std::make_pair(99, "type 99 of 'fc_weight' is none of MXNet's type flags"),
        {1, "'fc_weight' was requested as f64, but the parameters hold it as f32"}})
    expectMistake(MXPredCreateEx(netJson, parameters.data(), parameters.size(), 1, 0, 1,
                                 given.names.data(), given.places.data(), given.extents.data(), 1,
                                 &weight, &type, &made),
                  text);
  expectMistake(MXPredCreateMultiThread(netJson, parameters.data(), parameters.size(), 1, 0, 1,
                                        given.names.data(), given.places.data(),
                                        given.extents.data(), 0, &made),
                "num_threads is 0: expected 1 or more");
}

TEST_F(Misuse, OfShapes) {
  expectMistake(reshape({{"nobody", {1}}}),
                "cannot find input key 'nobody' among those of MXPredCreate");
  expectMistake(reshape({{"data", {1, 2, 6, 6}}}), "conv"); // the weight is of one channel
  expectMistake(reshape({{"data", {1, 1, 2, 6}}}), "conv"); // smaller than the kernel
  expectMistake(reshape({{"data", {1, 1, 6}}}), "conv");    // another rank
  const char *twice = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
    {"op": "_mul_scalar", "name": "twice", "inputs": [[0, 0, 0]], "attrs": {"scalar": "2"}}],
    "arg_nodes": [0], "heads": [[1, 0, 0]]})json";
  expectMistake(create(twice, netParameters(), {{"data", {1u << 24, 1u << 24}}}),
                "no memory for array 'data'");
  EXPECT_EQ(run(handle, ramp(36)).size(), 2u);
}

} // namespace
