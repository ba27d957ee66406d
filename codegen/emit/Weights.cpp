// Weights.cpp: see Weights.h. The object file by hand, since it is only this:
//   ELF header | padding to 4096 | the bytes | symbols | their names | section
//   names | section headers
#include "codegen/emit/Weights.h"

#include "codegen/emit/ModelTable.h"
#include "codegen/emit/Resources.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Triple.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace symc::codegen;

static_assert(endianness::native == endianness::little); // files are plain copies

namespace {

constexpr uint64_t page = 4096;
constexpr StringLiteral sectionNames =
    StringLiteral::withInnerNUL("\0.lrodata.symc_weights\0.rodata.symc_weights\0"
                                ".note.GNU-stack\0.symtab\0.strtab\0.shstrtab\0");

// Where the parts of the object file lie.
struct ObjectLayout {
  uint64_t symbols, strings, names, headers, total;
  ObjectLayout(uint64_t bytes, StringRef symbol) {
    symbols = alignTo(page + bytes, 8);
    strings = symbols + 2 * sizeof(ELF::Elf64_Sym);
    names = strings + symbol.size() + 2;
    headers = alignTo(names + sectionNames.size(), 8);
    total = headers + 6 * sizeof(ELF::Elf64_Shdr);
  }
};

void writeObject(uint8_t *file, uint64_t bytes, StringRef symbol, uint16_t machine) {
  ObjectLayout layout(bytes, symbol);
  bool large = machine == ELF::EM_X86_64; // beyond the reach of 32-bit distances
  auto nameOf = [](StringRef name) { return uint32_t(sectionNames.find(name)); };

  ELF::Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
  header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  header.e_type = ELF::ET_REL;
  header.e_machine = machine;
  header.e_version = ELF::EV_CURRENT;
  header.e_shoff = layout.headers;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  header.e_shnum = 6;
  header.e_shstrndx = 5;
  memcpy(file, &header, sizeof header);

  ELF::Elf64_Sym symbols[2] = {};
  symbols[1].st_name = 1;
  symbols[1].setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
  symbols[1].st_other = ELF::STV_HIDDEN;
  symbols[1].st_shndx = 1;
  symbols[1].st_size = bytes;
  memcpy(file + layout.symbols, symbols, sizeof symbols);
  memcpy(file + layout.strings + 1, symbol.data(), symbol.size());
  memcpy(file + layout.names, sectionNames.data(), sectionNames.size());

  ELF::Elf64_Shdr sections[6] = {};
  auto set = [&](int i, StringRef name, uint32_t type, uint64_t offset, uint64_t size,
                 uint64_t alignment) {
    sections[i].sh_name = nameOf(name);
    sections[i].sh_type = type;
    sections[i].sh_offset = offset;
    sections[i].sh_size = size;
    sections[i].sh_addralign = alignment;
  };
  set(1, large ? ".lrodata.symc_weights" : ".rodata.symc_weights", ELF::SHT_PROGBITS, page, bytes,
      SYMC_ALIGN);
  sections[1].sh_flags = ELF::SHF_ALLOC | (large ? uint64_t(ELF::SHF_X86_64_LARGE) : 0);
  set(2, ".note.GNU-stack", ELF::SHT_PROGBITS, page, 0, 1);
  set(3, ".symtab", ELF::SHT_SYMTAB, layout.symbols, sizeof symbols, 8);
  sections[3].sh_link = 4;
  sections[3].sh_info = 1;
  sections[3].sh_entsize = sizeof(ELF::Elf64_Sym);
  set(4, ".strtab", ELF::SHT_STRTAB, layout.strings, symbol.size() + 2, 1);
  set(5, ".shstrtab", ELF::SHT_STRTAB, layout.names, sectionNames.size(), 1);
  memcpy(file + layout.headers, sections, sizeof sections);
}

} // namespace

WeightsFile::~WeightsFile() {
  if (mapping)
    ::munmap(mapping, mappedBytes);
}

Error WeightsFile::map(int descriptor, uint64_t total, StringRef path) {
  void *memory = ::mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED)
    return cannotWrite(path, errno);
  mapping = static_cast<uint8_t *>(memory);
  mappedBytes = total;
  dataOffset = page;
  return Error::success();
}

Expected<std::unique_ptr<WeightsFile>>
WeightsFile::embedded(const ModelInfo &model, uint64_t bytes, StringRef output) {
  if (bytes > largestEmbeddedWeights)
    return emitError("weights of " + Twine(bytes) + " bytes cannot be embedded, at most " +
                     Twine(largestEmbeddedWeights) + " can; pass --weights=file");
  std::unique_ptr<WeightsFile> file(new WeightsFile);
  file->facts.place = WeightsInfo::Embedded;
  file->facts.bytes = bytes;
  file->symbol = weightsSymbol(model);
  Triple triple(Triple::normalize(model.triple));
  file->machine = triple.isAArch64() ? ELF::EM_AARCH64 : ELF::EM_X86_64;
  ObjectLayout layout(bytes, file->symbol);
  Expected<UnnamedFile> unnamed = UnnamedFile::onDisk(output, layout.total);
  if (!unnamed)
    return unnamed.takeError();
  file->unnamed.emplace(std::move(*unnamed));
  if (Error error = file->map(file->unnamed->handle(), layout.total, output))
    return std::move(error);
  return std::move(file);
}

Expected<std::unique_ptr<WeightsFile>> WeightsFile::sideFile(StringRef path, uint64_t bytes) {
  static_assert(SYMC_WEIGHTS_HEADER_BYTES == page); // data() serves both forms
  std::unique_ptr<WeightsFile> file(new WeightsFile);
  file->facts.place = WeightsInfo::SideFile;
  file->facts.bytes = bytes;
  file->facts.fileName = sys::path::filename(path).str();
  Expected<OutputFile> side = OutputFile::create(path, /*executable=*/false);
  if (!side)
    return side.takeError();
  file->side.emplace(std::move(*side));
  int descriptor = ::open(file->side->aside().c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0)
    return cannotWrite(path, errno);
  int number = ::posix_fallocate(descriptor, 0, page + bytes);
  Error error = number ? cannotWrite(path, number) : file->map(descriptor, page + bytes, path);
  ::close(descriptor);
  if (error)
    return std::move(error);
  return std::move(file);
}

Error WeightsFile::seal() {
  facts.hash = xxh3_64bits(ArrayRef<uint8_t>(data(), facts.bytes));
  if (facts.place == WeightsInfo::Embedded) {
    writeObject(mapping, facts.bytes, symbol, machine);
  } else {
    symc_weights_header header = {};
    memcpy(header.magic, SYMC_WEIGHTS_MAGIC, sizeof header.magic);
    header.abi_version = SYMC_ABI_VERSION;
    header.header_bytes = SYMC_WEIGHTS_HEADER_BYTES;
    header.weights_bytes = facts.bytes;
    header.weights_hash = facts.hash;
    memcpy(mapping, &header, sizeof header);
  }
  ::munmap(mapping, mappedBytes);
  mapping = nullptr;
  return Error::success();
}

Error WeightsFile::commit() { return side ? side->commit() : Error::success(); }
