// CompileTest.cpp: networks compiled by libsymc to files, to memory and into the process. If this
// fails, a program gets another file than the command line writes, other answers, or a half-made
// output.
#include "Nets.h"
#include "symc/model.hpp"
#include "symc/onnx.hpp"
#include <csignal>
#include <dlfcn.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace symc;
using namespace symc::test;
using testing::HasSubstr;

namespace {

using Compile = InFolder;

const std::string digits = SYMC_TEST_EXAMPLES "/digits/digits";

// The example, named by its files.
struct Digits {
  explicit Digits(Words words) : request(std::move(words)) {
    request.symbol_file = symbol.c_str();
    request.params_files = &params;
    request.params_count = 1;
    request.shape_names = &name;
    request.shape_count = 1;
    request.ranks = &rank;
    request.extents = extents;
  }
  Digits(const Digits &) = delete;
  std::string symbol = digits + "-symbol.json", file = digits + "-0010.params";
  const char *params = file.c_str(), *name = "data";
  int32_t rank = 4;
  int64_t extents[4] = {1, 1, 28, 28};
  Request request;
};

TEST_F(Compile, FilesAndBytesAreThoseOfTheCommandLine) {
  const std::string symc =
      "ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0 " SYMC_TEST_PROGRAM " " + digits +
      "-symbol.json " + digits + "-0010.params --shape data=1,1,28,28 --prefix net ";
  std::vector<Words> kinds = {{}, {"-shared"}, {"-c"}, {"--emit=archive"}, {"--emit=sg-opt"}};
  const char *endings[] = {"", ".so", ".o", ".a", ".mlir"};
  for (size_t i = 0; i < kinds.size(); ++i) {
    SCOPED_TRACE(endings[i]);
    std::string ours = folder + "/net" + endings[i], theirs = folder + "/theirs/net" + endings[i];
    std::filesystem::create_directory(folder + "/theirs");
    std::string flags;
    for (const char *flag : kinds[i])
      flags += std::string(flag) + " ";
    ASSERT_EQ(std::system((symc + flags + "-o " + theirs).c_str()), 0);
    kinds[i].insert(kinds[i].end(), {"--prefix", "net"});
    symc_compiled compiled;
    ASSERT_EQ(toBytes(Digits(kinds[i]).request, compiled), 0) << symc_compiler_error();
    std::string bytes(static_cast<const char *>(compiled.bytes), compiled.byte_count);
    EXPECT_EQ(std::string(compiled.header).empty(), i == 0 || i == 4);
    if (i > 0 && i < 4)
      EXPECT_THAT(compiled.header, HasSubstr("int32_t net_create("));
    kinds[i].insert(kinds[i].end(), {"-o", ours.c_str()});
    ASSERT_EQ(toFile(Digits(kinds[i]).request), 0) << symc_compiler_error();
    EXPECT_TRUE(readFile(ours) == readFile(theirs));
    EXPECT_TRUE(bytes == readFile(theirs));
  }
}

// The file of an ONNX model: y = relu(x), x of batch x 3. `more`: further fields of the graph.
std::string onnxModel(const std::string &more = "") {
  auto number = [](int field, int value) { return std::string{char(field << 3), char(value)}; };
  auto message = [](int field, const std::string &bytes) {
    return std::string{char(field << 3 | 2), char(bytes.size())} + bytes;
  };
  auto value = [&](int field, const std::string &name) {
    std::string dims = message(1, message(2, "batch")) + message(1, number(1, 3));
    return message(field,
                   message(1, name) + message(2, message(1, number(1, 1) + message(2, dims))));
  };
  std::string node = message(1, "x") + message(2, "y") + message(4, "Relu");
  return number(1, 10) +
         message(7, message(1, node) + message(2, "g") + value(11, "x") + value(12, "y") + more) +
         message(8, number(2, 21));
}

TEST_F(Compile, AnOnnxModelIsAFileLikeASymbol) {
  std::string path = folder + "/relu.onnx", ours = folder + "/relu.so",
              theirs = folder + "/theirs/relu.so";
  std::filesystem::create_directory(folder + "/theirs");
  std::ofstream(path, std::ios::binary) << onnxModel();
  Request request({"--size", "batch=2"});
  request.symbol_file = path.c_str();
  symc_loaded loaded;
  const symc_model *model;
  ASSERT_EQ(toProcess(request, loaded), 0) << symc_compiler_error();
  ASSERT_EQ(symc_loaded_model(loaded, &model), 0);
  EXPECT_STREQ(symc_input(model, 0)->name, "x");
  EXPECT_STREQ(symc_output(model, 0)->name, "y");
  EXPECT_EQ(answersOf(model), std::vector<float>({0, 1.f / 7, 2.f / 7, 3.f / 7, 4.f / 7, 5.f / 7}));
  EXPECT_EQ(symc_loaded_free(loaded), 0);
  Request file({"--size", "batch=2", "-shared", "--prefix", "net", "-o", ours.c_str()});
  file.symbol_file = path.c_str();
  ASSERT_EQ(toFile(file), 0) << symc_compiler_error();
  ASSERT_EQ(
      std::system(("ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0 " SYMC_TEST_PROGRAM " " +
                   path + " --size batch=2 --prefix net -shared -o " + theirs)
                      .c_str()),
      0);
  EXPECT_TRUE(readFile(ours) == readFile(theirs));
  Request open;
  open.symbol_file = path.c_str();
  expectMistake(toProcess(open, loaded), "a size is not given: 'batch' (of 'x')");
}

TEST_F(Compile, AnOnnxModelMayBeInMemory) {
  std::string path = folder + "/model.onnx", model = onnxModel();
  std::ofstream(path, std::ios::binary) << model;
  Request file({"--size", "batch=2", "-shared", "--prefix", "model"}), memory = file;
  file.symbol_file = path.c_str();
  memory.options = memory.words.data();
  memory.onnx = model.data();
  memory.onnx_bytes = model.size();
  symc_compiled compiled;
  auto bytesOf = [&](const Request &request) {
    EXPECT_EQ(toBytes(request, compiled), 0) << symc_compiler_error();
    return std::string(static_cast<const char *>(compiled.bytes), compiled.byte_count);
  };
  EXPECT_TRUE(bytesOf(memory) == bytesOf(file));
  std::optional<OnnxModel> net;
  net.emplace(model, std::vector<std::string>{"--size", "batch=2"});
  std::fill(model.begin(), model.end(), 0); // nobody reads it any more
  EXPECT_EQ(answersOf(&net->table()),
            std::vector<float>({0, 1.f / 7, 2.f / 7, 3.f / 7, 4.f / 7, 5.f / 7}));
  OnnxModel moved = std::move(*net);
  net.reset();
  EXPECT_STREQ(symc_input(&moved.table(), 0)->name, "x");
}

TEST_F(Compile, AnOnnxModelInMemoryHasAllOfItsWeights) {
  // initializer 'w', float32 of one element, data_location: EXTERNAL, external_data: location
  const std::string location = "\x0a\x08location\x12\x05w.bin";
  const std::string tensor = "\x08\x01\x10\x01\x42\x01w\x6a\x11" + location + "\x70\x01";
  auto refused = [](const std::string &bytes) -> std::string {
    try {
      OnnxModel net(bytes, {"--size", "batch=2"}, "mine");
    } catch (const Error &error) {
      return error.what();
    }
    return "";
  };
  std::ofstream(folder + "/w.bin") << "0123";
  EXPECT_EQ(
      refused(onnxModel("\x2a" + std::string(1, char(tensor.size())) + tensor)),
      "mine: error: initializer 'w' has its data in 'w.bin', which lies beside a model's file, "
      "and this model is in memory");
  EXPECT_THAT(refused(onnxModel() + "\x3a\x05"), HasSubstr("mine: error: byte "));
  EXPECT_THAT(refused(""), HasSubstr("mine: error: "));
}

TEST_F(Compile, AnswersInProcessAreThoseOfALibrary) {
  symc_loaded loaded;
  const symc_model *model;
  ASSERT_EQ(toProcess(Digits({}).request, loaded), 0) << symc_compiler_error();
  ASSERT_EQ(symc_loaded_model(loaded, &model), 0);
  EXPECT_STREQ(symc_input(model, 0)->name, "data");
  EXPECT_EQ(symc_output_count(model), 1);
  std::string path = folder + "/digits.so";
  ASSERT_EQ(toFile(Digits({"-o", path.c_str()}).request), 0) << symc_compiler_error();
  void *library = dlopen(path.c_str(), RTLD_NOW);
  ASSERT_TRUE(library) << dlerror();
  auto *other = *static_cast<const symc_model *const *>(dlsym(library, "symc_main_model"));
  std::vector<float> answers = answersOf(model);
  EXPECT_EQ(answers, answersOf(other));
  EXPECT_NEAR(std::accumulate(answers.begin(), answers.end(), 0.0), 1, 1e-5);
  EXPECT_EQ(symc_loaded_free(loaded), 0);
}

TEST_F(Compile, TheHeaderForCxxRunsALoadedModel) {
  SmallNet net;
  symc_loaded loaded;
  const symc_model *table;
  ASSERT_EQ(toProcess(net.request(), loaded), 0) << symc_compiler_error();
  ASSERT_EQ(symc_loaded_model(loaded, &table), 0);
  auto context = Model::of(*table)
                     .createAs<Inputs<Span<const float, 1, 1, 8, 8>>, Outputs<Span<float, 1, 3>>>();
  ASSERT_TRUE(context) << context.status().sentence();
  std::array<float, 64> data;
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = float(i % 7) / 7;
  std::array<float, 3> answers;
  EXPECT_TRUE(context->run(data, answers));
  EXPECT_EQ(std::vector<float>(answers.begin(), answers.end()), answersOf(table));
  EXPECT_EQ(symc_loaded_free(loaded), 0);
}

TEST_F(Compile, GraphsAndArraysInMemory) {
  SmallNet net;
  std::string json = net.symbol->toJson();
  Request bySymbol = net.request(), byText = net.request();
  byText.symbol = 0;
  byText.json = json.data();
  byText.json_bytes = json.size();
  byText.name = "small net";
  std::vector<std::vector<float>> answers;
  for (Request *request : {&bySymbol, &byText}) {
    symc_loaded loaded;
    const symc_model *model;
    ASSERT_EQ(symc_compile_model(request, &loaded), 0) << symc_compiler_error();
    ASSERT_EQ(symc_loaded_model(loaded, &model), 0);
    EXPECT_STREQ(model->name, request->name ? "small_net" : "fc");
    answers.push_back(answersOf(model));
    EXPECT_EQ(symc_loaded_free(loaded), 0);
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0].size(), 3u);
  EXPECT_NE(answers[0][0], 0);
}

