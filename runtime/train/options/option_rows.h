// option_rows.h: a table of kinds and options (option_text.h) made of the rows of a .def file, when
// the file that includes it is compiled.
#ifndef SYMC_RUNTIME_TRAIN_OPTIONS_OPTION_ROWS_H
#define SYMC_RUNTIME_TRAIN_OPTIONS_OPTION_ROWS_H

#include "option_text.h"

namespace symc::choices {

// What is written of a kind, or of one of its options: another name, words for its values.
struct Note {
  const char *kind, *name, *words;
};
struct OwnOption {
  const char *kind;
  Option option;
};

constexpr bool same(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}
template <size_t n>
constexpr const Note *find(const Note (&notes)[n], const char *kind, const char *name) {
  for (const Note &note : notes)
    if (same(note.kind, kind) && (!name || same(note.name, name)))
      return &note;
  return nullptr;
}

// An option whose default and least value are -1 may be none.
template <size_t n, size_t m>
constexpr OwnOption own_option(const Note (&words)[n], const Note (&wholes)[m], const char *kind,
                               const char *name, double value, double least, double most,
                               const char *range) {
  const Note *spelled = find(words, kind, name);
  bool optional = value == -1 && least == -1;
  Form form = spelled                    ? Form::Words
              : find(wholes, kind, name) ? Form::Whole
              : optional                 ? Form::Optional
                                         : Form::Number;
  return {kind,
          {name, nullptr, form, value, optional ? 0 : least, most, range,
           spelled ? spelled->words : nullptr}};
}

template <size_t n_kinds, size_t n_options> struct Gathered {
  Option options[n_options];
  Kind kinds[n_kinds];
};
template <size_t n_kinds, size_t n_aliases, size_t n_options>
constexpr Gathered<n_kinds, n_options> gather(const char *const (&names)[n_kinds],
                                              const Note (&aliases)[n_aliases],
                                              const OwnOption (&owned)[n_options]) {
  Gathered<n_kinds, n_options> gathered = {};
  int32_t used = 0;
  for (size_t i = 0; i < n_kinds; ++i) {
    const Note *alias = find(aliases, names[i], nullptr);
    int32_t first = used;
    for (const OwnOption &each : owned)
      if (same(each.kind, names[i]))
        gathered.options[used++] = each.option;
    gathered.kinds[i] = {names[i], alias ? alias->name : nullptr, nullptr, used - first};
  }
  return gathered;
}

// The kinds with pointers to their options, which a constant cannot have into itself: `gathered` is
// one of a static constant.
template <size_t n_kinds> struct Linked {
  Kind kinds[n_kinds];
};
template <size_t n_kinds, size_t n_options>
constexpr Linked<n_kinds> link(const Gathered<n_kinds, n_options> &gathered) {
  Linked<n_kinds> linked = {};
  const Option *next = gathered.options;
  for (size_t i = 0; i < n_kinds; ++i) {
    linked.kinds[i] = gathered.kinds[i];
    linked.kinds[i].options = next;
    next += gathered.kinds[i].n_options;
  }
  return linked;
}

} // namespace symc::choices
#endif
