// condition.cpp: what a run refuses of its sizes, in a sentence with their values. The sentence of
// the model's table has sizes as s0, s1, in expressions such as (s0 - 3) floordiv 2 + 1; each of
// these reads as its value, and what the sizes are follows:
//
//   node 'top': k is 9 but data has shape [s0 * 2]   ->   ... has shape [6] (extent 0 of input
//                                                         'data' is 3)
#include "check.h"

namespace symc {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Reads the expressions that the compiler writes: + - * floordiv ceildiv mod, parentheses, numbers
// and sizes. Where no expression begins or one cannot be computed, it fails and the text stays.
class Expression {
public:
  Expression(const char *text, const int64_t *sizes, int32_t count)
      : at(text), sizes(sizes), count(count) {}

  // On success *end is behind the expression. One without sizes is a number like any other text.
  bool read(int64_t &value, const char *&end) {
    bool good = sum(value) && any;
    end = at;
    return good;
  }

private:
  static constexpr int32_t deepest = 64; // parentheses; the stack is the application's

  bool sum(int64_t &value) {
    if (!product(value))
      return false;
    for (;;) {
      const char *before = at;
      bool minus = take(" - ");
      int64_t other;
      if (!minus && !take(" + "))
        return true;
      if (!product(other)) {
        at = before;
        return true;
      }
      if (minus ? __builtin_sub_overflow(value, other, &value)
                : __builtin_add_overflow(value, other, &value))
        return false;
    }
  }

  bool product(int64_t &value) {
    if (!atom(value))
      return false;
    for (;;) {
      const char *before = at;
      enum { Times, Floor, Ceiling, Rest } kind;
      if (take(" * "))
        kind = Times;
      else if (take(" floordiv "))
        kind = Floor;
      else if (take(" ceildiv "))
        kind = Ceiling;
      else if (take(" mod "))
        kind = Rest;
      else
        return true;
      int64_t other;
      if (!atom(other)) {
        at = before;
        return true;
      }
      if (kind == Times) {
        if (__builtin_mul_overflow(value, other, &value))
          return false;
        continue;
      }
      if (other <= 0)
        return false;
      int64_t rest = value % other, down = value / other - (rest < 0);
      if (rest < 0)
        rest += other;
      value = kind == Rest ? rest : down + (kind == Ceiling && rest != 0);
    }
  }

  bool atom(int64_t &value) {
    if (*at == '(') {
      if (++depth > deepest)
        return false;
      ++at;
      if (!sum(value) || *at != ')')
        return false;
      ++at;
      --depth;
      return true;
    }
    bool minus = *at == '-';
    const char *digits = at + minus;
    bool size = !minus && *digits == 's';
    digits += size;
    if (!is_digit(*digits))
      return false;
    for (value = 0; is_digit(*digits); ++digits)
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, int64_t(*digits - '0'), &value))
        return false;
    if (is_letter(*digits) || (*digits == '.' && is_digit(digits[1])))
      return false; // a word that begins so, or a number with a fraction
    at = digits;
    if (minus)
      value = -value;
    if (!size)
      return true;
    if (value >= count)
      return false;
    any = true;
    value = sizes[value];
    return true;
  }

  bool take(const char *word) {
    const char *end = at;
    for (; *word; ++word, ++end)
      if (*end != *word)
        return false;
    at = end;
    return true;
  }

  const char *at;
  const int64_t *sizes;
  int32_t count, depth = 0;
  bool any = false; // of the sizes was read
};

// The sentence with values; names in quotes are left alone.
void say_values(const char *sentence, const symc_context &context, Text &error) {
  char before = ' ';
  bool quoted = false;
  for (const char *at = sentence; *at;) {
    bool inWord = is_letter(before) || is_digit(before) || before == '.';
    if (*at == '\'' && (quoted || !inWord)) // else an apostrophe
      quoted = !quoted;
    int64_t value;
    const char *end;
    if (!quoted && !inWord &&
        Expression(at, context.dims, context.model->n_dims).read(value, end)) {
      error << value;
      at = end;
      before = end[-1];
      continue;
    }
    const char one[2] = {*at, 0};
    error << one;
    before = *at++;
  }
}

// "extent 0 of input 'data'" where the compiler named the size after the input that has it
// ("data.0"), else the name that it was given.
void say_name(const symc_model &model, int32_t size, Text &error) {
  const char *name = model.dims[size].name;
  for (int32_t i = 0; i < model.n_inputs; ++i)
    for (int32_t axis = 0; axis < model.inputs[i].rank; ++axis) {
      const char *rest = name, *input = model.inputs[i].name;
      while (*input && *rest == *input)
        ++rest, ++input;
      if (*input || model.inputs[i].shape[axis] != -(int64_t(size) + 1))
        continue;
      char number[8];
      Text(number, sizeof number) << "." << axis;
      const char *wanted = number;
      while (*wanted && *rest == *wanted)
        ++rest, ++wanted;
      if (*wanted || *rest)
        continue;
      error << "extent " << axis << " of input '" << model.inputs[i].name << "'";
      return;
    }
  error << name;
}

} // namespace

void say_condition(const symc_context &context, int32_t number, Text &error) {
  const symc_condition &condition = context.model->conditions[number];
  say_values(condition.sentence, context, error);
  for (int32_t i = 0; i < condition.n_sizes; ++i) {
    error << (i ? ", " : " (");
    say_name(*context.model, condition.sizes[i], error);
    error << " is " << context.dims[condition.sizes[i]];
  }
  if (condition.n_sizes)
    error << ")";
}

} // namespace symc
