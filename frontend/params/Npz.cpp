//===- Npz.cpp - zip archives of .npy files -------------------------------===//
//
// Reads the central directory (zip64 included) and trusts nothing in it:
// offsets and sizes must lie in the file, members may not share bytes in sum,
// a compressed member may not claim more than deflate can give, and the .npy
// header inside must agree with the size before its data are unpacked. CRCs are
// checked. Stored members are used where they lie.
//
//===----------------------------------------------------------------------===//
#include "frontend/params/Npz.h"

#include "frontend/params/ByteReader.h"
#include "frontend/params/Formats.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cstring>
#include <zlib.h>

using namespace llvm;

namespace symc::params {

namespace {

constexpr uint32_t Zip64EndMark = 0x06064b50, Zip64LocatorMark = 0x07064b50;
constexpr uint32_t CentralMark = 0x02014b50, LocalMark = 0x04034b50;
/// Deflate gives at most 1032 bytes for one.
constexpr uint64_t MaxDeflateRatio = 1032;

struct Member {
  std::string name;
  uint16_t flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t packedBytes = 0, bytes = 0, localOffset = 0;
};

class ZipReader {
public:
  ZipReader(StringRef bytes, StringRef path, Diagnostics &diagnostics)
      : bytes(bytes), path(path), diagnostics(diagnostics) {}

  bool run(std::vector<Array> &arrays);

private:
  bool fail(const Twine &message, const Twine &note = "") {
    Diagnostic &error = diagnostics.error(path, {}, message);
    std::string text = note.str();
    if (!text.empty())
      error.note(text);
    return false;
  }
  bool damaged(const Twine &what) { return fail(what, "the archive is cut short or damaged"); }
  bool findDirectory(uint64_t &offset, uint64_t &count);
  bool readMember(ByteReader &directory, Member &member);
  bool locate(const Member &member, StringRef &packed, uint64_t &offset);
  bool inflate(const Member &member, StringRef packed, std::shared_ptr<char> &unpacked);
  bool readArray(const Member &member, std::vector<Array> &arrays);

