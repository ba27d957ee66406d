//===- ParamsWriterTest.cpp - written arrays are read back ----------------===//
//
// NDArray lists, .npy and .npz: same names, types, shapes and bytes after a
// round trip, and the very bytes where a foreign reader depends on them.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/ParamsWriter.h"

#include "Bytes.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::params;
using namespace symc::test;

namespace {

template <typename Write> std::string written(Write write) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  write(os);
  os.flush();
  return bytes;
}

const float Numbers[] = {1, 2, 3, 4, 5, 6};
const int64_t Shape[] = {2, 3};
const ArrayView Matrix{"arg:w", DType::F32, Shape, Numbers};
const ArrayView Scalar{"aux:s", DType::F32, {}, Numbers};

void expectSame(const ArrayFile &file) {
  ASSERT_EQ(file.arrays.size(), 2u);
  const Array *matrix = file.find(ParamKind::Arg, "w");
  const Array *scalar = file.find(ParamKind::Aux, "s");
  ASSERT_TRUE(matrix && scalar);
  EXPECT_EQ(matrix->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(values<float>(*matrix), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(matrix->inFile);
  EXPECT_TRUE(scalar->shape.empty());
  EXPECT_EQ(values<float>(*scalar), std::vector<float>{1});
}

TEST(ParamsWriter, ListsAreReadBack) {
  Diagnostics diagnostics;
  std::string bytes = written([](auto &os) { writeNdarrayList(os, {Matrix, Scalar}); });
  auto file = readBytes(bytes, diagnostics);
  ASSERT_TRUE(file) << diagnostics.str();
  expectSame(*file);
}

TEST(ParamsWriter, ArchivesAreReadBack) {
  Diagnostics diagnostics;
  auto write = [](auto &os) { EXPECT_TRUE(writeNpz(os, {Matrix, Scalar})); };
  std::string bytes = written(write);
  EXPECT_EQ(bytes, written(write));
  auto file = readBytes(bytes, diagnostics);
  ASSERT_TRUE(file) << diagnostics.str();
  EXPECT_EQ(file->format, FileFormat::Npz);
  expectSame(*file);
  EXPECT_EQ(file->arrays[0].fileOffset,
            static_cast<uint64_t>(file->arrays[0].data - file->buffer->getBufferStart()));
}

TEST(ParamsWriter, AnEmptyArchiveIsReadBack) {
  Diagnostics diagnostics;
  std::string end = written([](auto &os) { EXPECT_TRUE(writeNpz(os, {})); });
  EXPECT_EQ(end, Bytes().text("PK\x05\x06").zeros(18).bytes);
  auto file = readBytes(end, diagnostics);
  ASSERT_TRUE(file) << diagnostics.str();
  EXPECT_TRUE(file->arrays.empty());
}

TEST(ParamsWriter, AnArchiveOfVeryManyArraysIsReadBack) {
  std::vector<std::string> keys;
  for (int i = 0; i < 65536; ++i)
    keys.push_back(std::to_string(i));
  std::vector<ArrayView> views;
  for (const std::string &key : keys)
    views.push_back({key, DType::F32, {}, Numbers});
  Diagnostics diagnostics;
  auto file = readBytes(written([&](auto &os) { EXPECT_TRUE(writeNpz(os, views)); }), diagnostics);
  ASSERT_TRUE(file) << diagnostics.str();
  EXPECT_EQ(file->arrays.size(), 65536u);
}

TEST(ParamsWriter, NpyHasTheHeaderOfNumpy) {
  std::string bytes = written([](auto &os) { writeNpy(os, Matrix); });
  std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_EQ(bytes.size(), 128 + sizeof(Numbers));
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(bytes.substr(10, dictionary.size() + 1), dictionary + " ");
  EXPECT_EQ(bytes[127], '\n');
  const int64_t one[] = {1};
  std::string vector = written([&](auto &os) { writeNpy(os, {"", DType::U8, one, Numbers}); });
  EXPECT_NE(vector.find("'shape': (1,), }"), std::string::npos);
  EXPECT_NE(written([](auto &os) { writeNpy(os, Scalar); }).find("'shape': (), }"),
            std::string::npos);
}

TEST(ParamsWriter, Bfloat16IsWidenedForNumpy) {
  std::vector<uint16_t> halves(3000, 0x3F80);
  const int64_t shape[] = {3000};
  Diagnostics diagnostics;
  auto file = readBytes(
      written([&](auto &os) { writeNpz(os, {{"x", DType::BF16, shape, halves.data()}}); }),
      diagnostics);
  ASSERT_TRUE(file) << diagnostics.str();
  EXPECT_EQ(file->arrays[0].dtype, DType::F32);
  EXPECT_EQ(values<float>(file->arrays[0]), std::vector<float>(3000, 1.0f));
}

TEST(ParamsWriter, AKeyMayBeTooLongForZip) {
  std::string key(65001, 'k');
  std::string bytes =
      written([&](auto &os) { EXPECT_FALSE(writeNpz(os, {{key, DType::F32, Shape, Numbers}})); });
  EXPECT_EQ(bytes, "");
}

} // namespace
