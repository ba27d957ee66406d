//===- fuzz_library.cpp - any sequence of calls of symc.h -----------------===//
//
// An input is a sequence of calls: the byte of a function (the table at the end), then its
// arguments. A symbol is one that a call made, one that was freed, 0, or any number; a text is a
// word of its kind, any bytes, or NULL; a count is small, or far more than any array has. Every
// call returns 0 or -1. After -1 there is a message, no internal error, and the symbols of the
// call are what they were; after 0 all that came back can be read. Sources of libsymc and of
// symbols are compiled for the fuzzer; other libraries are those of the build (SYMC_SANITIZE).
//
//===----------------------------------------------------------------------===//
#include "symc/symc.h"
#include "test/fuzz/QuotedError.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace {

[[noreturn]] void giveUp(const char *function, const std::string &why) {
  std::fprintf(stderr, "%s: %s\n", function, why.c_str());
  std::abort();
}

#define WORDS(...) {__VA_ARGS__}
const std::vector<const char *> kNames = WORDS("x", "y", "data", "weight", "fc", "");
const std::vector<const char *> kOperators =
    WORDS("FullyConnected", "Convolution", "Activation", "BatchNorm", "Concat", "SliceChannel",
          "Reshape", "elemwise_add", "broadcast_mul", "RNN", "Embedding", "SoftmaxOutput",
          "sgd_mom_update", "_foreach", "_while_loop", "_cond", "Dropout", "Custom", "zeros_like",
          "_zeros", "split", "transpose", "topk", "_npi_einsum", "_contrib_quantize", "null");
const std::vector<const char *> kKeys = WORDS(
    "num_hidden", "kernel", "num_filter", "act_type", "num_args", "num_outputs", "shape", "axis",
    "dtype", "mode", "state_size", "num_layers", "scalar", "begin", "end", "p", "no_bias",
    "lr_mult", "__lr_mult__", "__shape__", "__dtype__", "name", "subscripts", "in_data_locs",
    "remain_locs", "in_state_locs", "num_out_data", "data", "weight", "lhs", "rhs", "x", "y");
const std::vector<const char *> kValues =
    WORDS("1", "2", "(2,2)", "(0,3)", "[0]", "()", "relu", "lstm", "float32", "int8", "True", "-1",
          "1e30", "nan", "99999999999999999999", "ab,bc->ac", "None", "0", "stack");

class Calls {
public:
  Calls(const uint8_t *data, size_t size)
      : at(data), end(data + size), quotesError(quotesInternalError(std::string(data, end))) {}
  ~Calls() {
    for (symc_symbol symbol : live)
      if (symc_symbol_free(symbol))
        giveUp("symc_symbol_free", symc_compiler_error());
  }
  void run();

private:
  uint8_t byte() { return at == end ? 0 : *at++; }

  symc_symbol symbol() {
    uint8_t choice = byte();
    if (choice < 0xd0)
      return live.empty() ? 0 : live[choice % live.size()];
    if (choice < 0xe0)
      return freed.empty() ? 0 : freed[choice % freed.size()];
    return choice < 0xf0 ? 0 : ~symc_symbol(0) / (choice - 0xef) - byte();
  }
  /// Good until the call is over.
  const char *text(const std::vector<const char *> &words) {
    uint8_t choice = byte();
    if (choice < 0xe0)
      return words[choice % words.size()];
    if (choice < 0xe8)
      return nullptr;
    size_t length = std::min<size_t>(choice - 0xe8, end - at);
    texts.emplace_back(reinterpret_cast<const char *>(at), length);
    at += length;
    return texts.back().c_str();
  }
  /// Either one of those above, or any of the table.
  const char *operatorName() {
    uint8_t choice = byte();
    if (choice < 0x80)
      return kOperators[choice % kOperators.size()];
    static size_t count;
    static const std::vector<std::string> all = [] {
      const char *const *names;
      if (symc_list_operators(&count, &names))
        giveUp("symc_list_operators", symc_compiler_error());
      return std::vector<std::string>(names, names + count);
    }();
    return choice == 0xff ? nullptr : all[(size_t(choice) << 8 | byte()) % all.size()].c_str();
  }
  /// An array of `count` from make(), or NULL; counts that no array has are told apart from it.
  template <class T, class Make> T *array(size_t &count, std::vector<T> &storage, Make make) {
    uint8_t choice = byte();
    count = choice % 5;
    for (size_t i = 0; i < count; ++i)
      storage.push_back(make());
    if (choice >= 0xf8)
      count = size_t(1) << (choice - 0xf8 + 30) << (choice & 1 ? 29 : 0);
    return choice >= 0xf0 && choice < 0xf8 ? nullptr : storage.data();
  }
  template <class T> T *out(T &place) { return byte() >= 0xf8 ? nullptr : &place; }

