//===- Diagnostics.h - messages about input files -------------------------===//
//
// Collects errors, warnings and notes that point into the files a user gave,
// and renders them with the source line and a caret. Readers add messages and
// go on where they can; callers check hasErrors() and print once. Positions are
// plain integers, so that they survive as MLIR locations and come back here.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_DIAGNOSTICS_H
#define SYMC_FRONTEND_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace symc {

/// A place in a text file: line and column count from 1, columns and length in
/// bytes. Line 0 means "the file as a whole", length 0 "no underline".
struct SourcePos {
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t length = 0;
};

/// The text of one file and the table of its line starts. Shared by whoever
/// still points into it.
class SourceText {
public:
  /// Takes the buffer; texts of 2 GiB and more have no positions and must be
  /// refused by the caller.
  SourceText(std::string name, std::unique_ptr<llvm::MemoryBuffer> buffer);

  llvm::StringRef name() const { return fileName; }
  llvm::StringRef text() const { return buffer->getBuffer(); }
  SourcePos position(uint32_t begin, uint32_t end) const;
  /// The text of a line (from 1) without its end; empty when out of range.
  llvm::StringRef line(uint32_t number) const;

private:
  std::string fileName;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::vector<uint32_t> lineStarts;
};

/// One message and its notes.
class Diagnostic {
public:
  enum class Severity { Error, Warning, Note };

  Diagnostic(Severity severity, llvm::StringRef file, SourcePos pos, const llvm::Twine &message)
      : severity(severity), file(file), pos(pos), message(message.str()) {}

  /// A note at another place of the same file.
  Diagnostic &note(SourcePos at, const llvm::Twine &text);
  /// A note whose text is "here": none without a place (line 0).
  Diagnostic &pointAt(SourcePos at, const llvm::Twine &text) {
    return at.line ? note(at, text) : *this;
  }
  /// A note at the same place, without repeating the source line.
  Diagnostic &note(const llvm::Twine &text);

  Severity severity;
  std::string file;
  SourcePos pos;
  std::string message;
  std::string node; // that it is about, where the reporter has it as a value
  std::vector<Diagnostic> notes;
};

/// A list of messages in the order in which they were found.
class Diagnostics {
public:
  /// After this many errors further ones are counted, not kept; so are warnings.
  explicit Diagnostics(unsigned maxErrors = 20) : maxErrors(maxErrors) {}

  /// Makes source lines of this file available to render().
  void addSource(std::shared_ptr<const SourceText> source);

  /// The reference is valid until the next message is added.
  Diagnostic &error(llvm::StringRef file, SourcePos pos, const llvm::Twine &message);
  Diagnostic &warning(llvm::StringRef file, SourcePos pos, const llvm::Twine &message);

  /// Adds the errors of another list, with their notes.
  void takeErrors(const Diagnostics &other);

  /// How many of so many things a message names: ten, or all of them after listAll(true).
  size_t shown(size_t count) const { return allNames ? count : std::min<size_t>(count, 10); }
  /// "a, b and 92 more"; nameList quotes what it lists.
  std::string list(llvm::ArrayRef<std::string> texts) const;
  std::string nameList(llvm::ArrayRef<std::string> names) const;
  void listAll(bool all) { allNames = all; }

  bool hasErrors() const { return errors != 0; }
  unsigned errorCount() const { return errors; }
  /// True if further errors are only counted: a costly check may stop.
  bool isFull() const { return errors > maxErrors; }
  const std::vector<Diagnostic> &all() const { return messages; }
  /// The last message, to which notes may be added; null where there is none.
  Diagnostic *last() { return messages.empty() ? nullptr : &messages.back(); }

  /// Writes `file:line:col: severity: message`, the source line and a caret for
  /// each message, then the number of errors left out, if any.
  void render(llvm::raw_ostream &os) const;
  std::string str() const;

private:
  void renderOne(llvm::raw_ostream &os, const Diagnostic &diagnostic, bool withSource) const;

  bool allNames = false;
  unsigned maxErrors;
  unsigned errors = 0;
  unsigned warnings = 0;
  std::vector<Diagnostic> messages;
  /// Takes the notes of messages that are not kept.
  Diagnostic overflow{Diagnostic::Severity::Error, "", {}, ""};
  llvm::StringMap<std::shared_ptr<const SourceText>> sources;
};

/// 'text' in single quotes for a message: control characters escaped, long
/// texts cut.
std::string inQuotes(llvm::StringRef text);

/// Why the system refused something, in lower case: "no such file or directory".
std::string reasonOf(std::error_code failure);

/// What is wrong with a path that leads to something that may never end; "" for a regular file
/// and for what cannot be opened anyway.
std::string notRegular(llvm::StringRef path);

/// Opens a regular file (mapped where it is large) or reports why not:
/// missing, a folder, not a regular file, unreadable. Null after an error.
std::unique_ptr<llvm::MemoryBuffer> openInput(llvm::StringRef path, Diagnostics &diagnostics);

} // namespace symc

#endif // SYMC_FRONTEND_DIAGNOSTICS_H
