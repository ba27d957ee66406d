//===- ObjectReader.h - checked access to the members of JSON objects -----===//
//
// What reading nodes and reading graphs have in common: expecting a kind of
// value, sorting members by name, ids and entries. Each method reports what it
// finds wrong. Internal to the reader of symbol files.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_JSON_OBJECTREADER_H
#define SYMC_FRONTEND_JSON_OBJECTREADER_H

#include "frontend/json/JsonReader.h"
#include "frontend/symbol/Graph.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace symc::json {

/// The members of an object that a reader accepts, by position in its names.
using Members = llvm::SmallVector<std::optional<Value>, 12>;

class ObjectReader {
public:
  ObjectReader(std::shared_ptr<const SourceText> source, Diagnostics &diagnostics)
      : source(std::move(source)), diagnostics(diagnostics) {}

protected:
  Diagnostic &fail(SourcePos pos, const llvm::Twine &message) {
    return diagnostics.error(source->name(), pos, message);
  }
  bool expect(Value value, TokenKind kind, const llvm::Twine &what);
  /// Sorts the members of an object by the known names; reports unknown names
  /// and names given twice.
  void readMembers(Value object, llvm::ArrayRef<llvm::StringLiteral> names, llvm::StringRef owner,
                   Members &members);
  /// Reports the members that are missing, in one message.
  bool require(Value object, llvm::ArrayRef<llvm::StringLiteral> names,
               llvm::ArrayRef<unsigned> wanted, const Members &members, llvm::StringRef owner);
  std::optional<uint32_t> readIndex(Value value, const llvm::Twine &what);
  /// The text of a string, or an empty one after an error.
  std::string readString(Value value, const llvm::Twine &what);
  bool readEntry(Value value, const llvm::Twine &what, symbol::Entry &entry);

  std::shared_ptr<const SourceText> source;
  Diagnostics &diagnostics;
};

} // namespace symc::json

#endif // SYMC_FRONTEND_JSON_OBJECTREADER_H
