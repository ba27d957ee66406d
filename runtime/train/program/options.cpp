// options.cpp: parses the options of options.def. `--option value` and `--option=value` are the
// same, as are `-` and `_` in a name (MXNet's `--image_shape`); the last of several counts. What no
// option spells is refused with the nearest name.
#include "options.h"

#include "../../main/option_words.h"
#include "../options/option_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

namespace {
enum Kind { Text, Number, Count, Switch };
struct Row {
  Kind kind;
  const char *spelling, *argument, *value;
  double low, high;
  const char *meaning;
};
const Row rows[] = {
#define SYMC_TRAIN_OPTION(kind, id, spelling, argument, value, low, high, meaning)                 \
  {kind, spelling, argument, value, low, high, meaning},
#include "options.def"
};

bool spells(const char *spelling, const char *word, size_t length) {
  size_t same = 0;
  while (same < length &&
         (spelling[same] == word[same] || (same > 1 && spelling[same] == '-' && word[same] == '_')))
    ++same;
  return same == length && !spelling[length];
}

// The option that `word` spells, up to '=' if there is one; -1 for none.
int find_option(const char *word) {
  size_t length = strcspn(word, "=");
  for (int i = 0; i < optionCount; ++i)
    if (spells(rows[i].spelling, word, length))
      return i;
  return -1;
}

// By what mx.optimizer and others call it.
const struct {
  const char *word, *spelling;
} otherNames[] = {{"--learning-rate", "--lr"}, {"--momentum", "--mom"}, {"--weight-decay", "--wd"}};

bool integer_of(const char *text, int64_t &count) {
  count = 0;
  for (const char *c = text; *c; ++c) {
    if (*c < '0' || *c > '9' || count > INT64_MAX / 10 - 1)
      return false;
    count = count * 10 + (*c - '0');
  }
  return *text != 0;
}

bool unknown(const char *word, Problem &problem) {
  char cut[64];
  snprintf(cut, sizeof cut, "%.*s", int(strcspn(word, "=")), word);
  int best = -1;
  int64_t least = 5;
  for (const auto &other : otherNames)
    if (spells(other.word, cut, strlen(cut)))
      best = find_option(other.spelling);
  for (int i = 0, known = best; i < optionCount && known < 0; ++i) {
    int64_t distance = choices::word_distance({cut, strlen(cut)}, rows[i].spelling);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  problem.addNote("--help lists the options");
  if (best < 0)
    return problem.set("unknown option '%s'", cut);
  return problem.set("unknown option '%s'; did you mean '%s'?", cut, rows[best].spelling);
}
} // namespace

bool number_of(const char *text, double &number) {
  return choices::read_number({text, strlen(text)}, number) && isfinite(number);
}

const char *Options::spelling(Option id) { return rows[int(id)].spelling; }

bool Options::take(int index, const char *word, bool given, Problem &problem) {
  const Row &row = rows[index];
  Value value;
  value.text = word;
  value.given = given;
  if (row.kind == Number &&
      (!number_of(word, value.number) || value.number < row.low || value.number > row.high))
    return problem.set("%s: expected a number in %g..%g, got '%s'", row.spelling, row.low, row.high,
                       word);
  if (row.kind == Count && (!integer_of(word, value.count) || double(value.count) < row.low ||
                            double(value.count) > row.high))
    return problem.set("%s: expected an integer in %.0f..%.0f, got '%s'", row.spelling, row.low,
                       row.high, word);
  values[index] = value;
  return true;
}

bool Options::parse(int argc, char **argv, Problem &problem) {
  problem.exit = Usage;
  for (int i = 0; i < optionCount; ++i)
    if (rows[i].value && !take(i, rows[i].value, false, problem))
      return false;
  for (int i = 1; i < argc; ++i) {
    const char *word = argv[i];
    if (word[0] != '-') {
      problem.addNote("--help lists the options");
      return problem.set("expected an option, got '%s'", word);
    }
    int index = find_option(word);
    if (index < 0)
      return unknown(word, problem);
    const Row &row = rows[index];
    const char *value;
    if (!option_value(argc, argv, i, row.spelling, row.argument, value, problem))
      return false;
    if (!take(index, value, true, problem))
      return false;
  }
  problem.exit = BadInput;
  return true;
}

static void print_row(const Row &row) {
  char text[1024];
  bool hasDefault = row.value && row.value[0];
  snprintf(text, sizeof text, "%s%s%s%s", row.meaning, hasDefault ? " [" : "",
           hasDefault ? row.value : "", hasDefault ? "]" : "");
  print_option(row.spelling, row.argument, text);
}

void print_help(const char *program) {
  printf("usage: %s --data-dir DIR [options]\n"
         "       %s --data-train FILE [--label-train FILE] [options]\n\n"
         "Trains the network that is compiled in. Without --model-prefix nothing is saved.\n\n"
         "  %s --data-dir mnist --num-epochs 10 --lr 0.05 --model-prefix digits\n"
         "  %s --data-dir mnist --num-epochs 20 --lr 0.05 --model-prefix digits --resume\n",
         program, program, program, program);
  int next = 0;
#define SYMC_TRAIN_GROUP(title) printf("\n%s\n", title);
#define SYMC_TRAIN_OPTION(kind, id, spelling, argument, value, low, high, meaning)                 \
  print_row(rows[next++]);
#include "options.def"
  print_exit_codes();
}

} // namespace symc::train
