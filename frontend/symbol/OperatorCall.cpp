// OperatorCall.cpp: see OperatorCall.h.
#include "frontend/symbol/OperatorCall.h"

#include "frontend/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace symc;
using namespace symc::symbol;

// The length of the text before the next comma outside of brackets and quotes; npos, with a
// message, where one of these stays open.
static size_t lengthOfArgument(StringRef text, std::string &message) {
  SmallVector<char> open;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (!open.empty() && (open.back() == '\'' || open.back() == '"')) {
      if (c == open.back())
        open.pop_back();
      continue;
    }
    if (c == ',' && open.empty())
      return i;
    if (c == '\'' || c == '"')
      open.push_back(c);
    else if (c == '(' || c == '[' || c == '{')
      open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c) {
        message = "'" + text.str() + "' closes '" + c + "', which is not open";
        return StringRef::npos;
      }
      open.pop_back();
    }
  }
  if (open.empty())
    return text.size();
  message = "'" + text.str() + "' does not close '" + open.back() + "'";
  return StringRef::npos;
}

static StringRef withoutQuotes(StringRef value) {
  bool quoted =
      value.size() >= 2 && (value[0] == '\'' || value[0] == '"') && value.back() == value[0];
  return quoted ? value.drop_front().drop_back() : value;
}

std::optional<OperatorCall> symbol::parseOperatorCall(StringRef text, std::string &message) {
  OperatorCall call;
  text = text.trim();
  StringRef name = text.take_while([](char c) { return isAlnum(c) || c == '_'; });
  StringRef rest = text.drop_front(name.size()).trim();
  call.op = name.str();
  if (name.empty() || (!rest.empty() && (!rest.consume_front("(") || !rest.consume_back(")")))) {
    message = "'" + text.str() + "' is no operator with its parameters in parentheses";
    return std::nullopt;
  }
  rest = rest.trim();
  while (!rest.empty()) {
    size_t length = lengthOfArgument(rest, message);
    if (length == StringRef::npos)
      return std::nullopt;
    auto [key, value] = rest.take_front(length).split('=');
    key = key.trim();
    if (key.empty() || key.size() == length) {
      message = "'" + rest.take_front(length).trim().str() + "' is no NAME=VALUE";
      return std::nullopt;
    }
    if (call.attributes.find(key)) {
      message = "parameter " + inQuotes(key) + " is given twice";
      return std::nullopt;
    }
    call.attributes.append({key.str(), withoutQuotes(value.trim()).str(), {}, {}});
    rest = rest.drop_front(std::min(length + 1, rest.size())).trim();
  }
  return call;
}
