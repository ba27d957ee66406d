// training_data_test.cpp: the readers of training data, and the sentence for each damage.
#include "train/program/feed.h"
#include "train/program/gzip.h"
#include "train/program/lines.h"
#include "train/program/records.h"
#include "train/program/table.h"

#include "fake_model.h"
#include "pictures.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <zlib.h>

extern "C" int32_t symc_decode_image(const uint8_t *, size_t, int32_t, int32_t *, int32_t *,
                                     uint8_t **, const char **);
extern "C" void symc_release_pixels(uint8_t *);

using namespace symc;
using namespace symc::train;

namespace {
struct Data : testing::Test {
  Data() {
    pictureShape[0] = 1;
    pictureShape[1] = pictureShape[2] = 2;
    inputs[0] = {"data", pictureShape, 3, 4, 0, false};
    inputs[1] = {"softmax_label", nullptr, 0, 1, 10, true};
    request.inputs = inputs;
    request.nInputs = 2;
    request.pictures.decode = symc_decode_image;
    request.pictures.release = symc_release_pixels;
  }
  std::string file(const std::string &name, const std::string &bytes) {
    writeFile(folder / name, bytes);
    return folder / name;
  }
  // What open says, without the folder; empty where it opens.
  std::string open(Source &source, const std::string &path, const std::string &labels = "") {
    this->path = path;
    this->labels = labels;
    request.path = this->path.c_str();
    request.labelPath = labels.empty() ? nullptr : this->labels.c_str();
    Problem problem;
    return source.open(request, problem) ? "" : without(problem);
  }
  std::string without(const Problem &problem) {
    std::string text = problem.text;
    for (size_t at; (at = text.find(folder.path + "/")) != std::string::npos;)
      text.erase(at, folder.path.size() + 1);
    return text;
  }
  std::string openText(const std::string &path, const std::string &labels = "") {
    Source source;
    return open(source, path, labels);
  }
  // The values of a row, data then label.
  std::vector<float> row(const Source &source, int64_t index, uint64_t pass = 0) {
    std::vector<float> data(size_t(inputs[0].count), -1), label(size_t(inputs[1].count), -1);
    float *targets[] = {data.data(), label.data()};
    Problem problem;
    EXPECT_TRUE(source.fill(index, pass, targets, problem)) << problem.text;
    data.insert(data.end(), label.begin(), label.end());
    return data;
  }
  std::string fillText(const Source &source, int64_t index) {
    std::vector<float> data(size_t(inputs[0].count)), label(size_t(inputs[1].count));
    float *targets[] = {data.data(), label.data()};
    Problem problem;
    return source.fill(index, 0, targets, problem) ? "" : without(problem);
  }
  ScopedFolder folder;
  int64_t pictureShape[3];
  Input inputs[2];
  Request request;
  std::string path, labels;
};

std::string bigEndian(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}
std::string idx(int type, std::vector<uint32_t> shape, const std::string &elements) {
  std::string bytes = {0, 0, char(type), char(shape.size())};
  for (uint32_t extent : shape)
    bytes += bigEndian(extent);
  return bytes + elements;
}
std::string gzipped(const std::string &bytes) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 100, 0);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = uInt(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
std::string word(uint32_t value) { return std::string(reinterpret_cast<char *>(&value), 4); }
std::string part(uint32_t kind, const std::string &bytes) {
  return word(0xced7230a) + word(kind << 29 | uint32_t(bytes.size())) + bytes +
         std::string(-bytes.size() % 4, 0);
}
// The head of a picture's record with one label.
std::string headOf(float label) {
  std::string head(24, 0);
  memcpy(head.data() + 4, &label, 4);
  return head;
}
using Floats = std::vector<float>;
} // namespace

