// program_test.cpp: the program of an executable from its words to its text, its files
// and its exit code, around the model of fake_model.h.
#include "main/program.h"

#include "fake_model.h"
#include "pictures.h"

#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace {
struct Program : testing::Test {
  // Runs the program with its text caught in files; returns the exit code.
  int run(std::vector<std::string> words, const std::string &standardInput = "") {
    std::vector<char *> argv = {const_cast<char *>("fake")};
    for (std::string &word : words)
      argv.push_back(word.data());
    writeFile(folder / "stdin", standardInput);
    fflush(stdout);
    int saved[3] = {dup(0), dup(1), dup(2)};
    int files[3] = {open((folder / "stdin").c_str(), O_RDONLY),
                    open((folder / "stdout").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
                    open((folder / "stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600)};
    for (int i = 0; i < 3; ++i)
      dup2(files[i], i), close(files[i]);
    int code = symc::run_program(fake.model, program, int(argv.size()), argv.data());
    fflush(stdout);
    for (int i = 0; i < 3; ++i)
      dup2(saved[i], i), close(saved[i]);
    out = readFile(folder / "stdout");
    err = readFile(folder / "stderr");
    return code;
  }
  std::string file(const std::string &name, const std::string &bytes) {
    writeFile(folder / name, bytes);
    return folder / name;
  }
  void expectError(std::vector<std::string> words, int code, const std::string &text,
                   const std::string &standardInput = "") {
    EXPECT_EQ(run(words, standardInput), code);
    EXPECT_EQ(err, "fake: error: " + text + "\n");
    EXPECT_EQ(out, "");
  }
  std::string npy = makeNpy("<f4", "(2, 4)", bytesOf<float>({1, 1, 1, 1, .1f, .1f, .1f, .1f}));
  ScopedFolder folder;
  FakeModel fake;
  const symc_program *program = nullptr;
  std::string out, err;
};
} // namespace

// A script that was written for MXNet sets them; whoever wonders why nothing follows is told once.
TEST_F(Program, NamesEqualsOfVariablesOfMxnet) {
  std::string input = file("data.npy", npy);
  const std::string threads =
      "fake: note: MXNET_CPU_WORKER_NTHREADS is not read, its equal here is --threads N or "
      "SYMC_THREADS=N\n";
  setenv("MXNET_CPU_WORKER_NTHREADS", "4", 1);
  setenv("MXNET_SUBGRAPH_BACKEND", "NONE", 1);    // has no equal
  setenv("MXNET_PROFILER_AUTOSTART", "0", 1);     // asks for nothing
  setenv("MXNET_CUDNN_AUTOTUNE_DEFAULT", "2", 1); // is about compiling
  EXPECT_EQ(run({input}), 0);
  EXPECT_EQ(err, threads);
  EXPECT_EQ(run({input, "--threads=1"}), 0);
  EXPECT_EQ(err, "");
  EXPECT_EQ(run({input, "--threads", "1"}), 0);
  EXPECT_EQ(err, "");
  EXPECT_EQ(run({"--describe"}), 0);
  EXPECT_EQ(err, "");
  setenv("SYMC_THREADS", "1", 1);
  EXPECT_EQ(run({input}), 0);
  EXPECT_EQ(err, "");
  unsetenv("SYMC_THREADS");
  setenv("MXNET_CPU_WORKER_NTHREADS", "1", 1); // is so here, too
  EXPECT_EQ(run({input}), 0);
  EXPECT_EQ(err, "");
  for (const char *name : {"MXNET_CPU_WORKER_NTHREADS", "MXNET_SUBGRAPH_BACKEND",
                           "MXNET_PROFILER_AUTOSTART", "MXNET_CUDNN_AUTOTUNE_DEFAULT"})
    unsetenv(name);
}

TEST_F(Program, Help) {
  EXPECT_EQ(run({"--help"}), 0);
  std::string flowed = out; // without the breaks of lines
  for (size_t at; (at = flowed.find("\n     ")) != std::string::npos;) {
    size_t end = flowed.find_first_not_of(" \n", at);
    flowed.replace(at, end - at, " ");
  }
  for (const char *code :
       {"0  The run, or what a flag requested instead of it, is done.",
        "1  The model could not be loaded or run: processor, weights, memory, a failing step.",
        "2  A flag or its argument is wrong, or an input has no value.",
        "3  An input file cannot be read, or its type or shape does not fit.",
        "4  An output cannot be written."})
    EXPECT_NE(flowed.find(code), std::string::npos) << code << " in " << flowed;
  for (const char *part : {"usage: fake [flags] [FILE]\n", "  --input [NAME=]FILE ",
                           "\nexit codes:\n  0  The run", "  SYMC_ISA "})
    EXPECT_NE(out.find(part), std::string::npos) << part;
}

TEST_F(Program, Describe) {
  EXPECT_EQ(run({"--describe"}), 0);
  EXPECT_EQ(out, "fake, compiled by symc 0.1.0 for x86_64-linux-gnu\n"
                 "inputs:\n  data: f32 [1..8, 4]\n  label: f32 [1..8]  (optional)\n"
                 "outputs:\n  fc_output: f32 [8, 4]\nstates that a run changes:\n  mean: f32 [4]\n"
                 "instruction sets:\n  future: arena 65536 bytes, for the largest sizes\n"
                 "  x86-64: arena 128 bytes, for the largest sizes\n"
                 "weights: 64 bytes, embedded\n");
}

TEST_F(Program, AnswersAsScoresAndAsProbabilities) {
  EXPECT_EQ(run({"--top", "2", file("x.npy", npy)}), 0) << err;
  EXPECT_EQ(out, "fc_output: f32 [2, 4]\n"
                 "  row 0\n             4  3\n             3  2\n"
                 "  row 1\n    40.00 %  3\n    30.00 %  2\n");
  std::string one = makeNpy("<f4", "(1, 4)", bytesOf<float>({.1f, .05f, .1f, .125f}));
  EXPECT_EQ(run({file("x.npy", one), "--top=3", "--labels", file("l.txt", "a\nb\r\nc\nlast")}), 0);
  EXPECT_EQ(out, "fc_output: f32 [1, 4]\n  50.00 %  last\n  30.00 %  c\n  10.00 %  a\n");
}

TEST_F(Program, CompiledInLabelsAndTheirNumber) {
  const char *names[] = {"zero", "one", "two", "three", "four"};
  symc_program labels = {names, 4};
  program = &labels;
  std::string path = file("x.npy", npy);
  EXPECT_EQ(run({path, "--top", "1"}), 0);
  EXPECT_NE(out.find("4  three\n"), std::string::npos);
  EXPECT_EQ(run({"--describe"}), 0);
  EXPECT_NE(out.find("labels: 4\n"), std::string::npos);
  labels.n_labels = 5;
  expectError({path}, 2, "expected 4 labels, one for each class, got 5");
}

TEST_F(Program, LabelsFromFiles) {
  std::string path = file("x.npy", npy);
  // The mark of UTF-8 is no part of a name.
  std::string marked = file("marked", "\xef\xbb\xbfzero\none\r\ntwo\nthree");
  EXPECT_EQ(run({path, "--top", "4", "--labels", marked}), 0) << err;
  for (const char *name : {"  zero\n", "  one\n", "  two\n", "  three\n"})
    EXPECT_NE(out.find(name), std::string::npos) << name << out;
  for (const char *nothing : {"", "\xef\xbb\xbf"}) {
    std::string empty = file("empty", nothing);
    expectError({path, "--labels", empty}, 2, "'" + empty + "': expected a label a line, got none");
  }
}

TEST_F(Program, SummaryOfOtherShapes) {
  fake.model.output_shapes = nullptr;
  fake.outputs[0] = fake.outputs[1];
  fake.weights[3] = NAN;
  EXPECT_EQ(run({file("x.npy", makeNpy("<f4", "(1, 4)", bytesOf<float>({1, 1, 1, 1})))}), 0);
  EXPECT_EQ(out, "mean: f32 [4]  min 1  mean 2  max 3  NaN 1\n  1 2 3 nan\n");
}

TEST_F(Program, OutputFiles) {
  std::string dir = folder / "out/deep";
  fake.outputs[0].name = "fc/output";
  EXPECT_EQ(run({file("x.npy", npy), "--output-dir", dir, "--output", "mean=" + (folder / "m.raw"),
                 "--output", "mean=-"}),
            0)
      << err;
  std::string wanted = bytesOf<float>({11.1f, 21.1f, 31.1f, 41.1f});
  EXPECT_EQ(readFile(folder / "m.raw"), wanted);
  std::string header = readFile(dir + "/aux/mean.npy");
  EXPECT_EQ(header.substr(header.size() - 16), wanted);
  EXPECT_EQ(out, header);
  EXPECT_NE(readFile(dir + "/fc/output.npy").find("'shape': (2, 4), }"), std::string::npos);
  for (auto &entry : std::filesystem::recursive_directory_iterator(dir))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos);
}

// A state goes out to a file and comes back from it.
TEST_F(Program, StatesFromFiles) {
  std::string x = file("x.npy", makeNpy("<f4", "(1, 4)", bytesOf<float>({1, 2, 3, 4})));
  std::string kept = folder / "kept.npy", raw = folder / "kept.raw";
  ASSERT_EQ(run({x, "--output", "mean=" + kept}), 0) << err;
  ASSERT_EQ(run({x, "--state", "mean=" + kept, "--output", "mean=" + raw}), 0) << err;
  EXPECT_EQ(readFile(raw), bytesOf<float>({12, 24, 36, 48}));
  ASSERT_EQ(run({x, "--state=mean=" + raw, "--output", "mean=" + raw}), 0) << err;
  EXPECT_EQ(readFile(raw), bytesOf<float>({13, 26, 39, 52}));
  expectError({x, "--state", kept}, 2, "--state: expected NAME=FILE, got '" + kept + "'");
  expectError({x, "--state", "var=" + kept}, 2,
              "no state is called 'var'\nfake: note: --describe lists the states");
  expectError({x, "--state", "mean=" + x}, 3,
              "state 'mean': expected f32 [4], got f32 [1, 4] (rank)");
  expectError({x, "--state", "mean=" + file("short.raw", "abc")}, 3,
              "'" + (folder / "short.raw") + "': expected 16 bytes for state 'mean', got 3");
}

TEST_F(Program, Bfloat16IsWrittenAndReadAsFloat32) {
  fake.inputs[0].dtype = fake.outputs[0].dtype = SYMC_BF16;
  fake.variants[1].run = [](const symc_frame *frame) -> int32_t {
    memcpy(frame->io[3], frame->io[0], 8);
    return 0;
  };
  std::string one = makeNpy("<f4", "(1, 4)", bytesOf<float>({1, 2, 3, 4.0001f}));
  EXPECT_EQ(run({file("x.npy", one), "--output", "fc_output=" + (folder / "y.npy")}), 0) << err;
  std::string written = readFile(folder / "y.npy");
  EXPECT_NE(written.find("'<f4'"), std::string::npos);
  EXPECT_EQ(written.substr(written.size() - 16), bytesOf<float>({1, 2, 3, 4}));
}

TEST_F(Program, OutputNamesThatMakeNoFile) {
  for (const char *name : {"../up", "a//b", "/root", "a/..", "", "a/./b", "dir/"}) {
    fake.outputs[0].name = name;
    EXPECT_EQ(run({file("x.npy", npy), "--output-dir", folder / "o"}), 2) << name;
    EXPECT_EQ(err, "fake: error: output '" + std::string(name) +
                       "': a name with an empty part, '.' or '..' makes no file in --output-dir\n"
                       "fake: note: write it with --output '" +
                       name + "=FILE'\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "o"));
  }
}

TEST_F(Program, BadOutputs) {
  std::string path = file("x.npy", npy);
  expectError({path, "--output", "fc_output"}, 2, "--output: expected NAME=FILE, got 'fc_output'");
  expectError({path, "--output", "nix=x.npy"}, 2,
              "no output is called 'nix'\nfake: note: --describe lists the outputs");
  std::string blocked = path + "/y.npy";
  expectError({path, "--output", "fc_output=" + blocked}, 4,
              "'" + blocked + "': cannot write: not a directory");
  expectError({path, "--output", "fc_output=/dev/null/deep/y.npy"}, 4,
              "'/dev/null/deep': cannot make the folder: not a directory");
  expectError({path, "--output", "fc_output=" + folder.path}, 4,
              "'" + folder.path + "': cannot write: is a directory");
  std::string longName(5000, 'n');
  expectError({path, "--output", "fc_output=" + longName}, 4,
              "'" + longName.substr(0, 60) + "...': expected a path shorter than 4096 bytes");
}

TEST_F(Program, FullDisk) {
  if (access("/dev/full", W_OK) != 0)
    GTEST_SKIP() << "this system has no /dev/full";
  std::string path = file("x.npy", npy);
  // Standard output that is full fails at the end.
  testing::internal::CaptureStderr();
  int saved = dup(1), full = open("/dev/full", O_WRONLY);
  fflush(stdout);
  dup2(full, 1);
  std::vector<char *> argv = {const_cast<char *>("fake"), path.data()};
  int code = symc::run_program(fake.model, nullptr, 2, argv.data());
  dup2(saved, 1);
  clearerr(stdout);
  close(saved);
  close(full);
  EXPECT_EQ(code, 4);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "fake: error: cannot write to standard output: no space left on device\n");
}

TEST_F(Program, PipeThatNobodyReads) {
  int saved = dup(1), ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  fflush(stdout);
  testing::internal::CaptureStderr();
  dup2(ends[1], 1);
  close(ends[1]);
  char *argv[] = {const_cast<char *>("fake"), const_cast<char *>("--describe")};
  int code = symc::run_program(fake.model, nullptr, 2, argv);
  dup2(saved, 1);
  clearerr(stdout);
  close(saved);
  EXPECT_EQ(code, 4);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "fake: error: cannot write to standard output: broken pipe\n");
}

// Also where the file is not there yet, and through a link.
TEST_F(Program, TwoOutputsForOneFile) {
  std::string path = file("x.npy", npy), y = folder / "new/y.npy";
  std::string note =
      "\nfake: note: give each a file of its own with --output NAME=FILE; of outputs "
      "that share a name, the words take one after the other";
  expectError(
      {path, "--output", "fc_output=" + y, "--output", "mean=" + (folder / "new/../new/y.npy")}, 2,
      "outputs 'fc_output' and 'mean' would be one file, '" + (folder / "new/../new/y.npy") + "'" +
          note);
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
  fake.outputs[1].name = fake.outputs[0].name;
  fake.model.n_outputs = 2;
  fake.model.n_states = 0;
  expectError({path, "--output-dir", folder.path}, 2,
              "outputs 'fc_output' and 'fc_output' would be one file, '" +
                  (folder / "fc_output.npy") + "'" + note);
}

// Texts do not get between the bytes.
TEST_F(Program, TextBesideAnOutputOnStandardOutput) {
  EXPECT_EQ(run({"--bench", "1", "--output", "fc_output=-"}), 0) << err;
  EXPECT_EQ(out.find("\x93NUMPY"), 0u);
  EXPECT_EQ(err.find("no input given: running on zeros, data [8, 4]"), 0u) << err;
}

TEST_F(Program, MoreInputsThanAStackHolds) {
  std::vector<symc_tensor_info> inputs(300000, fake.inputs[1]);
  inputs[0] = fake.inputs[0];
  fake.model.inputs = inputs.data();
  fake.model.n_inputs = int32_t(inputs.size());
  fake.variants[1].run = [](const symc_frame *) -> int32_t { return 0; };
  EXPECT_EQ(run({"data=" + file("x.npy", npy)}), 0) << err;
  std::string names;
  for (int i = 0; i < 9; ++i)
    names += ", 'label' (optional)";
  expectError({"dat=" + (folder / "x.npy")}, 2,
              "no input is called 'dat'\nfake: note: inputs are 'data'" + names +
                  " and 299990 more");
}

TEST_F(Program, ClosedStandardStreams) {
  std::string path = file("x.npy", npy);
  std::vector<std::string> words = {path, "--output", "fc_output=-"};
  std::vector<char *> argv = {const_cast<char *>("fake")};
  for (std::string &word : words)
    argv.push_back(word.data());
  testing::internal::CaptureStderr();
  fflush(stdout);
  int saved = dup(1);
  close(1);
  int code = symc::run_program(fake.model, nullptr, int(argv.size()), argv.data());
  dup2(saved, 1);
  close(saved);
  EXPECT_EQ(code, 4);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "fake: error: '-': cannot write: bad file descriptor\n");
  testing::internal::CaptureStderr();
  saved = dup(0);
  close(0);
  argv = {const_cast<char *>("fake"), const_cast<char *>("-")};
  code = symc::run_program(fake.model, nullptr, 2, argv.data());
  dup2(saved, 0);
  close(saved);
  EXPECT_EQ(code, 3);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "fake: error: '-': cannot read: bad file descriptor\n");
}