// Without weights of its own, a model computes the same from those that a context gets.
TEST_F(Compile, SuppliedWeights) {
  SmallNet net;
  symc_loaded loaded[2];
  const symc_model *model[2];
  for (int i = 0; i < 2; ++i) {
    Request request = i ? net.request({"--weights=extern"}) : net.request();
    ASSERT_EQ(symc_compile_model(&request, &loaded[i]), 0) << symc_compiler_error();
    ASSERT_EQ(symc_loaded_model(loaded[i], &model[i]), 0);
  }
  symc_context *context = nullptr;
  ASSERT_EQ(symc_create(model[1], nullptr, &context), SYMC_STATUS_OK);
  std::vector<float> data(64), answers(3);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = float(i % 7) / 7;
  symc_tensor in = {data.data(), model[1]->inputs[0].shape, 4, SYMC_F32, SYMC_DEVICE_CPU, 0};
  symc_tensor out = {answers.data(), model[1]->outputs[0].shape, 2, SYMC_F32, SYMC_DEVICE_CPU, 0};
  EXPECT_EQ(symc_run(context, &in, 1, &out, 1), SYMC_STATUS_NO_WEIGHTS);
  std::vector<symc_tensor> parameters;
  for (int32_t i = 0; i < model[1]->n_parameters; ++i) {
    const symc_tensor_info &info = model[1]->parameters[i];
    for (const symc_array &array : net.arrays)
      if (std::string(array.name).substr(std::string(array.name).find(':') + 1) == info.name)
        parameters.push_back({const_cast<void *>(array.data), info.shape, info.rank, info.dtype,
                              SYMC_DEVICE_CPU, 0});
  }
  ASSERT_EQ(symc_set_parameters(context, parameters.data(), int32_t(parameters.size())),
            SYMC_STATUS_OK)
      << symc_last_error(context);
  EXPECT_EQ(symc_run(context, &in, 1, &out, 1), SYMC_STATUS_OK) << symc_last_error(context);
  EXPECT_EQ(answers, answersOf(model[0]));
  symc_destroy(context);
  for (symc_loaded each : loaded)
    EXPECT_EQ(symc_loaded_free(each), 0);
}

