//===- Messages.h - diagnostics as one line, for tests --------------------===//
//
// Tests quote messages whole: `line:col: error: text | line:col: note: text`,
// without file names and source lines. Messages are joined by " || ".
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_TEST_UNIT_FRONTEND_MESSAGES_H
#define SYMC_TEST_UNIT_FRONTEND_MESSAGES_H

#include "frontend/Diagnostics.h"

namespace symc::test {

inline std::string place(const SourcePos &pos) {
  return pos.line ? std::to_string(pos.line) + ":" + std::to_string(pos.column) + ": " : "";
}

inline std::string oneLine(const Diagnostics &diagnostics) {
  std::string text;
  for (const Diagnostic &message : diagnostics.all()) {
    if (!text.empty())
      text += " || ";
    bool isError = message.severity == Diagnostic::Severity::Error;
    text += place(message.pos) + (isError ? "error: " : "warning: ") + message.message;
    for (const Diagnostic &note : message.notes)
      text += " | " + place(note.pos) + "note: " + note.message;
  }
  return text;
}

} // namespace symc::test

#endif // SYMC_TEST_UNIT_FRONTEND_MESSAGES_H
