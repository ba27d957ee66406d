//===- Diagnostics.cpp - messages about input files -----------------------===//
//
// Line table, message list and renderer. Source lines are printed as a window
// around the caret when they are long, since symbol files written by other
// tools may be one line of megabytes.
//
//===----------------------------------------------------------------------===//
#include "frontend/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>

using namespace llvm;

namespace symc {

SourceText::SourceText(std::string name, std::unique_ptr<MemoryBuffer> taken)
    : fileName(std::move(name)), buffer(std::move(taken)) {
  StringRef text = buffer->getBuffer();
  lineStarts.push_back(0);
  for (size_t at = text.find('\n'); at != StringRef::npos; at = text.find('\n', at + 1))
    lineStarts.push_back(static_cast<uint32_t>(at + 1));
}

SourcePos SourceText::position(uint32_t begin, uint32_t end) const {
  auto after = std::upper_bound(lineStarts.begin(), lineStarts.end(), begin);
  uint32_t line = static_cast<uint32_t>(after - lineStarts.begin());
  return {line, begin - lineStarts[line - 1] + 1, end > begin ? end - begin : 0};
}

StringRef SourceText::line(uint32_t number) const {
  if (number == 0 || number > lineStarts.size())
    return {};
  size_t end = number < lineStarts.size() ? lineStarts[number] - 1 : text().size();
  return text().slice(lineStarts[number - 1], end).rtrim('\r');
}

Diagnostic &Diagnostic::note(SourcePos at, const Twine &text) {
  notes.emplace_back(Severity::Note, file, at, text);
  return *this;
}

Diagnostic &Diagnostic::note(const Twine &text) { return note(pos, text); }

void Diagnostics::addSource(std::shared_ptr<const SourceText> source) {
  sources[source->name()] = std::move(source);
}

Diagnostic &Diagnostics::error(StringRef file, SourcePos pos, const Twine &message) {
  if (errors++ >= maxErrors) {
    overflow = Diagnostic(Diagnostic::Severity::Error, file, pos, "");
    return overflow;
  }
  messages.emplace_back(Diagnostic::Severity::Error, file, pos, message);
  return messages.back();
}

Diagnostic &Diagnostics::warning(StringRef file, SourcePos pos, const Twine &message) {
  if (warnings++ >= maxErrors) {
    overflow = Diagnostic(Diagnostic::Severity::Warning, file, pos, "");
    return overflow;
  }
  messages.emplace_back(Diagnostic::Severity::Warning, file, pos, message);
  return messages.back();
}

/// Prints a source line and the caret under it. At most `Window` bytes of the
/// line are shown; bytes that move the cursor in unknown ways become spaces.
static void renderSource(raw_ostream &os, StringRef line, const SourcePos &pos) {
  constexpr size_t Window = 160;
  size_t column = std::min<size_t>(pos.column - 1, line.size());
  size_t first = 0;
  if (line.size() > Window && column > Window / 2)
    first = column - Window / 2;
  auto isContinuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  while (first > 0 && isContinuation(line[first]))
    --first;
  size_t last = std::min(line.size(), first + Window);
  while (last < line.size() && isContinuation(line[last]))
    ++last;

  StringRef lead = first > 0 ? "..." : "";
  os << lead;
  for (char c : line.slice(first, last))
    os << (c == '\t' || static_cast<unsigned char>(c) >= 0x20 ? c : ' ');
  os << (last < line.size() ? "..." : "") << '\n';

  os.indent(lead.size());
  for (char c : line.slice(first, column))
    if (!isContinuation(c))
      os << (c == '\t' ? '\t' : ' ');
  os << '^';
  size_t end = std::min<size_t>(last, column + pos.length);
  for (char c : line.slice(std::min(column + 1, end), end))
    if (!isContinuation(c))
      os << '~';
  os << '\n';
}

void Diagnostics::renderOne(raw_ostream &os, const Diagnostic &diagnostic, bool withSource) const {
  os << diagnostic.file;
  if (diagnostic.pos.line)
    os << ':' << diagnostic.pos.line << ':' << diagnostic.pos.column;
  switch (diagnostic.severity) {
  case Diagnostic::Severity::Error:
    os << ": error: ";
    break;
  case Diagnostic::Severity::Warning:
    os << ": warning: ";
    break;
  case Diagnostic::Severity::Note:
    os << ": note: ";
    break;
  }
  os << diagnostic.message << '\n';
  if (!withSource || diagnostic.pos.line == 0)
    return;
  auto source = sources.find(diagnostic.file);
  if (source == sources.end())
    return;
  StringRef line = source->second->line(diagnostic.pos.line);
  if (!line.empty())
    renderSource(os, line, diagnostic.pos);
}

void Diagnostics::takeErrors(const Diagnostics &other) {
  for (const Diagnostic &message : other.messages) {
    if (message.severity != Diagnostic::Severity::Error)
      continue;
    Diagnostic &own = error(message.file, message.pos, message.message);
    for (const Diagnostic &note : message.notes)
      note.pos.line ? own.note(note.pos, note.message) : own.note(note.message);
  }
}

void Diagnostics::render(raw_ostream &os) const {
  for (const Diagnostic &diagnostic : messages) {
    renderOne(os, diagnostic, /*withSource=*/true);
    for (const Diagnostic &note : diagnostic.notes) {
      bool samePlace =
          note.pos.line == diagnostic.pos.line && note.pos.column == diagnostic.pos.column;
      renderOne(os, note, /*withSource=*/!samePlace);
    }
  }
  if (errors > maxErrors)
    os << overflow.file << ": error: " << (errors - maxErrors) << " more errors are not shown\n";
  if (warnings > maxErrors)
    os << overflow.file << ": warning: " << (warnings - maxErrors)
       << " more warnings are not shown\n";
}

std::string Diagnostics::str() const {
  std::string text;
  raw_string_ostream os(text);
  render(os);
  return text;
}

std::string Diagnostics::list(ArrayRef<std::string> texts) const {
  std::string text = join(texts.take_front(shown(texts.size())), ", ");
  if (size_t more = texts.size() - shown(texts.size()))
    text += " and " + std::to_string(more) + " more";
  return text;
}

std::string Diagnostics::nameList(ArrayRef<std::string> names) const {
  std::vector<std::string> quoted;
  for (const std::string &name : names)
    quoted.push_back(inQuotes(name));
  return list(quoted);
}

std::string inQuotes(StringRef text) {
  constexpr size_t Longest = 80;
  std::string result = "'";
  raw_string_ostream os(result);
  StringRef shown = text.take_front(Longest);
  for (char c : shown) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      os << "\\n";
    else if (c == '\t')
      os << "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      os << "\\x" << hexdigit(byte >> 4) << hexdigit(byte & 15);
    else
      os << c;
  }
  os << (text.size() > Longest ? "...'" : "'");
  return result;
}

std::string reasonOf(std::error_code failure) {
  std::string reason = failure.message();
  if (reason.size() > 1 && isLower(reason[1])) // else it may be a name
    reason[0] = toLower(reason[0]);
  return reason;
}

std::string notRegular(StringRef path) {
  sys::fs::file_status status;
  if (sys::fs::status(path, status) || sys::fs::is_regular_file(status) ||
      sys::fs::is_directory(status))
    return "";
  return "expected a regular file, got a device, pipe or socket";
}

std::unique_ptr<MemoryBuffer> openInput(StringRef path, Diagnostics &diagnostics) {
  sys::fs::file_status status;
  if (std::error_code failure = sys::fs::status(path, status)) {
    diagnostics.error(path, {}, "cannot open the file: " + reasonOf(failure));
    return nullptr;
  }
  if (sys::fs::is_directory(status)) {
    diagnostics.error(path, {}, "expected a file, got a folder");
    return nullptr;
  }
  if (std::string reason = notRegular(path); !reason.empty()) {
    diagnostics.error(path, {}, reason);
    return nullptr;
  }
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    diagnostics.error(path, {}, "cannot read the file: " + reasonOf(buffer.getError()));
    return nullptr;
  }
  return std::move(*buffer);
}

} // namespace symc
