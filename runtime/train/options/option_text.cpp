// option_text.cpp: see option_text.h.
#include "option_text.h"

#include <stdlib.h>
#include <string.h>

namespace symc::choices {

// --- Sentences and pieces -------------------------------------------------------

Sentence &Sentence::add(const char *text, size_t length) {
  if (!left)
    return *this;
  size_t room = left - 1, taken = length < room ? length : room;
  memcpy(buffer, text, taken);
  buffer += taken;
  left -= taken;
  *buffer = 0;
  return *this;
}
Sentence &Sentence::operator<<(const char *text) { return add(text, strlen(text)); }
Sentence &Sentence::operator<<(int64_t number) {
  char digits[20];
  int n = 0;
  uint64_t rest = number < 0 ? uint64_t(0) - uint64_t(number) : uint64_t(number);
  if (number < 0)
    add("-", 1);
  do
    digits[n++] = char('0' + rest % 10);
  while (rest /= 10);
  while (n)
    add(&digits[--n], 1);
  return *this;
}

bool Piece::is(const char *word) const {
  return word && strlen(word) == length && !memcmp(begin, word, length);
}

Piece cut(const char *&text, char separator) {
  const char *begin = text, *end = strchr(text, separator);
  text = end ? end + 1 : nullptr;
  return {begin, end ? size_t(end - begin) : strlen(begin)};
}

static char small(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

static bool is_small(Piece piece, Piece word) { // `word` is in small letters
  if (piece.length != word.length)
    return false;
  for (size_t i = 0; i < piece.length; ++i)
    if (small(piece.begin[i]) != word.begin[i])
      return false;
  return true;
}

// --- Numbers --------------------------------------------------------------------

// Up to 15 digits times a power of ten up to 22 are exact, and their product is rounded once. What
// is longer goes to strtod as a whole number of tens, for its decimal point is the locale's.
bool read_number(Piece piece, double &number) {
  const char *c = piece.begin, *end = c + piece.length;
  bool negative = c < end && *c == '-', point = false, seen = false;
  if (c < end && (*c == '-' || *c == '+'))
    ++c;
  char digits[64];
  constexpr int64_t most = 40; // of the 17 that a double holds
  int64_t used = 0, exponent = 0;
  for (; c < end && ((*c >= '0' && *c <= '9') || (*c == '.' && !point)); ++c) {
    if (*c == '.') {
      point = true;
      continue;
    }
    seen = true;
    if (used < most) {
      exponent -= point;
      if (used || *c != '0')
        digits[used++] = *c;
    } else {
      exponent += !point;
    }
  }
  if (!seen)
    return false;
  if (c < end && (*c == 'e' || *c == 'E')) {
    bool down = ++c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
      ++c;
    if (c == end)
      return false;
    int64_t given = 0;
    for (; c < end && *c >= '0' && *c <= '9'; ++c)
      given = given < 100000 ? given * 10 + (*c - '0') : given;
    exponent += down ? -given : given;
  }
  if (c != end)
    return false;
  if (used <= 15 && exponent >= -22 && exponent <= 22) {
    double power = 1;
    int64_t whole = 0;
    for (int64_t i = exponent < 0 ? -exponent : exponent; i > 0; --i)
      power *= 10;
    for (int64_t i = 0; i < used; ++i)
      whole = whole * 10 + (digits[i] - '0');
    number = exponent < 0 ? double(whole) / power : double(whole) * power;
  } else {
    Sentence(digits + used, sizeof digits - size_t(used)) << (used ? "e" : "0e") << exponent;
    number = strtod(digits, nullptr);
  }
  number = negative ? -number : number;
  return number - number == 0;
}

// The place of a word in a list, or -1.
static int32_t place_of(const char *words, Piece word) {
  for (int32_t place = 0; words; ++place)
    if (is_small(word, cut(words, ',')))
      return place;
  return -1;
}

// --- Names ----------------------------------------------------------------------

int64_t word_distance(Piece a, const char *b) {
  constexpr size_t most = 40;
  size_t length = strlen(b);
  if (a.length > most || length > most)
    return most;
  int64_t rows[3][most + 1], *before = rows[0], *last = rows[1], *at = rows[2];
  for (size_t j = 0; j <= length; ++j)
    last[j] = int64_t(j);
  for (size_t i = 1; i <= a.length; ++i) {
    at[0] = int64_t(i);
    for (size_t j = 1; j <= length; ++j) {
      char left = small(a.begin[i - 1]);
      int64_t change = last[j - 1] + (left != b[j - 1]);
      int64_t more = (last[j] < at[j - 1] ? last[j] : at[j - 1]) + 1;
      at[j] = change < more ? change : more;
      bool exchanged = i > 1 && j > 1 && left == b[j - 2] && small(a.begin[i - 2]) == b[j - 1];
      if (exchanged && before[j - 2] + 1 < at[j])
        at[j] = before[j - 2] + 1;
    }
    int64_t *oldest = before;
    before = last;
    last = at;
    at = oldest;
  }
  return last[length];
}

namespace {
// Gathers names beside a word that is none of them.
struct Nearest {
  Piece word;
  const char *name = nullptr;
  int64_t least;

  explicit Nearest(Piece word) : word(word), least(int64_t(word.length) / 3 + 2) {}
  void look(const char *other) {
    int64_t found = word_distance(word, other);
    if (found < least) {
      least = found;
      name = other;
    }
  }
};
} // namespace

int32_t Table::find_kind(Piece name, Sentence *error) const {
  Nearest nearest(name);
  for (int32_t i = 0; i < n_kinds; ++i) {
    if (is_small(name, {kinds[i].name, strlen(kinds[i].name)}))
      return i;
    if (place_of(kinds[i].aliases, name) >= 0)
      return i;
    nearest.look(kinds[i].name);
  }
  if (!error)
    return -1;
  *error << what << " '" << name << "' is unknown; ";
  if (nearest.name) {
    *error << "did you mean '" << nearest.name << "'?";
    return -1;
  }
  for (int32_t i = 0; i < n_kinds; ++i)
    *error << (i ? ", " : "there are ") << kinds[i].name;
  return -1;
}

int32_t Table::find_option(int32_t kind, Piece name, Sentence *error) const {
  Nearest nearest(name);
  int32_t count = option_count(kind);
  for (int32_t i = 0; i < count; ++i) {
    const Option &each = option(kind, i);
    if (name.is(each.name) || name.is(each.alias))
      return i;
    nearest.look(each.name);
  }
  if (!error)
    return -1;
  *error << what << " '" << kinds[kind].name << "' has no option '" << name << "'; ";
  if (nearest.name) {
    *error << "did you mean '" << nearest.name << "'?";
    return -1;
  }
  for (int32_t i = 0; i < count; ++i)
    *error << (i ? ", " : "there are ") << option(kind, i).name;
  if (!count)
    *error << "it has none";
  return -1;
}

// --- Values ---------------------------------------------------------------------

bool Table::read_value(int32_t kind, const Option &row, Piece text, double &value,
                       Sentence &error) const {
  bool found = false, flag = row.words && !strcmp(row.words, "false,true");
  switch (row.form) {
  case Form::Words: {
    int32_t place =
        flag && place_of("0,1", text) >= 0 ? place_of("0,1", text) : place_of(row.words, text);
    found = place >= 0;
    value = place;
    break;
  }
  case Form::Optional:
    if (place_of("none", text) == 0) {
      value = -1;
      return true;
    }
    [[fallthrough]];
  case Form::Number:
  case Form::Whole:
    found = read_number(text, value) && value >= row.least && value <= row.most;
    found = found && (row.form != Form::Whole || value == double(int64_t(value)));
    break;
  }
  if (found)
    return true;
  error << "option '" << row.name << "' of " << what << " '" << kinds[kind].name << "' is '" << text
        << "', expected ";
  if (row.form == Form::Words)
    error << "one of " << row.words;
  else if (row.form == Form::Optional)
    error << "a number from 0" << strstr(row.range, " to ") << ", or none";
  else
    error << (row.form == Form::Whole ? "a whole number from " : "a number from ") << row.range;
  return false;
}

bool Table::has_all(int32_t kind, const double *values, Sentence &error) const {
  for (int32_t i = 0; i < option_count(kind); ++i)
    if (values[i] != values[i]) {
      error << what << " '" << kinds[kind].name << "' needs the option '" << option(kind, i).name
            << "'";
      return false;
    }
  return true;
}

bool parse(const Table &table, const char *text, Parsed &parsed, Sentence &error) {
  Piece name = cut(text, ',');
  parsed.kind = table.find_kind(name, &error);
  if (parsed.kind < 0)
    return false;
  int32_t count = table.option_count(parsed.kind);
  if (count > parsed.n_values) {
    error << "internal error: a kind has more options than there is room for";
    return false;
  }
  parsed.given = 0;
  for (int32_t i = 0; i < count; ++i)
    parsed.values[i] = table.option(parsed.kind, i).value;
  const char *kind = table.kinds[parsed.kind].name;
  while (text) {
    Piece whole = cut(text, ',');
    const char *equals = static_cast<const char *>(memchr(whole.begin, '=', whole.length));
    if (!equals) {
      error << table.what << " '" << kind << "': expected OPTION=VALUE, got '" << whole << "'";
      return false;
    }
    Piece option = {whole.begin, size_t(equals - whole.begin)};
    Piece value = {equals + 1, whole.length - option.length - 1};
    if (place_of(table.ignored, option) >= 0) {
      char own[32];
      Sentence(own, sizeof own).add(option.begin, option.length);
      const Option flag = {own, nullptr, Form::Words, 0, 0, 1, "", "false,true"};
      double unused;
      if (!table.read_value(parsed.kind, flag, value, unused, error))
        return false;
      continue;
    }
    int32_t number = table.find_option(parsed.kind, option, &error);
    if (number < 0 || !table.read_value(parsed.kind, table.option(parsed.kind, number), value,
                                        parsed.values[number], error))
      return false;
    if (parsed.given >> number & 1) {
      error << "option '" << option << "' of " << table.what << " '" << kind << "' is given twice";
      return false;
    }
    parsed.given |= uint64_t(1) << number;
  }
  return table.has_all(parsed.kind, parsed.values, error);
}

} // namespace symc::choices
