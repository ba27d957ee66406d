//===- NpzTest.cpp - zip archives of .npy files ---------------------------===//
//
// Stored and deflated members, headers of all versions, column-major arrays,
// and every message about an archive or a header that is wrong.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/Npz.h"
#include "Bytes.h"
#include "gtest/gtest.h"
#include <zlib.h>

using namespace symc;
using namespace symc::params;
using namespace symc::test;

namespace {

Bytes npy(llvm::StringRef dictionary, int version = 1) {
  Bytes bytes = Bytes().text("\x93NUMPY").text(llvm::StringRef("\0\0", 2));
  bytes.bytes[6] = static_cast<char>(version);
  if (version == 1)
    bytes.u16(static_cast<uint16_t>(dictionary.size()));
  else
    bytes.u32(static_cast<uint32_t>(dictionary.size()));
  return bytes.text(dictionary);
}

std::string dictionary(llvm::StringRef descr, llvm::StringRef shape, bool fortran = false) {
  return ("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
          ", 'shape': " + shape + ", }\n")
      .str();
}

/// An archive of one member, with fields that a test may falsify.
struct Zip {
  std::string name = "w.npy";
  std::string content;
  uint16_t method = 0, flags = 0;
  std::optional<uint32_t> crc, packed, full, offset;
  std::optional<uint16_t> count;

  std::string bytes() const {
    std::string data = content;
    if (method == 8) {
      data.resize(compressBound(content.size()) + 64);
      z_stream stream = {};
      deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
      stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(content.data()));
      stream.avail_in = static_cast<uInt>(content.size());
      stream.next_out = reinterpret_cast<Bytef *>(data.data());
      stream.avail_out = static_cast<uInt>(data.size());
      deflate(&stream, Z_FINISH);
      data.resize(stream.total_out);
      deflateEnd(&stream);
    }
    auto crcValue = crc.value_or(static_cast<uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef *>(content.data()), content.size())));
    auto size = static_cast<uint32_t>(data.size());
    Bytes common = Bytes()
                       .u16(20)
                       .u16(flags)
                       .u16(method)
                       .u32(0)
                       .u32(crcValue)
                       .u32(packed.value_or(size))
                       .u32(full.value_or(static_cast<uint32_t>(content.size())))
                       .u16(static_cast<uint16_t>(name.size()))
                       .u16(0);
    Bytes file = Bytes().text("PK\x03\x04").text(common).text(name).text(data);
    auto directory = static_cast<uint32_t>(file.bytes.size());
    file.text("PK\x01\x02")
        .u16(20)
        .text(common)
        .u16(0)
        .u16(0)
        .u16(0)
        .u32(0)
        .u32(offset.value_or(0))
        .text(name);
    file.text("PK\x05\x06")
        .u16(0)
        .u16(0)
        .u16(count.value_or(1))
        .u16(count.value_or(1))
        .u32(static_cast<uint32_t>(file.bytes.size()) - directory)
        .u32(directory)
        .u16(0);
    return file.bytes;
  }
};

std::string messageOf(Zip zip, llvm::StringRef content = "") {
  if (zip.content.empty())
    zip.content =
        content.empty() ? npy(dictionary("<f4", "(2,)")).f32(1).f32(2).bytes : content.str();
  return arraysMessage(zip.bytes());
}

TEST(Npz, ReadsStoredAndDeflatedMembers) {
  for (uint16_t method : {0, 8}) {
    Zip zip;
    zip.method = method;
    zip.name = "arg:w.npy";
    Bytes content = npy(dictionary("<f4", "(5000,)"));
    for (int i = 0; i < 5000; ++i)
      content.f32(static_cast<float>(i));
    zip.content = content.bytes;
    Diagnostics diagnostics;
    auto file = readBytes(zip.bytes(), diagnostics);
    ASSERT_TRUE(file) << diagnostics.str();
    const Array *array = file->find(ParamKind::Arg, "w");
    ASSERT_NE(array, nullptr);
    EXPECT_EQ(array->inFile, method == 0);
    EXPECT_EQ(values<float>(*array)[4999], 4999.0f);
  }
}

TEST(Npz, FoldersAreSkipped) {
  Zip zip;
  zip.name = "folder/";
  zip.content = "";
  EXPECT_EQ(arraysMessage(zip.bytes()), "");
}

