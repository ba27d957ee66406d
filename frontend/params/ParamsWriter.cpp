//===- ParamsWriter.cpp - writers of NDArray lists, .npy and .npz ---------===//
//
// Bytes depend on the arrays alone: no times, no padding of unknown content.
// Zip members are stored, with zip64 fields, as numpy.savez writes them.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/ParamsWriter.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include <cstring>
#include <zlib.h>

using namespace llvm;

namespace symc::params {

namespace {

template <typename T> void put(raw_ostream &os, T value) {
  char bytes[sizeof(T)];
  support::endian::write<T, endianness::little>(bytes, value);
  os.write(bytes, sizeof(T));
}

/// The magic, version and dictionary of a .npy, padded so that data begin at a
/// multiple of 64 bytes.
std::string npyHeader(const ArrayView &array) {
  bool isBf16 = array.dtype == DType::BF16;
  std::string dictionary = ("{'descr': '" + numpyCode(isBf16 ? DType::F32 : array.dtype) +
                            "', 'fortran_order': False, 'shape': (")
                               .str();
  for (int64_t dim : array.shape)
    dictionary += std::to_string(dim) + ", ";
  if (!array.shape.empty())
    dictionary.resize(dictionary.size() - (array.shape.size() == 1 ? 1 : 2));
  dictionary += "), }";
  std::string header("\x93NUMPY\x01\x00", 8);
  size_t unpadded = header.size() + 2 + dictionary.size() + 1;
  dictionary += std::string((64 - unpadded % 64) % 64, ' ') + "\n";
  raw_string_ostream os(header);
  put<uint16_t>(os, static_cast<uint16_t>(dictionary.size()));
  os << dictionary;
  return header;
}

/// Calls `sink` with the bytes of the elements as NumPy stores them.
template <typename Sink> void forNumpyBytes(const ArrayView &array, Sink sink) {
  const char *data = static_cast<const char *>(array.data);
  uint64_t bytes = byteCount(array);
  if (array.dtype != DType::BF16) {
    sink(StringRef(data, bytes));
    return;
  }
  char wide[4096];
  size_t filled = 0;
  for (uint64_t i = 0; i < bytes; i += 2) {
    wide[filled] = wide[filled + 1] = 0;
    std::memcpy(wide + filled + 2, data + i, 2);
    filled += 4;
    if (filled == sizeof(wide) || i + 2 == bytes) {
      sink(StringRef(wide, filled));
      filled = 0;
    }
  }
}

uint64_t numpyBytes(const ArrayView &array) {
  return byteCount(array) * (array.dtype == DType::BF16 ? 2 : 1);
}

} // namespace

uint64_t byteCount(const ArrayView &array) {
  uint64_t bytes = elementBytes(array.dtype);
  for (int64_t dim : array.shape)
    bytes *= static_cast<uint64_t>(dim);
  return bytes;
}

void writeNdarrayList(raw_ostream &os, ArrayRef<ArrayView> arrays) {
  put<uint64_t>(os, 0x112);
  put<uint64_t>(os, 0);
  put<uint64_t>(os, arrays.size());
  for (const ArrayView &array : arrays) {
    put<uint32_t>(os, array.shape.empty() ? 0xF993FACA : 0xF993FAC9);
    put<int32_t>(os, 0); // dense
    put<int32_t>(os, static_cast<int32_t>(array.shape.size()));
    for (int64_t dim : array.shape)
      put<int64_t>(os, dim);
    put<int32_t>(os, 1); // CPU
    put<int32_t>(os, 0);
    put<int32_t>(os, static_cast<int32_t>(array.dtype));
    os.write(static_cast<const char *>(array.data), byteCount(array));
  }
  put<uint64_t>(os, arrays.size());
  for (const ArrayView &array : arrays) {
    put<uint64_t>(os, array.key.size());
    os << array.key;
  }
}

void writeNpy(raw_ostream &os, const ArrayView &array) {
  os << npyHeader(array);
  forNumpyBytes(array, [&](StringRef bytes) { os << bytes; });
}

bool writeNpz(raw_ostream &os, ArrayRef<ArrayView> arrays) {
  for (const ArrayView &array : arrays)
    if (array.key.size() > 65000)
      return false;
  constexpr uint16_t Zip64Version = 45;
  constexpr uint32_t FirstOf1980 = 0x00210000;
  std::string directory;
  raw_string_ostream entries(directory);
  uint64_t at = 0;
  for (const ArrayView &array : arrays) {
    std::string header = npyHeader(array);
    std::string name = (array.key + ".npy").str();
    uint64_t bytes = header.size() + numpyBytes(array);
    uLong crc = crc32_z(0, reinterpret_cast<const Bytef *>(header.data()), header.size());
    forNumpyBytes(array, [&](StringRef part) {
      crc = crc32_z(crc, reinterpret_cast<const Bytef *>(part.data()), part.size());
    });
    auto common = [&](raw_ostream &out, uint16_t extraBytes) {
      put<uint16_t>(out, Zip64Version);
      put<uint16_t>(out, 0x800); // names are UTF-8
      put<uint16_t>(out, 0);     // stored
      put<uint32_t>(out, FirstOf1980);
      put<uint32_t>(out, static_cast<uint32_t>(crc));
      put<uint32_t>(out, 0xFFFFFFFF);
      put<uint32_t>(out, 0xFFFFFFFF);
      put<uint16_t>(out, static_cast<uint16_t>(name.size()));
      put<uint16_t>(out, extraBytes);
    };
    put<uint32_t>(os, 0x04034b50);
    common(os, 20);
    os << name;
    put<uint16_t>(os, 1);
    put<uint16_t>(os, 16);
    put<uint64_t>(os, bytes);
    put<uint64_t>(os, bytes);
    os << header;
    forNumpyBytes(array, [&](StringRef part) { os << part; });

    put<uint32_t>(entries, 0x02014b50);
    put<uint16_t>(entries, Zip64Version);
    common(entries, 28);
    put<uint16_t>(entries, 0); // comment
    put<uint16_t>(entries, 0); // disk
    put<uint16_t>(entries, 0); // internal attributes
    put<uint32_t>(entries, 0); // external attributes
    put<uint32_t>(entries, 0xFFFFFFFF);
    entries << name;
    put<uint16_t>(entries, 1);
    put<uint16_t>(entries, 24);
    put<uint64_t>(entries, bytes);
    put<uint64_t>(entries, bytes);
    put<uint64_t>(entries, at);
    at += 30 + name.size() + 20 + bytes;
  }
  entries.flush();
  os << directory;
  bool isLarge = arrays.size() >= 0xFFFF || at + directory.size() >= 0xFFFFFFFF;
  if (isLarge) {
    put<uint32_t>(os, 0x06064b50); // end record of zip64
    put<uint64_t>(os, 44);
    put<uint16_t>(os, Zip64Version);
    put<uint16_t>(os, Zip64Version);
    put<uint32_t>(os, 0);
    put<uint32_t>(os, 0);
    put<uint64_t>(os, arrays.size());
    put<uint64_t>(os, arrays.size());
    put<uint64_t>(os, directory.size());
    put<uint64_t>(os, at);
    put<uint32_t>(os, 0x07064b50); // where that record is
    put<uint32_t>(os, 0);
    put<uint64_t>(os, at + directory.size());
    put<uint32_t>(os, 1);
  }
  auto count = static_cast<uint16_t>(isLarge ? 0xFFFF : arrays.size());
  put<uint32_t>(os, 0x06054b50);
  put<uint16_t>(os, 0);
  put<uint16_t>(os, 0);
  put<uint16_t>(os, count);
  put<uint16_t>(os, count);
  put<uint32_t>(os, static_cast<uint32_t>(isLarge ? 0xFFFFFFFF : directory.size()));
  put<uint32_t>(os, static_cast<uint32_t>(isLarge ? 0xFFFFFFFF : at));
  put<uint16_t>(os, 0);
  return true;
}

} // namespace symc::params
