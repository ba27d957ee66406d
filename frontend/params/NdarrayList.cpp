//===- NdarrayList.cpp - MXNet's .params container ------------------------===//
//
//   u64 0x112, u64 reserved, u64 N, N arrays, u64 K, K times (u64 length, name)
//
// The first u32 of an array is a version mark (V1, V2, V3) or, in files up to
// 0.10 (V0), its number of dimensions. Names come last, so messages name arrays
// by number and byte. Nothing is allocated by a count from the file before the
// bytes that it promises are known to be there.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/ByteReader.h"
#include "frontend/params/Formats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace symc::params {

namespace {

constexpr uint32_t MarkV1 = 0xF993FAC8;
constexpr uint32_t MarkV2 = 0xF993FAC9;
constexpr uint32_t MarkV3 = 0xF993FACA;

enum Storage : int32_t { Dense = 0, RowSparse = 1, Csr = 2 };

/// A buffer inside the file: type, shape and bytes.
struct Part {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  StringRef bytes;
};

class ListReader {
public:
  ListReader(StringRef bytes, StringRef path, const ReadOptions &options, Diagnostics &diagnostics)
      : bytes(bytes), reader(bytes), path(path), options(options), diagnostics(diagnostics) {}

  bool run(std::vector<Array> &arrays, bool &named);

private:
  bool fail(const Twine &message, const Twine &note = "") {
    std::string text;
    if (current < count)
      text = ("array " + Twine(current + 1) + " of " + Twine(count) + " (at byte " +
              Twine(recordStart) + "): ")
                 .str();
    Diagnostic &error = diagnostics.error(path, {}, text + message);
    std::string noteText = note.str();
    if (!noteText.empty())
      error.note(noteText);
    return false;
  }
  bool failShort(const Twine &what, uint64_t needed) {
    return fail(what + " needs " + Twine(needed) + " bytes, but the file has " +
                    Twine(reader.left()) + " left",
                "the file is cut short or damaged");
  }
  template <typename T> bool read(T &value, const Twine &what) {
    return reader.read(value) || failShort(what, sizeof(T));
  }
  bool readDims(int64_t ndim, bool narrow, std::vector<int64_t> &shape);
  bool readShape(std::vector<int64_t> &shape, bool &known);
  bool readDtype(DType &dtype);
  bool readData(Part &part, const Twine &what);
  bool readArray(Array &array);
  bool readSparse(Storage storage, Array &array, Part &values);
  bool makeDense(Storage storage, Array &array, const Part &values, ArrayRef<Part> aux);
  bool readNames(std::vector<Array> &arrays, bool &named);

