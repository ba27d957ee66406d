//===- JsonMutator.h - changes of JSON that stay JSON ---------------------===//
//
// Takes one value of a document, drawn from the seed, and gives it another of its kind,
// repeats it, takes it away, or puts a part of a second document in its place. Texts that
// hold numbers, as attributes of symbols do, change in one of these.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_TEST_FUZZ_JSONMUTATOR_H
#define SYMC_TEST_FUZZ_JSONMUTATOR_H

#include "llvm/Support/JSON.h"
#include <random>

namespace symc {

using JsonDraw = std::minstd_rand;

inline void collectValues(llvm::json::Value &value, std::vector<llvm::json::Value *> &values) {
  values.push_back(&value);
  if (auto *object = value.getAsObject())
    for (auto &entry : *object)
      collectValues(entry.second, values);
  else if (auto *array = value.getAsArray())
    for (llvm::json::Value &element : *array)
      collectValues(element, values);
}

inline int64_t drawInteger(int64_t given, JsonDraw &draw) {
  static constexpr int64_t edges[] = {0,         -1,        2,         INT32_MAX, INT32_MIN,
                                      1LL << 31, 1LL << 32, 1LL << 48, INT64_MAX, INT64_MIN};
  unsigned chance = draw() % 10;
  if (chance == 0)
    return edges[draw() % std::size(edges)];
  return chance < 6 ? int64_t(draw() % 10) - 1 : int64_t(uint64_t(given) + draw() % 7 - 3);
}

// Another number in the place of one of the text's, one more, or one less.
inline std::string mutateText(llvm::StringRef text, JsonDraw &draw) {
  std::vector<std::pair<size_t, size_t>> numbers;
  for (size_t at = 0; (at = text.find_first_of("0123456789", at)) != llvm::StringRef::npos;) {
    size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    numbers.push_back({at, end});
    at = end;
  }
  static const char *const words[] = {"None", "True", "False", "nan", "inf",
                                      "-1",   "()",   "(1,)",  ""};
  if (numbers.empty() || draw() % 12 == 0)
    return words[draw() % std::size(words)];
  auto [begin, end] = numbers[draw() % numbers.size()];
  int64_t given = 0;
  text.slice(begin, end).getAsInteger(10, given);
  std::string number = std::to_string(drawInteger(given, draw));
  if (draw() % 8 == 0)
    number += ", " + text.slice(begin, end).str();
  return (text.take_front(begin) + number + text.drop_front(end)).str();
}

inline void mutateValue(llvm::json::Value &value, JsonDraw &draw) {
  if (auto *array = value.getAsArray()) {
    size_t place = array->empty() ? 0 : draw() % array->size();
    if (array->empty())
      array->push_back(int64_t(draw() % 4));
    else if (draw() % 3 == 0)
      array->erase(array->begin() + place);
    else if (draw() % 2)
      array->insert(array->begin() + place, llvm::json::Value((*array)[draw() % array->size()]));
    else
      std::swap((*array)[place], (*array)[draw() % array->size()]);
  } else if (auto *object = value.getAsObject()) {
    if (object->empty())
      return;
    auto first = object->begin(), second = object->begin();
    std::advance(first, draw() % object->size());
    std::advance(second, draw() % object->size());
    if (draw() % 2)
      std::swap(first->second, second->second);
    else
      object->erase(first);
  } else if (auto text = value.getAsString()) {
    value = mutateText(*text, draw);
  } else if (auto number = value.getAsInteger()) {
    value = drawInteger(*number, draw);
  } else {
    value = draw() % 2 == 0;
  }
}

/// The document with one to three changes; "" where it is no JSON.
inline std::string mutateJson(llvm::StringRef text, unsigned seed) {
  auto document = llvm::json::parse(text);
  if (!document) {
    llvm::consumeError(document.takeError());
    return "";
  }
  JsonDraw draw(seed);
  for (unsigned changes = 1 + draw() % 3; changes; --changes) {
    std::vector<llvm::json::Value *> values;
    collectValues(*document, values);
    mutateValue(*values[draw() % values.size()], draw);
  }
  return llvm::formatv("{0}", *document).str();
}

/// The first document with a value of the second in the place of one of its kind.
inline std::string crossJson(llvm::StringRef text, llvm::StringRef other, unsigned seed) {
  auto first = llvm::json::parse(text), second = llvm::json::parse(other);
  if (!first || !second) {
    llvm::consumeError(first.takeError());
    llvm::consumeError(second.takeError());
    return "";
  }
  JsonDraw draw(seed);
  std::vector<llvm::json::Value *> places, values;
  collectValues(*first, places);
  collectValues(*second, values);
  for (int tries = 0; tries < 50; ++tries) {
    llvm::json::Value &place = *places[draw() % places.size()];
    const llvm::json::Value &value = *values[draw() % values.size()];
    if (place.kind() == value.kind() && place != value) {
      place = llvm::json::Value(value);
      break;
    }
  }
  return llvm::formatv("{0}", *first).str();
}

} // namespace symc

#endif // SYMC_TEST_FUZZ_JSONMUTATOR_H