TEST_F(Data, ReadsIdx) {
  std::string pixels("\x00\xff\x33\x01\x02\x03\x04\x05", 8), classes("\x07\x02", 2);
  std::string images = idx(8, {2, 2, 2}, pixels), answers = idx(8, {2}, classes);
  for (bool packed : {false, true}) {
    Source source;
    EXPECT_EQ(open(source, file("a-idx3-ubyte", packed ? gzipped(images) : images),
                   file("a-idx1-ubyte", packed ? gzipped(answers) : answers)),
              "");
    EXPECT_EQ(source.rows, 2);
    EXPECT_EQ(row(source, 0), (Floats{0, 1, 51 / 255.0f, 1 / 255.0f, 7}));
    EXPECT_EQ(row(source, 1), (Floats{2 / 255.0f, 3 / 255.0f, 4 / 255.0f, 5 / 255.0f, 2}));
  }
  std::string right = folder / "a-idx1-ubyte", data = folder / "a-idx3-ubyte";
  writeFile(data, images);
  EXPECT_EQ(openText(data), "'a-idx3-ubyte': has no labels, which the network takes as "
                            "'softmax_label'");
  EXPECT_EQ(openText(data, file("l", idx(8, {3}, "\1\2\3"))),
            "'a-idx3-ubyte': 2 rows for input 'data', 3 for 'softmax_label'");
  EXPECT_EQ(openText(data, file("l", idx(8, {2}, "\1\x0a"))),
            "'l': row 1: 10 is no value for input 'softmax_label', which takes 0..9");
  EXPECT_EQ(openText(file("b-idx", idx(8, {2, 2, 2}, "short")), right),
            "'b-idx': has 5 bytes of elements, its head claims [2, 2, 2]");
  EXPECT_EQ(openText(file("b-idx", idx(8, {2, 3, 2}, std::string(12, 1))), right),
            "'b-idx': expected rows of [1, 2, 2] for input 'data', got [3, 2]");
  EXPECT_EQ(openText(file("b-idx", std::string("\0\0\x08\x03\0\0", 6)), right),
            "'b-idx': the file ends at byte 6, its head needs 16");
  EXPECT_EQ(openText(file("b-idx", std::string("\0\0\x08\x09\0\0", 6)), right),
            "'b-idx': byte 3: expected 1 to 8 dimensions, got 9");
  EXPECT_EQ(openText(file("b-idx", std::string("\0\0\x0a\x01\0\0", 6)), right),
            "'b-idx': byte 2: expected an element type of 8, 9, 11, 12, 13 or 14, got 10");
  EXPECT_EQ(openText(file("b-idx", "what"), right),
            "'b-idx': expected an idx file, which begins with two zeros");
  std::string packed = gzipped(images);
  EXPECT_EQ(openText(file("c-idx.gz", packed.substr(0, 12)), right),
            "'c-idx.gz': damaged gzip file: no whole header in 12 bytes");
  packed[10] = 7; // a block of no kind
  EXPECT_EQ(openText(file("c-idx.gz", packed), right),
            "'c-idx.gz': damaged gzip file: does not unpack to the 24 bytes that its end claims");
  packed = gzipped(images);
  packed[packed.size() - 8] ^= 1;
  EXPECT_NE(openText(file("c-idx.gz", packed), right)
                .find("'c-idx.gz': damaged gzip file: expected the checksum "),
            std::string::npos);
  packed[packed.size() - 1] = 1;
  EXPECT_NE(openText(file("c-idx.gz", packed), right)
                .find("': damaged gzip file: its end claims 16777240 bytes, more"),
            std::string::npos);
  EXPECT_EQ(openText(folder / "none"), "'none': cannot open: no such file or directory");
  EXPECT_EQ(openText(file("empty.csv", "")), "'empty.csv': expected rows, got an empty file");
  EXPECT_EQ(openText(file("odd.bin", "abc")), "'odd.bin': unknown format");
}

// MXNet's MNISTIter cuts so.
TEST_F(Data, CutsParts) {
  std::string images = file("a-idx", idx(8, {5, 4}, std::string(20, 1)));
  std::string answers = file("l", idx(8, {5}, std::string("\0\1\2\3\4", 5)));
  request.parts = 2;
  for (int part : {0, 1}) {
    request.part = part;
    Source source;
    ASSERT_EQ(open(source, images, answers), "");
    EXPECT_EQ(source.rows, part ? 3 : 2);
    EXPECT_EQ(row(source, 0)[4], part ? 2 : 0);
  }
  request.most = 1;
  Source source;
  ASSERT_EQ(open(source, images, answers), "");
  EXPECT_EQ(source.rows, 1);
  request.parts = 9;
  request.part = 0;
  EXPECT_EQ(openText(images, answers), "'a-idx': has 5 rows, too few for 9 parts");
}