TEST(Npy, ReadsAllVersionsAndOrders) {
  for (int version : {1, 2, 3}) {
    Diagnostics diagnostics;
    auto file = readBytes(
        npy(dictionary("<i4", "(2, 3)", true), version).i32(1).i32(4).i32(2).i32(5).i32(3).i32(6),
        diagnostics);
    ASSERT_TRUE(file) << diagnostics.str();
    EXPECT_EQ(file->format, FileFormat::Npy);
    EXPECT_EQ(values<int32_t>(file->arrays[0]), (std::vector<int32_t>{1, 2, 3, 4, 5, 6}));
  }
  EXPECT_EQ(
      arraysMessage(npy("{\"shape\": (1L,), 'descr': '|b1', 'fortran_order': False}").text("x")),
      "");
  EXPECT_EQ(arraysMessage(npy(dictionary("<f8", "()")).i64(0)), "");
}

TEST(Npy, ReportsBadHeaders) {
  auto message = [](llvm::StringRef text) { return arraysMessage(npy(text)); };
  std::string bad = "error: bad .npy header: ";
  EXPECT_EQ(message("x"), bad + "expected '{'");
  EXPECT_EQ(message("{descr: 1}"), bad + "expected a quoted key and ':'");
  EXPECT_EQ(message("{'a': 1}"), bad + "unknown key 'a'");
  EXPECT_EQ(message("{'descr': '<f4', 'descr': '<f4'}"), bad + "a key is given twice");
  EXPECT_EQ(message("{'descr': '<f4' 'shape': ()}"), bad + "expected ',' or '}'");
  EXPECT_EQ(message("{'descr': '<f4'}"), bad + "expected descr, fortran_order and shape");
  EXPECT_EQ(message(dictionary("<f4", "()") + "x"), bad + "expected nothing after '}'");
  EXPECT_EQ(message("{'fortran_order': 1}"), bad + "expected True or False as fortran_order");
  EXPECT_EQ(message("{'shape': 3}"), bad + "expected '(' before the shape");
  EXPECT_EQ(message("{'shape': (-3,)}"), bad + "expected dimensions of 0 or more");
  EXPECT_EQ(message("{'shape': (99999999999999999999,)}"),
            bad + "expected dimensions of 0 or more");
  EXPECT_EQ(message("{'shape': (3 4)}"), bad + "expected ',' or ')' in the shape");
  std::string many;
  for (int i = 0; i < 33; ++i)
    many += "1, ";
  EXPECT_EQ(message("{'shape': (" + many + ")}"), bad + "expected at most 32 dimensions");
  EXPECT_EQ(message("{'descr': [('a', '<f4')]}"),
            "error: expected one element type, got a record type");
  EXPECT_EQ(message("{'descr': '<c8'}"), "error: element type '<c8' is not supported");
  EXPECT_EQ(message("{'descr': '>f4'}"),
            "error: element type '>f4' is not supported: it is big-endian");
  EXPECT_EQ(message(dictionary("<f4", "(9223372036854775807, 2)")),
            "error: shape [9223372036854775807, 2] needs more bytes than 64 bits can count");
  EXPECT_EQ(message(dictionary("<f4", "(2, 2)")),
            "error: data of shape [2, 2] and type f32 needs 16 bytes, got 0");
  EXPECT_EQ(arraysMessage(npy("", 4)), "error: expected .npy version 1, 2 or 3, got 4");
  EXPECT_EQ(arraysMessage(npy("x").bytes.substr(0, 9)),
            "error: the file ends within the .npy header");
}

const std::string Damaged = " | note: the archive is cut short or damaged";

TEST(Npz, ReportsDamagedArchives) {
  EXPECT_EQ(arraysMessage("PK\x03\x04"),
            "error: the file has 4 bytes, too few for a zip archive" + Damaged);
  EXPECT_EQ(arraysMessage(Bytes().text("PK\x03\x04").zeros(40)),
            "error: the zip archive has no end record" + Damaged);
  EXPECT_EQ(arraysMessage(Bytes().text("PK\x05\x06").zeros(6).u16(0xFFFF).zeros(10)),
            "error: the zip archive needs a zip64 end record and has none" + Damaged);
  EXPECT_EQ(arraysMessage(Bytes()
                              .text("PK\x03\x04")
                              .text("PK\x06\x07")
                              .u32(0)
                              .u64(1234)
                              .u32(1)
                              .text("PK\x05\x06")
                              .zeros(6)
                              .u16(0xFFFF)
                              .zeros(10)),
            "error: the zip64 end record at byte 1234 is not there" + Damaged);
  Zip zip;
  zip.count = 40;
  EXPECT_EQ(messageOf(zip), "error: the zip archive promises 40 members, but its directory has 73 "
                            "bytes" +
                                Damaged);
  zip = {};
  std::string cut = Zip().bytes();
  cut.replace(cut.find("PK\x01\x02") + 28, 2, "\xff\xff");
  EXPECT_EQ(arraysMessage(cut),
            "error: the directory of the zip archive ends within an entry" + Damaged);
  zip.offset = 7;
  EXPECT_EQ(messageOf(zip),
            "error: member 'w.npy' is not at byte 7, where the directory places it" + Damaged);
  zip = {};
  zip.packed = 5000;
  EXPECT_EQ(messageOf(zip),
            "error: the members of the zip archive are together larger than the file" + Damaged);
  zip.packed = 160;
  EXPECT_EQ(messageOf(zip),
            "error: member 'w.npy' needs 160 bytes, but the file has 149 left" + Damaged);
  zip = {};
  zip.full = 5;
  EXPECT_EQ(messageOf(zip),
            "error: member 'w.npy' is stored, but has 76 bytes packed and 5 unpacked" + Damaged);
  zip = {};
  zip.crc = 5;
  EXPECT_EQ(messageOf(zip),
            "error: member 'w.npy' has checksum 0x9BF27345, expected 0x5" + Damaged);
}

