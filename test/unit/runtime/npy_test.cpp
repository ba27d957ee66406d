// npy_test.cpp: NumPy's array files, right ones and the sentence for each wrong one.
#include "main/npy.h"

#include "pictures.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace symc;

static std::string problemOf(const std::string &file) {
  Array array;
  Problem problem;
  bool done = read_npy("x.npy", reinterpret_cast<const uint8_t *>(file.data()), file.size(), array,
                       problem);
  return done ? "accepted" : problem.text;
}

static bool read(const std::string &file, Array &array) {
  Problem problem;
  bool done = read_npy("x.npy", reinterpret_cast<const uint8_t *>(file.data()), file.size(), array,
                       problem);
  EXPECT_TRUE(done) << problem.text;
  return done;
}

TEST(Npy, ReadsEveryElementType) {
  const std::pair<const char *, int32_t> types[] = {
      {"<f4", SYMC_F32}, {"<f8", SYMC_F64}, {"<f2", SYMC_F16}, {"|u1", SYMC_U8},
      {"<i4", SYMC_I32}, {"|i1", SYMC_I8},  {"<i8", SYMC_I64}, {"|b1", SYMC_BOOL},
      {"<i2", SYMC_I16}, {"<u2", SYMC_U16}, {"<u4", SYMC_U32}, {"<u8", SYMC_U64}};
  for (auto [descr, dtype] : types) {
    std::string data(size_t(symc_dtype_bytes(dtype)) * 3, '\1');
    Array array;
    ASSERT_TRUE(read(makeNpy(descr, "(3,)", data), array)) << descr;
    EXPECT_EQ(array.dtype, dtype);
    EXPECT_EQ(array.rank, 1);
    EXPECT_EQ(array.shape[0], 3);
    EXPECT_EQ(memcmp(array.bytes.data, data.data(), data.size()), 0);
  }
}

TEST(Npy, ReadsScalarsEmptyArraysAndVersion2) {
  Array scalar, empty, second;
  ASSERT_TRUE(read(makeNpy("<f4", "()", "abcd"), scalar));
  EXPECT_EQ(scalar.rank, 0);
  ASSERT_TRUE(read(makeNpy("<f4", "(0, 3L)", ""), empty));
  EXPECT_EQ(empty.shape[1], 3);
  std::string file = makeNpy("<f4", "(1,)", "abcd");
  file = std::string("\x93NUMPY\x02\x00", 8) + file.substr(8, 2) + std::string(2, '\0') +
         file.substr(10);
  ASSERT_TRUE(read(file, second));
  EXPECT_EQ(second.shape[0], 1);
}

TEST(Npy, TurnsOtherOrdersIntoItsOwn) {
  Array fortran, big;
  ASSERT_TRUE(read(makeNpy("|u1", "(2, 3)", "adbecf", true), fortran));
  EXPECT_EQ(memcmp(fortran.bytes.data, "abcdef", 6), 0);
  ASSERT_TRUE(read(makeNpy(">i4", "(2,)", std::string("\0\0\1\2\377\0\0\0", 8)), big));
  const int32_t *values = reinterpret_cast<const int32_t *>(big.bytes.data);
  EXPECT_EQ(values[0], 258);
  EXPECT_EQ(values[1], int32_t(0xff000000));
}

TEST(Npy, WrittenHeadersAreRead) {
  for (std::vector<int64_t> shape : std::vector<std::vector<int64_t>>{
           {}, {3}, {2, 3}, {1, 2, 3, 4, 5, 6, 7, 8}, {int64_t(1) << 59, 0}}) {
    symc_tensor tensor = {nullptr, shape.data(), int32_t(shape.size()), SYMC_I16};
    char header[npyHeaderBytes];
    size_t length = write_npy_header(tensor, header);
    EXPECT_EQ(length % 64, 0u);
    int64_t count = count_elements(shape.data(), int32_t(shape.size()), 2);
    Array array;
    ASSERT_TRUE(read(std::string(header, length) + std::string(size_t(count) * 2, 'x'), array));
    EXPECT_EQ(array.dtype, SYMC_I16);
    EXPECT_EQ(std::vector<int64_t>(array.shape, array.shape + array.rank), shape);
  }
  symc_tensor tensor = {nullptr, nullptr, 0, SYMC_U8};
  char header[npyHeaderBytes];
  write_npy_header(tensor, header);
  EXPECT_NE(strstr(header + 10, "'|u1'"), nullptr);
}

TEST(Npy, SaysWhatIsWrong) {
  EXPECT_EQ(problemOf("hello, world"),
            "'x.npy': expected an npy file of at least 10 bytes, got 12");
  std::string right = makeNpy("<f4", "(2,)", "abcdefgh"), file = right;
  file[6] = 9;
  EXPECT_EQ(problemOf(file), "'x.npy': expected npy version 1, 2 or 3, got 9");
  EXPECT_EQ(problemOf(std::string("\x93NUMPY\x02\x00\x10\x00\x00", 11)),
            "'x.npy': expected 12 bytes of npy header, got 11");
  EXPECT_EQ(problemOf(right.substr(0, 50)), "'x.npy': expected 118 bytes of npy header, got 40");
  EXPECT_EQ(problemOf(right.substr(0, 132)),
            "'x.npy': expected 8 bytes of data for its shape, got 4");
  EXPECT_EQ(problemOf(right + "x"), "'x.npy': expected 8 bytes of data for its shape, got 9");
  EXPECT_EQ(problemOf(makeNpy("<f4", "[2]", "")),
            "'x.npy': expected a tuple as shape in the npy header");
  EXPECT_EQ(problemOf(makeNpy("<f4", "(a,)", "")),
            "'x.npy': expected extents in the shape of the npy header");
  EXPECT_EQ(problemOf(makeNpy("<f4", "(-1,)", "")),
            "'x.npy': expected extents in the shape of the npy header");
  EXPECT_EQ(problemOf(makeNpy("<f4", "(1 2)", "")),
            "'x.npy': expected ')' after the shape in the npy header");
  EXPECT_EQ(problemOf(makeNpy("<f4", "(1,1,1,1,1,1,1,1,1)", "")),
            "'x.npy': expected at most 8 dimensions, got more");
  EXPECT_EQ(problemOf(makeNpy("<f4", "(4611686018427387904, 4)", "abcd")),
            "'x.npy': expected a shape whose bytes can be counted, got 4 bytes of data");
  EXPECT_EQ(problemOf(makeNpy("<c8", "(1,)", "abcdefgh")),
            "'x.npy': expected an element type of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1, got '<c8'");
}

TEST(Npy, SaysWhatIsWrongInTheHeader) {
  auto header = [](std::string text) {
    return problemOf(std::string("\x93NUMPY\x01\x00", 8) + char(text.size()) + '\0' + text);
  };
  EXPECT_EQ(header("[]"), "'x.npy': expected a dictionary as npy header");
  EXPECT_EQ(header("{descr: 1}"), "'x.npy': expected a key and ':' in the npy header");
  EXPECT_EQ(header("{'descr': [('a', '<f4')]}"),
            "'x.npy': expected an element type in quotes, got a structure");
  EXPECT_EQ(header("{'fortran_order': 1}"), "'x.npy': expected True or False as fortran_order");
  EXPECT_EQ(header("{'colour': 'red'}"), "'x.npy': unknown key 'colour' in the npy header");
  EXPECT_EQ(header("{'fortran_order': True 'descr'}"),
            "'x.npy': expected '}' at the end of the npy header");
  EXPECT_EQ(header("{'descr': '<f4'}"),
            "'x.npy': expected descr, fortran_order and shape in the npy header");
}
