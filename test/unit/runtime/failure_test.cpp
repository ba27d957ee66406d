// failure_test.cpp: the node's name before the reason of a failure. If this fails, a run that
// values make impossible does not tell which node it was, or a long name runs over the message's
// end.
#include "symc/runtime.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace {
struct NameFailure : testing::Test {
  char message[512] = "";
  symc_frame frame = {};
  void SetUp() override {
    frame.error = message;
    frame.error_bytes = sizeof message;
  }
};
} // namespace

TEST_F(NameFailure, StandsBeforeTheReason) {
  strcpy(message, "an index lies outside of the data");
  symc_name_failure(&frame, SYMC_STATUS_RUN_FAILED, "words");
  EXPECT_STREQ(message, "node 'words': an index lies outside of the data");
  symc_name_failure(&frame, SYMC_STATUS_RUN_FAILED, "loop");
  EXPECT_STREQ(message, "node 'loop': node 'words': an index lies outside of the data");
}

TEST_F(NameFailure, WithoutAReasonTheStatusIsOne) {
  symc_name_failure(&frame, SYMC_STATUS_OUT_OF_MEMORY, "n");
  EXPECT_EQ(message, std::string("node 'n': ") + symc_status_message(SYMC_STATUS_OUT_OF_MEMORY));
}

TEST_F(NameFailure, LongNamesAreCutOff) {
  memset(message, 'x', sizeof message - 1);
  frame.error_bytes = 100;
  message[99] = 0;
  memset(message + 100, '#', 100);
  std::string node(1000, 'n');
  symc_name_failure(&frame, SYMC_STATUS_RUN_FAILED, node.c_str());
  EXPECT_EQ(strlen(message), 99u);
  EXPECT_EQ(message[100], '#');
}

TEST_F(NameFailure, NobodyAsks) {
  frame.error = nullptr; // in @prepare
  symc_name_failure(&frame, SYMC_STATUS_RUN_FAILED, "n");
}
