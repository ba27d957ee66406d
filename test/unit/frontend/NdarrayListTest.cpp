//===- NdarrayListTest.cpp - MXNet's .params container --------------------===//
//
// Arrays of every version and storage type, and every message about a file that
// is cut short, damaged or lies about itself.
//
//===----------------------------------------------------------------------===//
#include "Bytes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace symc;
using namespace symc::params;
using namespace symc::test;

namespace {

constexpr uint32_t V1 = 0xF993FAC8, V2 = 0xF993FAC9, V3 = 0xF993FACA;

Bytes header(uint64_t count) { return Bytes().u64(0x112).u64(0).u64(count); }

/// A list of one array, given by its record, under a name.
std::string list(llvm::StringRef record, llvm::StringRef name = "arg:w") {
  return header(1).text(record).u64(1).u64(name.size()).text(name).bytes;
}

/// A V2 record up to the data: dense, on a CPU.
Bytes dense(std::vector<int64_t> shape, int32_t dtype = 0, uint32_t mark = V2) {
  return Bytes().u32(mark).i32(0).dims(shape).i32(1).i32(0).i32(dtype);
}

Array only(llvm::StringRef bytes) {
  Diagnostics diagnostics;
  auto file = readBytes(bytes, diagnostics);
  EXPECT_TRUE(file && file->arrays.size() == 1) << diagnostics.str();
  if (!file || file->arrays.size() != 1)
    return {};
  // The test keeps bytes only while the file lives, so it copies them.
  Array array = file->arrays[0];
  std::shared_ptr<char> copy(new char[array.byteCount + 1], std::default_delete<char[]>());
  std::memcpy(copy.get(), array.data, array.byteCount);
  if (array.inFile) {
    EXPECT_EQ(llvm::StringRef(bytes.data() + array.fileOffset, array.byteCount),
              llvm::StringRef(copy.get(), array.byteCount));
  }
  array.data = copy.get();
  array.owned = copy;
  return array;
}

TEST(NdarrayList, ReadsAllVersions) {
  std::string data = Bytes().f32(1).f32(2).bytes;
  for (const std::string &record :
       {Bytes().u32(1).u32(2).i32(1).i32(0).i32(0).text(data).bytes,
        Bytes().u32(V1).dims({2}).i32(2).i32(3).i32(0).text(data).bytes,
        dense({2}).text(data).bytes, dense({2}, 0, V3).text(data).bytes}) {
    Array array = only(list(record));
    EXPECT_EQ(array.shape, std::vector<int64_t>{2});
    EXPECT_EQ(values<float>(array), (std::vector<float>{1, 2}));
    EXPECT_TRUE(array.inFile);
    EXPECT_EQ(array.elementCount(), 2u);
  }
}

// Pages of a mapped file come back; an array in memory of its own is not touched.
TEST(NdarrayList, ReleasedPagesAreReadAgain) {
  llvm::SmallString<128> path;
  int descriptor = -1;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("symc-pages", "params", descriptor, path));
  std::string values(1 << 20, 'x');
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << list(dense({1 << 18}).text(values));
  }
  Diagnostics diagnostics;
  std::optional<ArrayFile> file = readArrays(path, diagnostics);
  ASSERT_TRUE(file);
  file->releasePages();
  EXPECT_EQ(llvm::StringRef(file->arrays[0].data, values.size()), values);
  llvm::sys::fs::remove(path);
}

TEST(NdarrayList, ReadsAllTypes) {
  const unsigned bytes[] = {4, 8, 2, 1, 4, 1, 8, 1, 2, 2, 4, 8, 2};
  for (int32_t flag = 0; flag < 13; ++flag) {
    Array array = only(list(dense({3}, flag).zeros(3 * bytes[flag])));
    EXPECT_EQ(static_cast<int32_t>(array.dtype), flag);
    EXPECT_EQ(array.byteCount, 3 * bytes[flag]);
  }
  EXPECT_EQ(name(DType::BF16), "bf16");
}