TEST_F(Data, ReadsCsv) {
  std::string rows = file("a.csv", "1,2.5,-3e2, .5\r\n\n0.1\t2 3 4\n"),
              answers = file("l.csv", "3\n1");
  Source source;
  ASSERT_EQ(open(source, rows, answers), "");
  EXPECT_EQ(source.rows, 2);
  EXPECT_EQ(row(source, 0), (Floats{1, 2.5f, -300, .5f, 3}));
  EXPECT_EQ(row(source, 1), (Floats{.1f, 2, 3, 4, 1}));
  EXPECT_EQ(openText(file("b.csv", "1,2,3,4\n1,2,3\n"), answers),
            "'b.csv', line 2: expected 4 numbers, got 3");
  for (const char *bad : {"1,x,3,4", "1,,3,4", "1,2,3,nan", "1,2,3,4,", "1,2,3,1e99", "1,2,3,4x"})
    EXPECT_EQ(openText(file("b.csv", std::string("\n") + bad + "\n"), answers),
              std::string("'b.csv', line 2: expected numbers between commas, got '") + bad + "'");
  EXPECT_EQ(openText(file("b.csv", "\n\n"), answers), "'b.csv': expected rows, got none");
  EXPECT_EQ(openText(rows, file("l.csv", "3\n1.5")),
            "'l.csv': row 1: 1.5 is no value for input 'softmax_label', which takes 0..9");
  EXPECT_EQ(openText(rows, file("l.csv", "3\n-1")),
            "'l.csv': row 1: -1 is no value for input 'softmax_label', which takes 0..9");
}

// As strtod reads them.
TEST(Lines, ReadNumbersExactly) {
  for (const char *text :
       {"0", "-0", "1", "0.1", "3.4028234e38", "1e-45", "16777217",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000012345678901234567890123", "1.17549435e-38",
        "5e-324", "9007199254740993", "1e22", "1e23", "0.30000001192092896", ".5", "5."}) {
    const char *at = text;
    double value;
    ASSERT_TRUE(take_number(at, text + strlen(text), value)) << text;
    EXPECT_EQ(value, strtod(text, nullptr)) << text;
    EXPECT_EQ(*at, 0);
  }
  for (const char *text : {"", "-", ".", "e5", "nan", "inf", "x", "1e999"}) {
    const char *at = text;
    double value;
    EXPECT_FALSE(take_number(at, text + strlen(text), value)) << text;
  }
}

TEST_F(Data, ReadsLibSvm) {
  std::string rows = file("a.libsvm", "3 0:1 2:2.5 # far\n\n1:0.5 qid:7 3:-1\n9\n");
  Source source;
  ASSERT_EQ(open(source, rows), "");
  EXPECT_EQ(source.rows, 3);
  EXPECT_EQ(row(source, 0), (Floats{1, 0, 2.5f, 0, 3}));
  EXPECT_EQ(row(source, 1), (Floats{0, 0, 0, -1, 1}));
  EXPECT_EQ(row(source, 2), (Floats{0, 0, 0, 0, 9}));
  EXPECT_EQ(openText(file("b.svm", "1 4:2\n")), "'b.svm', line 1: index 4 is not one of 0..3");
  for (const char *bad : {"x 1:2", "1 2", "1 2:", "1 a:2", "1 2:x", "1 1:2:3", "1,2"})
    EXPECT_EQ(openText(file("b.svm", bad)),
              std::string("'b.svm', line 1: expected a label and words index:value, got '") + bad +
                  "'");
  EXPECT_EQ(openText(file("b.svm", "# 1\n")), "'b.svm': expected rows, got none");
  // A line belongs to the part that the byte before it is in.
  std::string many;
  for (int i = 0; i < 10; ++i)
    many += std::to_string(i) + " 0:1\n";
  request.parts = 3;
  std::string seen;
  for (request.part = 0; request.part < 3; ++request.part) {
    Source each;
    ASSERT_EQ(open(each, file("c.svm", many)), "");
    for (int64_t i = 0; i < each.rows; ++i)
      seen += std::to_string(int(row(each, i)[4]));
    seen += ' ';
  }
  EXPECT_EQ(seen, "0123 456 789 ");
  request.part = 0;
  EXPECT_EQ(openText(folder / "c.svm", folder / "c.svm"),
            "'c.svm': a file of labels fits no part of the rows");
}