  StringRef bytes;
  StringRef path;
  Diagnostics &diagnostics;
};

/// Finds where the central directory begins and how many members it lists.
bool ZipReader::findDirectory(uint64_t &offset, uint64_t &count) {
  constexpr uint64_t EndBytes = 22, MaxComment = 65535;
  if (bytes.size() < EndBytes)
    return damaged("the file has " + Twine(bytes.size()) + " bytes, too few for a zip archive");
  StringRef tail = bytes.take_back(EndBytes + MaxComment);
  size_t at = tail.rfind(EmptyZipMagic);
  if (at == StringRef::npos || tail.size() - at < EndBytes)
    return damaged("the zip archive has no end record");
  uint64_t end = bytes.size() - tail.size() + at;
  ByteReader reader(bytes, end + 8);
  uint16_t here, total;
  uint32_t size, start;
  reader.read(here), reader.read(total), reader.read(size), reader.read(start);
  offset = start;
  count = total;
  if (total != 0xFFFF && start != 0xFFFFFFFF)
    return true;
  uint32_t mark = 0, disk;
  uint64_t end64 = 0;
  ByteReader locator(bytes, end - std::min<uint64_t>(end, 20));
  if (end < 20 || !locator.read(mark) || mark != Zip64LocatorMark || !locator.read(disk) ||
      !locator.read(end64))
    return damaged("the zip archive needs a zip64 end record and has none");
  ByteReader record(bytes, std::min<uint64_t>(end64, bytes.size()));
  StringRef skipped;
  uint64_t size64;
  if (!record.read(mark) || mark != Zip64EndMark || !record.take(28, skipped) ||
      !record.read(count) || !record.read(size64) || !record.read(offset))
    return damaged("the zip64 end record at byte " + Twine(end64) + " is not there");
  return true;
}

bool ZipReader::readMember(ByteReader &directory, Member &member) {
  uint32_t mark, time, packed, full, external, local;
  uint16_t version, needed, nameLength, extraLength, commentLength, disk, internal;
  StringRef name, extra, comment;
  bool good = directory.read(mark) && mark == CentralMark && directory.read(version) &&
              directory.read(needed) && directory.read(member.flags) &&
              directory.read(member.method) && directory.read(time) && directory.read(member.crc) &&
              directory.read(packed) && directory.read(full) && directory.read(nameLength) &&
              directory.read(extraLength) && directory.read(commentLength) &&
              directory.read(disk) && directory.read(internal) && directory.read(external) &&
              directory.read(local) && directory.take(nameLength, name) &&
              directory.take(extraLength, extra) && directory.take(commentLength, comment);
  if (!good)
    return damaged("the directory of the zip archive ends within an entry");
  member.name = name.str();
  member.packedBytes = packed;
  member.bytes = full;
  member.localOffset = local;
  ByteReader fields(extra);
  uint16_t id, length;
  StringRef body;
  while (fields.read(id) && fields.read(length) && fields.take(length, body)) {
    if (id != 1)
      continue;
    ByteReader wide(body);
    if ((full == 0xFFFFFFFF && !wide.read(member.bytes)) ||
        (packed == 0xFFFFFFFF && !wide.read(member.packedBytes)) ||
        (local == 0xFFFFFFFF && !wide.read(member.localOffset)))
      return damaged("the zip64 field of member " + inQuotes(member.name) + " is too short");
  }
  return true;
}

/// Finds the packed bytes of a member through its local header.
bool ZipReader::locate(const Member &member, StringRef &packed, uint64_t &offset) {
  ByteReader local(bytes, std::min<uint64_t>(member.localOffset, bytes.size()));
  uint32_t mark;
  uint16_t nameLength, extraLength;
  StringRef skipped;
  if (!local.read(mark) || mark != LocalMark || !local.take(22, skipped) ||
      !local.read(nameLength) || !local.read(extraLength) || !local.take(nameLength, skipped) ||
      !local.take(extraLength, skipped))
    return damaged("member " + inQuotes(member.name) + " is not at byte " +
                   Twine(member.localOffset) + ", where the directory places it");
  offset = local.position();
  if (!local.take(member.packedBytes, packed))
    return damaged("member " + inQuotes(member.name) + " needs " + Twine(member.packedBytes) +
                   " bytes, but the file has " + Twine(local.left()) + " left");
  return true;
}

/// Unpacks in two steps: first as much as a .npy header may take, to see that
/// the array in it has the size that the directory states; then the rest.
bool ZipReader::inflate(const Member &member, StringRef packed, std::shared_ptr<char> &unpacked) {
  constexpr uint64_t Probe = 1 << 12;
  if (member.bytes / MaxDeflateRatio > packed.size())
    return damaged("member " + inQuotes(member.name) + " claims " + Twine(member.bytes) +
                   " bytes, more than its " + Twine(packed.size()) + " packed bytes can hold");
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return fail(outOfMemory(member.bytes));
  struct End {
    z_stream &stream;
    ~End() { inflateEnd(&stream); }
  } end{stream};
  uint64_t taken = 0, made = 0;
  int status = Z_OK;
  // zlib counts 32 bits, so both sides are fed in pieces.
  auto run = [&](char *to, uint64_t until) {
    constexpr uint64_t Piece = 1u << 30;
    while (status == Z_OK && made < until) {
      auto in = static_cast<uInt>(std::min(Piece, packed.size() - taken));
      auto out = static_cast<uInt>(std::min(Piece, until - made));
      stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data() + taken));
      stream.avail_in = in;
      stream.next_out = reinterpret_cast<Bytef *>(to + made);
      stream.avail_out = out;
      status = ::inflate(&stream, Z_NO_FLUSH);
      taken += in - stream.avail_in;
      made += out - stream.avail_out;
    }
    return made == until;
  };
  uint64_t first = std::min(Probe, member.bytes);
  char probe[Probe];
  if (!run(probe, first))
    return damaged("member " + inQuotes(member.name) + " does not unpack");
  std::string mistake;
  auto header = parseNpyHeader(StringRef(probe, first), mistake);
  if (!header)
    return fail("member " + inQuotes(member.name) + ": " + mistake);
  if (header->dataOffset + header->dataBytes != member.bytes)
    return fail("member " + inQuotes(member.name) + ": data of shape " + shapeText(header->shape) +
                " and type " + name(header->dtype) + " needs " + Twine(header->dataBytes) +
                " bytes, got " + Twine(member.bytes - header->dataOffset));
  unpacked = allocateZeroed(member.bytes);
  if (!unpacked)
    return fail(outOfMemory(member.bytes));
  std::memcpy(unpacked.get(), probe, first);
  if (!run(unpacked.get(), member.bytes))
    return damaged("member " + inQuotes(member.name) + " does not unpack to the " +
                   Twine(member.bytes) + " bytes of its directory entry");
  return true;
}