TEST_F(Program, Bench) {
  EXPECT_EQ(run({"--bench", "3"}), 0);
  EXPECT_EQ(out.find("no input given: running on zeros, data [8, 4], the largest sizes (--shape "
                     "chooses others)\nmin "),
            0u)
      << out;
  EXPECT_NE(out.find(" ms  median "), std::string::npos);
  EXPECT_NE(out.find("(runs 3, threads 1, x86-64)\n"), std::string::npos);
  EXPECT_EQ(run({"--bench", "1", "--threads", "2", file("x.npy", npy)}), 0);
  EXPECT_EQ(out.find("min "), 0u) << out;
  EXPECT_NE(out.find("(runs 1, threads 2, x86-64)\n"), std::string::npos);
}

TEST_F(Program, ChosenShapes) {
  EXPECT_EQ(run({"--bench", "1", "--shape", "data=3,4"}), 0) << err;
  EXPECT_EQ(out.find("no input given: running on zeros, data [3, 4]\nmin "), 0u) << out;
  EXPECT_EQ(run({"--shape", "data=2,4", "--random-inputs", "--seed", "7"}), 0) << err;
  EXPECT_EQ(out.find("drawing inputs with seed 7, data [2, 4]\n"), 0u) << out;
  expectError({"--shape", "data=9,4"}, 2, "--shape: dimension 0 of input 'data' takes 1..8, got 9");
  expectError({"--shape", "data=2,5"}, 2, "--shape: dimension 1 of input 'data' is 4, got 5");
  expectError({"--shape", "data=2"}, 2, "--shape: input 'data' has 2 dimensions, got 1");
  expectError({"--shape", "dat=2,4"}, 2, "--shape: no input is called 'dat'");
  expectError({"--shape", "data=2,3,4", "--shape", "data=x"}, 2,
              "--shape: input 'data' has 2 dimensions, got 3");
  for (const char *word : {"data", "=2,4", "data=2,,4", "data=2,x", "data=2,", "data=-1,4",
                           "data=99999999999999999999,4"})
    expectError({"--shape", word}, 2,
                "--shape: expected NAME=D,D,..., got '" + std::string(word) + "'");
  expectError(
      {"--shape", "data=2,4", "--shape", "data=3,4"}, 2,
      "--shape: dimension 0 of input 'data' is the same size as another, which is 2, got 3");
  fake.dims[0].max = int64_t(1) << 60;
  expectError({"--bench", "1"}, 2, "input 'data' of the largest sizes does not fit in memory");
}

