// trainer_refusals_test.cpp: what the program of a trainer refuses, with the sentence for each, and
// what it reads of checkpoints that others wrote.
#include "trainer_fixture.h"

#include "core/hash.h"
#include "train/program/arrays_file.h"
#include "train/program/checkpoint.h"
#include "train/program/records.h"

#include <cstring>

using namespace symc;
using namespace symc::train;

namespace {
struct Refusals : Trainer {
  ~Refusals() override {
    fakeInputCount = 2;
    fakeHasMomentum = true;
    fakeInputs[0].dtype = fakeInputs[1].dtype = fakeOutput.dtype = SYMC_F32;
  }
  // Without the folder's name.
  std::string shortErrorOf(Words words, int code) {
    std::string text = errorOf(words, code);
    for (size_t at; (at = text.find(folder.path + "/")) != std::string::npos;)
      text.erase(at, folder.path.size() + 1);
    return text;
  }
  Words load(const std::string &epoch) {
    return with({"--num-epochs", "9", "--model-prefix", prefix(), "--load-epoch", epoch});
  }
};

std::string arraysText(const std::string &bytes) {
  ArraysReader reader;
  Problem problem;
  return reader.open("f", reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), problem)
             ? ""
             : problem.text;
}
template <typename T> std::string raw(T value) {
  return std::string(reinterpret_cast<char *>(&value), sizeof value);
}
std::string head(uint64_t arrays) {
  return raw<uint64_t>(0x112) + raw<uint64_t>(0) + raw<uint64_t>(arrays);
}
// A V2 array of one float.
std::string array(int32_t storage = 0, int32_t rank = 1, int32_t dtype = 0) {
  return raw<uint32_t>(0xf993fac9) + raw(storage) + raw(rank) + raw<int64_t>(1) + raw<int32_t>(1) +
         raw<int32_t>(0) + raw(dtype) + raw(2.5f);
}
} // namespace

TEST(ArraysFile, ReadsEveryVersionOfMxnet) {
  std::string v1 = raw<uint32_t>(0xf993fac8) + raw<int32_t>(1) + raw<int64_t>(2) + raw<int64_t>(1) +
                   raw<int32_t>(3) + "ab";
  std::string v0 = raw<uint32_t>(1) + raw<uint32_t>(2) + raw<int64_t>(1) + raw<int32_t>(3) + "cd";
  std::string bytes = head(3) + array() + v1 + v0 + raw<uint64_t>(3);
  for (const char *name : {"arg:w", "aux:m", "x"})
    bytes += raw<uint64_t>(strlen(name)) + name;
  ArraysReader reader;
  Problem problem;
  ASSERT_TRUE(
      reader.open("f", reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), problem))
      << problem.text;
  ASSERT_NE(reader.find("aux:", "m"), nullptr);
  EXPECT_EQ(memcmp(reader.find("aux:", "m")->data, "ab", 2), 0);
  EXPECT_EQ(memcmp(reader.find("", "x")->data, "cd", 2), 0);
  float value;
  memcpy(&value, reader.find("arg:", "w")->data, sizeof value);
  EXPECT_EQ(value, 2.5f);
  EXPECT_EQ(reader.find("arg:", "m"), nullptr);
  for (size_t length = 24; length < bytes.size(); ++length)
    EXPECT_NE(arraysText(bytes.substr(0, length)), "") << length;
}

TEST(ArraysFile, RefusesDamage) {
  EXPECT_EQ(arraysText("what"), "'f': no file of arrays of MXNet");
  EXPECT_EQ(arraysText(head(9)), "'f': claims 9 arrays, more than its 24 bytes hold");
  EXPECT_EQ(arraysText(head(1) + array(1)), "'f': byte 32: expected a dense array, got 1");
  EXPECT_EQ(arraysText(head(1) + array(0, 9)),
            "'f': byte 36: expected a number of dimensions of 0..8, got 9");
  EXPECT_EQ(arraysText(head(1) + array(0, 1, 99)),
            "'f': byte 56: expected an element type, got 99");
  EXPECT_EQ(arraysText(head(1) + array() + raw<uint64_t>(2)),
            "'f': byte 68: expected as many names as arrays, got 2");
  EXPECT_EQ(arraysText(head(1) + array() + raw<uint64_t>(0) + "x"),
            "'f': byte 68: expected the end of the file, got 1");
  EXPECT_EQ(arraysText((head(1) + array()).substr(0, 50)),
            "'f': the file ends at byte 50 inside of an array");
}

