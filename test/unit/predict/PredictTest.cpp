// PredictTest.cpp: MXNet's C predict API as programs use it. If this fails, one of them gets other
// numbers, names or counts than from MXNet.
#include "Nets.h"

#include "tools/cache/ModelCache.h"

#include <atomic>
#include <csignal>
#include <thread>

using namespace symc;

namespace {

const std::vector<float> picture = ramp(6 * 6);

TEST(Predict, TakesWhatFollowsTheSymbol) {
  GivenShapes given({{"data", {1, 1, 6, 6}}});
  PredictorHandle handle = nullptr;
  std::string json = std::string(netJson) + "\x01garbage {";
  testing::internal::CaptureStderr();
  ASSERT_EQ(MXPredCreate(json.c_str(), netParameters().data(), netParameters().size(), 1, 0, 1,
                         given.names.data(), given.places.data(), given.extents.data(), &handle),
            0)
      << MXGetLastError();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "symc: warning: 10 bytes behind the end of the graph are ignored\n");
  EXPECT_EQ(shapeOf(handle), (Extents{1, 2}));
  int type = -1;
  EXPECT_EQ(MXPredGetOutputType(handle, 0, &type), 0);
  EXPECT_EQ(type, 0);
  EXPECT_EQ(outputOf(handle), (std::vector<float>{0, 0})); // nothing ran
  std::vector<float> answer = run(handle, picture);
  EXPECT_NEAR(answer[0] + answer[1], 1, 1e-6);
  EXPECT_EQ(MXPredFree(handle), 0);
}

TEST(Predict, GivesOutputsOfNodes) {
  PredictorHandle handle = createNet({{"data", {1, 1, 6, 6}}}, {"act", "softmax"});
  std::vector<float> act = run(handle, picture, 0), answer = outputOf(handle, 1);
  EXPECT_EQ(shapeOf(handle, 0), (Extents{1, 2, 4, 4}));
  std::vector<float> weight = ramp(18);
  for (int map = 0; map < 2; ++map)
    for (int at = 0; at < 16; ++at) {
      float sum = 0;
      for (int k = 0; k < 9; ++k)
        sum += weight[map * 9 + k] * picture[(at / 4 + k / 3) * 6 + at % 4 + k % 3];
      EXPECT_NEAR(act[map * 16 + at], std::max(sum, 0.f), 1e-5);
    }
  PredictorHandle whole = createNet({{"data", {1, 1, 6, 6}}});
  EXPECT_EQ(run(whole, picture), answer);
  MXPredFree(handle);
  MXPredFree(whole);
}

// Such as the head of an operator that there is not, and its weights.
TEST(Predict, LooksAtNothingThatOutputsDoNotNeed) {
  std::string json = netJson, head = "SoftmaxOutput";
  json.replace(json.find(head), head.size(), "WarpCTC");
  GivenShapes given({{"data", {1, 1, 6, 6}}});
  const char *names[] = {"act_output", "conv"};
  PredictorHandle part = nullptr, whole = createNet({{"data", {1, 1, 6, 6}}}, {"act", "conv"});
  ASSERT_EQ(MXPredCreatePartialOut(json.c_str(), netParameters().data(), netParameters().size(), 1,
                                   0, 1, given.names.data(), given.places.data(),
                                   given.extents.data(), 2, names, &part),
            0)
      << MXGetLastError();
  for (uint32_t output : {0, 1})
    EXPECT_EQ(run(part, picture, output), run(whole, picture, output));
  float values[4] = {};
  expectMistake(MXPredSetInput(part, "fc_weight", values, 4), "cannot find input key 'fc_weight'");
  MXPredFree(part);
  MXPredFree(whole);
}

TEST(Predict, CountsStepsDown) {
  PredictorHandle handle = createNet({{"data", {1, 1, 6, 6}}});
  std::vector<float> wanted = run(handle, picture);
  MXPredSetInput(handle, "data", ramp(40).data() + 4, 36);
  int left = 1, step = 0;
  for (; left != 0; ++step) {
    ASSERT_EQ(MXPredPartialForward(handle, step, &left), 0);
    EXPECT_EQ(left, 10 - step - 1); // the nodes of the symbol
  }
  EXPECT_NE(outputOf(handle), wanted);
  MXPredSetInput(handle, "data", picture.data(), 36);
  for (step = 0, left = 1; left != 0; ++step)
    MXPredPartialForward(handle, step, &left);
  EXPECT_EQ(outputOf(handle), wanted);
  EXPECT_EQ(MXPredPartialForward(handle, 100, &left), 0);
  EXPECT_EQ(left, 0);
  MXPredFree(handle);
}

