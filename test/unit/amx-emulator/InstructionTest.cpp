// InstructionTest.cpp: what the assembler makes of each form of the instructions is decoded as what
// was written.
#include "tools/amx-emulator/Instruction.h"

#include "gtest/gtest.h"
#include <vector>

using namespace symc::amx;

// Names are of the AT&T syntax: displacement(base, index, scale); of products the target last.
__asm__(".pushsection .rodata\n"
        "symc_amx_code:\n"
        "ldtilecfg (%rsp)\n"
        "ldtilecfg -64(%r13)\n"
        "ldtilecfg 4096(%rax,%r12,8)\n"
        "ldtilecfg 16(%rip)\n"
        "sttilecfg 8(%rbp)\n"
        "tilerelease\n"
        "tilezero %tmm0\n"
        "tilezero %tmm7\n"
        "tileloadd (%rdi,%rsi), %tmm3\n"
        "tileloadd 127(%r8,%r15,4), %tmm5\n"
        "tileloadd -1000(%r12,%rbp,2), %tmm0\n"
        "tileloadd (%r13,%r12,8), %tmm6\n"
        "tileloadd 64(,%rcx,8), %tmm1\n"
        "tileloadd (%rsp), %tmm2\n"
        "tileloaddt1 (%r9,%r10), %tmm4\n"
        "tilestored %tmm7, 256(%rsp,%rax)\n"
        "tilestored %tmm1, (%r11,%r14,2)\n"
        "tdpbf16ps %tmm6, %tmm4, %tmm0\n"
        "tdpbf16ps %tmm0, %tmm7, %tmm5\n"
        "symc_amx_code_end:\n"
        // Instructions of the same space, or of the same registers, that are none of these.
        "symc_amx_others:\n"
        "vfmadd132ps (%rax), %xmm1, %xmm2\n"
        "tdpbssd %tmm2, %tmm1, %tmm0\n"
        "vdpbf16ps %zmm2, %zmm1, %zmm0\n"
        "nop\n"
        "symc_amx_others_end:\n"
        ".popsection\n");
extern "C" const uint8_t symc_amx_code[], symc_amx_code_end[], symc_amx_others[],
    symc_amx_others_end[];

enum Register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };
constexpr int none = -1;

TEST(AmxInstructions, AreDecodedAsWritten) {
  using Is = Operation;
  const Instruction expected[] = {
      {Is::LoadConfig, 0, 0, 0, 0, {RSP, none, 0, 0, false}},
      {Is::LoadConfig, 0, 0, 0, 0, {R13, none, 0, -64, false}},
      {Is::LoadConfig, 0, 0, 0, 0, {RAX, R12, 3, 4096, false}},
      {Is::LoadConfig, 0, 0, 0, 0, {none, none, 0, 16, true}},
      {Is::StoreConfig, 0, 0, 0, 0, {RBP, none, 0, 8, false}},
      {Is::Release, 0, 0, 0, 0, {}},
      {Is::Zero, 0, 0, 0, 0, {}},
      {Is::Zero, 0, 7, 0, 0, {}},
      {Is::Load, 0, 3, 0, 0, {RDI, RSI, 0, 0, false}},
      {Is::Load, 0, 5, 0, 0, {R8, R15, 2, 127, false}},
      {Is::Load, 0, 0, 0, 0, {R12, RBP, 1, -1000, false}},
      {Is::Load, 0, 6, 0, 0, {R13, R12, 3, 0, false}},
      {Is::Load, 0, 1, 0, 0, {none, RCX, 3, 64, false}},
      {Is::Load, 0, 2, 0, 0, {RSP, none, 0, 0, false}},
      {Is::Load, 0, 4, 0, 0, {R9, R10, 0, 0, false}},
      {Is::Store, 0, 7, 0, 0, {RSP, RAX, 0, 256, false}},
      {Is::Store, 0, 1, 0, 0, {R11, R14, 1, 0, false}},
      {Is::MultiplyBFloats, 0, 0, 4, 6, {}},
      {Is::MultiplyBFloats, 0, 5, 7, 0, {}},
  };
  const uint8_t *code = symc_amx_code;
  for (const Instruction &wanted : expected) {
    SCOPED_TRACE(&wanted - expected);
    auto found = decode(code, symc_amx_code_end - code);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->operation, wanted.operation);
    EXPECT_EQ(found->target, wanted.target);
    EXPECT_EQ(found->first, wanted.first);
    EXPECT_EQ(found->second, wanted.second);
    EXPECT_EQ(found->address.base, wanted.address.base);
    EXPECT_EQ(found->address.index, wanted.address.index);
    if (wanted.address.index != none)
      EXPECT_EQ(found->address.scale, wanted.address.scale);
    EXPECT_EQ(found->address.displacement, wanted.address.displacement);
    EXPECT_EQ(found->address.ofNext, wanted.address.ofNext);
    for (size_t bytes = 0; bytes < found->length; ++bytes)
      EXPECT_FALSE(decode(code, bytes)) << bytes << " bytes of " << found->length;
    code += found->length;
  }
  EXPECT_EQ(code, symc_amx_code_end);
}

TEST(AmxInstructions, OthersAreNot) {
  for (const uint8_t *code = symc_amx_others; code < symc_amx_others_end; ++code)
    EXPECT_FALSE(decode(code, symc_amx_others_end - code)) << code - symc_amx_others;
}
