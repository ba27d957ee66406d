//===- Weights.cpp - the tensors of an ONNX model as weights ---------------===//
#include "frontend/onnx/Weights.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace symc::onnx {

using params::DType;

static uint64_t countVarints(StringRef file, ArrayRef<Span> spans) {
  uint64_t count = 0, value;
  for (Span rest : spans)
    while (rest.begin < rest.end && Wire::varint(file, rest, value))
      ++count;
  return count;
}

static uint64_t countBytes(ArrayRef<Span> spans) {
  uint64_t bytes = 0;
  for (Span span : spans)
    bytes += span.size();
  return bytes;
}

// The list that holds elements of a type, and whether they are varints.
static const std::vector<Span> &listOf(const Tensor &tensor, DType dtype, bool &isVarint) {
  isVarint = dtype != DType::F32 && dtype != DType::F64;
  switch (dtype) {
  case DType::F32:
    return tensor.floats;
  case DType::F64:
    return tensor.doubles;
  case DType::I64:
    return tensor.int64s;
  case DType::U32:
  case DType::U64:
    return tensor.uint64s;
  default:
    return tensor.int32s;
  }
}

// Files are named relative to the model's folder, and lie below it, or beside the file that a link
// leads to.
const ModelWeights::External &ModelWeights::open(StringRef location) {
  auto [found, isNew] = files.try_emplace(location);
  External &file = found->second;
  if (!isNew)
    return file;
  auto refuse = [&](const Twine &why) -> const External & {
    file.mistake = ("has its data in " + Twine(inQuotes(location)) + ", which " + why).str();
    return file;
  };
  if (!model->isFile)
    return refuse("lies beside a model's file, and this model is in memory");
  if (location.empty() || sys::path::is_absolute(location))
    return refuse("is no relative path");
  for (auto part = sys::path::begin(location), end = sys::path::end(location); part != end; ++part)
    if (*part == "..")
      return refuse("lies outside of the model's folder");
  SmallString<256> path(sys::path::parent_path(model->path));
  sys::path::append(path, location);
  SmallString<256> real, folder, realModel;
  if (std::error_code failure = sys::fs::real_path(path, real))
    return refuse("cannot be opened: " + reasonOf(failure));
  SmallString<256> parent(sys::path::parent_path(model->path));
  if (parent.empty())
    parent = ".";
  auto isBelow = [&](StringRef where) {
    StringRef rest = real;
    return rest.consume_front(where) && (where.ends_with("/") || rest.starts_with("/"));
  };
  bool isInside = !sys::fs::real_path(parent, folder) && isBelow(folder);
  isInside |=
      !sys::fs::real_path(model->path, realModel) && isBelow(sys::path::parent_path(realModel));
  if (!isInside)
    return refuse("lies outside of the model's folder");
  if (!notRegular(real).empty())
    return refuse("is no regular file");
  auto buffer = MemoryBuffer::getFile(real, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return refuse("cannot be opened: " + reasonOf(buffer.getError()));
  file.buffer = std::move(*buffer);
  return file;
}

std::string ModelWeights::locate(const Tensor &tensor, uint64_t bytes, ArrayRef<char> &place,
                                 uint64_t &offset) {
  StringRef location;
  uint64_t length = bytes;
  offset = 0;
  for (auto [key, value] : tensor.external) {
    if (key == "location")
      location = value;
    uint64_t *number = key == "offset" ? &offset : key == "length" ? &length : nullptr;
    if (number && value.getAsInteger(10, *number))
      return ("has data in another file from the " + key + " " + inQuotes(value) +
              " on, needs a number")
          .str();
  }
  const External &file = open(location);
  if (!file.mistake.empty())
    return file.mistake;
  uint64_t size = file.buffer->getBufferSize();
  if (length != bytes)
    return ("has " + Twine(length) + " bytes of data in another file, needs " + Twine(bytes)).str();
  if (offset > size || bytes > size - offset)
    return ("has " + Twine(bytes) + " bytes from byte " + Twine(offset) + " of " +
            inQuotes(location) + " on, which has " + Twine(size) + " in all")
        .str();
  place = ArrayRef(file.buffer->getBufferStart() + offset, bytes);
  return "";
}

std::string ModelWeights::check(const Tensor &tensor, DType dtype) {
  std::optional<uint64_t> count = countElements(tensor.dims);
  unsigned each = params::elementBytes(dtype);
  if (!count || *count > (uint64_t(1) << 48))
    return "has the shape " + params::shapeText(tensor.dims) + ", which no tensor has";
  uint64_t bytes = *count * each;
  if (tensor.hasSegment)
    return "is a segment of a tensor";
  ArrayRef<char> place;
  uint64_t offset;
  if (tensor.isExternal)
    return locate(tensor, bytes, place, offset);
  if (tensor.raw)
    return tensor.raw->size() == bytes
               ? std::string()
               : ("has " + Twine(tensor.raw->size()) + " bytes of raw data, needs " + Twine(bytes) +
                  " for the shape " + params::shapeText(tensor.dims))
                     .str();
  bool isVarint;
  const std::vector<Span> &list = listOf(tensor, dtype, isVarint);
  uint64_t found =
      isVarint ? countVarints(model->buffer->getBuffer(), list) : countBytes(list) / each;
  if (found == *count)
    return "";
  return ("has " + Twine(found) + " elements, needs " + Twine(*count) + " for the shape " +
          params::shapeText(tensor.dims))
      .str();
}

size_t ModelWeights::add(StringRef name, const Tensor &tensor, DType dtype) {
  Entry entry;
  entry.info.name = entry.info.key = name.str();
  entry.info.dtype = dtype;
  entry.info.shape = tensor.dims;
  entry.info.byteCount = *countElements(tensor.dims) * params::elementBytes(dtype);
  entry.info.inFile = false;
  bool isVarint;
  const std::vector<Span> &list = listOf(tensor, dtype, isVarint);
  const char *start = model->buffer->getBufferStart();
  uint64_t offset = 0;
  if (tensor.isExternal)
    locate(tensor, entry.info.byteCount, entry.bytes, offset);
  else if (tensor.raw || (!isVarint && list.size() == 1)) {
    offset = tensor.raw ? tensor.raw->begin : list[0].begin;
    entry.bytes = ArrayRef(start + offset, entry.info.byteCount);
    entry.info.inFile = model->isFile;
    entry.info.fileOffset = offset;
  } else
    entry.tensor = &tensor;
  entries.push_back(std::move(entry));
  return entries.size() - 1;
}

std::optional<size_t> ModelWeights::addPacked(StringRef name, const Tensor &tensor, unsigned bits,
                                              std::string &mistake) {
  std::optional<uint64_t> count = countElements(tensor.dims);
  if (!count || *count > (uint64_t(1) << 48)) {
    mistake = "has the shape " + params::shapeText(tensor.dims) + ", which no tensor has";
    return std::nullopt;
  }
  uint64_t bytes = (*count * bits + 7) / 8;
  StringRef file = model->buffer->getBuffer();
  if (!tensor.raw && !tensor.isExternal && !tensor.hasSegment) { // a byte in each number
    std::vector<char> held;
    uint64_t value;
    for (Span rest : tensor.int32s)
      while (rest.begin < rest.end && Wire::varint(file, rest, value))
        held.push_back(static_cast<char>(value));
    if (held.size() == bytes)
      return add(name, DType::U8, {static_cast<int64_t>(bytes)}, std::move(held));
    mistake = ("has " + Twine(held.size()) + " bytes of elements, needs " + Twine(bytes)).str();
    return std::nullopt;
  }
  Tensor flat = tensor;
  flat.dims = {static_cast<int64_t>(bytes)};
  mistake = check(flat, DType::U8);
  if (!mistake.empty())
    return std::nullopt;
  return add(name, flat, DType::U8);
}

size_t ModelWeights::add(StringRef name, DType dtype, ArrayRef<int64_t> dims,
                         std::vector<char> bytes) {
  Entry entry;
  entry.info.name = entry.info.key = name.str();
  entry.info.dtype = dtype;
  entry.info.shape = dims.vec();
  entry.info.byteCount = bytes.size();
  entry.info.inFile = false;
  entry.owned = std::make_shared<const std::vector<char>>(std::move(bytes));
  entry.bytes = *entry.owned;
  entries.push_back(std::move(entry));
  return entries.size() - 1;
}

size_t ModelWeights::addFilled(StringRef name, DType dtype, ArrayRef<int64_t> dims,
                               std::vector<char> element) {
  size_t i = add(name, dtype, dims, {});
  entries[i].info.byteCount = *countElements(dims) * element.size();
  entries[i].element = std::move(element);
  return i;
}

params::ArrayValues ModelWeights::values(size_t i) const {
  const Entry &entry = entries[i];
  if (!entry.element.empty()) {
    auto filled = std::make_shared<std::vector<char>>(entry.info.byteCount);
    for (size_t at = 0; at < filled->size(); at += entry.element.size())
      llvm::copy(entry.element, filled->begin() + static_cast<ptrdiff_t>(at));
    return {*filled, filled};
  }
  if (!entry.tensor)
    return {entry.bytes, entry.owned};
  bool isVarint;
  const std::vector<Span> &list = listOf(*entry.tensor, entry.info.dtype, isVarint);
  StringRef file = model->buffer->getBuffer();
  unsigned each = params::elementBytes(entry.info.dtype);
  auto bytes = std::make_shared<std::vector<char>>();
  bytes->reserve(entry.info.byteCount);
  for (Span rest : list) {
    if (!isVarint) {
      StringRef part = model->bytes(rest);
      bytes->insert(bytes->end(), part.begin(), part.end());
      continue;
    }
    uint64_t value;
    while (rest.begin < rest.end && Wire::varint(file, rest, value))
      for (unsigned b = 0; b < each; ++b)
        bytes->push_back(static_cast<char>(value >> (8 * b)));
  }
  return {*bytes, bytes};
}

void ModelWeights::releasePages() const {
  params::releasePages(*model->buffer);
  for (const auto &file : files)
    if (file.second.buffer)
      params::releasePages(*file.second.buffer);
}

} // namespace symc::onnx