struct Told {
  std::vector<std::string> names;
  std::map<std::string, std::vector<float>> values;
  std::map<std::string, Extents> shapes;
};

void tell(const char *name, NDArrayHandle array, void *user) {
  Told &told = *static_cast<Told *>(user);
  uint32_t rank = 0;
  const uint32_t *extents = nullptr;
  int type = -1;
  EXPECT_EQ(MXNDArrayGetShape(array, &rank, &extents), 0);
  EXPECT_EQ(MXNDArrayGetDType(array, &type), 0);
  EXPECT_EQ(type, 0);
  told.names.push_back(name);
  size_t count = 1;
  for (uint32_t extent : told.shapes[name] = Extents(extents, extents + rank))
    count *= extent;
  told.values[name].resize(count);
  expectMistake(MXNDArraySyncCopyToCPU(array, told.values[name].data(), count + 1),
                "elements, but the size that was given is");
  EXPECT_EQ(MXNDArraySyncCopyToCPU(array, told.values[name].data(), count), 0);
  EXPECT_EQ(MXNDArrayFree(array), 0);
  expectMistake(MXNDArrayFree(array), "the handle is of no array: it was freed");
}

TEST(Predict, TellsACallbackOfEveryNode) {
  PredictorHandle handle = createNet({{"data", {1, 1, 6, 6}}});
  std::vector<float> wanted = run(handle, picture);
  Told told;
  ASSERT_EQ(MXPredSetMonitorCallback(handle, tell, &told, false), 0);
  EXPECT_EQ(run(handle, picture), wanted);
  EXPECT_EQ(told.names, (std::vector<std::string>{"conv_output", "act_output", "pool_output",
                                                  "fc_output", "softmax_output"}));
  EXPECT_EQ(told.values["softmax_output"], wanted);
  EXPECT_EQ(told.shapes["pool_output"], (Extents{1, 2, 1, 1}));
  // With what each reads, in steps.
  Told all;
  MXPredSetMonitorCallback(handle, tell, &all, true);
  int left = 1;
  for (int step = 0; step < 3; ++step)
    MXPredPartialForward(handle, step, &left);
  EXPECT_EQ(all.names, (std::vector<std::string>{"data", "conv_data", "conv_weight", "conv_weight",
                                                 "conv_output"}));
  EXPECT_EQ(all.values["data"], picture);
  EXPECT_EQ(all.values["conv_weight"], ramp(18));
  MXPredSetMonitorCallback(handle, nullptr, nullptr, false);
  told.names.clear();
  EXPECT_EQ(run(handle, picture), wanted);
  EXPECT_TRUE(told.names.empty());
  MXPredFree(handle);
}

TEST(Predict, ReshapesToSizesThatItHasNotSeen) {
  PredictorHandle handle = createNet({{"data", {1, 1, 6, 6}}});
  std::vector<float> wanted = run(handle, picture);
  for (Extents shape : {Extents{1, 1, 9, 6}, {3, 1, 5, 40}, {2, 1, 100, 3}, {1, 1, 6, 6}}) {
    GivenShapes given({{"data", shape}, {"label", {shape[0]}}});
    PredictorHandle other = nullptr;
    ASSERT_EQ(MXPredReshape(2, given.names.data(), given.places.data(), given.extents.data(),
                            handle, &other),
              0)
        << MXGetLastError();
    EXPECT_EQ(shapeOf(other), (Extents{shape[0], 2}));
    std::vector<float> data = ramp(shape[0] * shape[2] * shape[3]);
    std::vector<float> label(shape[0]);
    EXPECT_EQ(MXPredSetInput(other, "label", label.data(), label.size()), 0) << MXGetLastError();
    std::vector<float> answers = run(other, data);
    PredictorHandle exact = createNet({{"data", shape}});
    std::vector<float> same = run(exact, data);
    for (size_t i = 0; i < same.size(); ++i)
      EXPECT_NEAR(answers[i], same[i], 1e-6);
    MXPredFree(exact);
    MXPredFree(other);
  }
  EXPECT_EQ(run(handle, picture), wanted); // the first is what it was
  MXPredFree(handle);
}

// A net whose outputs are maps is compiled for all sides at once; one with a vector is not.
TEST(Predict, CompilesForSidesBeforehand) {
  ModelCache cache = llvm::cantFail(ModelCache::open(ModelCache::defaultFolder()));
  auto ranges = [&](llvm::StringRef output) {
    return llvm::count_if(cache.list(), [&](const CacheEntry &entry) {
      llvm::StringRef options = entry.facts.options;
      return options.contains("data=2,1,1..1024(data.2),1..1024(data.3)") &&
             options.ends_with(output);
    });
  };
  Shapes shapes{{"data", {2, 1, 8, 8}}};
  PredictorHandle maps = createNet(shapes, {"pool"}), vector = createNet(shapes, {"fc"});
  EXPECT_EQ(ranges("outputs=pool"), 1);
  EXPECT_EQ(ranges("outputs=fc"), 0);
  MXPredFree(maps);
  MXPredFree(vector);
}