TEST_F(Program, InputsByNameFromArchivesAndStandardInput) {
  std::string path = file("x.npy", npy), label = makeNpy("<f4", "(2,)", bytesOf<float>({1, 2}));
  EXPECT_EQ(run({"--input", "data=" + path, "--input", "label=" + file("l.npy", label)}), 0) << err;
  std::string first = out;
  EXPECT_EQ(run({file("one.npz", makeZip({{"any.npy", npy}}, true))}), 0) << err;
  EXPECT_EQ(out, first);
  EXPECT_EQ(run({file("two.npz", makeZip({{"label.npy", label}, {"data.npy", npy}}))}), 0) << err;
  EXPECT_EQ(out, first);
  EXPECT_EQ(run({"-"}, npy), 0) << err;
  EXPECT_EQ(out, first);
  EXPECT_EQ(run({"data=" + (folder / "two.npz")}), 0) << err;
  EXPECT_EQ(out, first);
  std::string odd = file("data=odd.npy", npy); // a file whose name holds '='
  EXPECT_EQ(run({odd}), 0) << err;
  EXPECT_EQ(out, first);
  fake.dataShape[0] = fake.dims[0].max = 2;
  EXPECT_EQ(run({file("x.raw", npy.substr(npy.size() - 32))}), 0) << err;
  EXPECT_EQ(out, first);
  EXPECT_EQ(run({"-"}, npy.substr(npy.size() - 32)), 0) << err;
  EXPECT_EQ(out, first);
}

