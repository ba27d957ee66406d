// cuda_profile_test.cpp: times of kernels between events, over a driver whose kernels take a
// microsecond each. If these fail, SYMC_CUDA_PROFILE tells of other kernels, counts the run that
// loads code, or breaks a run.
#include "cuda_model.h"

struct CudaProfile : Cuda {
  // What the file says behind `runs` runs of a context.
  std::string profileOf(int runs, symc_status expected = SYMC_STATUS_OK) {
    ScopedVariable variable("SYMC_CUDA_PROFILE", file.c_str());
    ScopedContext context(fake.model);
    symc_status status = context.status;
    for (int i = 0; i < runs && status == SYMC_STATUS_OK; ++i)
      status = run(context.handle);
    EXPECT_EQ(status, expected);
    symc_destroy(context.handle);
    context.handle = nullptr;
    return readFile(file);
  }
  ScopedFolder folder;
  std::string file = folder / "profile";
};

TEST_F(CudaProfile, NodesAndTheirTimes) {
  EXPECT_EQ(profileOf(4),
            "fake on cuda:0\n\n"
            "3 runs behind the first, the shortest time of each kernel\n"
            "launch         us   share  kernel                                    node\n"
            "     0        1.0   20.0%  scale                                     conv0+relu0\n"
            "     1        3.0   60.0%  add                                       mean0\n"
            "     2        1.0   20.0%  scale                                     conv1\n"
            "   all        5.0\n");
  EXPECT_EQ(driver.counted["cuEventCreate"], 4);
  EXPECT_EQ(driver.counted["cuEventRecord"], 4 * 4);
  EXPECT_EQ(driver.counted["cuGraphLaunch"], 0) << "no graphs";
}

TEST_F(CudaProfile, OneRunIsNotCounted) { EXPECT_EQ(profileOf(1), "fake on cuda:0\n"); }

TEST_F(CudaProfile, NotWhileTheApplicationCaptures) {
  driver.capturing = 1;
  EXPECT_EQ(profileOf(3), "fake on cuda:0\n");
  EXPECT_EQ(driver.counted["cuEventRecord"], 0);
}

TEST_F(CudaProfile, AFileThatCannotBeWritten) {
  file = folder / "nowhere/profile";
  ScopedVariable variable("SYMC_CUDA_PROFILE", file.c_str());
  ScopedContext context(fake.model);
  EXPECT_EQ(context.status, SYMC_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(context.error,
            "SYMC_CUDA_PROFILE: cannot write '" + file + "': no such file or directory");
}

// What measuring fails with is told in the file; runs go on.
TEST_F(CudaProfile, EveryCallFailsOnce) {
  profileOf(3);
  int told = 0;
  for (auto &[function, calls] : std::map<std::string, int>(driver.counted))
    for (int n = 1; n <= calls && function.compare(0, 7, "cuEvent") == 0; ++n)
      for (int code : {1, 719}) {
        reset();
        driver.failing = function;
        driver.failAt = n;
        driver.failWith = code;
        std::string where = function + " call " + std::to_string(n);
        bool atEnd = function == "cuEventDestroy_v2";
        bool lost = code == 719 && !atEnd;
        std::string text = profileOf(3, lost ? SYMC_STATUS_DEVICE_LOST : SYMC_STATUS_OK);
        ASSERT_TRUE(driver.clean()) << where << driver.mistakes;
        std::string sentence = "\nmeasuring ended: fake error " + std::to_string(code) + "\n";
        bool ended = text.find(sentence) != std::string::npos;
        EXPECT_EQ(ended, !atEnd) << where << text;
        told += ended;
        if (!lost) {
          EXPECT_EQ(driver.ran.size(), 15u) << where;
        }
      }
  EXPECT_GT(told, 30);
}