// Two inputs whose batches change together.
TEST(Predict, ReshapesInputsAlike) {
  const char *json = R"json({"nodes": [{"op": "null", "name": "a", "inputs": []},
    {"op": "null", "name": "b", "inputs": []},
    {"op": "elemwise_add", "name": "sum", "inputs": [[0, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]]})json";
  PredictorHandle handle = nullptr, other = nullptr;
  GivenShapes one({{"a", {1, 3}}, {"b", {1, 3}}});
  ASSERT_EQ(MXPredCreate(json, netParameters().data(), netParameters().size(), 1, 0, 2,
                         one.names.data(), one.places.data(), one.extents.data(), &handle),
            0)
      << MXGetLastError();
  for (uint32_t rows : {5, 7}) {
    GivenShapes more({{"a", {rows, 3}}, {"b", {rows, 3}}});
    ASSERT_EQ(MXPredReshape(2, more.names.data(), more.places.data(), more.extents.data(), handle,
                            &other),
              0)
        << MXGetLastError();
    std::vector<float> a(rows * 3, 1), b(rows * 3, 2);
    MXPredSetInput(other, "a", a.data(), a.size());
    MXPredSetInput(other, "b", b.data(), b.size());
    EXPECT_EQ(MXPredForward(other), 0) << MXGetLastError();
    EXPECT_EQ(outputOf(other), std::vector<float>(rows * 3, 3));
    MXPredFree(other);
  }
  GivenShapes unequal({{"a", {5, 3}}, {"b", {6, 3}}});
  expectMistake(MXPredReshape(2, unequal.names.data(), unequal.places.data(),
                              unequal.extents.data(), handle, &other),
                "sum");
  MXPredFree(handle);
}

// What a run changes is the handle's.
TEST(Predict, KeepsStatesOfAHandle) {
  std::vector<float> momentum(4);
  std::string parameters = parametersOf({{"aux:mom", {4}, momentum}});
  const char *json = R"json({"nodes": [{"op": "null", "name": "weight", "inputs": []},
    {"op": "null", "name": "grad", "inputs": []}, {"op": "null", "name": "mom", "inputs": []},
    {"op": "sgd_mom_update", "name": "next", "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
     "attrs": {"lr": "0.5", "momentum": "0.5"}}],
    "arg_nodes": [0, 1, 2], "heads": [[3, 0, 0]]})json";
  GivenShapes given({{"weight", {4}}, {"grad", {4}}});
  for (int round = 0; round < 2; ++round) {
    PredictorHandle handle = nullptr;
    ASSERT_EQ(MXPredCreate(json, parameters.data(), parameters.size(), 1, 0, 2, given.names.data(),
                           given.places.data(), given.extents.data(), &handle),
              0)
        << MXGetLastError();
    std::vector<float> weight(4, 10), grad(4, 1);
    MXPredSetInput(handle, "weight", weight.data(), 4);
    MXPredSetInput(handle, "grad", grad.data(), 4);
    for (float wanted : {9.5f, 9.25f, 9.125f}) {
      EXPECT_EQ(MXPredForward(handle), 0) << MXGetLastError();
      EXPECT_EQ(outputOf(handle), std::vector<float>(4, wanted));
    }
    MXPredFree(handle);
  }
}

TEST(Predict, LeavesHandlersOfSignals) {
  auto mine = [](int) {};
  struct sigaction before = {}, after = {};
  before.sa_handler = mine;
  for (int number : {SIGINT, SIGTERM, SIGSEGV, SIGPIPE})
    ASSERT_EQ(::sigaction(number, &before, nullptr), 0);
  PredictorHandle handle = createNet({{"data", {1, 1, 7, 7}}}); // compiled here
  for (int number : {SIGINT, SIGTERM, SIGSEGV, SIGPIPE}) {
    EXPECT_EQ(::sigaction(number, nullptr, &after), 0);
    EXPECT_EQ(after.sa_handler, before.sa_handler) << number;
    ::signal(number, SIG_DFL);
  }
  MXPredFree(handle);
}