  void call(const char *function, int status);
  void made(const char *function, int status, symc_symbol symbol);
  void read(const char *text) { sink += text ? std::strlen(text) : 1; }
  void read(const char *const *list, size_t count) {
    for (size_t i = 0; i < count; ++i)
      read(list[i]);
  }
  void create();
  void compose();
  void apply();
  void attributes();
  void list();
  void inferShape();
  void inferType();
  void json();

  const uint8_t *at, *end;
  bool quotesError; // the input holds the words of an internal error
  std::vector<symc_symbol> live, freed;
  std::deque<std::string> texts;
  volatile size_t sink = 0;
};

} // namespace

// What the call gave back, checked.
void Calls::call(const char *function, int status) {
  if (status != 0 && status != -1)
    giveUp(function, "returns " + std::to_string(status));
  const char *message = symc_compiler_error();
  if (status == -1 && (!*message || (!quotesError && std::strstr(message, "internal error"))))
    giveUp(function, std::string("complains of: ") + message);
}

void Calls::made(const char *function, int status, symc_symbol symbol) {
  call(function, status);
  if (status == 0)
    live.push_back(symbol);
}

namespace {

// A symbol as far as the library tells of it.
std::string describe(symc_symbol symbol) {
  const char *text = nullptr;
  if (symc_symbol_to_json(symbol, &text) == 0)
    return text;
  const char *const *texts = nullptr;
  size_t count = 0, outputs = 0;
  std::string all = symc_compiler_error();
  if (symc_symbol_output_count(symbol, &outputs) == 0)
    all += "\n" + std::to_string(outputs);
  if (symc_symbol_attributes(symbol, 1, &count, &texts) == 0)
    for (size_t i = 0; i < 3 * count; ++i)
      all += std::string("\n") + texts[i];
  return all;
}

void requireSame(const char *function, int status, symc_symbol symbol, const std::string &before) {
  std::string message = symc_compiler_error();
  if (status == -1 && describe(symbol) != before)
    giveUp(function, "changed a symbol after '" + message + "' from " + before);
}

} // namespace

void Calls::create() {
  size_t count = 0, values = 0;
  std::vector<const char *> keyStore, valueStore;
  const char *op = operatorName();
  const char **keys = array(count, keyStore, [&] { return text(kKeys); });
  const char **valueList = array(values, valueStore, [&] { return text(kValues); });
  valueStore.resize(std::max(valueStore.size(), keyStore.size()), "1");
  valueList = valueList ? valueStore.data() : nullptr;
  symc_symbol symbol = 0;
  int status = symc_symbol_create(op, count, keys, valueList, out(symbol));
  made("symc_symbol_create", status, symbol);
}

void Calls::compose() {
  symc_symbol owner = symbol();
  const char *name = text(kNames);
  size_t count = 0, ignored = 0;
  std::vector<symc_symbol> inputStore;
  std::vector<const char *> keyStore;
  symc_symbol *inputs = array(count, inputStore, [&] { return symbol(); });
  const char **keys = array(ignored, keyStore, [&] { return text(kKeys); });
  keyStore.resize(std::max(inputStore.size(), keyStore.size()), nullptr);
  keys = keys && !keyStore.empty() ? keyStore.data() : nullptr;
  std::string before = describe(owner);
  int status = symc_symbol_compose(owner, name, count, keys, inputs);
  call("symc_symbol_compose", status);
  requireSame("symc_symbol_compose", status, owner, before);
}