// A rule for make names the files of a request, of which an array in memory is none.
TEST_F(Compile, DependenciesAreFilesOfTheRequest) {
  SmallNet net;
  std::string output = folder + "/net.o";
  Request request = net.request({"-o", output.c_str(), "-MD", "--extra-weights"});
  std::string params = digits + "-0010.params";
  const char *list = params.c_str();
  request.params_files = &list;
  request.params_count = 1;
  ASSERT_EQ(toFile(request), 0) << symc_compiler_error();
  EXPECT_EQ(readFile(output + ".d"), output + ": " + params + "\n");
}

// Without being asked for: a layer without generated code, and memory for sizes beyond need.
TEST_F(Compile, WhatAModelCostsIsTold) {
  Symbol net = Symbol::apply("sort", {}, "sorted", {Symbol::variable("data")});
  Request request({"--shape", "data=1..4096,262144"});
  request.symbol = net.number();
  symc_loaded loaded;
  ASSERT_EQ(toProcess(request, loaded), 0) << symc_compiler_error();
  EXPECT_EQ(symc_loaded_free(loaded), 0);
  size_t count = 0;
  const symc_diagnostic *told = nullptr;
  ASSERT_EQ(symc_compile_diagnostics(&count, &told), 0);
  ASSERT_GE(count, 1u);
  EXPECT_EQ(told[count - 1].severity, SYMC_SEVERITY_REMARK);
  EXPECT_THAT(told[count - 1].message,
              HasSubstr("node 'sorted' runs in reference code, about 100 %"));
  EXPECT_STREQ(told[count - 1].node, "sorted");
}