TEST_F(Program, InputsThatCannotBeRead) {
  std::string path = file("x.npy", npy), missing = folder / "nix.npy";
  expectError({}, 2,
              "input 'data' has no value\n"
              "fake: note: pass --input data=FILE, or --bench N to time it on zeros");
  expectError({"--input", "dat=" + path}, 2,
              "no input is called 'dat'\nfake: note: inputs are 'data', 'label' (optional)");
  expectError({"--input", "data="}, 2, "--input: expected NAME=FILE, got 'data='");
  expectError({missing}, 3, "'" + missing + "': cannot open: no such file or directory");
  expectError({folder.path}, 3, "'" + folder.path + "': expected a file, got a folder");
  expectError({path, path}, 2, "input 'data' is given twice");
  std::string text = file("x.txt", "hello");
  expectError({text}, 3,
              "'" + text +
                  "': expected npy, npz, PNG or JPEG, got none of them\n"
                  "fake: note: raw bytes are read from files that end in .bin or .raw");
  std::string raw = file("x.bin", "12345");
  expectError({raw}, 3,
              "'" + raw +
                  "': raw bytes have no shape, and dimension 0 of input 'data' is not "
                  "fixed\nfake: note: pass .npy, which contains its shape");
  fake.dataShape[0] = 2;
  expectError({raw}, 3, "'" + raw + "': expected 32 bytes of f32 for input 'data', got 5");
  expectError({"-"}, 3, "'-': expected 32 bytes of f32 for input 'data', got 3", "abc");
  fake.inputs[1].flags = 0;
  expectError({path}, 2,
              "'" + path +
                  "': the flag names no input for it\nfake: note: inputs are 'data', "
                  "'label'; pass --input NAME=" +
                  path);
}