void Calls::apply() {
  size_t attributeCount = 0, count = 0;
  std::vector<const char *> keyStore, valueStore;
  std::vector<symc_symbol> inputStore;
  const char *op = operatorName();
  const char **keys = array(attributeCount, keyStore, [&] { return text(kKeys); });
  for (size_t i = 0; i < keyStore.size(); ++i)
    valueStore.push_back(text(kValues));
  const char *name = text(kNames);
  symc_symbol *inputs = array(count, inputStore, [&] { return symbol(); });
  symc_symbol symbol = 0;
  int status = symc_symbol_apply(op, attributeCount, keys, valueStore.data(), name, count, nullptr,
                                 inputs, out(symbol));
  made("symc_symbol_apply", status, symbol);
}

void Calls::attributes() {
  symc_symbol of = symbol();
  const char *const *texts = nullptr;
  size_t count = 0;
  int status = symc_symbol_attributes(of, byte() & 1, out(count), out(texts));
  call("symc_symbol_attributes", status);
  if (status == 0)
    read(texts, 3 * count);
}

void Calls::list() {
  symc_symbol of = symbol();
  const char *const *names = nullptr;
  size_t count = 0;
  int status = symc_symbol_list(of, byte() % 5, out(count), out(names));
  call("symc_symbol_list", status);
  if (status == 0)
    read(names, count);
}

void Calls::inferShape() {
  symc_symbol of = symbol();
  size_t count = 0;
  std::vector<const char *> nameStore;
  std::vector<int32_t> ranks;
  std::vector<int64_t> extents;
  const char **names = array(count, nameStore, [&] { return text(kNames); });
  for (size_t i = 0; i < nameStore.size(); ++i) {
    uint8_t rank = byte(); // a wrong one is no more than any array has
    ranks.push_back(rank < 0xf0 ? rank % 5 : rank < 0xf8 ? rank - 0xf9 : INT32_MAX - rank);
    for (int axis = 0; axis < std::min(ranks.back(), 8); ++axis) {
      uint8_t extent = byte();
      extents.push_back(extent < 0xf0 ? extent % 8
                                      : int64_t((uint64_t(1) << (extent - 0xc0)) - (extent & 1)));
    }
  }
  symc_shapes shapes;
  int status = symc_symbol_infer_shape(of, count, names, byte() >= 0xf8 ? nullptr : ranks.data(),
                                       byte() >= 0xf8 ? nullptr : extents.data(), out(shapes));
  call("symc_symbol_infer_shape", status);
  if (status)
    return;
  auto readAll = [&](const symc_shape *list, size_t many) {
    for (size_t i = 0; i < many; ++i)
      for (int32_t axis = 0; axis < list[i].rank; ++axis)
        sink += list[i].extents[axis];
  };
  readAll(shapes.arguments, shapes.argument_count);
  readAll(shapes.outputs, shapes.output_count);
  readAll(shapes.states, shapes.state_count);
}

void Calls::inferType() {
  symc_symbol of = symbol();
  size_t count = 0;
  std::vector<const char *> nameStore, typeStore;
  const char **names = array(count, nameStore, [&] { return text(kNames); });
  for (size_t i = 0; i < nameStore.size(); ++i)
    typeStore.push_back(text(kValues));
  symc_types types;
  int status = symc_symbol_infer_type(of, count, names, byte() >= 0xf8 ? nullptr : typeStore.data(),
                                      out(types));
  call("symc_symbol_infer_type", status);
  if (status)
    return;
  read(types.arguments, types.argument_count);
  read(types.outputs, types.output_count);
  read(types.states, types.state_count);
}

