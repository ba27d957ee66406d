// TuningLines.h: the text of a tuning file, line by line and word by word. A line begins with what
// it is for, an instruction set or a kind of device, and ends with the time that was measured; what
// lies between is read by who chooses for that target (conv/Tuning.h, cuda/CudaTuning.h), strictly.
#ifndef SYMC_CODEGEN_TARGET_TUNINGLINES_H
#define SYMC_CODEGEN_TARGET_TUNINGLINES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>

namespace symc::codegen {

/// A mistake in a tuning file: what, and where (from 1).
struct TuningError {
  unsigned line, column;
  std::string message;
};

/// The first line of a tuning file.
inline constexpr llvm::StringLiteral tuningHeader = "symc tuning 1";

class TuningLines {
public:
  explicit TuningLines(llvm::StringRef text) : rest(text) {}

  /// Goes to the next line that is no comment and reads what it is for. False at the end, and
  /// where the text is no tuning file, which error() reports.
  bool next();
  /// "x86-64-v4", "cuda-sm_90a".
  llvm::StringRef target() const { return first; }
  bool isForDevice() const { return first.starts_with("cuda-"); }
  const std::optional<TuningError> &error() const { return problem; }

  /// The next word of the line, "" behind the last.
  llvm::StringRef word();
  /// A mistake at the word that was read last.
  TuningError wrong(const llvm::Twine &message) const;
  /// The place of that word.
  unsigned line() const { return number; }
  unsigned column() const { return unsigned(wordAt + 1); }

  /// The shape that follows the target.
  std::optional<TuningError> readKey(llvm::StringRef &key);
  /// The end of the line, where us=NUMBER may stand.
  std::optional<TuningError> readEnd(double &microseconds);
  TuningError secondChoice(llvm::StringRef key);

private:
  llvm::StringRef rest, text, first;
  unsigned number = 0;
  size_t place = 0, wordAt = 0;
  bool started = false;
  std::optional<TuningError> problem;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_TARGET_TUNINGLINES_H
