// Fibre.cpp: see Fibre.h. The switch saves what the System V ABI of x86-64 lets a callee keep.
#include "tools/cuda-shim/Fibre.h"
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

using namespace symc::shim;

extern "C" void symc_shim_switch(void **leave, void *enter);

asm(R"(
  .text
  .type symc_shim_switch, @function
symc_shim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size symc_shim_switch, .-symc_shim_switch
)");

static constexpr size_t guardBytes = 4096;

Fibre::Fibre() {
  void *memory = mmap(nullptr, stackBytes + guardBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, guardBytes, PROT_NONE) != 0) {
    perror("internal error: cuda shim: stack of a thread");
    abort();
  }
  stack = static_cast<char *>(memory) + guardBytes;
}

Fibre::~Fibre() { munmap(stack - guardBytes, stackBytes + guardBytes); }

void Fibre::restart(void (*main)()) {
  // Six registers, the address that `ret` takes, and a return address for `main`, where the ABI
  // requires the stack 8 bytes beyond a multiple of 16.
  auto **top = reinterpret_cast<void **>(stack + stackBytes);
  for (int i = 1; i <= 8; ++i)
    top[-i] = nullptr;
  top[-2] = reinterpret_cast<void *>(main);
  point = top - 8;
}

void Fibre::enter() { symc_shim_switch(&outside, point); }
void Fibre::leave() { symc_shim_switch(&point, outside); }
