// status.cpp: the name and the sentence of every status, expanded from the one
// list in runtime.h.
#include "symc/runtime.h"

const char *symc_status_name(int32_t status) {
  switch (status) {
#define CASE(name, value, sentence)                                                                \
  case value:                                                                                      \
    return "SYMC_STATUS_" #name;
    SYMC_STATUS_LIST(CASE)
#undef CASE
  }
  return "SYMC_STATUS_UNKNOWN";
}

const char *symc_status_message(int32_t status) {
  switch (status) {
#define CASE(name, value, sentence)                                                                \
  case value:                                                                                      \
    return sentence;
    SYMC_STATUS_LIST(CASE)
#undef CASE
  }
  return "not a status of this runtime";
}
