// symbol.hpp: symbols in C++17 over the C functions of symc.h: networks that a program composes by
// MXNet's rules.
//
//   symc::Symbol data = symc::Symbol::variable("data");
//   symc::Symbol fc = symc::op::FullyConnected(data, {.num_hidden = 10, .name = "fc"});
//   fc.save("net-symbol.json");
//
// The functions of symc::op are generated from the compiler's table of operators (operators.hpp);
// designated initialisers as above are C++20, before which compilers take them with a warning.
// A mistake throws symc::Error with the library's text, and every symbol stays as it was.
#ifndef SYMC_SYMBOL_HPP
#define SYMC_SYMBOL_HPP

#include "symc/array.hpp"
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <utility>

namespace symc {

class Executor;

/// Throws what the library complained of.
inline void check(int status) {
  if (status)
    throw Error(symc_compiler_error());
}

using Attributes = std::map<std::string, std::string>; // of a node, by key

//===----------------------------------------------------------------------===//
// Names and attributes that a program does not give
//===----------------------------------------------------------------------===//

/// Names nodes without a name: the operator's in small letters and a number. The newest one of
/// the thread that still lives is used.
class NameManager {
public:
  NameManager() : before(newest()) { newest() = this; }
  NameManager(const NameManager &) = delete;
  NameManager &operator=(const NameManager &) = delete;
  virtual ~NameManager() { newest() = before; }

  /// `name`, or one for an operator that is called `hint`.
  virtual std::string get(const std::string &name, const std::string &hint) {
    return name.empty() ? hint + std::to_string(counts[hint]++) : name;
  }
  static NameManager &current() {
    static thread_local NameManager first(nullptr);
    return newest() ? *newest() : first;
  }

private:
  explicit NameManager(NameManager *before) : before(before) {}
  static NameManager *&newest() {
    static thread_local NameManager *last = nullptr;
    return last;
  }

  NameManager *before;
  std::map<std::string, size_t> counts;
};

/// Puts a prefix in front of every name, given ones too.
class Prefix : public NameManager {
public:
  explicit Prefix(std::string prefix) : prefix(std::move(prefix)) {}
  std::string get(const std::string &name, const std::string &hint) override {
    return prefix + NameManager::get(name, hint);
  }

private:
  std::string prefix;
};

/// Attributes for every symbol that the thread makes while it lives; scopes add up.
class AttrScope {
public:
  explicit AttrScope(Attributes attributes) : before(current()) {
    attributes.insert(before.begin(), before.end());
    current() = std::move(attributes);
  }
  AttrScope(const AttrScope &) = delete;
  AttrScope &operator=(const AttrScope &) = delete;
  ~AttrScope() { current() = std::move(before); }

  static Attributes &current() {
    static thread_local Attributes all;
    return all;
  }

private:
  Attributes before;
};

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// Shapes, or element types by name, of a symbol's arguments, outputs and auxiliary states, in the
/// order of its lists. What is not `complete` has empty ones, and extents of 0.
template <class T> struct Inferred {
  std::vector<T> arguments, outputs, states;
  bool complete;
};

/// Outputs of nodes. Copies share the nodes; copy() makes nodes of its own.
class Symbol {
public:
  static Symbol variable(const std::string &name, Attributes attributes = {}) {
    Symbol made =
        makeBy([&](symc_symbol *out) { return symc_symbol_create_variable(name.c_str(), out); });
    attributes.insert(AttrScope::current().begin(), AttrScope::current().end());
    for (const auto &[key, value] : attributes)
      made.setAttribute(key, value);
    return made;
  }
  static Symbol group(const std::vector<Symbol> &symbols) {
    std::vector<symc_symbol> handles = handlesOf(symbols);
    return makeBy([&](symc_symbol *out) {
      return symc_symbol_create_group(handles.size(), handles.data(), out);
    });
  }
  /// A node of an operator, with inputs by position and by name. An empty name is given one.
  static Symbol apply(const std::string &op, const Attributes &attributes, const std::string &name,
                      const std::vector<Symbol> &inputs,
                      const std::vector<std::pair<std::string, Symbol>> &keywords = {},
                      const std::string &hint = "") {
    Attributes all = attributes;
    all.insert(AttrScope::current().begin(), AttrScope::current().end());
    std::vector<const char *> keys, values, inputKeys(inputs.size(), nullptr);
    for (const auto &[key, value] : all) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
    std::vector<symc_symbol> handles = handlesOf(inputs);
    for (const auto &[key, symbol] : keywords) {
      inputKeys.push_back(key.c_str());
      handles.push_back(symbol.handle);
    }
    std::string given = NameManager::current().get(name, lower(hint.empty() ? op : hint));
    return makeBy([&](symc_symbol *out) {
      return symc_symbol_apply(op.c_str(), keys.size(), keys.data(), values.data(), given.c_str(),
                               handles.size(), inputKeys.data(), handles.data(), out);
    });
  }
  static Symbol load(const std::string &path) {
    return makeBy([&](symc_symbol *out) { return symc_symbol_from_file(path.c_str(), out); });
  }
  static Symbol fromJson(const std::string &json) {
    return makeBy(
        [&](symc_symbol *out) { return symc_symbol_from_json(json.data(), json.size(), out); });
  }

