// text.cpp: see text.h.
#include "text.h"

namespace symc {

Text::Text(char *buffer, size_t bytes) : buffer(buffer), bytes(buffer ? bytes : 0) {
  if (this->bytes)
    buffer[0] = 0;
}

void Text::put(char c) {
  lost = used + 1 >= bytes;
  if (lost)
    return;
  buffer[used++] = c;
  buffer[used] = 0;
}

Text &Text::operator<<(const char *string) {
  for (const char *c = string ? string : "(null)"; *c; ++c)
    put(*c);
  return *this;
}

Text &Text::operator<<(int64_t number) {
  char digits[20];
  int n = 0;
  uint64_t rest = number < 0 ? uint64_t(0) - uint64_t(number) : uint64_t(number);
  if (number < 0)
    put('-');
  do
    digits[n++] = char('0' + rest % 10);
  while (rest /= 10);
  while (n)
    put(digits[--n]);
  return *this;
}

Text &Text::hex(uint64_t number) {
  for (int shift = 60; shift >= 0; shift -= 4)
    put("0123456789abcdef"[(number >> shift) & 15]);
  return *this;
}

Text &Text::tensor(int32_t dtype, const int64_t *shape, int32_t rank) {
  *this << symc_dtype_name(dtype) << " [";
  for (int32_t i = 0; i < rank; ++i) {
    if (i)
      *this << ", ";
    *this << shape[i];
  }
  return *this << "]";
}

} // namespace symc