TEST_F(Data, ReadsArraysOfNumpy) {
  std::string rows = makeNpy("<f8", "(2, 2, 2)", bytesOf<double>({1, 2, 3, 4, 5, 6, 7, 8}));
  std::string answers = makeNpy("<i8", "(2,)", bytesOf<int64_t>({4, 9}));
  Source source;
  ASSERT_EQ(open(source, file("a.npy", rows), file("l.npy", answers)), "");
  EXPECT_EQ(row(source, 1), (Floats{5, 6, 7, 8, 9}));
  for (const char *names : {"data softmax_label", "X y"}) {
    std::string first(names, strchr(names, ' ')), second = strchr(names, ' ') + 1;
    Source archive;
    ASSERT_EQ(open(archive, file("a.npz", makeZip({{first + ".npy", rows},
                                                   {"other.npy", answers},
                                                   {second + ".npy", answers}},
                                                  true))),
              "");
    EXPECT_EQ(row(archive, 0), (Floats{1, 2, 3, 4, 4}));
  }
  EXPECT_EQ(openText(file("b.npz", makeZip({{"data.npy", rows}}))),
            "'b.npz': has nothing for input 'softmax_label'");
  pictureShape[0] = 2;
  pictureShape[1] = 1;
  pictureShape[2] = 3;
  inputs[0].count = 6;
  EXPECT_EQ(openText(file("b.npy", makeNpy("<f4", "(1, 1, 3, 2)", std::string(24, 0))),
                     file("l.npy", makeNpy("<f4", "(1,)", std::string(4, 0)))),
            "'b.npy': expected rows of [2, 1, 3] for input 'data', got [1, 3, 2]");
  EXPECT_EQ(openText(file("b.npy", makeNpy("<f4", "()", std::string(4, 0))), folder / "l.npy"),
            "'b.npy': expected rows for input 'data', got a single number");
  EXPECT_EQ(openText(file("b.npy", rows.substr(0, 30)), folder / "l.npy").substr(0, 7), "'b.npy'");
}

