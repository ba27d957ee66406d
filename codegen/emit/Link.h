// Link.h: lld's ELF linker inside this process, over start files and libc of
// the resource folder: no other program, no file of the system is used. The same
// inputs give the same bytes.
#ifndef SYMC_CODEGEN_EMIT_LINK_H
#define SYMC_CODEGEN_EMIT_LINK_H

#include "codegen/emit/Resources.h"

namespace symc::codegen {

enum class LinkForm {
  StaticProgram,  // static PIE against musl
  DynamicProgram, // PIE against glibc
  SharedLibrary,  // needs libc and libm only
  Relocatable     // one object file out of several
};

struct LinkRequest {
  LinkForm form;
  std::string triple;              // "x86_64-linux-musl"
  std::string output;              // written directly: pass a name aside
  std::string name;                // of the output in messages; its last part is the soname
  std::vector<std::string> inputs; // object files
  bool besideIt = false;           // libraries that it opens may lie in its folder
  bool withoutGroups = false;      // Relocatable: COMDAT sections become plain ones
  std::vector<std::string> roots;  // Relocatable: where given, what these names need stays alone
};

llvm::Error link(const LinkRequest &request, const Resources &resources);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_LINK_H
