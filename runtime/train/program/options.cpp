// options.cpp: parses the options of options.def. `--option value` and `--option=value` are the
// same; the last of several counts. What no option spells is refused with the nearest name.
#include "options.h"

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

// The option that `word` spells, up to '=' if there is one; -1 for none.
int find_option(const char *word) {
  size_t length = strcspn(word, "=");
  for (int i = 0; i < optionCount; ++i)
    if (strlen(rows[i].spelling) == length && strncmp(rows[i].spelling, word, length) == 0)
      return i;
  return -1;
}

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
  char cut[32];
  snprintf(cut, sizeof cut, "%.*s", int(strcspn(word, "=")), word);
  int best = -1, least = 5;
  for (int i = 0; i < optionCount; ++i) {
    int distance = word_distance(cut, rows[i].spelling);
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
  char *end;
  bool begins = (*text >= '0' && *text <= '9') || *text == '-' || *text == '+' || *text == '.';
  number = begins ? strtod(text, &end) : 0;
  return begins && *end == 0 && isfinite(number);
}

int word_distance(const char *a, const char *b) {
  constexpr int most = 40;
  int rows[3][most + 1], lengthA = int(strlen(a)), lengthB = int(strlen(b));
  if (lengthA > most || lengthB > most)
    return most;
  int *before = rows[0], *last = rows[1], *at = rows[2];
  for (int j = 0; j <= lengthB; ++j)
    last[j] = j;
  for (int i = 1; i <= lengthA; ++i) {
    at[0] = i;
    for (int j = 1; j <= lengthB; ++j) {
      int change = last[j - 1] + (a[i - 1] != b[j - 1]);
      int more = (last[j] < at[j - 1] ? last[j] : at[j - 1]) + 1;
      at[j] = change < more ? change : more;
      bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged && before[j - 2] + 1 < at[j])
        at[j] = before[j - 2] + 1;
    }
    int *oldest = before;
    before = last;
    last = at;
    at = oldest;
  }
  return last[lengthB];
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
    const char *equals = strchr(word, '=');
    const char *value = equals ? equals + 1 : nullptr;
    if (row.kind == Switch && value)
      return problem.set("%s: expected no value, got '%s'", row.spelling, value);
    if (row.kind != Switch && !value) {
      if (i + 1 == argc)
        return problem.set("%s: expected %s after it, got nothing", row.spelling, row.argument);
      value = argv[++i];
    }
    if (!take(index, value, true, problem))
      return false;
  }
  problem.exit = BadInput;
  return true;
}

// Prints `text` in lines of at most 80 columns, all but the first indented.
static void print_wrapped(const char *text, int column, int indent) {
  while (*text) {
    int length = int(strcspn(text, " "));
    if (column > indent && column + 1 + length > 80) {
      printf("\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      putchar(' ');
      ++column;
    }
    printf("%.*s", length, text);
    column += length;
    text += length;
    while (*text == ' ')
      ++text;
  }
  putchar('\n');
}

static void print_option(const Row &row) {
  constexpr int indent = 25;
  int column = printf("  %s%s%s ", row.spelling, row.argument[0] ? " " : "", row.argument);
  if (column > indent) {
    putchar('\n');
    column = 0;
  }
  printf("%*s", indent - column, "");
  char text[1024];
  bool hasDefault = row.value && row.value[0];
  snprintf(text, sizeof text, "%s%s%s%s", row.meaning, hasDefault ? " [" : "",
           hasDefault ? row.value : "", hasDefault ? "]" : "");
  print_wrapped(text, indent, indent);
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
  print_option(rows[next++]);
#include "options.def"
  printf("\nexit codes:\n");
#define SYMC_EXIT(name, value, meaning)                                                            \
  printf("  %d  ", value);                                                                         \
  print_wrapped(meaning, 5, 5);
#include "../../main/exit_codes.def"
#undef SYMC_EXIT
}

} // namespace symc::train
