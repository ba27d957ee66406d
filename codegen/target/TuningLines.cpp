// TuningLines.cpp: see TuningLines.h.
#include "codegen/target/TuningLines.h"

using namespace symc::codegen;
using llvm::StringRef;

StringRef TuningLines::word() {
  place = text.find_first_not_of(" \t\r", place);
  if (place == StringRef::npos)
    place = text.size();
  wordAt = place;
  place = std::min(text.find_first_of(" \t\r", place), text.size());
  return text.slice(wordAt, place);
}

TuningError TuningLines::wrong(const llvm::Twine &message) const {
  return {number, column(), message.str()};
}

bool TuningLines::next() {
  std::string expected = ("a tuning file begins with '" + tuningHeader + "', found ").str();
  while (!rest.empty()) {
    std::tie(text, rest) = rest.split('\n');
    place = wordAt = 0;
    ++number;
    if (started) {
      first = word();
      if (first.empty() || first.starts_with("#"))
        continue;
      return true;
    }
    if (text.trim() != tuningHeader) {
      problem = wrong(expected + "'" + text.take_front(40).trim() + "'");
      return false;
    }
    started = true;
  }
  if (!started)
    problem = TuningError{1, 1, expected + "nothing"};
  return false;
}

std::optional<TuningError> TuningLines::readKey(StringRef &key) {
  key = word();
  if (!key.starts_with("conv/"))
    return wrong("expected a shape that begins with 'conv/', found '" + key + "'");
  return std::nullopt;
}

std::optional<TuningError> TuningLines::readEnd(double &microseconds) {
  StringRef last = word();
  if (last.empty())
    return std::nullopt;
  if (!last.consume_front("us=") || last.getAsDouble(microseconds))
    return wrong("expected us=NUMBER or the end of the line, found '" + last + "'");
  if (StringRef more = word(); !more.empty())
    return wrong("expected the end of the line, found '" + more + "'");
  return std::nullopt;
}

TuningError TuningLines::secondChoice(StringRef key) {
  wordAt = 0;
  return wrong("a second choice for '" + key + "' on '" + first + "'");
}
