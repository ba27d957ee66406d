// zip_test.cpp: deflate against zlib, and zip archives, right and damaged.
#include "main/zip.h"

#include "main/inflate.h"
#include "pictures.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace symc;

static const uint8_t *bytes(const std::string &text) {
  return reinterpret_cast<const uint8_t *>(text.data());
}

static std::vector<std::string> samples() {
  std::vector<std::string> all = {"", "a", std::string(100000, 'z')};
  std::string mixed, noise;
  uint64_t seed = 1;
  for (int i = 0; i < 70000; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    noise += char(seed >> 56);
    mixed += "symbol graph "[(seed >> 40) % 13];
  }
  all.push_back(mixed);
  all.push_back(noise);
  return all;
}

TEST(Inflate, UndoesZlibAtEveryLevel) {
  for (const std::string &text : samples())
    for (int level : {0, 1, 6, 9}) {
      std::string packed = deflateBytes(text, level), plain(text.size(), 0);
      uint8_t *target = reinterpret_cast<uint8_t *>(plain.data());
      ASSERT_TRUE(inflate(bytes(packed), packed.size(), target, plain.size()));
      EXPECT_EQ(plain, text);
      EXPECT_LE(text.size(), inflate_limit(packed.size()));
      // Not one byte more or less, and no byte missing from the stream.
      if (!text.empty())
        EXPECT_FALSE(inflate(bytes(packed), packed.size(), target, plain.size() - 1));
      EXPECT_FALSE(inflate(bytes(packed), packed.size() / 2, target, plain.size()));
      std::string larger(text.size() + 1, 0);
      EXPECT_FALSE(inflate(bytes(packed), packed.size(), reinterpret_cast<uint8_t *>(larger.data()),
                           larger.size()));
    }
}

TEST(Inflate, DamagedStreamsAreRefusedOrFillTheirTarget) {
  std::string packed = deflateBytes(samples()[3], 9);
  packed.resize(600);
  std::vector<uint8_t> target(70000);
  for (size_t i = 0; i < packed.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = packed;
      changed[i] = char(changed[i] ^ (1 << bit));
      inflate(bytes(changed), changed.size(), target.data(), target.size()); // ASan watches
    }
}

TEST(Zip, MembersStoredAndDeflatedAndWide) {
  for (bool deflated : {false, true})
    for (bool wide : {false, true}) {
      std::string file = makeZip({{"a.npy", "first"}, {"b/c.npy", samples()[3]}}, deflated, wide);
      Zip zip;
      Problem problem;
      ASSERT_TRUE(is_zip(bytes(file), file.size()));
      ASSERT_TRUE(zip.open("x.npz", bytes(file), file.size(), problem)) << problem.text;
      EXPECT_EQ(zip.count(), 2);
      Zip::Member member;
      Bytes data;
      ASSERT_TRUE(zip.next(member, problem));
      EXPECT_STREQ(member.name, "a");
      ASSERT_TRUE(zip.extract(member, data, problem)) << problem.text;
      EXPECT_EQ(std::string(reinterpret_cast<char *>(data.data), data.size), "first");
      ASSERT_TRUE(zip.next(member, problem));
      EXPECT_STREQ(member.name, "b/c");
      ASSERT_TRUE(zip.extract(member, data, problem)) << problem.text;
      EXPECT_EQ(data.size, 70000u);
      EXPECT_FALSE(zip.next(member, problem));
      EXPECT_STREQ(problem.text, "");
    }
}

// The sentence of the first step that fails.
static std::string problemOf(const std::string &file) {
  Zip zip;
  Problem problem;
  Zip::Member member;
  Bytes data;
  if (!zip.open("x.npz", bytes(file), file.size(), problem))
    return problem.text;
  while (zip.next(member, problem))
    if (!zip.extract(member, data, problem))
      return problem.text;
  return problem.text[0] ? problem.text : "accepted";
}

TEST(Zip, SaysWhatIsWrong) {
  std::string right = makeZip({{"a.npy", "first"}});
  size_t entry = right.find("PK\x01\x02"), end = right.find("PK\x05\x06");
  auto with = [&](size_t at, std::string text) {
    std::string file = right;
    return file.replace(at, text.size(), text);
  };
  EXPECT_EQ(problemOf(right), "accepted");
  EXPECT_EQ(problemOf(right.substr(0, end)),
            "'x.npz': expected the end record of a zip archive, got none");
  EXPECT_EQ(problemOf(with(end + 16, "\xff\xff\xff\x7f")),
            "'x.npz': damaged zip archive: the directory lies outside of the file");
  EXPECT_EQ(problemOf(with(entry + 28, "\xff\xff")),
            "'x.npz': damaged zip archive: a directory entry leaves the file");
  EXPECT_EQ(problemOf(with(entry + 8, "\1")), "'x.npz': expected a zip archive without encryption");
  EXPECT_EQ(problemOf(with(entry + 42, "\xff\xff")),
            "'x.npz': damaged zip archive: a member lies outside of the file");
  EXPECT_EQ(problemOf(with(entry + 42, "\3")),
            "'x.npz': damaged zip archive: no header for member 'a'");
  EXPECT_EQ(problemOf(with(26, "\xff")),
            "'x.npz': damaged zip archive: member 'a' leaves the file");
  EXPECT_EQ(problemOf(with(entry + 10, "\x63")),
            "'x.npz': expected stored or deflated members, got method 99 in 'a'");
  EXPECT_EQ(problemOf(with(entry + 24, std::string("\0\0\0\x7f", 4))),
            "'x.npz': member 'a' claims 2130706432 bytes, more than its 5 packed bytes hold");
  EXPECT_EQ(problemOf(with(entry + 10, "\x08")),
            "'x.npz': damaged zip archive: member 'a' does not unpack");
  std::string changed = with(right.find("first"), "worst");
  char checksums[80];
  snprintf(checksums, sizeof checksums, "'x.npz': member 'a': expected the checksum %08x, got %08x",
           crc32(bytes("first"), 5), crc32(bytes("worst"), 5));
  EXPECT_EQ(problemOf(changed), checksums);
  EXPECT_EQ(problemOf(makeZip({{std::string(300, 'n'), "x"}})),
            "'x.npz': expected names shorter than 256 bytes in the archive, got 300");
  std::string locator = "PK\x06\x07" + std::string(4, '\0') + std::string("\xff\0\0\0\0\0\0\0", 8) +
                        std::string("\1\0\0\0", 4);
  std::string wide = right;
  EXPECT_EQ(problemOf(wide.insert(end, locator)),
            "'x.npz': damaged zip archive: no 64-bit end record where it should be");
}
