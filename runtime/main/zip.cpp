// zip.cpp: see zip.h. The archive's end record leads to the central directory; local
// headers are only skipped over.
#include "zip.h"

#include "inflate.h"

#include <string.h>

namespace symc {

static uint32_t word16(const uint8_t *at) { return at[0] | uint32_t(at[1]) << 8; }
static uint32_t word32(const uint8_t *at) { return word16(at) | word16(at + 2) << 16; }
static uint64_t word64(const uint8_t *at) { return word32(at) | uint64_t(word32(at + 4)) << 32; }

static constexpr uint32_t localMark = 0x04034b50, entryMark = 0x02014b50, endMark = 0x06054b50,
                          end64Mark = 0x06064b50, locatorMark = 0x07064b50;

bool is_zip(const uint8_t *data, size_t bytes) {
  return bytes >= 4 && (word32(data) == localMark || word32(data) == endMark);
}

bool Zip::open(const char *fileName, const uint8_t *from, size_t size, Problem &problem) {
  name = fileName;
  data = from;
  bytes = size;
  // The end record is the last, before a comment of at most 65,535 bytes.
  size_t end = size;
  for (size_t back = 22; back <= size && back <= 22 + 65535; ++back)
    if (word32(data + size - back) == endMark) {
      end = size - back;
      break;
    }
  if (end == size)
    return problem.set("'%s': expected the end record of a zip archive, got none", name);
  uint64_t entries = word16(data + end + 10), start = word32(data + end + 16);
  if (end >= 20 && word32(data + end - 20) == locatorMark) {
    uint64_t wide = word64(data + end - 20 + 8);
    if (wide > size || size - wide < 56 || word32(data + wide) != end64Mark)
      return problem.set("'%s': damaged zip archive: no 64-bit end record where it should be",
                         name);
    entries = word64(data + wide + 32);
    start = word64(data + wide + 48);
  }
  if (start > end || entries > (end - start) / 46)
    return problem.set("'%s': damaged zip archive: the directory lies outside of the file", name);
  members = int(entries > 1000000 ? 1000000 : entries);
  directory = at = size_t(start);
  return true;
}

bool Zip::next(Member &member, Problem &problem) {
  problem.text[0] = 0;
  if (at > bytes || bytes - at < 46 || word32(data + at) != entryMark)
    return false;
  const uint8_t *entry = data + at;
  size_t nameBytes = word16(entry + 28), extraBytes = word16(entry + 30);
  size_t total = 46 + nameBytes + extraBytes + word16(entry + 32);
  if (total > bytes - at)
    return problem.set("'%s': damaged zip archive: a directory entry leaves the file", name);
  at += total;
  if (word16(entry + 8) & 1)
    return problem.set("'%s': expected a zip archive without encryption", name);
  member.method = int(word16(entry + 10));
  member.crc = word32(entry + 16);
  uint64_t packed = word32(entry + 20), plain = word32(entry + 24), offset = word32(entry + 42);
  // 64-bit values stand in an extra field, for each value that is all ones here, in order.
  const uint8_t *extra = entry + 46 + nameBytes, *extraEnd = extra + extraBytes;
  while (extraEnd - extra >= 4) {
    size_t id = word16(extra), length = word16(extra + 2);
    extra += 4;
    if (length > size_t(extraEnd - extra))
      break;
    const uint8_t *value = extra;
    extra += length;
    uint64_t *const fields[] = {&plain, &packed, &offset};
    for (uint64_t *field : fields)
      if (id == 1 && *field == 0xffffffff && extra - value >= 8) {
        *field = word64(value);
        value += 8;
      }
  }
  if (offset > bytes || packed > bytes)
    return problem.set("'%s': damaged zip archive: a member lies outside of the file", name);
  member.offset = size_t(offset);
  member.packedBytes = size_t(packed);
  member.bytes = size_t(plain);
  size_t kept = nameBytes;
  const char *text = reinterpret_cast<const char *>(entry + 46);
  if (kept > 4 && memcmp(text + kept - 4, ".npy", 4) == 0)
    kept -= 4;
  if (kept >= sizeof member.name)
    return problem.set("'%s': expected names shorter than %zu bytes in the archive, got %zu", name,
                       sizeof member.name, kept);
  memcpy(member.name, text, kept);
  member.name[kept] = 0;
  return true;
}

bool Zip::extract(const Member &member, Bytes &out, Problem &problem) const {
  if (bytes - member.offset < 30 || word32(data + member.offset) != localMark)
    return problem.set("'%s': damaged zip archive: no header for member '%s'", name, member.name);
  const uint8_t *local = data + member.offset;
  size_t start = 30 + word16(local + 26) + word16(local + 28);
  size_t room = bytes - member.offset;
  if (start > room || member.packedBytes > room - start)
    return problem.set("'%s': damaged zip archive: member '%s' leaves the file", name, member.name);
  const uint8_t *packed = local + start;
  if (member.method != 0 && member.method != 8)
    return problem.set("'%s': expected stored or deflated members, got method %d in '%s'", name,
                       member.method, member.name);
  bool sizesAgree = member.method == 0 ? member.bytes == member.packedBytes
                                       : member.bytes <= inflate_limit(member.packedBytes);
  if (!sizesAgree)
    return problem.set("'%s': member '%s' claims %zu bytes, more than its %zu packed bytes hold",
                       name, member.name, member.bytes, member.packedBytes);
  if (!out.allocate(member.bytes, problem))
    return false;
  if (member.method == 0)
    memcpy(out.data, packed, member.bytes);
  else if (!inflate(packed, member.packedBytes, out.data, member.bytes))
    return problem.set("'%s': damaged zip archive: member '%s' does not unpack", name, member.name);
  uint32_t crc = crc32(out.data, out.size);
  if (crc != member.crc)
    return problem.set("'%s': member '%s': expected the checksum %08x, got %08x", name, member.name,
                       member.crc, crc);
  return true;
}

} // namespace symc
