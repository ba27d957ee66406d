// trainer_fixture.h: runs the program of a trainer around the classifier of fake_trainer.h, on 22
// rows of three classes, in a folder of its own.
#ifndef SYMC_TEST_UNIT_RUNTIME_TRAINER_FIXTURE_H
#define SYMC_TEST_UNIT_RUNTIME_TRAINER_FIXTURE_H

#include "train/program/trainer.h"

#include "fake_model.h"
#include "fake_trainer.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using Words = std::vector<std::string>;

struct Trainer : testing::Test {
  Trainer() {
    program.symbol_json = "{\"nodes\": []}";
    program.optimizer = "sgd,momentum=0.9,learning_rate=0.25";
    reset();
    data = folder / "rows.csv";
    labels = folder / "labels.csv";
    std::string rows, classes;
    for (int i = 0; i < 22; ++i) { // 22 rows: 6 batches of 4, two rows of padding
      int label = i % 3;
      for (int k = 0; k < fakeData; ++k)
        rows += std::to_string((k % 3 == label ? 1.0 : 0.0) + (i * 7 + k * 3) % 5 * 0.1) +
                (k + 1 < fakeData ? "," : "\n");
      classes += std::to_string(label) + "\n";
    }
    writeFile(data, rows);
    writeFile(labels, classes);
  }
  static void reset() {
    fakeTraining = FakeTraining();
    fakeTraining.learningRate = 0.25;
    fakeTraining.momentum = 0.9;
    fakeTraining.rescale = 1.0 / fakeBatch;
    fakeBadOutput = fakeBadGradient = fakeKill = -1;
  }
  int run(Words words) {
    std::vector<char *> argv = {const_cast<char *>("fake")};
    for (std::string &word : words)
      argv.push_back(word.data());
    fflush(stdout);
    fflush(stderr);
    int saved[2] = {dup(1), dup(2)}, i = 0;
    for (const char *name : {"stdout", "stderr"}) {
      int file = open((folder / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(file, ++i), close(file);
    }
    int code = symc::train::run_trainer(fakeTrainer(), &program, int(argv.size()), argv.data());
    fflush(stdout);
    fflush(stderr);
    for (i = 0; i < 2; ++i)
      dup2(saved[i], i + 1), close(saved[i]);
    out = readFile(folder / "stdout");
    err = readFile(folder / "stderr");
    return code;
  }
  // In a process of its own, which may end early: its exit code.
  int runApart(Words words) {
    pid_t child = fork();
    if (child == 0)
      _exit(run(words));
    int status;
    waitpid(child, &status, 0);
    err = readFile(folder / "stderr");
    return WEXITSTATUS(status);
  }
  Words with(Words more) {
    Words words = {"--data-train", data, "--label-train", labels};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string errorOf(Words words, int code) {
    EXPECT_EQ(run(words), code) << err;
    size_t at = err.find("fake: error: ");
    return at == std::string::npos ? "none: " + err : err.substr(at + 13, err.size() - at - 14);
  }
  std::string prefix() { return folder / "net"; }
  std::string file(const std::string &name, const std::string &bytes) {
    writeFile(folder / name, bytes);
    return folder / name;
  }
  std::vector<std::string> entries(const std::string &ending) {
    std::vector<std::string> names;
    for (auto &entry : std::filesystem::directory_iterator(folder.path)) {
      std::string name = entry.path().filename().string();
      if (name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending)
        names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  ScopedFolder folder;
  symc_program program = {};
  std::string data, labels, out, err;
};

#endif
