// text.h: builds a sentence in a buffer of fixed length, without allocation and
// without printf. What does not fit is cut off; the buffer always ends in a zero.
#ifndef SYMC_RUNTIME_CORE_TEXT_H
#define SYMC_RUNTIME_CORE_TEXT_H

#include "symc/runtime.h"

namespace symc {

class Text {
public:
  Text(char *buffer, size_t bytes);
  Text &operator<<(const char *string); // NULL reads "(null)"
  Text &operator<<(int64_t number);
  Text &operator<<(int32_t number) { return *this << int64_t(number); }
  Text &hex(uint64_t number); // 16 digits
  // "f32 [32, 784]"
  Text &tensor(int32_t dtype, const int64_t *shape, int32_t rank);
  bool cut() const { return lost; }

private:
  void put(char c);
  char *buffer;
  size_t bytes, used = 0;
  bool lost = false; // something did not fit
};

} // namespace symc
#endif
