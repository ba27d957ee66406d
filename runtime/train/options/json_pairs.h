// json_pairs.h: walks through texts as MXNet's initialisers dump them, ["name", {"key": value,
// ...}].
#ifndef SYMC_RUNTIME_TRAIN_OPTIONS_JSON_PAIRS_H
#define SYMC_RUNTIME_TRAIN_OPTIONS_JSON_PAIRS_H

#include "option_text.h"

namespace symc::choices {

class JsonPairs {
public:
  // `text` begins with a bracket.
  explicit JsonPairs(const char *text) : at(text) {}
  // The name; false where the text is none of these.
  bool begin(Piece &name);
  // The next pair: its value is the text of a number, a word (true, false, null), the inside of a
  // string, or a list with its brackets. False behind the last one, or where the text is broken.
  bool next(Piece &key, Piece &value, bool &is_list);
  // After next() was false: whether the text ended as it should.
  bool ended() const { return whole; }

private:
  bool take(char c);
  void skip();
  bool string(Piece &piece);
  const char *at;
  bool first = true, open = false, whole = false;
};

// Copies the inside of a string to `out`, with its escapes undone. False where it does not fit.
bool unescape(Piece inside, char *out, size_t bytes);

} // namespace symc::choices
#endif
