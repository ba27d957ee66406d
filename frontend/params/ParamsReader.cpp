//===- ParamsReader.cpp - arrays from .params, .npz and .npy files --------===//
//
// Distinguishes formats by their first bytes and hands over; then gives every
// array its name and kind. Formats that are often passed by mistake are named.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/ParamsReader.h"

#include "frontend/params/ByteReader.h"
#include "frontend/params/Formats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <sys/mman.h>

using namespace llvm;

namespace symc::params {

void ArrayInfo::setKey(std::string whole) {
  StringRef rest = whole;
  kind = rest.consume_front("arg:")   ? ParamKind::Arg
         : rest.consume_front("aux:") ? ParamKind::Aux
                                      : ParamKind::None;
  name = rest.str();
  key = std::move(whole);
}

const Array *ArrayFile::find(ParamKind kind, StringRef name) const {
  for (const Array &array : arrays)
    if (array.kind == kind && array.name == name)
      return &array;
  return nullptr;
}

void ArrayFile::releasePages() const {
  if (buffer)
    params::releasePages(*buffer);
}

void releasePages(const MemoryBuffer &buffer) {
  // Not LLVM's dontNeedIfMmap: glibc's posix_madvise does nothing about it.
  if (buffer.getBufferKind() != MemoryBuffer::MemoryBuffer_MMap)
    return;
  uint64_t page = sys::Process::getPageSizeEstimate();
  auto begin = alignTo(reinterpret_cast<uintptr_t>(buffer.getBufferStart()), page);
  auto end = alignDown(reinterpret_cast<uintptr_t>(buffer.getBufferEnd()), page);
  if (begin < end)
    ::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
}

std::string outOfMemory(uint64_t bytes) {
  return "not enough memory for " + std::to_string(bytes) + " bytes";
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (int64_t dim : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(dim);
  return text + "]";
}

/// Splits "arg:" and "aux:" off; reports keys that are empty or given twice.
static bool nameArrays(ArrayFile &file, Diagnostics &diagnostics) {
  StringMap<size_t> seen;
  bool good = true;
  for (size_t i = 0; i < file.arrays.size(); ++i) {
    Array &array = file.arrays[i];
    array.setKey(array.key);
    std::string place = ("array " + Twine(i + 1) + " of " + Twine(file.arrays.size())).str();
    if (array.name.empty()) {
      diagnostics.error(file.path, {}, place + " has no name: its key is " + inQuotes(array.key));
      good = false;
    }
    auto [first, isNew] = seen.try_emplace(array.key, i);
    if (!isNew) {
      diagnostics.error(file.path, {},
                        "name " + inQuotes(array.key) + " is given twice, by arrays " +
                            Twine(first->second + 1) + " and " + Twine(i + 1));
      good = false;
    }
  }
  return good;
}

/// What a file of no known format seems to be, and what to do about it.
static std::pair<StringRef, StringRef> recognize(StringRef bytes) {
  if (bytes.empty())
    return {"an empty file", ""};
  if (NdarrayListMagic.starts_with(bytes))
    return {"a file that ends within the header of an NDArray list", "the file is cut short"};
  if (bytes.starts_with("\x1f\x8b"))
    return {"a gzip file", "unpack it with gunzip first"};
  if (bytes.starts_with("BZh"))
    return {"a bzip2 file", "unpack it with bunzip2 first"};
  if (bytes.starts_with("\xfd"
                        "7zXZ"))
    return {"an xz file", "unpack it with unxz first"};
  if (bytes.starts_with("\x28\xb5\x2f\xfd"))
    return {"a zstd file", "unpack it with unzstd first"};
  if (bytes.starts_with("\x89HDF"))
    return {"an HDF5 file", "save the parameters with MXNet's save_parameters or export"};
  if (bytes.starts_with("\x80") && bytes.size() > 1 && bytes[1] >= 2 && bytes[1] <= 5)
    return {"a Python pickle, perhaps optimizer states", "pass the .params file"};
  if (bytes.starts_with("version https://git-lfs"))
    return {"a Git LFS pointer, not the file itself", "fetch the file with 'git lfs pull'"};
  StringRef start = bytes.take_front(256);
  if (start.ltrim().starts_with("{"))
    return {"a text that looks like JSON", "the symbol file comes first, then the parameters"};
  if (start.ltrim().starts_with("<"))
    return {"a text that looks like HTML", "the download may have failed; fetch the file again"};
  if (llvm::all_of(start, [](char c) { return isPrint(c) || isSpace(c) || c < 0; }))
    return {"a text", ""};
  return {"", ""};
}

std::optional<ArrayFile> readArrays(std::unique_ptr<MemoryBuffer> buffer, StringRef path,
                                    Diagnostics &diagnostics, const ReadOptions &options) {
  ArrayFile file;
  file.path = path.str();
  file.buffer = std::move(buffer);
  StringRef bytes = file.buffer->getBuffer();
  bool good;
  if (bytes.starts_with(NpyMagic)) {
    file.format = FileFormat::Npy;
    file.arrays.emplace_back();
    good = readNpy(bytes, 0, path, "", diagnostics, file.arrays.back());
    if (!good)
      return std::nullopt;
    return file;
  }
  if (bytes.starts_with(ZipMagic) || bytes.starts_with(EmptyZipMagic)) {
    file.format = FileFormat::Npz;
    good = readNpz(bytes, path, diagnostics, file.arrays);
  } else if (bytes.starts_with(NdarrayListMagic)) {
    file.format = FileFormat::NdarrayList;
    bool named = false;
    good = readNdarrayList(bytes, path, options, diagnostics, file.arrays, named);
    if (good && !named)
      return file;
  } else {
    auto [what, remedy] = recognize(bytes);
    std::string found = what.str();
    if (found.empty())
      found = "a file that begins with the bytes " + toHex(bytes.take_front(8), /*LowerCase=*/true);
    Diagnostic &error = diagnostics.error(
        path, {}, "expected parameters (an NDArray list, .npz or .npy), got " + found);
    if (!remedy.empty())
      error.note(remedy);
    return std::nullopt;
  }
  if (!good || !nameArrays(file, diagnostics))
    return std::nullopt;
  return file;
}

std::optional<ArrayFile> readArrays(StringRef path, Diagnostics &diagnostics,
                                    const ReadOptions &options) {
  auto buffer = openInput(path, diagnostics);
  if (!buffer)
    return std::nullopt;
  return readArrays(std::move(buffer), path, diagnostics, options);
}

} // namespace symc::params