TEST_F(Data, DecodesRecords) {
  // Magic numbers inside are cut out, and put back.
  std::string png = makePng(3, 2, 1, {10, 20, 30, 40, 50, 60});
  std::string record = headOf(7) + png;
  size_t padded = (record.size() + 3) / 4 * 4;
  record.resize(padded, 0);
  std::string whole = record + word(0xced7230a) + "tail";
  std::string bytes =
      part(0, headOf(3) + png) + part(1, record) + part(3, "tail") + part(0, headOf(8) + png);
  std::string path = file("a.rec", bytes);
  Records records;
  Problem problem;
  ASSERT_TRUE(open_records(path.c_str(), records, problem)) << problem.text;
  ASSERT_EQ(records.count, 3);
  Bytes got;
  ASSERT_TRUE(read_record(records, records.places[1], got, problem)) << problem.text;
  EXPECT_EQ(std::string(got.data, got.data + got.size), whole);
  close_records(records);

  Source source;
  ASSERT_EQ(open(source, path), "");
  EXPECT_EQ(source.rows, 3);
  EXPECT_EQ(row(source, 0), (Floats{10, 20, 40, 50, 3})); // the middle, left of it
  EXPECT_EQ(row(source, 1)[4], 7);
  request.pictures.mean[0] = 10;
  request.pictures.std[0] = 2;
  request.pictures.scale = 3;
  Source scaled;
  ASSERT_EQ(open(scaled, path), "");
  EXPECT_EQ(row(scaled, 2), (Floats{0, 15, 45, 60, 8}));

  // Draws are functions of seed, pass and record alone.
  request.pictures = Pictures();
  request.pictures.decode = symc_decode_image;
  request.pictures.release = symc_release_pixels;
  request.pictures.randomCrop = request.pictures.randomMirror = true;
  Source random;
  ASSERT_EQ(open(random, path), "");
  std::vector<Floats> seen;
  for (uint64_t pass = 0; pass < 40; ++pass) {
    EXPECT_EQ(row(random, 0, pass), row(random, 0, pass));
    Floats one = row(random, 0, pass);
    if (std::find(seen.begin(), seen.end(), one) == seen.end())
      seen.push_back(one);
  }
  EXPECT_EQ(seen.size(), 4u); // two places, mirrored or not

  request.pictures.randomCrop = request.pictures.randomMirror = false;
  request.pictures.pad = 1;
  request.pictures.fill = 99;
  pictureShape[1] = 4;
  pictureShape[2] = 5;
  inputs[0].count = 20;
  Source around;
  ASSERT_EQ(open(around, path), "");
  Floats frame = row(around, 0);
  EXPECT_EQ(Floats(frame.begin(), frame.begin() + 10),
            (Floats{99, 99, 99, 99, 99, 99, 10, 20, 30, 99}));
  request.pictures.pad = 0;
  EXPECT_EQ(openText(path), "");
  Source small;
  ASSERT_EQ(open(small, path), "");
  EXPECT_EQ(
      fillText(small, 0),
      "'a.rec': the record at byte 0: the picture has 3 x 2 pixels, input 'data' needs 5 x 4; "
      "--resize scales pictures");
  request.pictures.resize = 4; // of the shorter side: 6 x 4
  Source large;
  ASSERT_EQ(open(large, path), "");
  frame = row(large, 0);
  EXPECT_EQ(Floats(frame.begin(), frame.begin() + 5), (Floats{10, 13, 18, 23, 28}));
}

TEST_F(Data, RefusesDamagedRecords) {
  std::string png = makePng(2, 2, 1, {1, 2, 3, 4}), good = part(0, headOf(3) + png);
  EXPECT_EQ(openText(file("b.rec", good + good.substr(0, 20))),
            "'b.rec': the file ends at byte " + std::to_string(good.size() + 20) +
                " inside of the record at byte " + std::to_string(good.size()));
  EXPECT_EQ(openText(file("b.rec", good + "abcdefgh")),
            "'b.rec': no record begins at byte " + std::to_string(good.size()) +
                ": expected 0xced7230a, got 0x64636261");
  EXPECT_EQ(openText(file("b.rec", part(3, "x"))),
            "'b.rec': the record at byte 0 has parts out of order: kind 3 as number 0");
  EXPECT_EQ(openText(file("b.rec", part(1, "x") + part(0, "y"))),
            "'b.rec': the record at byte 0 has parts out of order: kind 0 as number 1");
  EXPECT_EQ(openText(file("b.rec", part(1, "x"))),
            "'b.rec': the file ends at byte 12 inside of the record at byte 0");
  EXPECT_EQ(openText(file("b.rec", part(5, "x"))),
            "'b.rec': the record at byte 0 has a part of kind 5, expected 0..3");
  auto fillOf = [&](const std::string &record) {
    Source source;
    EXPECT_EQ(open(source, file("c.rec", part(0, record))), "");
    return fillText(source, 0);
  };
  EXPECT_EQ(fillOf("short"), "'c.rec': the record at byte 0 has 5 bytes, its head needs 24");
  std::string labels = word(9) + headOf(1).substr(4);
  EXPECT_EQ(fillOf(labels + "1234"), "'c.rec': the record at byte 0 has 4 bytes behind its head, "
                                     "its 9 labels need more");
  labels = word(2) + headOf(1).substr(4) + std::string(8, 0);
  EXPECT_EQ(fillOf(labels + png), "'c.rec': the record at byte 0 has 2 labels, input "
                                  "'softmax_label' takes 1");
  EXPECT_EQ(fillOf(headOf(12) + png), "'c.rec': the record at byte 0: 12 is no value for input "
                                      "'softmax_label', which takes 0..9");
  EXPECT_EQ(fillOf(headOf(1) + "no picture"),
            "'c.rec': the record at byte 0: cannot read the picture: no picture that can be read");
  request.pictures.decode = nullptr;
  EXPECT_EQ(openText(file("c.rec", good)),
            "'c.rec': the trainer was compiled without the decoder of pictures");
  inputs[0].rank = 2;
  EXPECT_EQ(openText(folder / "c.rec"),
            "'c.rec': input 'data' of [1, 2] takes no pictures of 1 or 3 channels");
  EXPECT_EQ(openText(folder / "c.rec", folder / "c.rec"),
            "'c.rec': has its labels inside, so that no file of labels fits");
}

