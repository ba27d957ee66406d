// Weights.cpp: see Weights.h. The object files by hand, since they are only this:
//   ELF header | padding to 4096 | the bytes | symbols | their names | section
//   names | section headers
// The placeholder has a section without bytes in the place of the bytes, and
// beside it one of its name with bytes, so that the linker gives the output's
// section a place in the file.
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
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace symc::codegen;

static_assert(endianness::native == endianness::little); // files are plain copies

namespace {

constexpr uint64_t page = 4096;
constexpr uint64_t anchorBytes = 8; // of the placeholder's section with bytes
constexpr uint64_t writtenAtOnce = 64 << 20;
constexpr StringLiteral sectionNames =
    StringLiteral::withInnerNUL("\0.lrodata\0symc_weights\0.note.GNU-stack\0.symtab\0.strtab\0"
                                ".shstrtab\0");

// Beyond the reach of 32-bit distances; lld puts nothing else into .lrodata.
bool isLarge(uint16_t machine) { return machine == ELF::EM_X86_64; }

StringRef sectionName(uint16_t machine) { return isLarge(machine) ? ".lrodata" : "symc_weights"; }

// Where the parts of the object file lie.
struct ObjectLayout {
  uint64_t symbols, strings, names, headers, total;
  ObjectLayout(uint64_t bytesInFile, StringRef symbol) {
    symbols = alignTo(page + bytesInFile, 8);
    strings = symbols + 2 * sizeof(ELF::Elf64_Sym);
    names = strings + symbol.size() + 2;
    headers = alignTo(names + sectionNames.size(), 8);
    total = headers + 7 * sizeof(ELF::Elf64_Shdr);
  }
};

void writeObject(uint8_t *file, uint64_t bytes, StringRef symbol, uint16_t machine,
                 bool placeholder) {
  ObjectLayout layout(placeholder ? anchorBytes : bytes, symbol);
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
  header.e_shnum = 7;
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

  ELF::Elf64_Shdr sections[7] = {};
  auto set = [&](int i, StringRef name, uint32_t type, uint64_t offset, uint64_t size,
                 uint64_t alignment) {
    sections[i].sh_name = nameOf(name);
    sections[i].sh_type = type;
    sections[i].sh_offset = offset;
    sections[i].sh_size = size;
    sections[i].sh_addralign = alignment;
  };
  uint64_t flags = ELF::SHF_ALLOC | (isLarge(machine) ? uint64_t(ELF::SHF_X86_64_LARGE) : 0);
  set(1, sectionName(machine), placeholder ? ELF::SHT_NOBITS : ELF::SHT_PROGBITS, page, bytes,
      page);
  sections[1].sh_flags = flags;
  set(2, ".note.GNU-stack", ELF::SHT_PROGBITS, page, 0, 1);
  set(3, ".symtab", ELF::SHT_SYMTAB, layout.symbols, sizeof symbols, 8);
  sections[3].sh_link = 4;
  sections[3].sh_info = 1;
  sections[3].sh_entsize = sizeof(ELF::Elf64_Sym);
  set(4, ".strtab", ELF::SHT_STRTAB, layout.strings, symbol.size() + 2, 1);
  set(5, ".shstrtab", ELF::SHT_STRTAB, layout.names, sectionNames.size(), 1);
  set(6, sectionName(machine), ELF::SHT_PROGBITS, page, placeholder ? anchorBytes : 0, 1);
  sections[6].sh_flags = flags | ELF::SHF_GNU_RETAIN; // nothing refers to it
  memcpy(file + layout.headers, sections, sizeof sections);
}

} // namespace

uint64_t symc::codegen::hashOfWeights(ArrayRef<uint8_t> bytes, function_ref<void()> afterPiece) {
  uint64_t hash = 0;
  for (size_t begin = 0; begin == 0 || begin < bytes.size(); begin += SYMC_WEIGHTS_PIECE_BYTES) {
    uint64_t piece = xxh3_64bits(bytes.drop_front(begin).take_front(SYMC_WEIGHTS_PIECE_BYTES));
    support::ulittle64_t words[] = {support::ulittle64_t(hash), support::ulittle64_t(piece)};
    hash = begin == 0 ? piece : xxh3_64bits({reinterpret_cast<uint8_t *>(words), sizeof words});
    if (afterPiece)
      afterPiece();
  }
  return hash;
}

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