TEST_F(Refusals, NetworksThatRowsDoNotFit) {
  fakeInputs[0].dtype = SYMC_I32;
  EXPECT_EQ(errorOf(with({}), 1), "input 'data' is of i32, this program reads f32 alone");
  fakeInputs[0].dtype = SYMC_F32;
  fakeOutput.dtype = SYMC_F64;
  EXPECT_EQ(errorOf(with({}), 1),
            "output 'softmax_output' is of f64, this program measures f32 alone");
  fakeOutput.dtype = SYMC_F32;
  fakeInputs[2] = fakeInputs[0];
  fakeInputs[2].name = "other";
  fakeInputCount = 3;
  EXPECT_EQ(shortErrorOf(with({}), 3),
            "'rows.csv': has rows for one input and one label, the network takes 'data' and "
            "'other'\nfake: note: an .npz archive may hold an array for each input, by its name");
  const int64_t shape[] = {7, 4};
  fakeInputs[2].shape = shape;
  EXPECT_EQ(errorOf(with({}), 1), "input 'other' of [7, 4] has no 4 rows along its first axis, so "
                                  "that this program cannot read it");
  fakeInputCount = 65;
  EXPECT_EQ(errorOf(with({}), 1), "the network has 65 inputs, this program takes 64 at most");
  fakeInputCount = 1;
  symc_tensor_info kept = fakeInputs[0];
  fakeInputs[0].name = "data_label";
  EXPECT_EQ(shortErrorOf(with({}), 3), "'rows.csv': the network takes no input but labels");
  fakeInputs[0] = kept;
}

TEST_F(Refusals, WhatTheNetworkIsNot) {
  std::string row = std::to_string(fakeData);
  EXPECT_EQ(errorOf(with({"--image-shape", "3,28,28"}), 2),
            "--image-shape: expected input 'data' as it was compiled, [" + row +
                "], got '3,28,28'");
  EXPECT_EQ(errorOf(with({"--image-shape", row}), 2),
            "--image-shape: expected input 'data' as it was compiled, [" + row + "], got '" + row +
                "'");
  EXPECT_EQ(run(with({"--num-epochs", "1", "--image-shape", "1, 1, " + row, "--num-classes", "3"})),
            0)
      << err;
  EXPECT_EQ(errorOf(with({"--num-classes", "4"}), 2),
            "--num-classes: expected 3, which the network has, got 4");
  EXPECT_EQ(errorOf(with({"--optimizer", "adm"}), 2),
            "--optimizer: optimizer 'adm' is unknown; did you mean 'adam'?");
  EXPECT_EQ(errorOf(with({"--loss", "nil"}), 2).substr(0, 32), "--loss: metric 'nil' is unknown;");
}

TEST_F(Refusals, Data) {
  EXPECT_EQ(
      shortErrorOf({"--data-train", data}, 2),
      "'rows.csv': has no labels, which the network takes as 'softmax_label'\nfake: note: name "
      "their file with --label-train or --label-val");
  EXPECT_EQ(
      shortErrorOf({"--data-train", file("odd.bin", "abc")}, 3),
      "'odd.bin': unknown format\nfake: note: formats are known by their first bytes or their "
      "names: idx, .csv, .libsvm, .npy, .npz, .rec");
  EXPECT_EQ(shortErrorOf({"--data-dir", folder.path}, 3),
            "'train-images-idx3-ubyte': no such file, and no 'train-images-idx3-ubyte.gz'");
  EXPECT_EQ(errorOf({"--data-dir", std::string(4096, 'd')}, 2),
            "--data-dir: expected fewer than 4096 bytes");
  EXPECT_EQ(shortErrorOf(with({"--batch-size", "24"}), 3),
            "'rows.csv': has 22 rows, a batch needs 24");
  EXPECT_EQ(errorOf(with({"--num-parts", "2", "--part-index", "2"}), 2),
            "--part-index: expected 0..1, got 2");
  EXPECT_EQ(errorOf(with({"--rgb-mean", "1,2"}), 2),
            "--rgb-mean: expected three numbers with commas, got '1,2'");
  EXPECT_EQ(errorOf(with({"--rgb-std", "1,0,2"}), 2), "--rgb-std: expected numbers other than 0");
  EXPECT_EQ(errorOf(with({"--min-random-scale", "2"}), 2),
            "--min-random-scale: expected at most --max-random-scale, 1, got 2");
  EXPECT_EQ(errorOf(with({"--max-random-aspect-ratio", "1.5"}), 2),
            "--max-random-aspect-ratio: expected less than 1 without --min-random-aspect-ratio, "
            "got 1.5");
  EXPECT_EQ(errorOf(with({"--inter-method", "7"}), 2),
            "--inter-method: expected 0..4, 9 or 10, got 7");
  std::filesystem::create_symlink("/dev/zero", folder / "zero.rec");
  EXPECT_EQ(shortErrorOf({"--data-train", folder / "zero.rec"}, 3),
            "'zero.rec': input 'data' of [8] takes no pictures of 1 or 3 channels");
  Records records;
  Problem problem;
  EXPECT_FALSE(open_records("/dev/zero", records, problem));
  EXPECT_STREQ(problem.text, "'/dev/zero': expected a file that can be read at any place");
  close_records(records);
  EXPECT_FALSE(open_records(file("none.rec", "").c_str(), records, problem));
  EXPECT_NE(std::string(problem.text).find("': expected records, got none"), std::string::npos);
  close_records(records);
}

