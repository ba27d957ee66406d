//===- ObjectReader.cpp - checked access to the members of JSON objects ---===//
//
// Messages state the place, what was expected and what was found.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/ObjectReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace llvm;

namespace symc::json {

using namespace symbol;

bool ObjectReader::expect(Value value, TokenKind kind, const Twine &what) {
  if (value.is(kind))
    return true;
  fail(value.pos(),
       "expected " + describe(kind) + " as " + what + ", got " + describe(value.kind()));
  return false;
}

void ObjectReader::readMembers(Value object, ArrayRef<StringLiteral> names, StringRef owner,
                               Members &members) {
  members.assign(names.size(), std::nullopt);
  object.forEachMember([&](Value key, Value value) {
    std::string name = key.string();
    auto known = llvm::find(names, name);
    if (known == names.end()) {
      Diagnostic &error = fail(key.pos(), "unknown field " + inQuotes(name) + " in " + owner);
      StringRef nearest;
      unsigned best = 3;
      for (StringRef candidate : names)
        if (unsigned distance = candidate.edit_distance(name, true, best); distance < best) {
          best = distance;
          nearest = candidate;
        }
      if (!nearest.empty())
        error.note("did you mean " + inQuotes(nearest) + "?");
      else
        error.note("known fields are " + join(names.begin(), names.end(), ", "));
      return;
    }
    auto &slot = members[known - names.begin()];
    if (slot) {
      fail(key.pos(), "field " + inQuotes(name) + " is given twice in " + owner)
          .note(slot->pos(), "the first one is here");
      return;
    }
    slot = value;
  });
}

bool ObjectReader::require(Value object, ArrayRef<StringLiteral> names, ArrayRef<unsigned> wanted,
                           const Members &members, StringRef owner) {
  std::string missing;
  for (unsigned field : wanted)
    if (!members[field])
      missing += (missing.empty() ? "" : ", ") + inQuotes(names[field]);
  if (!missing.empty())
    fail(object.pos(), owner + " has no field " + missing);
  return missing.empty();
}

std::optional<uint32_t> ObjectReader::readIndex(Value value, const Twine &what) {
  auto number = value.integer();
  if (number && *number >= 0 && *number <= std::numeric_limits<uint32_t>::max())
    return static_cast<uint32_t>(*number);
  fail(value.pos(),
       "expected a number of 0 or more as " + what + ", got " +
           (value.is(TokenKind::Number) ? value.raw().str() : describe(value.kind()).str()));
  return std::nullopt;
}

std::string ObjectReader::readString(Value value, const Twine &what) {
  return expect(value, TokenKind::String, what) ? value.string() : std::string();
}

bool ObjectReader::readEntry(Value value, const Twine &what, Entry &entry) {
  entry.pos = value.pos();
  if (!expect(value, TokenKind::Array, what))
    return false;
  SmallVector<Value, 3> parts;
  size_t count = 0;
  for (Value part : value)
    if (++count <= 3)
      parts.push_back(part);
  if (count < 2 || count > 3) {
    fail(value.pos(), "expected [node, output] or [node, output, version] as " + what +
                          ", got an array of " + Twine(count))
        .note("the first number is a node's place in \"nodes\", from 0");
    return false;
  }
  auto node = readIndex(parts[0], "node id of " + what);
  auto index = readIndex(parts[1], "output number of " + what);
  auto version = count == 3 ? readIndex(parts[2], "version of " + what) : 0u;
  if (!node || !index || !version)
    return false;
  entry.node = *node;
  entry.index = *index;
  entry.version = *version;
  return true;
}

} // namespace symc::json