TEST_F(Program, ArchivesThatDoNotFit) {
  std::string empty = file("e.npz", makeZip({})),
              other = file("o.npz", makeZip({{"a", npy}, {"b", npy}}));
  expectError({empty}, 3, "'" + empty + "': expected arrays in the archive, got none");
  expectError({other}, 3,
              "'" + other +
                  "': member 'a' has the name of no input\n"
                  "fake: note: inputs are 'data', 'label' (optional)");
  expectError({"data=" + other}, 3,
              "'" + other + "': expected a member 'data' in the archive, got 2 others");
}

TEST_F(Program, TypesAndShapesThatDoNotFit) {
  std::string wide = makeNpy("<f8", "(1, 4)", bytesOf<double>({1, 2, 3, 4}));
  expectError({file("x.npy", wide)}, 3,
              "argument 'data': expected f32 [1..8, 4], got f64 [1, 4] (element type)");
  std::string nine = makeNpy("<f4", "(9, 4)", std::string(144, '\0'));
  expectError({file("x.npy", nine)}, 3,
              "argument 'data': expected f32 [1..8, 4], got f32 [9, 4] (dimension 0)");
}

TEST_F(Program, WhatTheRuntimeRefuses) {
  ScopedVariable variable("SYMC_ISA", "x86-64-v9");
  expectError({file("x.npy", npy)}, 1,
              "SYMC_ISA: 'x86-64-v9' was requested, the file has future, x86-64");
}

