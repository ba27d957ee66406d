// Emulator.cpp: see Emulator.h. Every thread has tiles of its own, as on a processor. What is no
// such instruction, or what a processor would refuse, ends the process as before.
#include "tools/amx-emulator/Emulator.h"

#include "runtime/core/cpu_isa.h"
#include "tools/amx-emulator/Tiles.h"
#include <atomic>
#include <csignal>
#include <cstring>
#include <ucontext.h>
#include <unistd.h>

using namespace symc::amx;

static std::atomic<int64_t> products{0};
static struct sigaction before;
static thread_local Tiles tiles;

static int64_t valueOf(const ucontext_t &context, int number) {
  static constexpr int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                   REG_R12, REG_R13, REG_R14, REG_R15};
  return number < 0 ? 0 : context.uc_mcontext.gregs[places[number]];
}

static void onUnknown(int signal, siginfo_t *info, void *given) {
  auto &context = *static_cast<ucontext_t *>(given);
  auto &next = context.uc_mcontext.gregs[REG_RIP];
  constexpr size_t longest = 15;
  const char *refusal = nullptr;
  if (auto found = decode(reinterpret_cast<const uint8_t *>(next), longest)) {
    const Address &a = found->address;
    int64_t base = a.ofNext ? int64_t(next + found->length) : valueOf(context, a.base);
    int64_t stride = valueOf(context, a.index) * (int64_t(1) << a.scale);
    refusal = tiles.execute(*found, reinterpret_cast<uint8_t *>(base + a.displacement), stride);
    if (!refusal) {
      products += found->operation == Operation::MultiplyBFloats;
      next += found->length;
      return;
    }
  } else if (before.sa_flags & SA_SIGINFO) {
    return before.sa_sigaction(signal, info, given);
  }
  if (refusal) {
    static constexpr char start[] = "amx-emulator: ";
    (void)!write(STDERR_FILENO, start, sizeof start - 1);
    (void)!write(STDERR_FILENO, refusal, strlen(refusal));
    (void)!write(STDERR_FILENO, "\n", 1);
  }
  std::signal(SIGILL, SIG_DFL); // raised again where it was
}

bool symc::amx::installEmulator() {
  constexpr int32_t lacksMatrices = 6, hasMatrices = 7;
  if (symc_cpu_level() >= hasMatrices) // the processor's, or installed before
    return true;
  if (symc_cpu_level() < lacksMatrices)
    return false;
  struct sigaction action = {};
  action.sa_sigaction = onUnknown;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGILL, &action, &before))
    return false;
  assume_cpu_level(hasMatrices, true);
  return true;
}

int64_t symc::amx::emulatedProducts() { return products; }
