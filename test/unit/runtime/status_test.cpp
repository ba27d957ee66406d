// status_test.cpp: breaks if a status changes its number, its name or its sentence,
// which applications may print or compare.
#include "symc/runtime.h"

#include <gtest/gtest.h>

TEST(Status, NamesAndSentences) {
  struct Row {
    int32_t status;
    const char *name, *sentence;
  };
  const Row rows[] = {
      {0, "SYMC_STATUS_OK", "the call succeeded"},
      {1, "SYMC_STATUS_BAD_ARGUMENT",
       "a pointer that must not be NULL is NULL, or a value is out of its range"},
      {2, "SYMC_STATUS_BAD_COUNT", "the number of tensors differs from what the model takes"},
      {3, "SYMC_STATUS_BAD_NAME",
       "the model has no input, output, parameter or state of that name"},
      {4, "SYMC_STATUS_BAD_DTYPE", "a tensor's element type differs from what the model takes"},
      {5, "SYMC_STATUS_BAD_SHAPE",
       "a tensor's rank or an extent differs from what the model takes"},
      {6, "SYMC_STATUS_BAD_ALIGNMENT", "supplied memory is not aligned to 64 bytes"},
      {7, "SYMC_STATUS_BAD_MODEL",
       "the model table is damaged or was made for another version of the runtime"},
      {8, "SYMC_STATUS_BAD_ISA", "the instruction set that was requested is not in the file"},
      {9, "SYMC_STATUS_UNSUPPORTED_CPU",
       "the processor lacks the instruction set that the code needs"},
      {10, "SYMC_STATUS_OUT_OF_MEMORY", "memory could not be allocated"},
      {11, "SYMC_STATUS_ARENA_TOO_SMALL", "the supplied arena is smaller than the model needs"},
      {12, "SYMC_STATUS_NO_WEIGHTS",
       "the model has no weights yet: none embedded, no side file, none supplied"},
      {13, "SYMC_STATUS_BAD_WEIGHTS",
       "the side file of weights cannot be read or belongs to another model"},
      {14, "SYMC_STATUS_NO_PREPARE",
       "the model was compiled without the function that prepares parameters"},
      {15, "SYMC_STATUS_NO_THREADS", "the system refused to start a thread"},
      {16, "SYMC_STATUS_NO_KERNEL",
       "the op table has no kernel for that operator and element type"},
      {17, "SYMC_STATUS_TABLE_FULL", "the op table has no room for another registered kernel"},
      {18, "SYMC_STATUS_RUN_FAILED", "a step of the model failed"},
      {19, "SYMC_STATUS_NO_LIBRARY",
       "a shared library that the model needs cannot be opened or lacks a function"},
      {20, "SYMC_STATUS_BAD_DEVICE",
       "a tensor lies in the memory of another device than the model works on"},
      {21, "SYMC_STATUS_NO_DRIVER", "the driver of the device is not installed"},
      {22, "SYMC_STATUS_OLD_DRIVER", "the driver of the device is too old for the code"},
      {23, "SYMC_STATUS_NO_DEVICE", "the machine has no device of the kind that the code is for"},
      {24, "SYMC_STATUS_BAD_ORDINAL", "the machine has no device of that kind with that number"},
      {25, "SYMC_STATUS_NO_CODE", "the file has no code for the device"},
      {26, "SYMC_STATUS_NO_DEVICE_MEMORY", "the device has not enough free memory"},
      {27, "SYMC_STATUS_LAUNCH_FAILED", "the device refused to start a kernel"},
      {28, "SYMC_STATUS_DEVICE_LOST",
       "work on the device failed, and the process cannot use the device any more"},
      {29, "SYMC_STATUS_DRIVER_FAILED", "a call of the device's driver failed"},
      {30, "SYMC_STATUS_BAD_PICTURE", "a picture cannot be read or does not fit the input"},
      {31, "SYMC_STATUS_NO_GRADIENTS", "the model was compiled without gradients"},
      {32, "SYMC_STATUS_NO_FORWARD",
       "backward needs a forward run before it, with no other run, failed forward run or new "
       "weights between"},
      {33, "SYMC_STATUS_NO_TRAINING", "the model was not compiled by symc train"},
  };
  int listed = 0;
#define COUNT(name, value, sentence) ++listed;
  SYMC_STATUS_LIST(COUNT)
#undef COUNT
  EXPECT_EQ(listed, int(sizeof rows / sizeof rows[0]));
  for (const Row &row : rows) {
    EXPECT_STREQ(symc_status_name(row.status), row.name);
    EXPECT_STREQ(symc_status_message(row.status), row.sentence);
  }
  EXPECT_STREQ(symc_status_name(-1), "SYMC_STATUS_UNKNOWN");
  EXPECT_STREQ(symc_status_message(1000), "not a status of this runtime");
}
