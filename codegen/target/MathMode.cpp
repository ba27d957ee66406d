// MathMode.cpp: see MathMode.h.
#include "codegen/target/MathMode.h"

using namespace symc::codegen;

static constexpr MathMode modes[] = {MathMode::Portable, MathMode::Strict, MathMode::Default,
                                     MathMode::Fast};

llvm::StringRef symc::codegen::nameOf(MathMode mode) {
  static const char *const names[] = {"portable", "strict", "default", "fast"};
  return names[static_cast<int>(mode) - static_cast<int>(MathMode::Portable)];
}

std::optional<MathMode> symc::codegen::mathModeNamed(llvm::StringRef name) {
  for (MathMode mode : modes)
    if (nameOf(mode) == name)
      return mode;
  return std::nullopt;
}