TEST(Npz, ReportsAZip64FieldThatIsTooShort) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  const int64_t shape[] = {1};
  EXPECT_TRUE(writeNpz(os, {{"w", DType::F32, shape, "data"}}));
  os.flush();
  size_t extra = bytes.find("PK\x01\x02") + 46 + strlen("w.npy");
  ASSERT_EQ(bytes.substr(extra, 4), std::string("\x01\0\x18\0", 4));
  bytes[extra + 2] = 8;
  EXPECT_EQ(arraysMessage(bytes),
            "error: the zip64 field of member 'w.npy' is too short" + Damaged);
}

TEST(Npz, ReportsMembersThatAreNoArrays) {
  Zip zip;
  zip.name = "readme.txt";
  EXPECT_EQ(messageOf(zip), "error: member 'readme.txt' is no .npy | note: parameters in zip form "
                            "are an .npz as MXNet 2.0 and NumPy write it");
  zip.name = "arg:w/format.npy";
  EXPECT_EQ(messageOf(zip), "error: array 'arg:w' is stored sparse | note: save it dense, with "
                            "tostype('default')");
  zip = {};
  zip.flags = 1;
  EXPECT_EQ(messageOf(zip), "error: member 'w.npy' is encrypted");
  zip = {};
  zip.method = 12;
  EXPECT_EQ(messageOf(zip),
            "error: member 'w.npy' is compressed by method 12, expected 0 (stored) or 8 (deflated) "
            "| note: save it with numpy.savez or numpy.savez_compressed");
  EXPECT_EQ(messageOf({}, "text"),
            "error: member 'w': expected a .npy, which begins with \\x93NUMPY");
}

TEST(Npz, ADeflatedMemberMayNotLieAboutItsSize) {
  Zip zip;
  zip.method = 8;
  zip.full = 100000000;
  EXPECT_EQ(messageOf(zip), "error: member 'w.npy' claims 100000000 bytes, more than its 73 packed "
                            "bytes can hold" +
                                Damaged);
  zip.full = 1000;
  EXPECT_EQ(messageOf(zip), "error: member 'w.npy' does not unpack" + Damaged);
  zip.full = 75;
  EXPECT_EQ(messageOf(zip), "error: member 'w.npy': data of shape [2] and type f32 needs 8 bytes, "
                            "got 7");
  zip.full.reset();
  EXPECT_EQ(messageOf(zip, npy(dictionary("<f4", "(9999,)")).bytes),
            "error: member 'w.npy': data of shape [9999] and type f32 needs 39996 bytes, got 0");
  EXPECT_EQ(messageOf(zip, npy("x").bytes), "error: member 'w.npy': bad .npy header: expected '{'");
  std::string large = npy(dictionary("<f4", "(5000,)")).zeros(20000).bytes;
  zip.full = static_cast<uint32_t>(large.size());
  zip.content = large.substr(0, 10000);
  EXPECT_EQ(arraysMessage(zip.bytes()),
            "error: member 'w.npy' does not unpack to the 20071 bytes of its directory entry" +
                Damaged);
}

TEST(Npz, EveryCutIsAnError) {
  for (uint16_t method : {0, 8}) {
    Zip zip;
    zip.method = method;
    zip.content = npy(dictionary("<f4", "(2,)")).f32(1).f32(2).bytes;
    std::string whole = zip.bytes();
    for (size_t length = 0; length < whole.size(); ++length)
      EXPECT_EQ(arraysMessage(llvm::StringRef(whole).take_front(length)).substr(0, 7), "error: ")
          << length;
  }
}

} // namespace