TEST(NdarrayList, TellsNothingFromAScalar) {
  Array none = only(list(Bytes().u32(V2).i32(0).i32(0)));
  EXPECT_TRUE(none.isNone);
  EXPECT_EQ(none.byteCount, 0u);
  EXPECT_TRUE(only(list(Bytes().u32(0))).isNone);
  EXPECT_TRUE(only(list(Bytes().u32(V3).i32(0).i32(-1))).isNone);
  Array scalar = only(list(dense({}, 0, V3).f32(7)));
  EXPECT_FALSE(scalar.isNone);
  EXPECT_EQ(values<float>(scalar), std::vector<float>{7});
  EXPECT_EQ(only(list(dense({0, 4}))).byteCount, 0u);
}

TEST(NdarrayList, NamesHaveKinds) {
  Diagnostics diagnostics;
  Bytes bytes = header(3);
  for (int i = 0; i < 3; ++i)
    bytes.text(dense({1})).f32(static_cast<float>(i));
  bytes.u64(3);
  for (llvm::StringRef key : {"arg:a", "aux:a", "data:a"})
    bytes.u64(key.size()).text(key);
  auto file = readBytes(bytes, diagnostics);
  ASSERT_TRUE(file) << diagnostics.str();
  EXPECT_EQ(values<float>(*file->find(ParamKind::Arg, "a")), std::vector<float>{0});
  EXPECT_EQ(values<float>(*file->find(ParamKind::Aux, "a")), std::vector<float>{1});
  EXPECT_EQ(file->find(ParamKind::None, "data:a")->key, "data:a");
  EXPECT_EQ(file->find(ParamKind::Arg, "b"), nullptr);
}

TEST(NdarrayList, AListMayHaveNoNames) {
  Array array = only(header(1).text(dense({1})).f32(1).u64(0));
  EXPECT_EQ(array.key, "");
  EXPECT_EQ(array.kind, ParamKind::None);
}

Bytes rowSparse(std::vector<int64_t> values, std::vector<int64_t> shape,
                std::vector<int64_t> index) {
  return Bytes().u32(V2).i32(1).dims(values).dims(shape).i32(1).i32(0).i32(0).i32(6).dims(index);
}

Bytes csr(std::vector<int64_t> values, std::vector<int64_t> shape, std::vector<int64_t> rows,
          std::vector<int64_t> index, int32_t type = 6) {
  return Bytes()
      .u32(V2)
      .i32(2)
      .dims(values)
      .dims(shape)
      .i32(1)
      .i32(0)
      .i32(0)
      .i32(type)
      .dims(rows)
      .i32(type)
      .dims(index);
}

