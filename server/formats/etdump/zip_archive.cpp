#include "formats/etdump/zip_archive.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace vizd::etdump {
namespace {

constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30, kLocatorBytes = 20, kEnd64Bytes = 56;
constexpr std::uint32_t kEndMark = 0x06054b50, kEntryMark = 0x02014b50, kLocalMark = 0x04034b50,
                        kLocatorMark = 0x07064b50, kEnd64Mark = 0x06064b50;

// Little-endian numbers at places of the file; whoever asks has checked that they are there.
struct Numbers {
  std::span<const std::byte> bytes;

  template <typename T>
  T at(std::uint64_t offset) const {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
  }
  bool has(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  }
};

struct Directory {
  std::uint64_t begin = 0, size_bytes = 0, count = 0;
  bool has_gap = false;  // it does not end where the records of the zip's end begin
};

Error damaged(const std::string& name, std::uint64_t offset, std::string_view what) {
  return {ErrorKind::kBadInput, fmt::format("{}; is the file complete?", what), fmt::format("{}:{}", name, offset)};
}

// Where the end record lies: the last place in the file that looks like one and whose comment ends with the file.
std::optional<std::uint64_t> find_end(const Numbers& in) {
  if (in.bytes.size() < kEndBytes) return std::nullopt;
  const std::uint64_t last = in.bytes.size() - kEndBytes;
  for (std::uint64_t back = 0; back <= std::min<std::uint64_t>(last, 0xFFFF); ++back) {
    const std::uint64_t at = last - back;
    if (in.at<std::uint32_t>(at) == kEndMark && in.at<std::uint16_t>(at + 20) == back) return at;
  }
  return std::nullopt;
}

Result<Directory> find_directory(const Numbers& in, const std::string& name) {
  const auto end = find_end(in);
  if (!end) return damaged(name, in.bytes.size(), "the end of the zip is missing");
  Directory found{.begin = in.at<std::uint32_t>(*end + 16),
                  .size_bytes = in.at<std::uint32_t>(*end + 12),
                  .count = in.at<std::uint16_t>(*end + 10)};
  const bool is_large = found.begin == 0xFFFFFFFF || found.size_bytes == 0xFFFFFFFF || found.count == 0xFFFF;
  const bool has_locator = *end >= kLocatorBytes && in.at<std::uint32_t>(*end - kLocatorBytes) == kLocatorMark;
  if (is_large && has_locator) {
    const auto at = in.at<std::uint64_t>(*end - kLocatorBytes + 8);
    if (!in.has(at, kEnd64Bytes) || in.at<std::uint32_t>(at) != kEnd64Mark) {
      return damaged(name, *end, "the end of the zip does not point to an end record");
    }
    found = {in.at<std::uint64_t>(at + 48), in.at<std::uint64_t>(at + 40), in.at<std::uint64_t>(at + 32)};
  }
  found.has_gap = found.begin + found.size_bytes + (has_locator ? kEnd64Bytes + kLocatorBytes : 0) != *end;
  if (!in.has(found.begin, found.size_bytes) || found.begin + found.size_bytes > *end) {
    return damaged(name, *end, "the zip's list of members is outside of the file");
  }
  return found;
}

// Sizes and place of a member, from its entry; those that do not fit there are in the extra field.
struct Extent {
  std::uint64_t packed_bytes, size_bytes, offset;
};
bool read_extent(const Numbers& in, std::uint64_t entry, std::uint64_t extra, std::uint16_t extra_bytes, Extent& out) {
  out = {in.at<std::uint32_t>(entry + 20), in.at<std::uint32_t>(entry + 24), in.at<std::uint32_t>(entry + 42)};
  std::uint64_t* large[] = {&out.size_bytes, &out.packed_bytes, &out.offset};
  for (std::uint64_t at = extra, end = extra + extra_bytes; at + 4 <= end;) {
    const auto id = in.at<std::uint16_t>(at), size = in.at<std::uint16_t>(at + 2);
    std::uint64_t field = at + 4;
    at = field + size;
    if (at > end) return false;
    if (id != 1) continue;
    for (std::uint64_t* value : large) {
      if (*value != 0xFFFFFFFF) continue;
      if (field + 8 > at) return false;
      *value = in.at<std::uint64_t>(field);
      field += 8;
    }
  }
  return true;
}

bool climbs_out(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != name.npos || name.find('\0') != name.npos) return true;
  if (name.size() > 1 && name[1] == ':') return true;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

// Reads the entry at a place, and moves on behind it.
Result<ZipMember> read_entry(const Numbers& in, const std::string& name, const Directory& directory, std::uint64_t& at,
                             const ZipLimits& limits) {
  const std::uint64_t end = directory.begin + directory.size_bytes;
  const auto cut = [&] { return damaged(name, at, "a member of the zip has an incomplete description"); };
  if (at + kEntryBytes > end || in.at<std::uint32_t>(at) != kEntryMark) return cut();
  const auto flags = in.at<std::uint16_t>(at + 8), method = in.at<std::uint16_t>(at + 10);
  const auto name_bytes = in.at<std::uint16_t>(at + 28), extra_bytes = in.at<std::uint16_t>(at + 30),
             comment_bytes = in.at<std::uint16_t>(at + 32);
  const std::uint64_t next = at + kEntryBytes + name_bytes + extra_bytes + comment_bytes;
  Extent extent{};
  if (next > end || !read_extent(in, at, at + kEntryBytes + name_bytes, extra_bytes, extent)) return cut();

  ZipMember member;
  member.name.assign(reinterpret_cast<const char*>(in.bytes.data()) + at + kEntryBytes, name_bytes);
  const std::string where = fmt::format("{}:{}", name, at);
  if (name_bytes > limits.max_name_bytes || climbs_out(member.name)) {
    return Error{ErrorKind::kForbidden, "the zip has a member whose name leads out of its folder, so it is not read",
                 where};
  }
  if ((flags & 1) != 0) {
    return Error{ErrorKind::kBadInput, fmt::format("'{}' is encrypted; save it without", member.name), where};
  }
  if (method != 0 && method != 8) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("'{}' is compressed with method {}; use deflate, or store it", member.name, method),
                 where};
  }
  member.is_deflated = method == 8;
  member.size_bytes = extent.size_bytes;
  member.checksum = in.at<std::uint32_t>(at + 16);
  if (!in.has(extent.offset, kLocalBytes) || in.at<std::uint32_t>(extent.offset) != kLocalMark) return cut();
  const std::uint64_t data =
      extent.offset + kLocalBytes + in.at<std::uint16_t>(extent.offset + 26) + in.at<std::uint16_t>(extent.offset + 28);
  if (!in.has(data, extent.packed_bytes) || data + extent.packed_bytes > directory.begin) {
    return damaged(name, at, fmt::format("'{}' is outside of the zip", member.name));
  }
  if (!member.is_deflated && extent.packed_bytes != extent.size_bytes) return cut();
  member.packed = in.bytes.subspan(data, extent.packed_bytes);
  at = next;
  return member;
}

