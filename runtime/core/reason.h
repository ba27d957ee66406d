// reason.h: why the system refused a call, as messages state it: in lower case, but for
// words that are capitals only.
#ifndef SYMC_RUNTIME_CORE_REASON_H
#define SYMC_RUNTIME_CORE_REASON_H

#include <string.h>

namespace symc {

class Reason {
public:
  explicit Reason(int number) {
    strncpy(text, strerror(number), sizeof text - 1);
    if (text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z')
      text[0] = char(text[0] - 'A' + 'a');
  }
  operator const char *() const { return text; }
  const char *c_str() const { return text; }

private:
  char text[80] = {};
};

} // namespace symc
#endif
