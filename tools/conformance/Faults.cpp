// Faults.cpp: see Faults.h. The handler allocates nothing and calls nothing that may: it
// copies text into memory that was there before.
#include "tools/conformance/Faults.h"

#include <cstring>
#include <signal.h>
#include <ucontext.h>

using namespace symc::conformance;

static char *sentence = nullptr, *sentenceEnd = nullptr;
static std::atomic<const Watch *> watched{nullptr};
static char handlerStack[64 << 10];

std::string Watch::where() const {
  int64_t number = step;
  return number >= 0 && number < (int64_t)steps->size() ? (*steps)[number] : phase;
}

namespace {
/// Text behind text, as far as there is room.
struct Text {
  char *next, *end;

  Text &operator<<(const char *text) {
    size_t bytes = strlen(text), room = end - next - 1;
    bytes = bytes < room ? bytes : room;
    memcpy(next, text, bytes);
    next += bytes;
    *next = 0;
    return *this;
  }
  Text &operator<<(int64_t number) {
    char digits[24];
    char *first = digits + sizeof digits - 1;
    *first = 0;
    uint64_t rest = number < 0 ? -uint64_t(number) : number;
    do
      *--first = '0' + rest % 10;
    while (rest /= 10);
    if (number < 0)
      *--first = '-';
    return *this << first;
  }
};
} // namespace

static bool wasWrite(void *context) {
#if defined(__x86_64__)
  return static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  return false;
#endif
}

static void onFault(int, siginfo_t *info, void *context) {
  if (const Watch *watch = watched) {
    int64_t step = watch->step;
    const auto *address = static_cast<const uint8_t *>(info->si_addr);
    Text text{sentence, sentenceEnd};
    bool inStep = step >= 0 && step < (int64_t)watch->steps->size();
    text << (inStep ? (*watch->steps)[step].c_str() : watch->phase)
         << (wasWrite(context) ? " writes " : " reads ");
    if (const Slot *slot = watch->memory->nearest(address))
      text << "byte " << int64_t(address - slot->data) << " of " << slot->name.c_str()
           << ", which has " << slot->bytes;
    else
      text << "memory that is none of the case's";
  }
  // The instruction faults again when this handler is gone.
}

void symc::conformance::reportFaults(char *text, int64_t bytes) {
  sentence = text;
  sentenceEnd = text + bytes;
  stack_t stack = {};
  stack.ss_sp = handlerStack;
  stack.ss_size = sizeof handlerStack;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

void symc::conformance::watch(const Watch *watch) { watched = watch; }
