// initializer_options.cpp: see initializer_options.h.
#include "initializer_options.h"
#include "json_pairs.h"
#include "option_rows.h"
#include "symc/optimizer_options.h"

#include <string.h>

using namespace symc::choices;

namespace {

#define REQUIRED __builtin_nan("")
constexpr const char *names[] = {
#define SYMC_INITIALIZER(id, meaning) #id,
#include "symc/initializers.def"
};
constexpr Note aliases[] = {
#define SYMC_INITIALIZER_ALIAS(id, name) {#id, #name, nullptr},
#include "symc/initializers.def"
};
constexpr Note words[] = {
#define SYMC_INITIALIZER_OPTION_WORDS(id, name, words) {#id, #name, words},
#include "symc/initializers.def"
};
constexpr Note wholes[] = {
#define SYMC_INITIALIZER_OPTION_WHOLE(id, name) {#id, #name, nullptr},
#include "symc/initializers.def"
};
constexpr OwnOption owned[] = {
#define SYMC_INITIALIZER_OPTION(id, name, value, least, most, meaning)                             \
  own_option(words, wholes, #id, #name, value, least, most, #least " to " #most),
#include "symc/initializers.def"
};
#undef REQUIRED
constexpr auto gathered = gather(names, aliases, owned);
constexpr auto linked = link(gathered);
constexpr Table table = {"initialiser", linked.kinds, int32_t(symc::Initial::count), nullptr, 0,
                         nullptr};

// As MXNet's dumps() writes it.
bool parse_json(const char *text, symc::InitializerChoice &choice, Sentence &error) {
  JsonPairs pairs(text);
  Piece key, value;
  bool is_list = false;
  if (!pairs.begin(key)) {
    error << "initialiser '" << text << "': expected [\"NAME\", {\"OPTION\": VALUE}]";
    return false;
  }
  int32_t kind = table.find_kind(key, &error);
  if (kind < 0)
    return false;
  choice.kind = symc::Initial(kind);
  int32_t count = table.option_count(kind);
  for (int32_t i = 0; i < count; ++i)
    choice.values[i] = table.option(kind, i).value;
  while (pairs.next(key, value, is_list)) {
    if (choice.kind == symc::Initial::constant && is_list && key.is("value")) {
      choice.list = value;
      choice.values[0] = 0;
      continue;
    }
    if (choice.kind == symc::Initial::fusedrnn && key.is("init")) {
      if (!value.is("null") && !unescape(value, choice.inner, sizeof choice.inner)) {
        error << "initialiser 'fusedrnn': the option 'init' is longer than 511 characters";
        return false;
      }
      continue;
    }
    int32_t option = table.find_option(kind, key, &error);
    if (option < 0 ||
        !table.read_value(kind, table.option(kind, option), value, choice.values[option], error))
      return false;
  }
  if (!pairs.ended()) {
    error << "initialiser '" << text << "': expected [\"NAME\", {\"OPTION\": VALUE}]";
    return false;
  }
  return table.has_all(kind, choice.values, error);
}

} // namespace

bool symc::parse_initializer(const char *text, InitializerChoice &choice, char *error,
                             size_t error_bytes) {
  Sentence sentence(error, error_bytes);
  choice = {};
  if (*text == '[')
    return parse_json(text, choice, sentence);
  Parsed parsed = {0, 0, choice.values, int32_t(sizeof choice.values / sizeof *choice.values)};
  if (!parse(table, text, parsed, sentence))
    return false;
  choice.kind = Initial(parsed.kind);
  return true;
}

bool symc::check_initializer(const char *text, char *error, size_t error_bytes) {
  InitializerChoice choice;
  return parse_initializer(text, choice, error, error_bytes);
}
