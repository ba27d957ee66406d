// Module.cpp: see Module.h. Shared arrays are static variables in the section symc_shared, whose
// places, lengths and names the symbol table of the library has.
#include "tools/cuda-shim/Module.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace symc::shim;

/// "tile" of "_ZZ4copyE4tile": the last length and name of a mangled one.
static std::string plainName(const char *mangled) {
  if (strncmp(mangled, "_ZZ", 3) != 0)
    return mangled;
  std::string name = mangled, best = mangled;
  for (size_t i = 3; i < name.size(); ++i)
    if (isdigit(name[i]) && !isdigit(name[i - 1]))
      if (size_t end = 0, length = std::stoul(name.substr(i), &end);
          i + end + length <= name.size() && length > 0)
        best = name.substr(i + end, length);
  return best;
}

std::unique_ptr<Module> Module::load(const void *image, Memory &memory, std::string &message) {
  const auto *header = static_cast<const Elf64_Ehdr *>(image);
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_machine != EM_X86_64) {
    message = "the image is no library for this processor";
    return nullptr;
  }
  std::unique_ptr<Module> module(new Module(memory));
  // The table of sections is the last thing in the file.
  size_t bytes = header->e_shoff + size_t(header->e_shnum) * header->e_shentsize;
  module->file = memfd_create("symc-cuda-shim", MFD_CLOEXEC);
  const char *data = static_cast<const char *>(image);
  for (size_t done = 0; done < bytes;) {
    ssize_t count = write(module->file, data + done, bytes - done);
    if (count <= 0) {
      message = "internal error: cannot write the library to memory";
      return nullptr;
    }
    done += count;
  }
  std::string path = "/proc/self/fd/" + std::to_string(module->file);
  module->handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module->handle) {
    message = dlerror();
    return nullptr;
  }
  module->addSharedArrays(data);
  return module;
}

void Module::addSharedArrays(const char *image) {
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(image);
  const auto *segments = reinterpret_cast<const Elf64_Phdr *>(image + header->e_phoff);
  const auto *sections = reinterpret_cast<const Elf64_Shdr *>(image + header->e_shoff);
  const char *names = image + sections[header->e_shstrndx].sh_offset;
  link_map *map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  begin = end = map->l_addr;
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD)
      end = std::max(end, map->l_addr + segments[i].p_vaddr + segments[i].p_memsz);
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    if (strcmp(names + sections[i].sh_name, "symc_shared") == 0) {
      sharedBegin = map->l_addr + sections[i].sh_addr;
      sharedEnd = sharedBegin + sections[i].sh_size;
    }
    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    const auto *symbols = reinterpret_cast<const Elf64_Sym *>(image + sections[i].sh_offset);
    const char *text = image + sections[sections[i].sh_link].sh_offset;
    for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s) {
      const Elf64_Sym &symbol = symbols[s];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx >= header->e_shnum ||
          strcmp(names + sections[symbol.st_shndx].sh_name, "symc_shared") != 0 ||
          strstr(text + symbol.st_name, "symc_shim_gap"))
        continue;
      sharedArrays.push_back(map->l_addr + symbol.st_value);
      memory.add(sharedArrays.back(), symbol.st_size, true,
                 "shared array '" + plainName(text + symbol.st_name) + "'");
    }
  }
}

Module::~Module() {
  for (uintptr_t array : sharedArrays)
    memory.remove(array);
  if (handle)
    dlclose(handle);
  if (file >= 0)
    close(file);
}

void (*Module::entry(const std::string &kernel) const)(void **) {
  return reinterpret_cast<void (*)(void **)>(dlsym(handle, (kernel + "__entry").c_str()));
}

std::vector<size_t> Module::argumentBytes(const std::string &kernel) const {
  auto *bytesOf = reinterpret_cast<int (*)(int)>(dlsym(handle, (kernel + "__bytes").c_str()));
  std::vector<size_t> all;
  for (int i = 0; bytesOf && bytesOf(i); ++i)
    all.push_back(bytesOf(i));
  return all;
}

bool Module::checked() const { return dlsym(handle, "symc_shim_checked"); }

std::string Module::lineOf(void *caller) const {
  uintptr_t address = reinterpret_cast<uintptr_t>(caller);
  if (!holds(address))
    return {};
  // Only what ends a launch uses it; a call's line is that of the byte before its return.
  std::stringstream command;
  command << "'" SYMC_LLVM_SYMBOLIZER "' --functions=none" << " --output-style=GNU"
          << " --obj=/proc/" << getpid() << "/fd/" << file << " 0x" << std::hex
          << address - begin - 1 << " 2>/dev/null";
  FILE *pipe = popen(command.str().c_str(), "r");
  if (!pipe)
    return {};
  // Innermost first: functions of the prelude are inlined into the source's.
  std::string found;
  char line[512];
  while (fgets(line, sizeof(line), pipe)) {
    line[strcspn(line, "\n")] = 0;
    if (found.empty() && !strstr(line, "Prelude.inc") && !strchr(line, '?'))
      found = line;
  }
  pclose(pipe);
  size_t slash = found.rfind('/'); // the folder that clang ran in
  return slash == std::string::npos ? found : found.substr(slash + 1);
}