TEST_F(Compile, SeveralBatchSizesAndOpenExtents) {
  SmallNet net;
  for (Words words :
       {Words{"--shape", "data=N,1,8,8", "--batch", "1,4"}, {"--shape", "data=1..4,1,8,8"}}) {
    Request request = net.request();
    request.options = words.data();
    request.option_count = words.size();
    symc_loaded loaded;
    const symc_model *model;
    ASSERT_EQ(symc_compile_model(&request, &loaded), 0) << symc_compiler_error();
    ASSERT_EQ(symc_loaded_model(loaded, &model), 0);
    symc_context *context;
    ASSERT_EQ(symc_create(model, nullptr, &context), SYMC_STATUS_OK);
    std::vector<float> data(3 * 64, 0.5f), answers(3 * 3);
    int64_t in[] = {3, 1, 8, 8}, out[] = {3, 3};
    symc_tensor input = {data.data(), in, 4, SYMC_F32, SYMC_DEVICE_CPU, 0};
    symc_tensor output = {answers.data(), out, 2, SYMC_F32, SYMC_DEVICE_CPU, 0};
    EXPECT_EQ(symc_run(context, &input, 1, &output, 1), SYMC_STATUS_OK) << symc_last_error(context);
    EXPECT_EQ(answers[0], answers[6]);
    symc_destroy(context);
    EXPECT_EQ(symc_loaded_free(loaded), 0);
  }
}