uint32_t crcOf(StringRef data) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef *>(data.data()), data.size()));
}

bool ZipReader::readArray(const Member &member, std::vector<Array> &arrays) {
  StringRef key = member.name;
  if (key.ends_with("/"))
    return true; // A folder.
  if (!key.consume_back(".npy"))
    return fail("member " + inQuotes(member.name) + " is no .npy",
                "parameters in zip form are an .npz as MXNet 2.0 and NumPy write it");
  if (key.ends_with("/format"))
    return fail("array " + inQuotes(key.drop_back(7)) + " is stored sparse",
                "save it dense, with tostype('default')");
  if (member.flags & 1)
    return fail("member " + inQuotes(member.name) + " is encrypted");
  StringRef packed;
  uint64_t offset;
  if (!locate(member, packed, offset))
    return false;
  arrays.emplace_back();
  Array &array = arrays.back();
  array.key = key.str();
  StringRef content = packed;
  std::shared_ptr<char> unpacked;
  if (member.method == 8) {
    if (!inflate(member, packed, unpacked))
      return false;
    content = StringRef(unpacked.get(), member.bytes);
  } else if (member.method != 0) {
    return fail("member " + inQuotes(member.name) + " is compressed by method " +
                    Twine(member.method) + ", expected 0 (stored) or 8 (deflated)",
                "save it with numpy.savez or numpy.savez_compressed");
  } else if (member.bytes != member.packedBytes) {
    return damaged("member " + inQuotes(member.name) + " is stored, but has " +
                   Twine(member.packedBytes) + " bytes packed and " + Twine(member.bytes) +
                   " unpacked");
  }
  if (uint32_t crc = crcOf(content); crc != member.crc)
    return damaged("member " + inQuotes(member.name) + " has checksum 0x" + utohexstr(crc) +
                   ", expected 0x" + utohexstr(member.crc));
  if (!readNpy(content, offset, path, key, diagnostics, array))
    return false;
  if (unpacked && !array.owned) {
    array.inFile = false;
    array.owned = std::move(unpacked);
  }
  return true;
}

bool ZipReader::run(std::vector<Array> &arrays) {
  uint64_t offset, count;
  if (!findDirectory(offset, count))
    return false;
  constexpr uint64_t EntryBytes = 46;
  ByteReader directory(bytes, std::min<uint64_t>(offset, bytes.size()));
  if (count > directory.left() / EntryBytes)
    return damaged("the zip archive promises " + Twine(count) + " members, but its directory has " +
                   Twine(directory.left()) + " bytes");
  uint64_t packedTotal = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Member member;
    if (!readMember(directory, member))
      return false;
    if (member.packedBytes > bytes.size() - packedTotal)
      return damaged("the members of the zip archive are together larger than the file");
    packedTotal += member.packedBytes;
    if (!readArray(member, arrays))
      return false;
  }
  return true;
}

} // namespace

bool readNpz(StringRef bytes, StringRef path, Diagnostics &diagnostics,
             std::vector<Array> &arrays) {
  return ZipReader(bytes, path, diagnostics).run(arrays);
}

} // namespace symc::params