TEST_F(Refusals, Options) {
  EXPECT_EQ(errorOf({"mnist"}, 2),
            "expected an option, got 'mnist'\nfake: note: --help lists the options");
  EXPECT_EQ(errorOf({"--seed", "-1"}, 2), "--seed: expected an integer in 0..4294967295, got '-1'");
  EXPECT_EQ(errorOf({"--lr", "fast"}, 2), "--lr: expected a number in 0..1e+06, got 'fast'");
  EXPECT_EQ(errorOf({"--lr"}, 2), "--lr: expected X after it, got nothing");
  EXPECT_EQ(errorOf({"--resume=1"}, 2), "--resume: expected no value, got '1'");
  EXPECT_EQ(errorOf(with({"--num-epochs", "2", "--warmup-epochs", "2"}), 2),
            "--warmup-epochs: expected fewer than --num-epochs");
  EXPECT_EQ(errorOf(with({"--metric", "acuracy"}), 2).substr(0, 25), "--metric: metric 'acuracy");
  EXPECT_EQ(errorOf(with({"--metric", std::string(300, 'm')}), 2),
            "--metric: expected names shorter than 256 bytes");
  std::string many;
  for (int i = 0; i < 17; ++i)
    many += (i ? ",top_k_accuracy,top_k=" : "top_k_accuracy,top_k=") + std::to_string(i + 1);
  EXPECT_EQ(errorOf(with({"--metric", many}), 2),
            "--metric: expected at most 16 metrics, got more");
  EXPECT_EQ(errorOf(with({"--freeze", std::string(256, '*')}), 2),
            "--freeze: expected patterns shorter than 256 bytes");
  fakeHasMomentum = false;
  ASSERT_EQ(
      run(with({"--num-epochs", "1", "--mom", "0.5", "--timeout", "3", "--data-train-idx", "i"})),
      0);
  EXPECT_NE(err.find("fake: note: --mom does nothing here: optimizer 'sgd' has no momentum\n"),
            std::string::npos)
      << err;
  EXPECT_NE(err.find("--timeout does nothing here: no other process is waited for\n"),
            std::string::npos);
  EXPECT_NE(err.find("--data-train-idx does nothing here: records are found in the .rec file "
                     "itself\n"),
            std::string::npos);
  ASSERT_EQ(run({"--help"}), 0);
  EXPECT_NE(
      out.find("--data-train FILE [--label-train FILE] [options]\n\nTrains the network that is "
               "compiled in. Without --model-prefix nothing is saved.\n"),
      std::string::npos);
}