TEST_F(Program, VariablesThatAreNeither0Nor1) {
  for (const char *name : {"SYMC_HUGEPAGES", "SYMC_PREFAULT", "SYMC_FLUSH_DENORMALS",
                           "SYMC_MAP_WEIGHTS", "SYMC_CUDA_GRAPHS"}) {
    ScopedVariable variable(name, "2");
    expectError({file("x.npy", npy)}, 1, std::string(name) + ": expected 0 or 1, got '2'");
  }
}

TEST_F(Program, NumberOfTheCpu) {
  ScopedVariable variable("SYMC_DEVICE", "cpu:1");
  expectError({file("x.npy", npy)}, 8,
              "SYMC_DEVICE: 'cpu:1' was requested, a machine is one device of that kind, cpu:0");
}

// An output goes over nothing that the run needs.
TEST_F(Program, OutputsThatWouldReplaceWhatIsRead) {
  std::string x = file("x.npy", npy), names = file("names", "a\nb\nc\nd\n");
  expectError({x, "--output", "fc_output=" + x}, 2,
              "'" + x + "' is an input, and output 'fc_output' would replace it");
  expectError({"--input=data=" + x, "--output", "fc_output=" + x}, 2,
              "'" + x + "' is an input, and output 'fc_output' would replace it");
  expectError({x, "--labels", names, "--output", "fc_output=" + names}, 2,
              "'" + names + "' is an input, and output 'fc_output' would replace it");
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  expectError({x, "--output", "fc_output=" + self}, 2,
              "'" + self + "' is this program, and output 'fc_output' would replace it");
}

