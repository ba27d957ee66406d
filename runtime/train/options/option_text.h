// option_text.h: texts of a kind and its options, "adam,beta1=0.9", read by a table of kinds.
// Optimizers, initialisers, schedules and metrics are tables. Errors are sentences in a buffer of
// the caller; nothing is allocated. Stands on nothing but the C library, so that the compiler links
// it, too.
#ifndef SYMC_RUNTIME_TRAIN_OPTIONS_OPTION_TEXT_H
#define SYMC_RUNTIME_TRAIN_OPTIONS_OPTION_TEXT_H

#include <stddef.h>
#include <stdint.h>

namespace symc::choices {

// A sentence in a buffer: it ends in a zero, and what does not fit is cut off.
class Sentence {
public:
  Sentence(char *buffer, size_t bytes) : buffer(buffer), left(bytes) {
    if (left)
      *buffer = 0;
  }
  Sentence &add(const char *text, size_t length);
  Sentence &operator<<(const char *text);
  Sentence &operator<<(int64_t number);

private:
  char *buffer;
  size_t left;
};

// A part of a text.
struct Piece {
  const char *begin;
  size_t length;
  bool is(const char *word) const;
};
inline Sentence &operator<<(Sentence &sentence, Piece piece) {
  return sentence.add(piece.begin, piece.length);
}
// What stands in front of the next `separator`, which `text` then stands behind; at the end of the
// text NULL is left there.
Piece cut(const char *&text, char separator);

// A number, the whole piece, in decimal form; false for others and for what is not finite.
bool read_number(Piece piece, double &number);
/// How many single letters to change, add, leave out or exchange with a neighbour between a word,
/// in letters of either case, and `b`.
int64_t word_distance(Piece a, const char *b);

enum class Form { Number, Whole, Optional, Words };
struct Option {
  const char *name, *alias; // alias may be NULL
  Form form;
  double value, least, most; // value: the default, NaN where one must be given
  const char *range;         // "0 to 1", as messages have it
  const char *words; // of the values 0, 1, ..., between commas; "false,true" takes 0 and 1, too
};
struct Kind {
  const char *name, *aliases; // between commas
  const Option *options;
  int32_t n_options;
};
struct Table {
  const char *what; // "optimizer"
  const Kind *kinds;
  int32_t n_kinds;
  const Option *shared; // options that every kind has in front of its own
  int32_t n_shared;
  const char *ignored; // names between commas that take true or false and change nothing

  // Options are numbered from the shared ones on.
  const Option &option(int32_t kind, int32_t i) const {
    return i < n_shared ? shared[i] : kinds[kind].options[i - n_shared];
  }
  int32_t option_count(int32_t kind) const { return n_shared + kinds[kind].n_options; }
  // -1 where there is none; with a sentence.
  int32_t find_kind(Piece name, Sentence *error) const;
  int32_t find_option(int32_t kind, Piece name, Sentence *error) const;
  // Reads the value of an option. False with a sentence.
  bool read_value(int32_t kind, const Option &option, Piece text, double &value,
                  Sentence &error) const;
  // Whether every option has a value. False with a sentence.
  bool has_all(int32_t kind, const double *values, Sentence &error) const;
};

// What a text holds.
struct Parsed {
  int32_t kind;
  uint64_t given; // bit i: option i
  double *values; // room for all options of a kind
  int32_t n_values;
};
// Values that are not given become defaults. False with a sentence.
bool parse(const Table &table, const char *text, Parsed &parsed, Sentence &error);

} // namespace symc::choices
#endif