TEST_F(Refusals, Checkpoints) {
  ASSERT_EQ(run(with({"--num-epochs", "2", "--model-prefix", prefix()})), 0) << err;
  std::string manifest = readFile(prefix() + "-0002.manifest");
  EXPECT_EQ(manifest.rfind("symc checkpoint 2\nnumber 2\nepoch 2\nfile ", 0), 0u) << manifest;
  auto withBytes = [&](const std::string &text) {
    writeFile(prefix() + "-0002.manifest", text);
    return shortErrorOf(load("2"), 3);
  };
  auto withHash = [](const std::string &lines) {
    char text[40];
    snprintf(text, sizeof text, "lines %016llx\n",
             (unsigned long long)xxh3_64(lines.data(), lines.size()));
    return lines + text;
  };
  auto withManifest = [&](const std::string &lines) { return withBytes(withHash(lines)); };
  std::string start = "symc checkpoint 2\nnumber 2\nepoch 2\n";
  EXPECT_EQ(withManifest("symc checkpoint 2\nnumber 2\nepoch 3\n"),
            "'net-0002.manifest': damaged checkpoint: expected a manifest of epoch 2");
  EXPECT_EQ(withBytes(start + "file"),
            "'net-0002.manifest': damaged checkpoint: its last line does not end");
  EXPECT_EQ(withManifest(start + std::string(5000, 'n') + "\n"),
            "'net-0002.manifest': damaged checkpoint: a line is too long");
  EXPECT_EQ(withManifest(start), "'net-0002.manifest': damaged checkpoint: names 0 files");
  EXPECT_EQ(withManifest(start + "file x\n"),
            "'net-0002.manifest': damaged checkpoint: 'file x' names no file");
  EXPECT_EQ(withManifest(start + "file 0 0 ../secret\n"),
            "'net-0002.manifest': damaged checkpoint: 'file 0 0 ../secret' names no file");
  EXPECT_EQ(withManifest(start + "file 0 0 net-0003.params\n"),
            "'net-0002.manifest': damaged checkpoint: 'file 0 0 net-0003.params' names no file");
  EXPECT_EQ(withManifest(start + "file 0 9 net-0002.params\n")
                .rfind("'net-0002.params': damaged checkpoint: expected 9 bytes, got ", 0),
            0u);

  std::string changed = manifest; // any byte
  changed[changed.find("number 2") + 7] = '4';
  EXPECT_EQ(withBytes(changed),
            "'net-0002.manifest': damaged checkpoint: its lines do not have their hash");
  EXPECT_EQ(withBytes(manifest.substr(0, manifest.find("lines "))),
            "'net-0002.manifest': damaged checkpoint: its lines do not have their hash");

  // A set that was copied to another prefix is checked where it lies now.
  for (const char *ending : {"-symbol.json", "-0002.params", "-0002.state"})
    writeFile(prefix() + "copy" + ending, readFile(prefix() + ending));
  writeFile(prefix() + "copy-0002.manifest", manifest);
  std::string bytes = readFile(prefix() + "copy-0002.params");
  bytes.back() ^= 1;
  writeFile(prefix() + "copy-0002.params", bytes);
  std::string told = errorOf(
      with({"--num-epochs", "3", "--model-prefix", prefix() + "copy", "--load-epoch", "2"}), 3);
  EXPECT_NE(told.find("copy-0002.params': damaged checkpoint: expected the hash"),
            std::string::npos)
      << told;

  // A state with the right hash that is none of this training.
  std::string params = readFile(prefix() + "-0002.params"),
              state = readFile(prefix() + "-0002.state");
  auto writeState = [&](const std::string &bytes) {
    writeFile(prefix() + "-0002.state", bytes);
    char text[200];
    snprintf(text, sizeof text,
             "file %016llx %zu net-0002.params\nfile %016llx %zu net-0002.state\n",
             (unsigned long long)xxh3_64(params.data(), params.size()), params.size(),
             (unsigned long long)xxh3_64(bytes.data(), bytes.size()), bytes.size());
    writeFile(prefix() + "-0002.manifest", withHash(start + text));
  };
  auto withState = [&](const std::string &bytes) {
    writeState(bytes);
    return shortErrorOf(load("2"), 3);
  };
  EXPECT_EQ(withState(params), "'net-0002.state': no state of a training");
  auto replaced = [&](const std::string &old, const std::string &by) {
    std::string bytes = state;
    size_t at = bytes.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return bytes.replace(at, by.size(), by);
  };
  EXPECT_EQ(withState(replaced("sgd", "nag")),
            "'net-0002.state': the state of optimizer 'nag', this trainer has 'sgd'");
  EXPECT_EQ(withState(replaced("state0:fc_bias", "state9:fc_bias")),
            "'net-0002.state': has no state 0 of parameter 'fc_bias'");
  EXPECT_EQ(withState(replaced(raw<int64_t>(1) + raw<int64_t>(2), raw<int64_t>(7))),
            "'net-0002.state': expected a state of version 1, got 7");
  writeState(state);
  EXPECT_EQ(errorOf(with({"--num-epochs", "9", "--model-prefix", prefix(), "--resume",
                          "--batch-size", "8"}),
                    2)
                .rfind("the checkpoint of epoch 2 has 4 rows in a batch, there are 8\n", 0),
            0u);
  EXPECT_EQ(
      errorOf(with({"--num-epochs", "9", "--model-prefix", prefix(), "--resume", "--no-shuffle"}),
              2)
          .rfind("the checkpoint of epoch 2 has 1 as shuffled (0 or 1), there are 0\n", 0),
      0u);
  EXPECT_EQ(errorOf(with({"--model-prefix", std::string(5000, 'p'), "--resume"}), 2)
                .rfind("--model-prefix: expected fewer than 4096 bytes", 0),
            0u)
      << err;
  EXPECT_EQ(shortErrorOf(with({"--model-prefix", data + "/net", "--resume"}), 3),
            "'rows.csv/': cannot open the folder: not a directory");
  EXPECT_EQ(
      shortErrorOf(with({"--pretrained", file("other.params", head(0) + raw<uint64_t>(0))}), 3),
      "'other.params': has none of the network's parameters\nfake: note: --describe lists the "
      "parameters");
  EXPECT_EQ(shortErrorOf(with({"--model-prefix", folder / "x", "--load-epoch", "1"}), 3),
            "'x-0001.params': cannot open: no such file or directory");
  writeFile(folder / "x-0001.params", head(0) + raw<uint64_t>(0));
  EXPECT_EQ(shortErrorOf(with({"--model-prefix", folder / "x", "--load-epoch", "1"}), 3),
            "'x-0001.params': has no parameter 'fc_weight'");
}