TEST(NdarrayList, SparseArraysBecomeDense) {
  Array rows = only(list(rowSparse({1, 2}, {3, 2}, {1}).f32(5).f32(6).i64(1)));
  EXPECT_EQ(rows.shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(values<float>(rows), (std::vector<float>{0, 0, 5, 6, 0, 0}));
  EXPECT_FALSE(rows.inFile);
  Array grid = only(list(
      csr({3}, {2, 3}, {3}, {3}).f32(1).f32(2).f32(3).i64(0).i64(1).i64(3).i64(2).i64(0).i64(1)));
  EXPECT_EQ(values<float>(grid), (std::vector<float>{0, 0, 1, 2, 3, 0}));
  Array narrow = only(list(csr({1}, {1, 2}, {2}, {1}, 4).f32(9).i32(0).i32(1).i32(1)));
  EXPECT_EQ(values<float>(narrow), (std::vector<float>{0, 9}));
  EXPECT_EQ(values<float>(only(list(rowSparse({0, 2}, {1, 2}, {0})))), (std::vector<float>{0, 0}));
  // As MXNet writes what tostype('csr') gave: the shape of the values is [0].
  Array empty = only(list(csr({0}, {1, 2}, {2}, {1}).f32(9).i64(0).i64(1).i64(1)));
  EXPECT_EQ(values<float>(empty), (std::vector<float>{0, 9}));
}

const std::string At = "error: array 1 of 1 (at byte 24): ";
const std::string Damaged = " | note: the file is cut short or damaged";

TEST(NdarrayList, ReportsSparseMistakes) {
  EXPECT_EQ(arraysMessage(list(rowSparse({1, 2}, {3, 2}, {1}).f32(5).f32(6).i64(3))),
            At + "sparse index 0 is 3, expected 0 to 2");
  EXPECT_EQ(
      arraysMessage(list(rowSparse({1, 3}, {3, 2}, {1}).f32(5).f32(6).f32(7).i64(0))),
      At + "expected sparse values of shape [1, 2] for 1 indices and shape [3, 2], got [1, 3]");
  EXPECT_EQ(arraysMessage(list(rowSparse({1, 2}, {3, 2}, {1, 1}))),
            At + "expected one dimension of sparse indices, got 2");
  EXPECT_EQ(arraysMessage(list(csr({1}, {1, 2}, {2}, {1}, 0))),
            At + "expected i64 or i32 as type of sparse indices, got f32");
  EXPECT_EQ(arraysMessage(list(csr({1}, {2}, {2}, {1}).f32(1).i64(0).i64(1).i64(0))),
            At + "expected 2 dimensions of a csr array, got 1");
  EXPECT_EQ(arraysMessage(list(csr({1}, {2, 2}, {2}, {1}).f32(1).i64(0).i64(1).i64(0))),
            At + "expected 2 + 1 row starts for shape [2, 2], got 2");
  EXPECT_EQ(arraysMessage(list(csr({1}, {1, 2}, {2}, {1}).f32(1).i64(1).i64(1).i64(0))),
            At + "expected row starts to begin at 0, got 1");
  EXPECT_EQ(arraysMessage(list(csr({1}, {1, 2}, {2}, {1}).f32(1).i64(0).i64(2).i64(0))),
            At + "row start 1 is 2, expected 0 to 1");
  EXPECT_EQ(arraysMessage(list(csr({1}, {1, 2}, {2}, {1}).f32(1).i64(0).i64(1).i64(-1))),
            At + "sparse index 0 is -1, expected 0 to 1");
  EXPECT_EQ(arraysMessage(header(1).text(csr({1}, {1, 2}, {2}, {1}).f32(1).i64(0).i64(1))),
            At + "indices of shape [1] and type i64 needs 8 bytes, but the file has 0 left" +
                Damaged);
}

TEST(NdarrayList, ADenseFormHasALimit) {
  ReadOptions options;
  options.maxDenseBytes = 1000;
  std::string bytes = list(rowSparse({0, 4}, {1000000, 4}, {0}));
  EXPECT_EQ(arraysMessage(bytes, options),
            At + "the dense form of this sparse array of shape [1000000, 4] is larger than the "
                 "limit of 1000 bytes | note: save it dense, with tostype('default')");
  EXPECT_EQ(arraysMessage(list(rowSparse({0, 4}, {INT64_MAX, 4}, {0}))),
            At + "the dense form of this sparse array of shape [9223372036854775807, 4] is larger "
                 "than the limit of 1073741824 bytes | note: save it dense, with "
                 "tostype('default')");
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SYMC_TEST_HAS_ASAN
#endif
#endif
#ifndef SYMC_TEST_HAS_ASAN // which ends the program instead of returning null
TEST(NdarrayList, MemoryMayNotSuffice) {
  ReadOptions options;
  options.maxDenseBytes = UINT64_MAX;
  EXPECT_EQ(arraysMessage(list(rowSparse({0, 4}, {int64_t(1) << 58, 4}, {0})), options),
            At + "not enough memory for 4611686018427387904 bytes");
}
#endif

TEST(NdarrayList, ReportsSparseShapesThatAreMissing) {
  EXPECT_EQ(arraysMessage(list(Bytes().u32(V2).i32(1).i32(-1))),
            At + "the values of a sparse array have no shape");
  EXPECT_EQ(arraysMessage(list(
                Bytes().u32(V2).i32(1).dims({1}).dims({1}).i32(1).i32(0).i32(0).i32(6).i32(-1))),
            At + "an index buffer of a sparse array has no shape");
  EXPECT_EQ(arraysMessage(list(Bytes().u32(V3).i32(1))),
            At + "expected dense storage under NumPy shape semantics, got type 1");
}

TEST(NdarrayList, ReportsAWrongRecord) {
  EXPECT_EQ(arraysMessage(list(Bytes().u32(0xF993FAC7))),
            At + "expected a version mark or a number of dimensions up to 32, got 0xF993FAC7");
  EXPECT_EQ(arraysMessage(header(2).text(dense({1})).f32(0).u32(99)),
            "error: array 2 of 2 (at byte 60): expected a version mark or a number of dimensions "
            "up to 32, got 0x63 | note: the array before this one may have a wrong shape or type");
  EXPECT_EQ(arraysMessage(list(Bytes().u32(V2).i32(9))),
            At + "expected storage type 0 (dense), 1 (row_sparse) or 2 (csr), got 9");
  EXPECT_EQ(arraysMessage(list(Bytes().u32(V2).i32(0).i32(-5))),
            At + "expected 0 to 32 dimensions, got -5");
  EXPECT_EQ(arraysMessage(list(Bytes().u32(V2).i32(0).i32(33))),
            At + "expected 0 to 32 dimensions, got 33");
  EXPECT_EQ(arraysMessage(list(dense({4, -1}))), At + "dimension 1 is -1, expected 0 or more");
  EXPECT_EQ(arraysMessage(list(dense({1}, 13))),
            At + "expected an element type of 0 to 12, got 13");
  EXPECT_EQ(arraysMessage(list(dense({1}, -1))),
            At + "expected an element type of 0 to 12, got -1");
}

TEST(NdarrayList, ReportsWhatThePromisedBytesAre) {
  EXPECT_EQ(arraysMessage(list(dense({7, 4}))),
            At + "data of shape [7, 4] and type f32 needs 112 bytes, but the file has 21 left" +
                Damaged);
  EXPECT_EQ(arraysMessage(list(dense({INT64_MAX, 4}))),
            At +
                "data of shape [9223372036854775807, 4] and type f32 needs more bytes than 64 "
                "bits can count, but the file has 21 left" +
                Damaged);
  EXPECT_EQ(arraysMessage(header(uint64_t(1) << 40)),
            "error: the header promises 1099511627776 arrays, but the file has only 0 bytes left" +
                Damaged);
  EXPECT_EQ(arraysMessage(header(0).u64(3)),
            "error: expected 0 names for 0 arrays, got 3 | note: the count of arrays or of names "
            "is wrong");
  EXPECT_EQ(arraysMessage(header(1).u32(0).u64(1).u64(uint64_t(1) << 50)),
            "error: name 1 of 1 needs 1125899906842624 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(arraysMessage(header(1).u32(0).u64(1)),
            "error: the length of name 1 of 1 needs 8 bytes, but the file has 0 left" + Damaged);
}

TEST(NdarrayList, EveryCutIsAnError) {
  std::string whole = list(
      csr({3}, {2, 3}, {3}, {3}).f32(1).f32(2).f32(3).i64(0).i64(1).i64(3).i64(2).i64(0).i64(1));
  EXPECT_EQ(arraysMessage(whole), "");
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(arraysMessage(llvm::StringRef(whole).take_front(length)).substr(0, 7), "error: ")
        << length;
  EXPECT_EQ(arraysMessage(llvm::StringRef(whole).take_front(24)),
            "error: the header promises 1 arrays, but the file has only 0 bytes left" + Damaged);
  std::string one = list(dense({1}).f32(1));
  auto cut = [&](size_t length) { return arraysMessage(llvm::StringRef(one).take_front(length)); };
  EXPECT_EQ(cut(12), "error: the header needs 8 bytes, but the file has 4 left" + Damaged);
  EXPECT_EQ(cut(16),
            "error: the number of arrays needs 8 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(cut(28), At + "the storage type needs 4 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(cut(32),
            At + "the number of dimensions needs 4 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(cut(36), At + "dimension 0 needs 8 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(cut(44), At + "the device type needs 4 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(cut(48), At + "the device number needs 4 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(cut(52), At + "the element type needs 4 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(cut(60), "error: the number of names needs 8 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(arraysMessage(header(2).u32(0).u32(0)),
            "error: the number of names needs 8 bytes, but the file has 0 left" + Damaged);
  EXPECT_EQ(arraysMessage(header(2).text(dense({1})).f32(1).text("abc")),
            "error: array 2 of 2 (at byte 60): its version mark needs 4 bytes, but the file has 3 "
            "left" +
                Damaged);
}

TEST(NdarrayList, OddButHarmlessFilesAreWarnedAbout) {
  EXPECT_EQ(arraysMessage(Bytes().u64(0x112).u64(7).u64(0).u64(0)),
            "warning: the reserved field at byte 8 is 7, expected 0; it is ignored, as MXNet does");
  EXPECT_EQ(arraysMessage(header(0).u64(0).text("rest")),
            "warning: 4 bytes after the list are ignored, as MXNet does");
}

TEST(NdarrayList, KeysAreUniqueAndNotEmpty) {
  EXPECT_EQ(arraysMessage(list(dense({1}).f32(1), "arg:")),
            "error: array 1 of 1 has no name: its key is 'arg:'");
  EXPECT_EQ(arraysMessage(header(2).u32(0).u32(0).u64(2).u64(1).text("a").u64(1).text("a")),
            "error: name 'a' is given twice, by arrays 1 and 2");
}

TEST(ParamsReader, NamesFilesOfOtherKinds) {
  std::string expected = "error: expected parameters (an NDArray list, .npz or .npy), got ";
  auto got = [&](llvm::StringRef bytes) {
    std::string message = arraysMessage(bytes);
    EXPECT_EQ(message.substr(0, expected.size()), expected);
    return message.substr(std::min(message.size(), expected.size()));
  };
  EXPECT_EQ(got(""), "an empty file");
  EXPECT_EQ(got("\x12\x01"), "a file that ends within the header of an NDArray list | note: the "
                             "file is cut short");
  EXPECT_EQ(got("\x1f\x8b\x08"), "a gzip file | note: unpack it with gunzip first");
  EXPECT_EQ(got("BZh9"), "a bzip2 file | note: unpack it with bunzip2 first");
  EXPECT_EQ(got("\xfd"
                "7zXZ"),
            "an xz file | note: unpack it with unxz first");
  EXPECT_EQ(got("\x28\xb5\x2f\xfd"), "a zstd file | note: unpack it with unzstd first");
  EXPECT_EQ(got("\x89HDF\r\n"), "an HDF5 file | note: save the parameters with MXNet's "
                                "save_parameters or export");
  EXPECT_EQ(got("\x80\x02}"), "a Python pickle, perhaps optimizer states | note: pass the .params "
                              "file");
  EXPECT_EQ(got("version https://git-lfs.github.com/spec/v1"),
            "a Git LFS pointer, not the file itself | note: fetch the file with 'git lfs pull'");
  EXPECT_EQ(got("{\"nodes\": []}"), "a text that looks like JSON | note: the symbol file comes "
                                    "first, then the parameters");
  EXPECT_EQ(got("<!DOCTYPE html>"), "a text that looks like HTML | note: the download may have "
                                    "failed; fetch the file again");
  EXPECT_EQ(got("hello\n"), "a text");
  EXPECT_EQ(got(llvm::StringRef("\x01\0\0\0\0\0\0\0\0", 9)),
            "a file that begins with the bytes 0100000000000000");
}

TEST(ParamsReader, ReportsAMissingFile) {
  Diagnostics diagnostics;
  EXPECT_FALSE(readArrays("/does/not/exist.params", diagnostics));
  EXPECT_EQ(diagnostics.str(), "/does/not/exist.params: error: cannot open the file: no such file "
                               "or directory\n");
}

} // namespace