// Whether two members share bytes: a way to make a small file unpack to a huge one.
bool overlap(std::span<const ZipMember> members) {
  std::vector<std::span<const std::byte>> parts;
  for (const ZipMember& member : members)
    if (!member.packed.empty()) parts.push_back(member.packed);
  std::ranges::sort(parts, {}, [](const auto& part) { return part.data(); });
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (parts[i - 1].data() + parts[i - 1].size() > parts[i].data()) return true;
  return false;
}

// zlib takes 32-bit counts: long members are handed over piece by piece.
bool inflate_all(std::span<const std::byte> in, std::span<std::byte> out) {
  constexpr std::size_t kPiece = std::size_t{1} << 30;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  int status = Z_OK;
  while (status == Z_OK) {
    const std::size_t taken = std::min(in.size(), kPiece), room = std::min(out.size(), kPiece);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream.avail_in = static_cast<uInt>(taken);
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    if (stream.avail_in == taken && stream.avail_out == room && status == Z_OK) break;
    in = in.subspan(taken - stream.avail_in);
    out = out.subspan(room - stream.avail_out);
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END && out.empty();
}

std::uint32_t checksum_of(std::span<const std::byte> bytes) {
  uLong sum = crc32(0, nullptr, 0);
  return static_cast<std::uint32_t>(crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

Result<ZipArchive> ZipArchive::open(std::span<const std::byte> bytes, const std::string& name,
                                    const ZipLimits& limits) {
  const Numbers in{bytes};
  auto directory = find_directory(in, name);
  if (!directory) return std::move(directory).error();
  if (directory->count > limits.max_members) {
    return Error{ErrorKind::kTooLarge,
                 fmt::format("a zip of {} members; vizd reads at most {}", directory->count, limits.max_members), name};
  }
  ZipArchive archive;
  archive.name_ = name;
  archive.limits_ = limits;
  archive.has_gap_ = directory->has_gap;
  std::uint64_t at = directory->begin;
  for (std::uint64_t i = 0; i < directory->count; ++i) {
    auto member = read_entry(in, name, *directory, at, limits);
    if (!member) return std::move(member).error();
    archive.members_.push_back(std::move(*member));
  }
  if (overlap(archive.members_)) {
    return Error{ErrorKind::kForbidden, "members of the zip overlap, so it is not read", name};
  }
  return archive;
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto found = std::ranges::find(members_, name, &ZipMember::name);
  return found == members_.end() ? nullptr : &*found;
}

Result<MemberBytes> ZipArchive::read(const ZipMember& member) const {
  const std::string where = fmt::format("{}({})", name_, member.name);
  const bool swells =
      member.size_bytes > limits_.ratio_free_bytes && member.size_bytes / limits_.max_ratio > member.packed.size();
  if (member.size_bytes > limits_.max_member_bytes || swells) {
    return Error{
        ErrorKind::kTooLarge,
        fmt::format("{} bytes unpack to {}, which is more than vizd allows", member.packed.size(), member.size_bytes),
        where};
  }
  MemberBytes out{member.packed, nullptr};
  if (member.is_deflated) {
    auto unpacked = std::make_shared<std::vector<std::byte>>(member.size_bytes);
    if (!inflate_all(member.packed, *unpacked)) {
      return Error{ErrorKind::kBadInput, "does not unpack to the size given in the zip; is the file complete?", where};
    }
    out = {*unpacked, unpacked};
  }
  if (checksum_of(out.bytes) != member.checksum) {
    return Error{ErrorKind::kBadInput, "its checksum does not match; the file is damaged", where};
  }
  return out;
}

}  // namespace vizd::etdump