// The bits of batches do not depend on threads, and a row that cannot be read is named, the first
// one of its batch.
TEST_F(Data, FeedsBatchesByThreads) {
  std::string bytes;
  for (int i = 0; i < 23; ++i)
    bytes += part(0, headOf(float(i % 10)) + makePng(3, 2, 1, {uint8_t(i), 20, 30, 40, 50, 60}));
  request.pictures.randomCrop = request.pictures.randomMirror = true;
  std::string path = file("a.rec", bytes);
  std::vector<Floats> first;
  for (int threads : {1, 3}) {
    Source source;
    ASSERT_EQ(open(source, path), "");
    Order order;
    Feed feed;
    Problem problem;
    ASSERT_TRUE(order.start(source.rows, 4, true, Padding::NextRows, 7, problem));
    ASSERT_TRUE(feed.start(source, order, 0, 0, 3, threads, problem));
    std::vector<Floats> seen;
    while (const Batch *batch = feed.next(problem)) {
      Floats all(batch->inputs[0], batch->inputs[0] + 16);
      all.insert(all.end(), batch->inputs[1], batch->inputs[1] + 4);
      seen.push_back(all);
    }
    EXPECT_EQ(seen.size(), 18u) << problem.text; // 69 rows in batches of 4
    if (first.empty())
      first = seen;
    EXPECT_EQ(seen, first);
  }
  std::string bad = bytes;
  for (int i : {5, 6}) // labels
    bad[size_t(i) * (bytes.size() / 23) + 8 + 7] = 0x7f;
  Source source;
  ASSERT_EQ(open(source, file("b.rec", bad)), "");
  Order order;
  Feed feed;
  Problem problem;
  ASSERT_TRUE(order.start(source.rows, 4, false, Padding::NextRows, 7, problem));
  ASSERT_TRUE(feed.start(source, order, 0, 0, 3, 3, problem));
  EXPECT_NE(feed.next(problem), nullptr);
  EXPECT_EQ(feed.next(problem), nullptr);
  EXPECT_NE(without(problem).find("the record at byte " + std::to_string(5 * (bytes.size() / 23))),
            std::string::npos)
      << problem.text;
}

// Each row once in every pass, whatever the batch.
TEST(Order, VisitsEveryRow) {
  for (Padding padding : {Padding::FirstRows, Padding::NextRows, Padding::Uncounted})
    for (int64_t rows : {8, 9, 13}) {
      symc::train::Order order;
      Problem problem;
      ASSERT_TRUE(order.start(rows, 4, true, padding, 3, problem));
      std::vector<std::vector<int>> seen(8, std::vector<int>(size_t(rows)));
      int64_t counted = 0;
      for (int64_t epoch = 0; epoch < 6; ++epoch)
        for (int64_t index = 0; index < order.batches(epoch); ++index) {
          Place places[4];
          int64_t real = order.placesOf(epoch, index, places);
          counted += real;
          for (int64_t i = 0; i < (padding == Padding::NextRows ? 4 : real); ++i)
            ++seen[places[i].pass][size_t(places[i].row)];
        }
      for (int pass = 0; pass < 6; ++pass)
        EXPECT_EQ(seen[size_t(pass)], std::vector<int>(size_t(rows), 1)) << rows << " " << pass;
      if (padding == Padding::Uncounted)
        EXPECT_EQ(counted, 6 * rows);
    }
}
