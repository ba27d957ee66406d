//===- WeightSourceTest.cpp - files, memory and functions as sources ------===//
#include "frontend/params/WeightSource.h"
#include "Bytes.h"
#include "frontend/params/ParamsWriter.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::params;

namespace {

const float Values[] = {1, 2, 3, 4, 5, 6};

std::vector<float> floats(const ArrayValues &values) {
  std::vector<float> result(values.bytes.size() / sizeof(float));
  std::memcpy(result.data(), values.bytes.data(), values.bytes.size());
  return result;
}

/// What the importer and the preparation of weights ask of any source.
void expectMatrix(const WeightSource &source, bool inFile) {
  ASSERT_EQ(source.count(), 1u);
  const ArrayInfo &info = source.array(0);
  EXPECT_EQ(info.name, "w");
  EXPECT_EQ(info.key, "arg:w");
  EXPECT_EQ(info.kind, ParamKind::Arg);
  EXPECT_EQ(info.dtype, DType::F32);
  EXPECT_EQ(info.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(info.byteCount, 24u);
  EXPECT_EQ(info.inFile, inFile);
  EXPECT_EQ(floats(source.values(0)), std::vector<float>(Values, Values + 6));
  source.releasePages();
  EXPECT_EQ(floats(source.values(0)), std::vector<float>(Values, Values + 6));
}

MemoryWeights inMemory() {
  MemoryWeights source;
  source.add("arg:w", DType::F32, {2, 3}, Values);
  return source;
}

TEST(WeightSource, AFile) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  const int64_t shape[] = {2, 3};
  ArrayView view{"arg:w", DType::F32, shape, Values};
  writeNdarrayList(os, view);
  Diagnostics diagnostics;
  std::optional<ArrayFile> file = test::readBytes(bytes, diagnostics);
  ASSERT_TRUE(file) << diagnostics.str();
  FileWeights source(std::move(*file));
  EXPECT_EQ(source.name(), "net.params");
  expectMatrix(source, /*inFile=*/true);
  // The same values have the same hash, wherever they come from.
  EXPECT_EQ(source.hash(0), inMemory().hash(0));
}

TEST(WeightSource, MemoryOfTheCaller) {
  MemoryWeights source = inMemory();
  EXPECT_EQ(source.name(), "memory");
  expectMatrix(source, /*inFile=*/false);
  EXPECT_EQ(source.values(0).bytes.data(), reinterpret_cast<const char *>(Values));
  source.add("states_of_a_long_name", DType::F16, {}, Values);
  EXPECT_EQ(source.array(1).kind, ParamKind::None);
  EXPECT_EQ(source.array(1).name, "states_of_a_long_name");
  EXPECT_EQ(source.values(1).bytes.size(), 2u);
  EXPECT_NE(source.hash(0), source.hash(1));
}

TEST(WeightSource, ComputedValuesGoWithTheirReader) {
  std::weak_ptr<const void> alive;
  int calls = 0;
  ComputedWeights source("computed");
  source.add("arg:w", DType::F32, {2, 3}, [&](const ArrayInfo &info) {
    ++calls;
    std::vector<char> bytes(info.byteCount);
    std::memcpy(bytes.data(), Values, bytes.size());
    return bytes;
  });
  expectMatrix(source, /*inFile=*/false);
  EXPECT_EQ(calls, 2);
  {
    ArrayValues values = source.values(0);
    alive = values.owner;
    EXPECT_FALSE(alive.expired());
  }
  EXPECT_TRUE(alive.expired());
}

} // namespace
