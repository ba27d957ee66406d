// pickled_states.cpp: see pickled_states.h. Each operation makes at most one value, so that memory
// follows the length of the file.
#include "pickled_states.h"

#include <stdlib.h>
#include <string.h>

namespace symc::train {

namespace {
enum class Kind : uint8_t { None, Whole, Text, Blob, Tuple, List, Dict, Global, Array, Other };

// Items of tuples, lists and dicts (key, value, key, ...).
struct Item {
  int32_t value, next;
};

// Room for one more. Places are 32 bits wide.
template <typename T> bool grow(T *&array, int32_t count, int32_t &room) {
  if (count < room)
    return true;
  if (room > INT32_MAX / 2)
    return false;
  int32_t larger = room ? 2 * room : 64;
  void *grown = realloc(array, size_t(larger) * sizeof(T));
  if (!grown)
    return false;
  array = static_cast<T *>(grown);
  room = larger;
  return true;
}

// Numbers that grow.
class Numbers {
public:
  ~Numbers() { free(values); }
  bool add(int32_t value) {
    if (!grow(values, count, room))
      return false;
    values[count++] = value;
    return true;
  }
  int32_t *values = nullptr;
  int32_t count = 0;

private:
  int32_t room = 0;
};
} // namespace

struct PickledStates::Value {
  Kind kind;
  int32_t first, last;  // of its items, or of what BUILD gave an object; -1: none
  int64_t whole;        // of Whole, and the length of Text and Blob
  const uint8_t *bytes; // of Text, Blob and, once it has some, Array
};

struct PickledStates::Machine {
  ~Machine() {
    free(values);
    free(items);
  }

  bool run(Problem &problem);
  bool is(int32_t value, Kind kind) const { return value >= 0 && values[value].kind == kind; }
  bool isText(int32_t value, const char *text) const {
    const Value &at = values[value];
    return at.kind == Kind::Text && size_t(at.whole) == strlen(text) &&
           memcmp(at.bytes, text, size_t(at.whole)) == 0;
  }
  // The value of a key of a dict, or -1.
  int32_t get(int32_t dict, const char *key) const {
    for (int32_t at = values[dict].first; at >= 0; at = items[items[at].next].next)
      if (isText(items[at].value, key))
        return items[items[at].next].value;
    return -1;
  }

  const char *path = "";
  const uint8_t *begin = nullptr, *at = nullptr, *end = nullptr;
  Value *values = nullptr;
  Item *items = nullptr;
  int32_t nValues = 0, nItems = 0, result = -1;

private:
  bool step(uint8_t op, Problem &problem);
  bool damaged(Problem &problem) {
    return problem.set("'%s': byte %zu: damaged pickle", path, size_t(at - begin));
  }
  bool memory(Problem &problem) {
    return problem.set(RunFailed, "cannot allocate %zu bytes", size_t(nValues) * sizeof(Value));
  }
  // A value on the stack.
  bool push(Kind kind, int64_t whole, const uint8_t *bytes, Problem &problem);
  bool pushBytes(Kind kind, int sizeBytes, Problem &problem);
  bool pushNumber(int bytes, bool isSigned, Problem &problem);
  bool pushItems(Kind kind, int32_t count, Problem &problem);
  bool append(int32_t to, int32_t count, Problem &problem);
  bool addItem(int32_t to, int32_t value, Problem &problem);
  bool take(int bytes, uint64_t &number, Problem &problem);
  bool global(Problem &problem);
  bool call(Problem &problem);
  bool build(Problem &problem);
  bool has(int32_t count) const { return stack.count - lowest() >= count; }
  int32_t lowest() const { return marks.count ? marks.values[marks.count - 1] : 0; }
  int32_t top(int32_t below = 0) const { return stack.values[stack.count - 1 - below]; }