TEST_F(Program, VerifiesWeightsWhereAsked) {
  std::string path = file("x.npy", npy);
  EXPECT_EQ(run({path, "--verify-weights"}), 0) << err;
  fake.weights[0] += 1;
  EXPECT_EQ(run({path}), 0);
  EXPECT_EQ(run({path, "--verify-weights"}), 1);
  EXPECT_EQ(err.find("fake: error: weights: expected the hash "), 0u) << err;
}

TEST_F(Program, FailingStep) {
  fakeRunStatus = SYMC_STATUS_RUN_FAILED;
  expectError({file("x.npy", npy)}, 1, "a step failed: a step of the model failed");
}

TEST_F(Program, Pictures) {
  // The input [n, 4] is a flattened gray picture of 2 x 2.
  std::string path = file("p.png", makePng(2, 2, 1, {255, 0, 255, 51}));
  EXPECT_EQ(run({path, "--top", "4"}), 0) << err;
  EXPECT_EQ(err, "fake: note: pixels are scaled to 0..1, since no preprocessing was compiled in\n");
  EXPECT_NE(out.find("           3  2\n           1  0\n         0.8  3\n"), std::string::npos)
      << out;
  symc_preprocess specs[2] = {};
  specs[0].enabled = 1;
  specs[0].scale = 1;
  specs[0].channels = 1;
  specs[0].mean[0] = 51;
  specs[0].std[0] = 102;
  symc_pictures compiled = {specs, nullptr, nullptr, nullptr, nullptr};
  fake.model.pictures = &compiled;
  EXPECT_EQ(run({path, "--top", "4"}), 0) << err;
  EXPECT_EQ(err, "");
  EXPECT_NE(out.find("           6  2\n"), std::string::npos) << out;
  std::string withPicture = out;
  std::string bytes = makeNpy("|u1", "(2, 2)", std::string("\xff\0\xff\x33", 4));
  specs[0].source_layout = SYMC_NCHW;
  EXPECT_EQ(run({file("p.npy", bytes), "--top", "4"}), 0) << err;
  EXPECT_EQ(out, withPicture);
  EXPECT_EQ(run({"--describe"}), 0);
  EXPECT_NE(out.find("preprocess data: rgb, (pixel * 1 - mean) / std, mean/std 51/102\n"),
            std::string::npos)
      << out;
  std::string broken = file("b.png", readFile(path).substr(0, 20));
  expectError({broken}, 3, "'" + broken + "': cannot read the picture: truncated picture");
}

TEST_F(Program, PixelsThatDoNotFit) {
  symc_preprocess specs[2] = {};
  specs[0].enabled = 1;
  specs[0].scale = 1;
  specs[0].source_layout = SYMC_NHWC;
  symc_pictures compiled = {specs, nullptr, nullptr, nullptr, nullptr};
  fake.model.pictures = &compiled;
  std::string flat = file("p.npy", makeNpy("|u1", "(4,)", "abcd"));
  expectError({flat}, 3,
              "'" + flat + "': expected pixels with 2, 3 or 4 dimensions for input 'data', got 1");
  std::string two = file("p.npy", makeNpy("|u1", "(2, 2, 2)", "abcdefgh"));
  expectError({two}, 3, "'" + two + "': expected 1, 3 or 4 channels in nhwc pixels, got 2");
  std::string none = file("p.npy", makeNpy("|u1", "(0, 2, 3)", ""));
  expectError({none}, 3, "'" + none + "': expected pixels, got none");
  fake.dataShape[0] = 1;
  std::string raw = file("p.raw", "abc");
  expectError({raw}, 3,
              "'" + raw + "': expected 16 bytes of f32 or 4 bytes of u8 for input 'data', got 3");
}
