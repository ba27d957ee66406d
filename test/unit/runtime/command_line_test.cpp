// command_line_test.cpp: the flags of a compiled program and the sentence for each
// wrong one.
#include "main/command_line.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace symc;

static bool parse(std::vector<const char *> words, CommandLine &line, Problem &problem) {
  words.insert(words.begin(), "net");
  return line.parse(int(words.size()), const_cast<char **>(words.data()), problem);
}

static std::string problemOf(std::vector<const char *> words) {
  CommandLine line;
  Problem problem;
  bool done = parse(words, line, problem);
  EXPECT_EQ(problem.exit, done ? BadInput : Usage);
  return done ? "accepted" : problem.text;
}

TEST(CommandLine, AllFlags) {
  CommandLine line;
  Problem problem;
  ASSERT_TRUE(parse({"--input",  "a=1.npy", "bare.npy",         "--input=b=2.npy", "-",
                     "--output", "o=x",     "--output-dir=d",   "--labels",        "l.txt",
                     "--top",    "3",       "--bench=7",        "--threads",       "0",
                     "--seed",   "42",      "--verify-weights", "--trust-weights", "--describe",
                     "--help",   "--",      "--odd-name"},
                    line, problem))
      << problem.text;
  ASSERT_EQ(line.nInputs, 5);
  EXPECT_STREQ(line.inputs[0], "a=1.npy");
  EXPECT_STREQ(line.inputs[1], "bare.npy");
  EXPECT_STREQ(line.inputs[2], "b=2.npy");
  EXPECT_STREQ(line.inputs[3], "-");
  EXPECT_STREQ(line.inputs[4], "--odd-name");
  EXPECT_EQ(line.nOutputs, 1);
  EXPECT_STREQ(line.outputDir, "d");
  EXPECT_STREQ(line.labels, "l.txt");
  EXPECT_EQ(line.top, 3);
  EXPECT_EQ(line.bench, 7);
  EXPECT_EQ(line.threads, 0);
  EXPECT_EQ(line.seed, 42);
  EXPECT_TRUE(line.verifyWeights && line.trustWeights && line.describe && line.help);
}

TEST(CommandLine, SaysWhatIsWrong) {
  EXPECT_EQ(problemOf({"--inptu", "x"}), "unknown flag '--inptu'");
  EXPECT_EQ(problemOf({"-x"}), "unknown flag '-x'");
  CommandLine line;
  Problem problem;
  parse({"-x"}, line, problem);
  EXPECT_STREQ(problem.note, "--help lists the flags");
  EXPECT_EQ(problemOf({"--input"}), "--input: expected [NAME=]FILE after it, got nothing");
  EXPECT_EQ(problemOf({"--labels="}), "--labels: expected FILE, got an empty word");
  EXPECT_EQ(problemOf({"--help=now"}), "--help: expected no value, got 'now'");
  EXPECT_EQ(problemOf({"--bench", "0"}), "--bench: expected a number in 1..10000000, got '0'");
  EXPECT_EQ(problemOf({"--threads", "many"}),
            "--threads: expected a number in 0..1024, got 'many'");
  EXPECT_EQ(problemOf({"--top=-1"}), "--top: expected a number in 1..1000000, got '-1'");
}