  Numbers stack, marks, memo;
  int32_t valueRoom = 0, itemRoom = 0;
};

bool PickledStates::Machine::push(Kind kind, int64_t whole, const uint8_t *bytes,
                                  Problem &problem) {
  if (!grow(values, nValues, valueRoom) || !stack.add(nValues))
    return memory(problem);
  values[nValues++] = {kind, -1, -1, whole, bytes};
  return true;
}

bool PickledStates::Machine::take(int bytes, uint64_t &number, Problem &problem) {
  number = 0;
  if (end - at < bytes)
    return damaged(problem);
  memcpy(&number, at, size_t(bytes));
  at += bytes;
  return true;
}

bool PickledStates::Machine::pushBytes(Kind kind, int sizeBytes, Problem &problem) {
  uint64_t length;
  if (!take(sizeBytes, length, problem))
    return false;
  if (length > uint64_t(end - at))
    return damaged(problem);
  at += length;
  return push(kind, int64_t(length), at - length, problem);
}

bool PickledStates::Machine::pushNumber(int bytes, bool isSigned, Problem &problem) {
  uint64_t number;
  if (!take(bytes, number, problem))
    return false;
  int unused = 64 - 8 * bytes;
  int64_t whole = isSigned && unused < 64 ? int64_t(number << unused) >> unused : int64_t(number);
  return push(Kind::Whole, whole, nullptr, problem);
}

bool PickledStates::Machine::addItem(int32_t to, int32_t value, Problem &problem) {
  if (!grow(items, nItems, itemRoom))
    return memory(problem);
  items[nItems] = {value, -1};
  Value &container = values[to];
  (container.first < 0 ? container.first : items[container.last].next) = nItems;
  container.last = nItems++;
  return true;
}

// The upper `count` values of the stack into `to`.
bool PickledStates::Machine::append(int32_t to, int32_t count, Problem &problem) {
  for (int32_t i = count - 1; i >= 0; --i)
    if (!addItem(to, top(i), problem))
      return false;
  stack.count -= count;
  return true;
}

bool PickledStates::Machine::pushItems(Kind kind, int32_t count, Problem &problem) {
  if (!has(count))
    return damaged(problem);
  if (!push(kind, 0, nullptr, problem))
    return false;
  int32_t made = top();
  --stack.count;
  return append(made, count, problem) && (stack.add(made) || memory(problem));
}

// A name: the whole of the module, a blank, what it has.
bool PickledStates::Machine::global(Problem &problem) {
  if (!has(2) || !is(top(), Kind::Text) || !is(top(1), Kind::Text))
    return damaged(problem);
  int32_t name = top(), module = top(1);
  stack.count -= 2;
  bool isArray = (isText(name, "NDArray") &&
                  (isText(module, "mxnet.ndarray.ndarray") || isText(module, "mxnet.ndarray"))) ||
                 (isText(name, "ndarray") && isText(module, "mxnet.numpy.multiarray"));
  bool isBytes = isText(name, "bytearray") && isText(module, "builtins");
  Kind made = isArray ? Kind::Array : isBytes ? Kind::Blob : Kind::Other;
  return push(Kind::Global, int64_t(made), nullptr, problem);
}

// Something called: an array that BUILD gives its bytes, a copy of bytes, or what stays unread.
bool PickledStates::Machine::call(Problem &problem) {
  if (!has(2) || !is(top(), Kind::Tuple))
    return damaged(problem);
  int32_t arguments = top(), called = top(1);
  stack.count -= 2;
  Kind kind = is(called, Kind::Global) ? Kind(values[called].whole) : Kind::Other;
  if (kind != Kind::Blob)
    return push(kind, 0, nullptr, problem);
  int32_t given = values[arguments].first < 0 ? -1 : items[values[arguments].first].value;
  if (!is(given, Kind::Blob))
    return damaged(problem);
  return push(Kind::Blob, values[given].whole, values[given].bytes, problem);
}

bool PickledStates::Machine::build(Problem &problem) {
  if (!has(2))
    return damaged(problem);
  int32_t state = top();
  --stack.count;
  Value &object = values[top()];
  if (object.kind == Kind::Array) {
    int32_t handle = is(state, Kind::Dict) ? get(state, "handle") : -1;
    if (!is(handle, Kind::Blob))
      return damaged(problem);
    object.bytes = values[handle].bytes;
    object.whole = values[handle].whole;
  } else if (object.kind == Kind::Other) {
    return addItem(top(), state, problem);
  }
  return true;
}

bool PickledStates::Machine::step(uint8_t op, Problem &problem) {
  uint64_t number;
  switch (op) {
  case 0x80: // PROTO
    return take(1, number, problem);
  case 0x95: // FRAME
    return take(8, number, problem);
  case '(': // MARK
    return marks.add(stack.count) || memory(problem);
  case '0': // POP
    if (!has(1))
      return damaged(problem);
    --stack.count;
    return true;
  case 'N':
    return push(Kind::None, 0, nullptr, problem);
  case 0x88: // NEWTRUE
  case 0x89: // NEWFALSE
    return push(Kind::Other, 0, nullptr, problem);
  case 'J': // BININT
    return pushNumber(4, true, problem);
  case 'K': // BININT1
    return pushNumber(1, false, problem);
  case 'M': // BININT2
    return pushNumber(2, false, problem);
  case 0x8a: // LONG1
    if (at == end)
      return damaged(problem);
    if (*at > 8)
      return pushBytes(Kind::Other, 1, problem);
    return pushNumber(*at++, true, problem);
  case 'G': // BINFLOAT
    return take(8, number, problem) && push(Kind::Other, 0, nullptr, problem);
  case 0x8c: // SHORT_BINUNICODE
    return pushBytes(Kind::Text, 1, problem);
  case 'X': // BINUNICODE
    return pushBytes(Kind::Text, 4, problem);
  case 0x8d: // BINUNICODE8
    return pushBytes(Kind::Text, 8, problem);
  case 'C': // SHORT_BINBYTES
    return pushBytes(Kind::Blob, 1, problem);
  case 'B': // BINBYTES
    return pushBytes(Kind::Blob, 4, problem);
  case 0x8e: // BINBYTES8
  case 0x96: // BYTEARRAY8
    return pushBytes(Kind::Blob, 8, problem);
  case ')': // EMPTY_TUPLE
    return push(Kind::Tuple, 0, nullptr, problem);
  case 0x85: // TUPLE1
  case 0x86:
  case 0x87:
    return pushItems(Kind::Tuple, op - 0x84, problem);
  case ']': // EMPTY_LIST
    return push(Kind::List, 0, nullptr, problem);
  case '}': // EMPTY_DICT
    return push(Kind::Dict, 0, nullptr, problem);
  case 't':   // TUPLE
  case 'e':   // APPENDS
  case 'u': { // SETITEMS
    if (!marks.count)
      return damaged(problem);
    int32_t count = stack.count - lowest();
    --marks.count;
    if (op == 't')
      return pushItems(Kind::Tuple, count, problem);
    if (!has(count + 1) || !is(top(count), op == 'e' ? Kind::List : Kind::Dict) ||
        (op == 'u' && count % 2))
      return damaged(problem);
    return append(top(count), count, problem);
  }
  case 'a': // APPEND
    return has(2) && is(top(1), Kind::List) ? append(top(1), 1, problem) : damaged(problem);
  case 's': // SETITEM
    return has(3) && is(top(2), Kind::Dict) ? append(top(2), 2, problem) : damaged(problem);
  case 0x93: // STACK_GLOBAL
    return global(problem);
  case 'c': { // GLOBAL
    for (int i = 0; i < 2; ++i) {
      const void *line = memchr(at, '\n', size_t(end - at));
      if (!line)
        return damaged(problem);
      const uint8_t *from = at, *to = static_cast<const uint8_t *>(line);
      at = to + 1;
      if (!push(Kind::Text, to - from, from, problem))
        return false;
    }
    return global(problem);
  }
  case 'R':  // REDUCE
  case 0x81: // NEWOBJ
    return call(problem);
  case 'b':
    return build(problem);
  case 0x94: // MEMOIZE
    return has(1) ? memo.add(top()) || memory(problem) : damaged(problem);
  case 'q': // BINPUT
  case 'r': // LONG_BINPUT
    if (!take(op == 'q' ? 1 : 4, number, problem))
      return false;
    if (!has(1) || number > uint64_t(memo.count))
      return damaged(problem);
    if (number == uint64_t(memo.count))
      return memo.add(top()) || memory(problem);
    memo.values[number] = top();
    return true;
  case 'h': // BINGET
  case 'j': // LONG_BINGET
    if (!take(op == 'h' ? 1 : 4, number, problem))
      return false;
    if (number >= uint64_t(memo.count))
      return damaged(problem);
    return stack.add(memo.values[number]) || memory(problem);
  default:
    problem.addNote("without this file the optimizer's states begin anew; a Module in Python that "
                    "loads it (load_optimizer_states=True) saves one that is read here");
    return problem.set("'%s': byte %zu: a pickle with operation %d, which Python 3 writes of no "
                       "states",
                       path, size_t(at - begin) - 1, op);
  }
}

bool PickledStates::Machine::run(Problem &problem) {
  while (at < end && *at != '.')
    if (uint8_t op = *at++; !step(op, problem))
      return false;
  if (at == end || stack.count != 1 || marks.count)
    return damaged(problem);
  result = top();
  return true;
}

PickledStates::~PickledStates() {
  if (machine)
    machine->~Machine();
  free(machine);
}

bool PickledStates::open(const char *file, const uint8_t *data, size_t bytes, Problem &problem) {
  path = file;
  void *room = malloc(sizeof(Machine));
  if (!room)
    return problem.set(RunFailed, "cannot allocate %zu bytes", sizeof(Machine));
  memset(room, 0, sizeof(Machine));
  machine = static_cast<Machine *>(room);
  machine->path = file;
  machine->begin = machine->at = data;
  machine->end = data + bytes;
  machine->result = -1;
  if (!machine->run(problem))
    return false;
  states = machine->result;
  const Value *values = machine->values;
  if (machine->is(states, Kind::Tuple) && values[states].first >= 0) { // (states, optimizer)
    int32_t first = values[states].first, second = machine->items[first].next;
    int32_t optimizer = second < 0 ? -1 : machine->items[second].value;
    states = machine->items[first].value;
    if (machine->is(optimizer, Kind::Other) && values[optimizer].first >= 0) {
      int32_t fields = machine->items[values[optimizer].first].value;
      int32_t count = machine->is(fields, Kind::Dict) ? machine->get(fields, "num_update") : -1;
      if (machine->is(count, Kind::Whole))
        counted = values[count].whole;
    }
  }
  if (!machine->is(states, Kind::Dict))
    return problem.set("'%s': no pickled states of an optimizer", path);
  for (int32_t at = values[states].first; at >= 0; ++n)
    at = machine->items[machine->items[at].next].next;
  return true;
}

int32_t PickledStates::find(const char *name, int64_t number, NamedArray *arrays, int32_t most,
                            Problem &problem) const {
  const Value *values = machine->values;
  const Item *items = machine->items;
  int32_t found = -1, count = 0;
  for (int32_t at = values[states].first; at >= 0; at = items[items[at].next].next) {
    int32_t key = items[at].value;
    if (machine->isText(key, name) ||
        (values[key].kind == Kind::Whole && values[key].whole == number))
      found = items[items[at].next].value; // a later one wins, as in Python
  }
  if (found < 0)
    return -1;
  // One array, or several; None where there is none.
  bool several = values[found].kind == Kind::Tuple || values[found].kind == Kind::List;
  for (int32_t at = several ? values[found].first : 0; at >= 0; at = items[at].next) {
    const Value &state = values[several ? items[at].value : found];
    if (state.kind == Kind::Array && state.bytes) {
      if (count < most &&
          !read_array(path, state.bytes, size_t(state.whole), arrays[count], problem))
        return -1;
      ++count;
    } else if (state.kind != Kind::None) {
      problem.set("'%s': the states of parameter '%s' are no arrays", path, name);
      return -1;
    }
    if (!several)
      break;
  }
  return count;
}

} // namespace symc::train