// A symbol's text, with a byte of it changed.
void Calls::json() {
  symc_symbol of = symbol();
  const char *text = nullptr;
  int status = symc_symbol_to_json(of, out(text));
  call("symc_symbol_to_json", status);
  std::string copy = status ? std::string(reinterpret_cast<const char *>(at), end - at) : text;
  size_t place = size_t(byte()) << 8 | byte();
  if (uint8_t change = byte(); change && place < copy.size())
    copy[place] = char(change);
  size_t bytes = byte() >= 0xf8 ? ~size_t(0) >> (byte() % 24) : copy.size();
  symc_symbol symbol = 0;
  status = symc_symbol_from_json(byte() >= 0xf8 ? nullptr : copy.c_str(), bytes, out(symbol));
  made("symc_symbol_from_json", status, symbol);
}

void Calls::run() {
  for (int calls = 0; at != end && calls < 100; ++calls) {
    texts.clear();
    symc_symbol one = 0, result = 0;
    std::vector<symc_symbol> store;
    std::string before;
    const char *string = nullptr, *key;
    size_t count = 0;
    int status;
    switch (byte() % 20) {
    case 0:
      key = text(kNames);
      made("symc_symbol_create_variable", symc_symbol_create_variable(key, out(result)), result);
      break;
    case 1:
      create();
      break;
    case 2:
    case 3:
      compose();
      break;
    case 4:
    case 5:
      apply();
      break;
    case 6: {
      symc_symbol *list = array(count, store, [&] { return symbol(); });
      made("symc_symbol_create_group", symc_symbol_create_group(count, list, out(result)), result);
      break;
    }
    case 7:
      one = symbol();
      status = symc_symbol_output(one, byte() < 0xf8 ? byte() % 4 : ~size_t(0), out(result));
      made("symc_symbol_output", status, result);
      break;
    case 8:
      one = symbol();
      call("symc_symbol_output_count", symc_symbol_output_count(one, out(count)));
      break;
    case 9:
      one = symbol();
      made("symc_symbol_internals", symc_symbol_internals(one, out(result)), result);
      break;
    case 10:
      one = symbol();
      made("symc_symbol_children", symc_symbol_children(one, out(result)), result);
      break;
    case 11:
      one = symbol();
      made("symc_symbol_copy", symc_symbol_copy(one, out(result)), result);
      break;
    case 12: {
      one = symbol();
      status = symc_symbol_free(one);
      call("symc_symbol_free", status);
      auto place = std::find(live.begin(), live.end(), one);
      if ((status == 0) != (place != live.end()))
        giveUp("symc_symbol_free", std::to_string(one) + (status ? " is one" : " is none"));
      if (status == 0) {
        live.erase(place);
        freed.push_back(one);
      }
      break;
    }
    case 13:
      one = symbol();
      status = symc_symbol_name(one, out(string));
      call("symc_symbol_name", status);
      read(string);
      break;
    case 14:
      one = symbol();
      key = text(kKeys);
      status = symc_symbol_attribute(one, key, out(string));
      call("symc_symbol_attribute", status);
      read(string);
      break;
    case 15:
      one = symbol();
      key = text(kKeys);
      string = text(kValues);
      before = describe(one);
      status = symc_symbol_set_attribute(one, key, string);
      call("symc_symbol_set_attribute", status);
      requireSame("symc_symbol_set_attribute", status, one, before);
      break;
    case 16: {
      one = symbol();
      symc_symbol *list = array(count, store, [&] { return symbol(); });
      before = describe(one);
      status = symc_symbol_set_subgraphs(one, count, list);
      call("symc_symbol_set_subgraphs", status);
      requireSame("symc_symbol_set_subgraphs", status, one, before);
      break;
    }
    case 17:
      one = symbol();
      key = text(kKeys);
      made("symc_symbol_cut", symc_symbol_cut(one, key, out(result)), result);
      break;
    case 18:
      byte() & 1 ? attributes() : list();
      break;
    case 19:
      switch (byte() % 3) {
      case 0:
        inferShape();
        break;
      case 1:
        inferType();
        break;
      default:
        json();
      }
      break;
    }
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Calls(data, size).run();
  return 0;
}
