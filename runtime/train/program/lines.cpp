// lines.cpp: see lines.h. Numbers of up to 19 digits and powers of ten up to 22 are exact products
// of doubles, rounded once to float; others go through strtod.
#include "lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool Lines::step() {
  while (next < textEnd) {
    const void *found = memchr(next, '\n', size_t(textEnd - next));
    const char *stop = found ? static_cast<const char *>(found) : textEnd;
    at = next;
    end = stop;
    place = size_t(next - begin);
    next = found ? stop + 1 : textEnd;
    ++number;
    while (at < end && is_blank(*at))
      ++at;
    while (end > at && is_blank(end[-1]))
      --end;
    if (at < end)
      return true;
  }
  return false;
}

// By strtod, of at most 400 characters.
static bool take_slowly(const char *&at, const char *end, double &value) {
  char text[400];
  size_t length = size_t(end - at) < sizeof text - 1 ? size_t(end - at) : sizeof text - 1;
  memcpy(text, at, length);
  text[length] = 0;
  char *stop;
  value = strtod(text, &stop);
  at += stop - text;
  return stop > text;
}

bool take_number(const char *&at, const char *end, double &value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *start = at, *c = at;
  bool negative = c < end && *c == '-';
  if (c < end && (*c == '-' || *c == '+'))
    ++c;
  uint64_t digits = 0;
  int count = 0, power = 0, any = 0;
  for (; c < end && is_digit(*c); ++c, ++any) {
    digits = count < 19 ? digits * 10 + uint64_t(*c - '0') : digits;
    count += count > 0 || *c != '0';
  }
  if (c < end && *c == '.')
    for (++c; c < end && is_digit(*c); ++c, ++any) {
      digits = count < 19 ? digits * 10 + uint64_t(*c - '0') : digits;
      count += count > 0 || *c != '0';
      --power;
    }
  if (!any)
    return false;
  if (c < end && (*c == 'e' || *c == 'E')) {
    const char *mark = c++;
    bool down = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
      ++c;
    int exponent = 0, length = 0;
    for (; c < end && is_digit(*c); ++c, ++length)
      exponent = exponent < 10000 ? exponent * 10 + (*c - '0') : exponent;
    if (!length)
      c = mark; // "1e" is 1 with something behind it
    power += down ? -exponent : exponent;
  }
  if (count > 19 || digits > uint64_t(1) << 53 || power < -22 || power > 22) {
    at = start;
    return take_slowly(at, c, value) && isfinite(value);
  }
  at = c;
  value = power < 0 ? double(digits) / powers[-power] : double(digits) * powers[power];
  value = negative ? -value : value;
  return true;
}

bool take_number(const char *&at, const char *end, float &value) {
  double wide;
  if (!take_number(at, end, wide))
    return false;
  value = float(wide);
  return isfinite(value);
}

bool take_integer(const char *&at, const char *end, int64_t &value) {
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+'))
    ++at;
  const char *start = at;
  value = 0;
  for (; at < end && is_digit(*at); ++at) {
    if (value > INT64_MAX / 10 - 1)
      return false;
    value = value * 10 + (*at - '0');
  }
  value = negative ? -value : value;
  return at > start;
}

} // namespace symc::train
