// refusals.cpp: the sentences of why kernels refuse what they find, from the list in refusals.h.
#include "refusals.h"

const char *symc_refusal_sentence(int32_t number) {
  switch (number) {
#define CASE(name, value, status, sentence)                                                        \
  case value:                                                                                      \
    return sentence;
    SYMC_REFUSAL_LIST(CASE)
#undef CASE
  }
  return nullptr;
}
