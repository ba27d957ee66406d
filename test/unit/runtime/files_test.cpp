// files_test.cpp: where outputs go: files whole or not at all, whatever ends the program, links
// to what they lead to, pipes through, and no two tensors into one file.
#include "main/files.h"

#include "fake_model.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {
struct Files : testing::Test {
  // What write_file says; empty where it wrote.
  std::string write(const std::string &path, const std::string &bytes) {
    symc::Problem problem;
    bool done = symc::write_file(path.c_str(), bytes.data(), 1, bytes.data() + 1, bytes.size() - 1,
                                 problem);
    EXPECT_EQ(done, problem.text[0] == 0);
    EXPECT_EQ(done || problem.exit == symc::BadOutput, true);
    return problem.text;
  }
  uint64_t identity(const std::string &path) {
    symc::Problem problem;
    uint64_t number = 0;
    EXPECT_TRUE(symc::file_identity(path.c_str(), number, problem)) << problem.text;
    return number;
  }
  std::vector<std::string> entries() {
    std::vector<std::string> names;
    for (auto &entry : std::filesystem::directory_iterator(folder.path))
      names.push_back(entry.path().filename().string());
    return names;
  }
  ScopedFolder folder;
};
using Names = std::vector<std::string>;
} // namespace

TEST_F(Files, ALinksTargetIsReplacedOrMade) {
  writeFile(folder / "target", "old");
  ASSERT_EQ(symlink("target", (folder / "near").c_str()), 0);
  ASSERT_EQ(symlink((folder / "near").c_str(), (folder / "far").c_str()), 0);
  EXPECT_EQ(write(folder / "far", "new"), "");
  EXPECT_EQ(readFile(folder / "target"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "far"));
  ASSERT_EQ(symlink("deep/made", (folder / "hanging").c_str()), 0);
  EXPECT_EQ(write(folder / "hanging", "text"), "");
  EXPECT_EQ(readFile(folder / "deep/made"), "text");
  ASSERT_EQ(symlink("circle", (folder / "circle").c_str()), 0);
  EXPECT_NE(write(folder / "circle", "text").find("cannot write: "), std::string::npos);
}

TEST_F(Files, PipesAreWrittenThrough) {
  std::string pipe = folder / "pipe", got;
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread reader([&] { got = readFile(pipe); });
  EXPECT_EQ(write(pipe, "through"), "");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(write(pipe, "text"), "'" + pipe + "': cannot write: nobody reads the pipe");
  EXPECT_EQ(entries(), Names{"pipe"});
}

// As a shell gives >(command), and /dev/stdout: a link of /proc whose text is no path.
TEST_F(Files, OpenFilesOfTheProcessAreWrittenThrough) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(write("/proc/self/fd/" + std::to_string(ends[1]), "bytes"), "");
  char got[6] = "";
  EXPECT_EQ(read(ends[0], got, 5), 5);
  EXPECT_STREQ(got, "bytes");
  close(ends[0]);
  close(ends[1]);
  int file = open((folder / "gone").c_str(), O_RDWR | O_CREAT, 0600);
  unlink((folder / "gone").c_str());
  EXPECT_EQ(write("/proc/self/fd/" + std::to_string(file), "bytes"), "");
  EXPECT_EQ(pread(file, got, 5, 0), 5);
  EXPECT_STREQ(got, "bytes");
  EXPECT_EQ(entries(), Names{});
  close(file);
}

// Nobody can plant a link under the name of the file aside, since nobody knows it.
TEST_F(Files, TheNameAsideIsDrawn) {
  std::string before;
  for (int i = 0; i < 2; ++i) {
    pid_t child = fork();
    if (child == 0) { // the limit ends it while the file aside is there
      signal(SIGXFSZ, SIG_DFL);
      rlimit limit = {4096, 4096};
      setrlimit(RLIMIT_FSIZE, &limit);
      write(folder / "x", std::string(8192, 'x'));
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    Names left = entries();
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].find(".symc-"), 0u);
    EXPECT_NE(left[0], before);
    before = left[0];
    unlink((folder / before).c_str());
  }
}

// A process that writes until a signal ends it: the file is whole, and alone unless the signal
// was one that no program sees.
TEST_F(Files, WholeWhateverSignalEndsTheProgram) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "TSan keeps signals of forked processes back, which then never end";
#endif
  for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGKILL})
    for (int round = 0; round < 10; ++round) {
      pid_t child = fork();
      if (child == 0) {
        for (std::string text(1 << 20, 'a');; text.assign(text.size(), text[0] == 'a' ? 'b' : 'a'))
          write(folder / "x", text);
      }
      while (!std::filesystem::exists(folder / "x"))
        std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::microseconds(137 * round));
      kill(child, signal);
      int status;
      waitpid(child, &status, 0);
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
      std::string text = readFile(folder / "x");
      EXPECT_EQ(text, std::string(1 << 20, text[0]));
      for (const std::string &name : entries()) {
        EXPECT_TRUE(name == "x" || signal == SIGKILL) << name << " after signal " << signal;
        unlink((folder / name).c_str());
      }
    }
}

TEST_F(Files, PathsOfOneFile) {
  std::string x = folder / "x";
  EXPECT_EQ(identity(x), identity(folder / "none/../x"));
  EXPECT_EQ(identity(x), identity(folder.path + "/.//x"));
  EXPECT_NE(identity(x), identity(folder / "y"));
  EXPECT_EQ(identity(folder / "new/x"), identity(folder / "new/./deep/../x"));
  EXPECT_NE(identity(folder / "new/x"), identity(x));
  ASSERT_EQ(symlink("x", (folder / "link").c_str()), 0);
  ASSERT_EQ(symlink(folder.path.c_str(), (folder / "again").c_str()), 0);
  EXPECT_EQ(identity(x), identity(folder / "again/link"));
  EXPECT_EQ(identity("-"), 0u);
  EXPECT_EQ(identity("/dev/null"), 0u); // any number of outputs may go there
}