  Symbol(const Symbol &other) : Symbol(other.part()) {}
  Symbol(Symbol &&other) noexcept : handle(std::exchange(other.handle, 0)) {}
  Symbol &operator=(Symbol other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Symbol() {
    if (handle)
      symc_symbol_free(handle);
  }
  /// The symbol in symc.h, which stays this object's.
  symc_symbol number() const { return handle; }

  /// A copy in which each variable that a keyword names is the keyword's symbol.
  Symbol operator()(const std::vector<std::pair<std::string, Symbol>> &keywords,
                    const std::string &name = "") const {
    Symbol made = copy();
    std::vector<const char *> keys;
    std::vector<symc_symbol> handles;
    for (const auto &[key, symbol] : keywords) {
      keys.push_back(key.c_str());
      handles.push_back(symbol.handle);
    }
    check(symc_symbol_compose(made.handle, name.c_str(), keys.size(), keys.data(), handles.data()));
    return made;
  }
  Symbol copy() const { return makeFrom(symc_symbol_copy); }
  Symbol internals() const { return makeFrom(symc_symbol_internals); }
  /// What the nodes of the outputs read; nothing for variables.
  std::optional<Symbol> children() const {
    Symbol made = makeFrom(symc_symbol_children);
    return made.size() ? std::optional<Symbol>(std::move(made)) : std::nullopt;
  }
  size_t size() const {
    size_t count = 0;
    check(symc_symbol_output_count(handle, &count));
    return count;
  }
  Symbol operator[](size_t index) const {
    return makeBy([&](symc_symbol *out) { return symc_symbol_output(handle, index, out); });
  }
  /// The one output of that name, as outputs() has it.
  Symbol operator[](const std::string &output) const {
    std::vector<std::string> all = outputs();
    auto found = std::find(all.begin(), all.end(), output);
    if (found == all.end() || std::find(found + 1, all.end(), output) != all.end())
      throw Error((found == all.end() ? "no" : "more than one") + (" output is called '" + output) +
                  "'");
    return (*this)[size_t(found - all.begin())];
  }

  /// Of the one node that all outputs are of; nothing where there are several.
  std::optional<std::string> name() const {
    const char *text = nullptr;
    check(symc_symbol_name(handle, &text));
    return optionalOf(text);
  }
  std::optional<std::string> attribute(const std::string &key) const {
    const char *text = nullptr;
    check(symc_symbol_attribute(handle, key.c_str(), &text));
    return optionalOf(text);
  }
  void setAttribute(const std::string &key, const std::string &value) {
    check(symc_symbol_set_attribute(handle, key.c_str(), value.c_str()));
  }
  /// Of that node alone.
  Attributes attributes() const {
    Attributes all;
    for (auto &[node, found] : attributesOf(0))
      all.insert(found.begin(), found.end());
    return all;
  }
  /// Of all nodes that have some, by the node's name.
  std::map<std::string, Attributes> allAttributes() const { return attributesOf(1); }

  std::vector<std::string> arguments() const { return list(SYMC_NAMES_ARGUMENTS); }
  std::vector<std::string> outputs() const { return list(SYMC_NAMES_OUTPUTS); }
  std::vector<std::string> auxiliaryStates() const { return list(SYMC_NAMES_STATES); }
  std::vector<std::string> inputs() const { return list(SYMC_NAMES_INPUTS); }

  /// From shapes of some inputs. Shapes that contradict each other are a mistake.
  Inferred<Shape> inferShapes(const std::map<std::string, Shape> &given) const {
    std::vector<const char *> names;
    std::vector<int32_t> ranks;
    Shape extents;
    for (const auto &[name, shape] : given) {
      names.push_back(name.c_str());
      ranks.push_back(int32_t(shape.size()));
      extents.insert(extents.end(), shape.begin(), shape.end());
    }
    symc_shapes found;
    check(symc_symbol_infer_shape(handle, names.size(), names.data(), ranks.data(), extents.data(),
                                  &found));
    auto read = [](const symc_shape *shapes, size_t count) {
      std::vector<Shape> all;
      for (size_t i = 0; i < count; ++i)
        all.emplace_back(shapes[i].extents, shapes[i].extents + std::max(0, shapes[i].rank));
      return all;
    };
    return {read(found.arguments, found.argument_count), read(found.outputs, found.output_count),
            read(found.states, found.state_count), found.complete != 0};
  }
  /// The same for element types, by MXNet's names: "float32".
  Inferred<std::string> inferTypes(const Attributes &given) const {
    std::vector<const char *> names, types;
    for (const auto &[name, type] : given) {
      names.push_back(name.c_str());
      types.push_back(type.c_str());
    }
    symc_types found;
    check(symc_symbol_infer_type(handle, names.size(), names.data(), types.data(), &found));
    return {{found.arguments, found.arguments + found.argument_count},
            {found.outputs, found.outputs + found.output_count},
            {found.states, found.states + found.state_count},
            found.complete != 0};
  }

  /// Compiles for training, over these arrays (symc/executor.hpp). `options`: of symc_request.
  Executor bind(ExecutorArrays arrays, std::vector<std::string> options = {}) const;
  /// The same with arrays of its own in the place of those that are not given; a gradient that no
  /// request names is written, but of inputs: arguments whose names end in data or label.
  Executor simpleBind(const ArrayMap &arguments, const ArrayMap &gradients = {},
                      const std::map<std::string, GradReq> &requests = {},
                      const ArrayMap &states = {}, Initializer initializer = {},
                      std::vector<std::string> options = {}) const;
  /// The arrays of simpleBind. What is not given begins as `initializer` has it: without one
  /// normally distributed, as in MXNet's C++ package; gradients begin as zeros.
  ExecutorArrays inferExecutorArrays(const ArrayMap &arguments, const ArrayMap &gradients = {},
                                     const std::map<std::string, GradReq> &requests = {},
                                     const ArrayMap &states = {},
                                     Initializer initializer = {}) const;

  /// A symbol file of MXNet 1.9.1.
  std::string toJson() const {
    const char *text = nullptr;
    check(symc_symbol_to_json(handle, &text));
    return text;
  }
  void save(const std::string &path) const {
    std::ofstream file(path);
    file << toJson();
    if (!file.flush())
      throw Error("cannot write '" + path + "'");
  }

private:
  explicit Symbol(symc_symbol handle) : handle(handle) {}

  template <class Make> static Symbol makeBy(Make make) {
    symc_symbol made = 0;
    check(make(&made));
    return Symbol(made);
  }
  Symbol makeFrom(int (*function)(symc_symbol, symc_symbol *)) const {
    return makeBy([&](symc_symbol *out) { return function(handle, out); });
  }
  // The same outputs of the same nodes, as another handle.
  symc_symbol part() const {
    symc_symbol made = 0;
    check(symc_symbol_create_group(1, &handle, &made));
    return made;
  }
  static std::vector<symc_symbol> handlesOf(const std::vector<Symbol> &symbols) {
    std::vector<symc_symbol> handles;
    for (const Symbol &symbol : symbols)
      handles.push_back(symbol.handle);
    return handles;
  }
  static std::string lower(std::string text) {
    for (char &letter : text)
      letter = char(std::tolower(static_cast<unsigned char>(letter)));
    return text;
  }
  static std::optional<std::string> optionalOf(const char *text) {
    return text ? std::optional<std::string>(text) : std::nullopt;
  }
  std::vector<std::string> list(symc_names of) const {
    size_t count = 0;
    const char *const *names = nullptr;
    check(symc_symbol_list(handle, of, &count, &names));
    return {names, names + count};
  }
  std::map<std::string, Attributes> attributesOf(int deep) const {
    size_t count = 0;
    const char *const *texts = nullptr;
    check(symc_symbol_attributes(handle, deep, &count, &texts));
    std::map<std::string, Attributes> all;
    for (size_t i = 0; i < count; ++i)
      all[texts[3 * i]][texts[3 * i + 1]] = texts[3 * i + 2];
    return all;
  }

  symc_symbol handle;
};

//===----------------------------------------------------------------------===//
// Arithmetic of symbols and numbers
//===----------------------------------------------------------------------===//

/// A number as attributes have it.
inline std::string textOf(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  for (int digits = 1; digits < 17; ++digits) { // the shortest that reads back as the same
    char tried[32];
    std::snprintf(tried, sizeof tried, "%.*g", digits, number);
    if (std::strtod(tried, nullptr) == number)
      return tried;
  }
  return text;
}

namespace op {

/// A parameter that holds several numbers; one that is not given takes its default.
template <class Number> class Tuple {
public:
  Tuple() = default;
  Tuple(std::initializer_list<Number> numbers) : numbers(numbers), isGiven(true) {}
  Tuple(std::vector<Number> numbers) : numbers(std::move(numbers)), isGiven(true) {}

  std::vector<Number> numbers;
  bool isGiven = false;
};

namespace detail {
// Adds a parameter as attributes have it, where it is given.
inline std::string spelled(const std::string &text) { return text; }
inline std::string spelled(bool flag) { return flag ? "True" : "False"; }
inline std::string spelled(int64_t number) { return std::to_string(number); }
inline std::string spelled(double number) { return textOf(number); }
template <class T> void put(Attributes &texts, const char *key, const std::optional<T> &value) {
  if (value)
    texts[key] = spelled(*value);
}
template <class T> void put(Attributes &texts, const char *key, const Tuple<T> &value) {
  if (!value.isGiven)
    return;
  std::string text = "(";
  for (size_t i = 0; i < value.numbers.size(); ++i)
    text += (i ? ", " : "") + spelled(value.numbers[i]);
  texts[key] = text + (value.numbers.size() == 1 ? ",)" : ")");
}
} // namespace detail

} // namespace op

#define SYMC_SYMBOL_OPERATOR(sign, both, scalar, reversed)                                         \
  inline Symbol operator sign(const Symbol &left, const Symbol &right) {                           \
    return Symbol::apply(both, {}, "", {left, right});                                             \
  }                                                                                                \
  inline Symbol operator sign(const Symbol &left, double right) {                                  \
    return Symbol::apply(scalar, {{"scalar", textOf(right)}}, "", {left});                         \
  }                                                                                                \
  inline Symbol operator sign(double left, const Symbol &right) {                                  \
    return Symbol::apply(reversed, {{"scalar", textOf(left)}}, "", {right});                       \
  }
SYMC_SYMBOL_OPERATOR(+, "_Plus", "_PlusScalar", "_PlusScalar")
SYMC_SYMBOL_OPERATOR(-, "_Minus", "_MinusScalar", "_RMinusScalar")
SYMC_SYMBOL_OPERATOR(*, "_Mul", "_MulScalar", "_MulScalar")
SYMC_SYMBOL_OPERATOR(/, "_Div", "_DivScalar", "_RDivScalar")
SYMC_SYMBOL_OPERATOR(%, "_Mod", "_ModScalar", "_RModScalar")
#undef SYMC_SYMBOL_OPERATOR
inline Symbol operator-(const Symbol &symbol) { return symbol * -1.0; }

} // namespace symc

#include "symc/executor.hpp"

#endif // SYMC_SYMBOL_HPP
