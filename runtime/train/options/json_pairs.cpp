// json_pairs.cpp: see json_pairs.h.
#include "json_pairs.h"

namespace symc::choices {

void JsonPairs::skip() {
  while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
    ++at;
}
bool JsonPairs::take(char c) {
  skip();
  if (*at != c)
    return false;
  ++at;
  return true;
}
bool JsonPairs::string(Piece &piece) {
  if (!take('"'))
    return false;
  const char *begin = at;
  for (; *at && *at != '"'; ++at)
    if (*at == '\\' && !*++at)
      return false;
  piece = {begin, size_t(at - begin)};
  return take('"');
}

bool JsonPairs::begin(Piece &name) {
  if (!take('[') || !string(name))
    return false;
  open = take(',');
  if (open && !take('{'))
    return false;
  if (!open)
    whole = take(']') && (skip(), !*at);
  return open || whole;
}

bool JsonPairs::next(Piece &key, Piece &value, bool &is_list) {
  if (!open)
    return false;
  if (take('}')) {
    open = false;
    whole = take(']') && (skip(), !*at);
    return false;
  }
  if ((!first && !take(',')) || !string(key) || !take(':')) {
    open = false;
    return false;
  }
  first = is_list = false;
  skip();
  if (*at == '"')
    return string(value) || (open = false);
  const char *begin = at;
  if (*at == '[') {
    is_list = true;
    int64_t depth = 0;
    for (; *at; ++at)
      if ((depth += (*at == '[') - (*at == ']')) == 0)
        break;
    open = *at == ']';
    at += open;
  } else {
    while (*at && *at != ',' && *at != '}' && *at != ']' && *at != ' ' && *at != '\n')
      ++at;
    open = at != begin;
  }
  value = {begin, size_t(at - begin)};
  return open;
}

bool unescape(Piece inside, char *out, size_t bytes) {
  size_t used = 0;
  for (size_t i = 0; i < inside.length; ++i) {
    char c = inside.begin[i];
    if (c == '\\' && i + 1 < inside.length) {
      c = inside.begin[++i];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    if (used + 1 >= bytes)
      return false;
    out[used++] = c;
  }
  out[used] = 0;
  return true;
}

} // namespace symc::choices
