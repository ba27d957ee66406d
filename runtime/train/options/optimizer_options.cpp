// optimizer_options.cpp: see symc/optimizer_options.h. The table of the .def file is taken apart
// when this is compiled.
#include "symc/optimizer_options.h"
#include "option_text.h"

#include <string.h>

using namespace symc::choices;

namespace {

enum Decay { ByWeight, ByWeightAndGamma };
enum OptimizerNumber {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) number_of_##id,
#include "symc/optimizers.def"
  optimizer_count
};

struct Row {
  const char *name;
  double rate;
  Decay decay;
};
constexpr Row rows[] = {
#define SYMC_OPTIMIZER(id, rate, decay, meaning) {#id, rate, decay},
#include "symc/optimizers.def"
};

// What is written of an optimizer, or of one of its values.
struct Note {
  const char *optimizer, *name, *words;
};
constexpr Note aliases[] = {
#define SYMC_OPTIMIZER_ALIAS(id, name) {#id, #name, nullptr},
#include "symc/optimizers.def"
};
constexpr Note words[] = {
#define SYMC_HYPER_WORDS(id, name, words) {#id, #name, words},
#include "symc/optimizers.def"
};
constexpr Note wholes[] = {
#define SYMC_HYPER_WHOLE(id, name) {#id, #name, nullptr},
#include "symc/optimizers.def"
};

constexpr bool same(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}
template <size_t n>
constexpr const Note *find(const Note (&notes)[n], const char *optimizer, const char *name) {
  for (const Note &note : notes)
    if (same(note.optimizer, optimizer) && (!name || same(note.name, name)))
      return &note;
  return nullptr;
}

constexpr Option option_of(const char *optimizer, const char *name, double value, double least,
                           double most, const char *range) {
  const Note *spelled = find(words, optimizer, name);
  bool optional = value == -1 && least == -1;
  Form form = spelled                         ? Form::Words
              : find(wholes, optimizer, name) ? Form::Whole
              : optional                      ? Form::Optional
                                              : Form::Number;
  return {name,
          nullptr,
          form,
          value,
          optional ? 0 : least,
          most,
          range,
          spelled ? spelled->words : nullptr};
}

struct Owned {
  const char *optimizer;
  Option option;
};
constexpr Owned owned[] = {
#define SYMC_HYPER(id, name, value, least, most, meaning)                                          \
  {#id, option_of(#id, #name, value, least, most, #least " to " #most)},
#include "symc/optimizers.def"
};
constexpr int32_t owned_count = sizeof owned / sizeof *owned;

struct Tables {
  Option options[owned_count];
  Kind kinds[optimizer_count];
};
constexpr void fill(Tables &tables) {
  int32_t used = 0;
  for (int32_t i = 0; i < optimizer_count; ++i) {
    const Note *alias = find(aliases, rows[i].name, nullptr);
    int32_t first = used;
    for (const Owned &each : owned)
      if (same(each.optimizer, rows[i].name))
        tables.options[used++] = each.option;
    tables.kinds[i] = {rows[i].name, alias ? alias->name : nullptr, nullptr, used - first};
  }
}
constexpr Tables make_tables() {
  Tables tables = {};
  fill(tables);
  return tables;
}
constexpr Tables tables = make_tables();

// What every optimizer has; the rate's default is its own.
constexpr Option shared[] = {
    {"learning_rate", "lr", Form::Number, 0, 0, 1e30, "0 to 1e30", nullptr},
    {"wd", "weight_decay", Form::Number, 0, 0, 1e30, "0 to 1e30", nullptr},
    {"rescale_grad", nullptr, Form::Number, 1, -1e30, 1e30, "-1e30 to 1e30", nullptr},
    {"clip_gradient", nullptr, Form::Optional, -1, 0, 1e30, "0 to 1e30", nullptr},
};

// Options are found by pointers, which a constant cannot have into itself.
struct Linked {
  Kind kinds[optimizer_count];
};
constexpr Linked link() {
  Linked linked = {};
  const Option *next = tables.options;
  for (int32_t i = 0; i < optimizer_count; ++i) {
    linked.kinds[i] = tables.kinds[i];
    linked.kinds[i].options = next;
    next += tables.kinds[i].n_options;
  }
  return linked;
}
constexpr Linked linked = link();

constexpr char ignored[] =
#define SYMC_HYPER_IGNORED(name) "," #name
#include "symc/optimizers.def"
    ;
constexpr Table table = {
    "optimizer", linked.kinds, optimizer_count, shared, sizeof shared / sizeof *shared,
    ignored + 1};

bool ends_in(const char *name, const char *end) {
  size_t length = strlen(name), n = strlen(end);
  return length >= n && !strcmp(name + length - n, end);
}
bool is_number(int32_t optimizer) { return optimizer >= 0 && optimizer < optimizer_count; }

} // namespace

namespace symc {

bool parse_optimizer(const char *text, OptimizerChoice &choice, char *error, size_t error_bytes) {
  Sentence sentence(error, error_bytes);
  choice = {};
  Parsed parsed = {0, 0, choice.values, kMostOptimizerValues};
  if (!parse(table, text, parsed, sentence))
    return false;
  choice.optimizer = parsed.kind;
  choice.n_values = table.option_count(parsed.kind);
  choice.given = parsed.given;
  if (!(parsed.given & 1))
    choice.values[0] = rows[parsed.kind].rate;
  return true;
}

const char *optimizer_name(int32_t optimizer) {
  return is_number(optimizer) ? rows[optimizer].name : nullptr;
}

const char *optimizer_value_name(int32_t optimizer, int32_t i) {
  return is_number(optimizer) && i >= 0 && i < table.option_count(optimizer)
             ? table.option(optimizer, i).name
             : nullptr;
}

int32_t find_optimizer_value(int32_t optimizer, const char *name) {
  return is_number(optimizer) ? table.find_option(optimizer, {name, strlen(name)}, nullptr) : -1;
}

double optimizer_decays(int32_t optimizer, const char *parameter) {
  return ends_in(parameter, "_weight") ||
         (rows[optimizer].decay == ByWeightAndGamma && ends_in(parameter, "_gamma"));
}

bool optimizer_takes(int32_t optimizer, const char *parameter, const int64_t *shape, int32_t rank,
                     double decay, char *error, size_t error_bytes) {
  Sentence sentence(error, error_bytes);
  if (optimizer != number_of_groupadagrad)
    return true;
  if (rank != 2) {
    sentence << "optimizer 'groupadagrad' updates matrices, parameter '" << parameter
             << "' has shape [";
    for (int32_t i = 0; i < rank; ++i)
      sentence << (i ? ", " : "") << shape[i];
    sentence << "]";
    return false;
  }
  if (decay != 0)
    sentence << "optimizer 'groupadagrad' has no weight decay, parameter '" << parameter
             << "' has one; __wd_mult__ = 0 leaves it out";
  return decay == 0;
}

} // namespace symc