Expected<std::unique_ptr<WeightsFile>> WeightsFile::embedded(const ModelInfo &model, uint64_t bytes,
                                                             StringRef output) {
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

void WeightsFile::release() { ::madvise(mapping, mappedBytes, MADV_DONTNEED); }

Error WeightsFile::seal() {
  facts.hash = hashOfWeights({data(), facts.bytes}, [this] { release(); });
  if (facts.place == WeightsInfo::Embedded) {
    writeObject(mapping, facts.bytes, symbol, machine, /*placeholder=*/false);
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

Expected<UnnamedFile> WeightsFile::placeholder() const {
  ObjectLayout layout(anchorBytes, symbol);
  std::vector<uint8_t> bytes(layout.total);
  writeObject(bytes.data(), facts.bytes, symbol, machine, /*placeholder=*/true);
  return UnnamedFile::inMemory(
      StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

// Where the section of the weights begins in a linked file.
static Expected<uint64_t> findSection(int file, StringRef name, uint64_t bytes) {
  auto readAt = [&](void *to, size_t size, uint64_t offset) {
    return ::pread(file, to, size, offset) == static_cast<ssize_t>(size);
  };
  ELF::Elf64_Ehdr header;
  std::vector<ELF::Elf64_Shdr> sections;
  std::string names;
  bool read = readAt(&header, sizeof header, 0);
  if (read) {
    sections.resize(header.e_shnum);
    read = readAt(sections.data(), sections.size() * sizeof sections[0], header.e_shoff) &&
           header.e_shstrndx < sections.size();
  }
  if (read) {
    names.resize(sections[header.e_shstrndx].sh_size);
    read = readAt(names.data(), names.size(), sections[header.e_shstrndx].sh_offset);
  }
  if (read)
    for (const ELF::Elf64_Shdr &section : sections)
      if (section.sh_name < names.size() && name == names.c_str() + section.sh_name &&
          section.sh_type == ELF::SHT_PROGBITS && section.sh_size == bytes + anchorBytes)
        return section.sh_offset;
  return emitError("internal error: the linked file has no section for the weights");
}

// Appends a part of one file to another, in writes of many pages. A page that is not in
// memory yet would cut the write short, and the kernel goes on page by page after that.
static Error append(int to, int from, uint64_t offset, uint64_t bytes, StringRef output) {
  while (bytes > 0) {
    uint64_t skip = offset % page, count = std::min(bytes, writtenAtOnce - skip);
    void *memory =
        ::mmap(nullptr, skip + count, PROT_READ, MAP_SHARED | MAP_POPULATE, from, offset - skip);
    if (memory == MAP_FAILED)
      return cannotWrite(output, errno);
    ssize_t written = ::write(to, static_cast<uint8_t *>(memory) + skip, count);
    int number = errno;
    ::munmap(memory, skip + count);
    if (written < 0 && number == EINTR)
      continue;
    if (written <= 0)
      return cannotWrite(output, written < 0 ? number : EIO);
    offset += written;
    bytes -= written;
  }
  return Error::success();
}

// The file is written anew: what is written at once lies in large folios of the page
// cache, for which a program that maps it needs few entries of the TLB (MobileNetV2 on
// Zen 4, one thread: 6.46 ms with single pages, 6.16 with these). The linker's own file
// has its pages one by one, whoever fills them.
Error WeightsFile::fill(StringRef linked, StringRef output) const {
  std::string name = linked.str();
  int from = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0)
    return cannotWrite(output, errno);
  struct stat status = {};
  Error error = ::fstat(from, &status) ? cannotWrite(output, errno) : Error::success();
  uint64_t offset = 0, size = status.st_size;
  if (!error) {
    Expected<uint64_t> found = findSection(from, sectionName(machine), facts.bytes);
    if (found)
      offset = *found;
    else
      error = found.takeError();
  }
  int to = -1;
  if (!error) {
    ::unlink(name.c_str());
    to = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, status.st_mode & 0777);
    if (to < 0)
      error = cannotWrite(output, errno);
  }
  if (!error)
    error = append(to, from, 0, offset, output);
  if (!error)
    error = append(to, unnamed->handle(), page, facts.bytes, output);
  if (!error)
    error = append(to, from, offset + facts.bytes, size - offset - facts.bytes, output);
  ::close(from);
  if (to >= 0 && ::close(to) != 0 && !error)
    error = cannotWrite(output, errno);
  return error;
}

Error WeightsFile::commit() { return side ? side->commit() : Error::success(); }