TEST(Predict, SetsWeights) {
  PredictorHandle handle = createNet({{"data", {1, 1, 6, 6}}}, {"fc"});
  run(handle, picture);
  float zeros[4] = {}, bias[2] = {5, 7};
  ASSERT_EQ(MXPredSetInput(handle, "fc_weight", zeros, 4), 0) << MXGetLastError();
  ASSERT_EQ(MXPredSetInput(handle, "fc_bias", bias, 2), 0) << MXGetLastError();
  EXPECT_EQ(MXPredForward(handle), 0);
  EXPECT_EQ(outputOf(handle), (std::vector<float>{5, 7}));
  MXPredFree(handle);
}

TEST(Predict, SharesAModelBetweenThreads) {
  GivenShapes given({{"data", {1, 1, 6, 6}}});
  PredictorHandle handles[4];
  ASSERT_EQ(MXPredCreateMultiThread(netJson, netParameters().data(), netParameters().size(), 1, 0,
                                    1, given.names.data(), given.places.data(),
                                    given.extents.data(), 4, handles),
            0)
      << MXGetLastError();
  std::vector<float> wanted[4], data[4];
  for (int i = 0; i < 4; ++i) {
    data[i] = ramp(36);
    data[i][i] += 1;
    wanted[i] = run(handles[i], data[i]);
  }
  EXPECT_NE(wanted[0], wanted[1]);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round)
        wrong += run(handles[i], data[i]) != wanted[i];
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  for (PredictorHandle handle : handles)
    MXPredFree(handle);
}

// Of one model, each thread from creation to end, with a size that only one has.
TEST(Predict, ServesThreadsThatShareNothing) {
  PredictorHandle first = createNet({{"data", {1, 1, 6, 6}}});
  std::vector<float> wanted = run(first, picture);
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        PredictorHandle handle = createNet({{"data", {1, 1, 6, 6}}}), other = nullptr;
        EXPECT_EQ(run(handle, picture), wanted);
        GivenShapes given({{"data", {1, 1, 10 + i, 10}}});
        EXPECT_EQ(MXPredReshape(1, given.names.data(), given.places.data(), given.extents.data(),
                                handle, &other),
                  0)
            << MXGetLastError();
        EXPECT_EQ(MXPredFree(handle), 0);
        EXPECT_EQ(run(other, ramp((10 + i) * 10)).size(), 2u);
        expectMistake(MXPredForward(handle), "it was freed");
        EXPECT_EQ(MXPredFree(other), 0);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(run(first, picture), wanted);
  MXPredFree(first);
}

TEST(Predict, TakesTypesOfInputs) {
  GivenShapes given({{"data", {1, 1, 6, 6}}});
  const char *name = "data";
  int type = 1; // float64
  PredictorHandle handle = nullptr;
  const char *json = R"({"nodes": [{"op": "null", "name": "data", "inputs": []},
    {"op": "_mul_scalar", "name": "twice", "inputs": [[0, 0, 0]], "attrs": {"scalar": "2"}}],
    "arg_nodes": [0], "heads": [[1, 0, 0]]})";
  ASSERT_EQ(MXPredCreateEx(json, netParameters().data(), netParameters().size(), 1, 0, 1,
                           given.names.data(), given.places.data(), given.extents.data(), 1, &name,
                           &type, &handle),
            0)
      << MXGetLastError();
  std::vector<double> data(36, 1.25), answers(36);
  EXPECT_EQ(MXPredSetInput(handle, "data", reinterpret_cast<const float *>(data.data()), 36), 0);
  EXPECT_EQ(MXPredForward(handle), 0);
  EXPECT_EQ(MXPredGetOutput(handle, 0, reinterpret_cast<float *>(answers.data()), 36), 0);
  EXPECT_EQ(answers, std::vector<double>(36, 2.5));
  EXPECT_EQ(MXPredGetOutputType(handle, 0, &type), 0);
  EXPECT_EQ(type, 1);
  MXPredFree(handle);
}

TEST(Predict, ListsArrays) {
  NDListHandle list = nullptr;
  uint32_t count = 0, rank = 0;
  ASSERT_EQ(MXNDListCreate(netParameters().data(), netParameters().size(), &list, &count), 0);
  ASSERT_EQ(count, 4u);
  const char *key = nullptr;
  const float *data = nullptr;
  const uint32_t *extents = nullptr;
  ASSERT_EQ(MXNDListGet(list, 0, &key, &data, &extents, &rank), 0);
  EXPECT_STREQ(key, "arg:conv_weight");
  EXPECT_EQ(Extents(extents, extents + rank), (Extents{2, 1, 3, 3}));
  EXPECT_EQ(std::vector<float>(data, data + 18), ramp(18));
  EXPECT_EQ(MXNDListFree(list), 0);
}

} // namespace