TEST_F(Compile, CancelledWhereverItIsLeavesNothing) {
  SmallNet net;
  std::string output = folder + "/net";
  Request request = net.request({"-o", output.c_str(), "--weights=file"});
  struct Count {
    int left;
    std::vector<std::string> stages;
  } count;
  request.user = &count;
  request.progress = [](void *user, const char *stage) -> int {
    auto &count = *static_cast<Count *>(user);
    count.stages.push_back(stage);
    return count.left-- == 0;
  };
  for (int calls = 0;; ++calls) {
    count = {calls, {}};
    if (symc_compile_file(&request) == 0) {
      EXPECT_GE(calls, 7);
      break;
    }
    EXPECT_THAT(symc_compiler_error(), HasSubstr("error: compiling was cancelled")) << calls;
    EXPECT_EQ(count.stages.size(), size_t(calls) + 1);
    EXPECT_TRUE(files().empty()) << calls;
    ASSERT_LT(calls, 100);
  }
  EXPECT_EQ(count.stages.front(), "read");
  EXPECT_EQ(count.stages.back(), "emit");
  EXPECT_EQ(files().size(), 2u);
  symc_loaded loaded;
  Request inProcess = net.request();
  inProcess.progress = [](void *, const char *stage) -> int {
    return std::string(stage) == "load";
  };
  expectMistake(symc_compile_model(&inProcess, &loaded), "fc: error: compiling was cancelled");
}

TEST_F(Compile, ThreadsCompileAtOnce) {
  SmallNet net;
  std::vector<std::thread> threads;
  std::vector<std::string> bytes(3);
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      symc_compiled compiled;
      EXPECT_EQ(toBytes(net.request({"-shared"}), compiled), 0) << symc_compiler_error();
      bytes[t].assign(static_cast<const char *>(compiled.bytes), compiled.byte_count);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(bytes[0].empty());
  EXPECT_TRUE(bytes[0] == bytes[1] && bytes[0] == bytes[2]);
}

// A program has handlers, and a terminal, of its own.
TEST_F(Compile, TheProcessStaysAsItWas) {
  auto handlers = [] {
    std::vector<void (*)(int)> list;
    for (int number = 1; number < 32; ++number) {
      struct sigaction action;
      if (sigaction(number, nullptr, &action) == 0)
        list.push_back(action.sa_handler);
    }
    return list;
  };
  SmallNet net;
  std::string output = folder + "/net";
  auto before = handlers();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(toFile(net.request({"-o", output.c_str(), "--remarks"})), 0);
  EXPECT_EQ(toFile(net.request({"-o", output.c_str(), "--dtype", "data=none"})), -1);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(handlers(), before);
}

[[noreturn]] void compileUnderALimit(const Request &request, const std::string &output) {
  struct rlimit limit = {4096, 4096};
  setrlimit(RLIMIT_FSIZE, &limit);
  int status = toFile(request);
  std::string told = symc_compiler_error();
  _exit(status == -1 && told.find("symc: error: cannot write '" + output + "': ") == 0 ? 7 : 1);
}

// Beyond the limit on the size of files the system sends a signal that ends a program.
TEST_F(Compile, ALimitOnFilesIsAMistake) {
  std::string output = folder + "/net";
  SmallNet net;
  Request request = net.request({"-o", output.c_str()});
  EXPECT_EXIT(compileUnderALimit(request, output), testing::ExitedWithCode(7), "");
  EXPECT_TRUE(files().empty());
}

} // namespace
