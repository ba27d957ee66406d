// CudaTuningTest.cpp: forms survive a round through a tuning file, beside the lines of CPUs, and a
// program for several architectures takes those of the last one. If these fail, measured forms are
// lost or believed where they were not measured.
#include "codegen/cuda/CudaTuning.h"
#include <gtest/gtest.h>

using namespace symc::codegen;

static MeasuredForm formNamed(const char *name, double microseconds) {
  CudaForm form = *cudaFormNamed(name);
  form.parts = std::max<int64_t>(1, form.parts);
  return {form, microseconds};
}

TEST(CudaTuning, RoundTrip) {
  CudaTuning one;
  one.set("90a", "conv/b", formNamed("wgmma-64x64/4", 3.5));
  one.set("90a", "conv/a", formNamed("tensor-128x64", 0));
  one.set("80", "conv/b", formNamed("32x32", 12));
  std::string text = one.print();
  EXPECT_EQ(text, "cuda-sm_80 conv/b 32x32 us=12.00\n"
                  "cuda-sm_90a conv/a tensor-128x64\n"
                  "cuda-sm_90a conv/b wgmma-64x64/4 us=3.50\n");
  CudaTuning two;
  EXPECT_FALSE(two.parse("symc tuning 1\n# none\nx86-64-v4 conv/b what others read\n" + text));
  EXPECT_EQ(two.print(), text);
  const MeasuredForm *found = two.find("90a", "conv/b");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->form.tile, cudaTileNamed("wgmma-64x64"));
  EXPECT_EQ(found->form.parts, 4);
  EXPECT_EQ(found->line, 6u);
  EXPECT_EQ(found->column, 20u);
  EXPECT_EQ(two.find("90a", "conv/a")->form.parts, 1);
  EXPECT_FALSE(two.find("90", "conv/b")) << "a form of another architecture";
}

TEST(CudaTuning, TheLastArchitectureDecides) {
  CudaTuning tuning;
  tuning.set("80", "conv/a", formNamed("32x32", 1));
  tuning.set("80", "conv/b", formNamed("32x32", 1));
  tuning.set("90a", "conv/b", formNamed("64x64", 9));
  tuning.set("120", "conv/b", formNamed("128x128", 1));
  llvm::StringMap<MeasuredForm> forms = tuning.formsFor({"80", "90a"});
  ASSERT_EQ(forms.size(), 2u);
  EXPECT_EQ(nameOf(forms["conv/a"].form), "32x32");
  EXPECT_EQ(nameOf(forms["conv/b"].form), "64x64");
}

TEST(CudaTuning, MistakesHavePlaces) {
  auto expect = [](const std::string &line, unsigned column, const std::string &message) {
    CudaTuning tuning;
    std::optional<TuningError> bad = tuning.parse("symc tuning 1\n" + line);
    ASSERT_TRUE(bad) << line;
    EXPECT_EQ(bad->line, unsigned(2 + std::count(line.begin(), line.end(), '\n'))) << line;
    EXPECT_EQ(bad->column, column) << line;
    EXPECT_EQ(bad->message.substr(0, message.size()), message);
  };
  expect("cuda-hopper conv/a 64x64", 1,
         "expected an architecture as cuda-sm_90, found 'cuda-hopper'");
  expect("cuda-sm_90 pool/a 64x64", 12,
         "expected a shape that begins with 'conv/', found 'pool/a'");
  for (const char *form : {"row", "96x96", "64x64/0", "direct"})
    expect(std::string("cuda-sm_90 conv/a ") + form, 19, "expected 128x128, 64x64, 32x32, tensor-");
  expect("cuda-sm_90 conv/a 64x64 ms=1", 25,
         "expected us=NUMBER or the end of the line, found 'ms=1'");
  expect("cuda-sm_90 conv/a 64x64 us=1 2", 30, "expected the end of the line, found '2'");
  expect("cuda-sm_90 conv/a 64x64\ncuda-sm_90 conv/a 32x32", 1,
         "a second choice for 'conv/a' on 'cuda-sm_90'");
}