  StringRef bytes;
  ByteReader reader;
  StringRef path;
  const ReadOptions &options;
  Diagnostics &diagnostics;
  uint64_t count = 0;
  uint64_t current = 0;
  uint64_t recordStart = 0;
};

bool ListReader::readDims(int64_t ndim, bool narrow, std::vector<int64_t> &shape) {
  if (ndim < 0 || ndim > MaxDims)
    return fail("expected 0 to " + Twine(MaxDims) + " dimensions, got " + Twine(ndim));
  shape.clear();
  for (int64_t i = 0; i < ndim; ++i) {
    int64_t dim;
    uint32_t shortDim;
    if (narrow ? !read(shortDim, "dimension " + Twine(i)) : !read(dim, "dimension " + Twine(i)))
      return false;
    if (narrow)
      dim = shortDim;
    if (dim < 0)
      return fail("dimension " + Twine(i) + " is " + Twine(dim) + ", expected 0 or more");
    shape.push_back(dim);
  }
  return true;
}

/// A shape of V1 and later; `known` is false for ndim = -1.
bool ListReader::readShape(std::vector<int64_t> &shape, bool &known) {
  int32_t ndim;
  if (!read(ndim, "the number of dimensions"))
    return false;
  known = ndim != -1;
  shape.clear();
  return !known || readDims(ndim, /*narrow=*/false, shape);
}

bool ListReader::readDtype(DType &dtype) {
  int32_t flag;
  if (!read(flag, "the element type"))
    return false;
  auto known = dtypeFromFlag(flag);
  if (!known)
    return fail("expected an element type of 0 to 12, got " + Twine(flag));
  dtype = *known;
  return true;
}

bool ListReader::readData(Part &part, const Twine &what) {
  auto needed = arrayBytes(part.shape, elementBytes(part.dtype));
  std::string title =
      (what + " of shape " + shapeText(part.shape) + " and type " + name(part.dtype)).str();
  if (!needed)
    return fail(Twine(title) + " needs more bytes than 64 bits can count, but the file has " +
                    Twine(reader.left()) + " left",
                "the file is cut short or damaged");
  return reader.take(*needed, part.bytes) || failShort(title, *needed);
}

bool ListReader::readArray(Array &array) {
  recordStart = reader.position();
  uint32_t mark;
  if (!read(mark, "its version mark"))
    return false;
  bool isV1 = mark == MarkV1, isV2 = mark == MarkV2, isV3 = mark == MarkV3;
  Storage storage = Dense;
  Part values;
  bool known = true;
  if (isV2 || isV3) {
    int32_t flag;
    if (!read(flag, "the storage type"))
      return false;
    if (flag < Dense || flag > Csr)
      return fail("expected storage type 0 (dense), 1 (row_sparse) or 2 (csr), got " + Twine(flag));
    storage = static_cast<Storage>(flag);
    if (isV3 && storage != Dense)
      return fail("expected dense storage under NumPy shape semantics, got type " + Twine(flag));
    if (storage != Dense && (!readShape(values.shape, known)))
      return false;
    if (!known)
      return fail("the values of a sparse array have no shape");
  }
  if (isV1 || isV2 || isV3) {
    if (!readShape(array.shape, known))
      return false;
    array.isNone = !known || (array.shape.empty() && !isV3);
  } else {
    if (mark > MaxDims)
      return fail("expected a version mark or a number of dimensions up to " + Twine(MaxDims) +
                      ", got 0x" + utohexstr(mark),
                  current ? "the array before this one may have a wrong shape or type" : "");
    if (!readDims(mark, /*narrow=*/true, array.shape))
      return false;
    array.isNone = array.shape.empty();
  }
  if (array.isNone) {
    array.shape.clear();
    array.data = bytes.data() + reader.position();
    array.fileOffset = reader.position();
    return true;
  }
  int32_t device, deviceId;
  if (!read(device, "the device type") || !read(deviceId, "the device number") ||
      !readDtype(values.dtype))
    return false;
  array.dtype = values.dtype;
  if (storage != Dense)
    return readSparse(storage, array, values);
  values.shape = array.shape;
  array.fileOffset = reader.position();
  if (!readData(values, "data"))
    return false;
  array.data = values.bytes.data();
  array.byteCount = values.bytes.size();
  return true;
}

/// After the type of the values: types and shapes of the index buffers, then
/// all buffers.
bool ListReader::readSparse(Storage storage, Array &array, Part &values) {
  SmallVector<Part, 2> aux(storage == Csr ? 2 : 1);
  for (Part &part : aux) {
    bool known;
    if (!readDtype(part.dtype) || !readShape(part.shape, known))
      return false;
    if (!known)
      return fail("an index buffer of a sparse array has no shape");
    if (part.dtype != DType::I64 && part.dtype != DType::I32)
      return fail("expected i64 or i32 as type of sparse indices, got " + name(part.dtype));
    if (part.shape.size() != 1)
      return fail("expected one dimension of sparse indices, got " + Twine(part.shape.size()));
  }
  // MXNet writes [0] for the values of a csr array that it made from a dense one,
  // and itself takes an empty shape from the indices.
  if (llvm::is_contained(values.shape, 0)) {
    if (storage == RowSparse)
      values.shape = array.shape;
    values.shape.resize(storage == RowSparse ? array.shape.size() : 1);
    values.shape[0] = aux.back().shape[0];
  }
  if (!readData(values, "values"))
    return false;
  for (Part &part : aux)
    if (!readData(part, "indices"))
      return false;
  return makeDense(storage, array, values, aux);
}

int64_t indexAt(const Part &part, uint64_t i) {
  if (part.dtype == DType::I32)
    return support::endian::read<int32_t, endianness::little>(part.bytes.data() + 4 * i);
  return support::endian::read<int64_t, endianness::little>(part.bytes.data() + 8 * i);
}

bool ListReader::makeDense(Storage storage, Array &array, const Part &values, ArrayRef<Part> aux) {
  unsigned bytesPerElement = elementBytes(array.dtype);
  const Part &index = aux.back();
  auto stored = static_cast<uint64_t>(index.shape[0]);
  std::vector<int64_t> expected{index.shape[0]};
  if (storage == RowSparse) {
    expected.insert(expected.end(), array.shape.begin() + 1, array.shape.end());
  } else {
    if (array.shape.size() != 2)
      return fail("expected 2 dimensions of a csr array, got " + Twine(array.shape.size()));
    if (aux[0].shape[0] - 1 != array.shape[0])
      return fail("expected " + Twine(array.shape[0]) + " + 1 row starts for shape " +
                  shapeText(array.shape) + ", got " + Twine(aux[0].shape[0]));
  }
  if (values.shape != expected)
    return fail("expected sparse values of shape " + shapeText(expected) + " for " + Twine(stored) +
                " indices and shape " + shapeText(array.shape) + ", got " +
                shapeText(values.shape));
  auto denseBytes = arrayBytes(array.shape, bytesPerElement);
  if (!denseBytes || *denseBytes > std::max<uint64_t>(options.maxDenseBytes, 16 * bytes.size()))
    return fail("the dense form of this sparse array of shape " + shapeText(array.shape) +
                    " is larger than the limit of " + Twine(options.maxDenseBytes) + " bytes",
                "save it dense, with tostype('default')");
  std::shared_ptr<char> dense = allocateZeroed(*denseBytes);
  if (!dense)
    return fail(outOfMemory(*denseBytes));

  if (storage == RowSparse) {
    uint64_t rowBytes = stored ? values.bytes.size() / stored : 0;
    for (uint64_t i = 0; i < stored; ++i) {
      int64_t row = indexAt(index, i);
      if (row < 0 || row >= array.shape[0])
        return fail("sparse index " + Twine(i) + " is " + Twine(row) + ", expected 0 to " +
                    Twine(array.shape[0] - 1));
      if (rowBytes)
        std::memcpy(dense.get() + row * rowBytes, values.bytes.data() + i * rowBytes, rowBytes);
    }
  } else {
    int64_t begin = indexAt(aux[0], 0);
    if (begin != 0)
      return fail("expected row starts to begin at 0, got " + Twine(begin));
    for (int64_t row = 0; row < array.shape[0]; ++row) {
      int64_t end = indexAt(aux[0], row + 1);
      if (end < begin || end > static_cast<int64_t>(stored))
        return fail("row start " + Twine(row + 1) + " is " + Twine(end) + ", expected " +
                    Twine(begin) + " to " + Twine(stored));
      for (int64_t i = begin; i < end; ++i) {
        int64_t column = indexAt(index, i);
        if (column < 0 || column >= array.shape[1])
          return fail("sparse index " + Twine(i) + " is " + Twine(column) + ", expected 0 to " +
                      Twine(array.shape[1] - 1));
        std::memcpy(dense.get() + (row * array.shape[1] + column) * bytesPerElement,
                    values.bytes.data() + i * bytesPerElement, bytesPerElement);
      }
      begin = end;
    }
  }
  array.inFile = false;
  array.byteCount = *denseBytes;
  array.data = dense.get();
  array.owned = std::move(dense);
  return true;
}

bool ListReader::readNames(std::vector<Array> &arrays, bool &named) {
  uint64_t names;
  if (!read(names, "the number of names"))
    return false;
  named = names != 0;
  if (named && names != arrays.size())
    return fail("expected " + Twine(arrays.size()) + " names for " + Twine(arrays.size()) +
                    " arrays, got " + Twine(names),
                "the count of arrays or of names is wrong");
  for (uint64_t i = 0; i < names; ++i) {
    uint64_t length;
    StringRef text;
    if (!read(length, "the length of name " + Twine(i + 1) + " of " + Twine(names)))
      return false;
    if (!reader.take(length, text))
      return failShort("name " + Twine(i + 1) + " of " + Twine(names), length);
    arrays[i].key = text.str();
  }
  return true;
}

bool ListReader::run(std::vector<Array> &arrays, bool &named) {
  uint64_t magic, reserved, promised;
  if (!read(magic, "the header") || !read(reserved, "the header") ||
      !read(promised, "the number of arrays"))
    return false;
  if (reserved != 0)
    diagnostics.warning(path, {},
                        "the reserved field at byte 8 is " + Twine(reserved) +
                            ", expected 0; it is ignored, as MXNet does");
  // The smallest array is the four bytes of a V0 array without dimensions.
  if (promised > reader.left() / 4)
    return fail("the header promises " + Twine(promised) + " arrays, but the file has only " +
                    Twine(reader.left()) + " bytes left",
                "the file is cut short or damaged");
  for (count = promised; current < count; ++current) {
    arrays.emplace_back();
    if (!readArray(arrays.back()))
      return false;
  }
  if (!readNames(arrays, named))
    return false;
  if (reader.left())
    diagnostics.warning(path, {},
                        Twine(reader.left()) + " bytes after the list are ignored, as MXNet does");
  return true;
}

} // namespace

bool readNdarrayList(StringRef bytes, StringRef path, const ReadOptions &options,
                     Diagnostics &diagnostics, std::vector<Array> &arrays, bool &named) {
  return ListReader(bytes, path, options, diagnostics).run(arrays, named);
}

} // namespace symc::params
