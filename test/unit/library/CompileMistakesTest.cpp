// CompileMistakesTest.cpp: requests that no program should make, what a compilation tells of a
// wrong model, and handles of loaded models after their end. If this fails, a mistake ends the
// program, goes unnoticed, or is told in other words.
#include "Nets.h"

using namespace symc;
using namespace symc::test;
using testing::HasSubstr;

namespace {

using Mistakes = InFolder;

// Calls all three ways to compile; the errors of all are the same.
void expectRefused(const Request &request, const std::string &text) {
  symc_compiled compiled;
  symc_loaded loaded;
  expectMistake(symc_compile_bytes(&request, &compiled), text);
  expectMistake(symc_compile_model(&request, &loaded), text);
  expectMistake(symc_compile_file(&request), text);
  size_t count = 0;
  const symc_diagnostic *told = nullptr;
  ASSERT_EQ(symc_compile_diagnostics(&count, &told), 0);
  ASSERT_GE(count, 1u);
  EXPECT_EQ(told[0].severity, SYMC_SEVERITY_ERROR);
}

TEST_F(Mistakes, FieldsOfRequests) {
  SmallNet net;
  symc_loaded loaded;
  size_t count;
  expectMistake(symc_compile_file(nullptr), "'request' is NULL");
  expectMistake(symc_compile_bytes(nullptr, nullptr), "'compiled' is NULL");
  expectMistake(symc_compile_model(nullptr, nullptr), "'made' is NULL");
  expectMistake(symc_compile_model(nullptr, &loaded), "'request' is NULL");
  expectMistake(symc_compile_diagnostics(nullptr, nullptr), "'count' is NULL");
  expectMistake(symc_compile_diagnostics(&count, nullptr), "'diagnostics' is NULL");
  auto with = [&](auto change, const std::string &text) {
    Request request = net.request();
    change(request);
    expectRefused(request, text);
  };
  with([](Request &r) { r.struct_bytes = 8; },
       "struct_bytes is 8, a symc_request of this library has " +
           std::to_string(sizeof(symc_request)));
  with([](Request &r) { r.symbol = 0; },
       "a request names one of symbol, json, symbol_file and onnx, found 0");
  with([](Request &r) { r.json = "{}"; },
       "a request names one of symbol, json, symbol_file and onnx, found 2");
  with([](Request &r) { r.symbol = 1u << 30; }, " is no symbol");
  with([](Request &r) { r.arrays = nullptr; }, "'arrays' is NULL");
  with([](Request &r) { r.options = nullptr; }, "'options' is NULL");
  with([](Request &r) { r.params_count = 1; }, "'params_files' is NULL");
  with([](Request &r) { r.shape_count = 1; }, "'shape_names' is NULL");
  with([](Request &r) { r.array_count = size_t(1) << 40; },
       "'arrays' has 1099511627776 entries, at most 1048576 are possible");
  with([](Request &r) { r.option_count = ~size_t(0); },
       "'options' has 18446744073709551615 entries, at most 1048576 are possible");
  const char *name = "data", *none = nullptr;
  int32_t rank = 2, negative = -1;
  with([&](Request &r) { r.shape_count = 1, r.shape_names = &none; }, "'a shape's name' is NULL");
  with([&](Request &r) { r.shape_count = 1, r.shape_names = &name; }, "'ranks' is NULL");
  with([&](Request &r) { r.shape_count = 1, r.shape_names = &name, r.ranks = &rank; },
       "'extents' is NULL");
  with([&](Request &r) { r.shape_count = 1, r.shape_names = &name, r.ranks = &negative; },
       "shape of 'data': rank is -1, needs 0 to 64");
  with([&](Request &r) { r.params_count = 1, r.params_files = &none; }, "'a file' is NULL");
  with([&](Request &r) { r.options = &none; }, "'an option' is NULL");
}

TEST_F(Mistakes, Arrays) {
  auto with = [&](auto change, const std::string &text) {
    SmallNet net;
    change(net.arrays[0]);
    expectRefused(net.request(), text);
  };
  static const int64_t negative[] = {4, -1}, huge[] = {int64_t(1) << 40, int64_t(1) << 40};
  with([](symc_array &a) { a.name = nullptr; }, "'an array's name' is NULL");
  with([](symc_array &a) { a.dtype = 99; }, "array 'conv_weight': 99 is no element type");
  with([](symc_array &a) { a.rank = 9; }, "array 'conv_weight': rank is 9, needs 0 to 8");
  with([](symc_array &a) { a.shape = nullptr; }, "array 'conv_weight': shape is NULL");
  with([](symc_array &a) { a.rank = 2, a.shape = negative; },
       "array 'conv_weight': an extent is -1, needs 0 or more");
  with([](symc_array &a) { a.rank = 2, a.shape = huge; },
       "array 'conv_weight': its extents are those of more bytes than there are");
  with([](symc_array &a) { a.data = nullptr; }, "array 'conv_weight': data is NULL");
}

TEST_F(Mistakes, Options) {
  SmallNet net;
  symc_compiled compiled;
  symc_loaded loaded;
  auto file = [&](Words words, const std::string &text) {
    expectMistake(toFile(net.request(std::move(words))), text);
  };
  auto bytes = [&](Words words, const std::string &text) {
    expectMistake(toBytes(net.request(std::move(words)), compiled), text);
  };
  auto process = [&](Words words, const std::string &text) {
    expectMistake(toProcess(net.request(std::move(words)), loaded), text);
  };
  file({"--shared-library"}, "symc: error: unknown option '--shared-library'");
  file({}, "symc: error: no output file\nsymc: note: name it with -o FILE");
  file({"net.json"}, "symc: error: 'net.json' is no option\n"
                     "symc: note: the model's files are fields of the request");
  file({"--report"}, "symc: error: option '--report' is for the program symc alone\n"
                     "symc: note: a library prints nothing");
  file({"-o", "-"}, "symc: error: '-' is no regular file, and a library writes no others");
  file({"-o", "/dev/null", "-S"}, "'/dev/null' is no regular file, and a library writes no others");
  bytes({"-o", "net"}, "option '-o' names a file, but the bytes of the output are wanted");
  bytes({"--weights=file"}, "' names a file, but the bytes of the output are wanted");
  process({"--target", "cuda", "--tune", "tiles"},
          "symc: error: --tune with --target cuda is for the program symc alone\n"
          "symc: note: --tuning=FILE takes the choices");
  process({"-shared"}, "symc: error: option '-shared' is about an output file, of which a model in "
                       "this process has none");
  process({"--weights=file"}, "symc: error: option '--weights' is about an output file, of which a "
                              "model in this process has none");
  process({"--target", "cuda", "--gradients", "all"},
          "symc: error: --gradients are compiled for CPUs alone, found --target cuda\n"
          "symc: note: leave --target out");
  process({"--target-cpu", "nothing"}, "unknown target cpu 'nothing'");
}

TEST_F(Mistakes, NoFolderForTheLinker) {
  SmallNet net;
  symc_compiled compiled;
  setenv("TMPDIR", (folder + "/none").c_str(), 1);
  expectMistake(toBytes(net.request(), compiled),
                "cannot make a folder '" + folder +
                    "/none/symc-XXXXXX': no such file or directory");
  unsetenv("TMPDIR");
}

TEST_F(Mistakes, AreToldWithTheirPlace) {
  SmallNet net;
  std::string json = net.symbol->toJson();
  json.replace(json.rfind("\"relu\""), 6, "\"rely\"");
  Request request = net.request();
  request.symbol = 0;
  request.json = json.data();
  request.json_bytes = json.size();
  request.name = "net";
  symc_loaded loaded;
  expectMistake(toProcess(request, loaded), "net:");
  size_t count = 0;
  const symc_diagnostic *told = nullptr;
  ASSERT_EQ(symc_compile_diagnostics(&count, &told), 0);
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(told->severity, SYMC_SEVERITY_ERROR);
  EXPECT_STREQ(told->file, "net");
  EXPECT_STREQ(told->node, "relu");
  EXPECT_GT(told->line, 1u);
  EXPECT_GT(told->column, 1u);
  EXPECT_THAT(told->message, HasSubstr("rely"));
  std::string printed = symc_compiler_error();
  EXPECT_EQ(printed.substr(0, printed.find('\n')), "net:" + std::to_string(told->line) + ":" +
                                                       std::to_string(told->column) +
                                                       ": error: " + told->message);
}

TEST_F(Mistakes, OfShapesHaveNotesAndTheirNode) {
  SmallNet net;
  net.arrays.back().shape = net.shapes[0].second.data(); // 4 biases instead of 3
  net.values.back().resize(4);
  net.arrays.back().data = net.values.back().data();
  symc_loaded loaded;
  EXPECT_EQ(toProcess(net.request(), loaded), -1);
  size_t count = 0;
  const symc_diagnostic *told = nullptr;
  ASSERT_EQ(symc_compile_diagnostics(&count, &told), 0);
  ASSERT_EQ(count, 1u);
  EXPECT_STREQ(told->file, "fc");
  EXPECT_STREQ(told->node, "fc");
  ASSERT_EQ(told->note_count, 4u);
  EXPECT_EQ(told->notes[2].severity, SYMC_SEVERITY_NOTE);
  EXPECT_STREQ(told->notes[2].message, "bias is argument 'fc_bias', shape [4]");
  EXPECT_EQ(std::string(told->notes[3].message).rfind("node 'fc' takes ", 0), 0u)
      << told->notes[3].message;
}

TEST_F(Mistakes, RemarksAreKeptWhereAskedFor) {
  SmallNet net;
  symc_loaded loaded;
  size_t count = 0;
  const symc_diagnostic *told = nullptr;
  ASSERT_EQ(toProcess(net.request(), loaded), 0);
  EXPECT_EQ(symc_loaded_free(loaded), 0);
  ASSERT_EQ(symc_compile_diagnostics(&count, &told), 0);
  EXPECT_EQ(count, 0u);
  ASSERT_EQ(toProcess(net.request({"--remarks=passed"}), loaded), 0);
  EXPECT_EQ(symc_loaded_free(loaded), 0);
  ASSERT_EQ(symc_compile_diagnostics(&count, &told), 0);
  ASSERT_GT(count, 0u);
  EXPECT_EQ(told[0].severity, SYMC_SEVERITY_REMARK);
  EXPECT_THAT(told[0].message, testing::StartsWith("passed: "));
  EXPECT_STRNE(told[0].node, "");
}

TEST_F(Mistakes, LoadedModelsAfterTheirEnd) {
  SmallNet net;
  symc_loaded loaded;
  const symc_model *model;
  ASSERT_EQ(toProcess(net.request(), loaded), 0) << symc_compiler_error();
  ASSERT_EQ(symc_loaded_model(loaded, &model), 0);
  expectMistake(symc_loaded_model(loaded, nullptr), "'model' is NULL");
  for (symc_loaded none : {symc_loaded(0), loaded + 1, ~symc_loaded(0)}) {
    expectMistake(symc_loaded_model(none, &model), std::to_string(none) + " is no loaded model");
    expectMistake(symc_loaded_free(none), " is no loaded model");
  }
  symc_context *context, *second;
  ASSERT_EQ(symc_create(model, nullptr, &context), SYMC_STATUS_OK);
  EXPECT_EQ(symc_loaded_free(loaded), 0);
  expectMistake(symc_loaded_free(loaded), " is no loaded model: it was freed");
  expectMistake(symc_loaded_model(loaded, &model), " is no loaded model: it was freed");
  // The context goes on; others are refused, then and after its end.
  std::vector<float> data(64, 1), answers(3);
  symc_tensor input = {data.data(), symc_input(model, 0)->shape, 4, SYMC_F32, SYMC_DEVICE_CPU, 0};
  symc_tensor output = {
      answers.data(), symc_output(model, 0)->shape, 2, SYMC_F32, SYMC_DEVICE_CPU, 0};
  EXPECT_EQ(symc_run(context, &input, 1, &output, 1), SYMC_STATUS_OK);
  char why[100] = "";
  symc_options options = {};
  options.error = why;
  options.error_bytes = sizeof why;
  EXPECT_EQ(symc_create(model, &options, &second), SYMC_STATUS_BAD_MODEL);
  symc_destroy(context);
  EXPECT_EQ(symc_create(model, &options, &second), SYMC_STATUS_BAD_MODEL);
  EXPECT_STREQ(why, "the model table does not begin with the mark of a model");
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(symc_input_count(model), 0);
  EXPECT_EQ(symc_output(model, 0), nullptr);
}

} // namespace
