// Changes what is in a zip's members; the zip around them is whole, of members that are stored.
#pragma once

#include <zlib.h>

#include "formats/etdump/zip_archive.h"
#include "fuzz/mutation.h"

namespace vizd::fuzz {

struct NamedBytes {
  std::string name, bytes;
};

inline std::string zip_of(std::span<const NamedBytes> members) {
  const auto put = [](std::string& out, std::uint64_t number, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) out.push_back(static_cast<char>(i < sizeof number ? number >> 8 * i : 0));
  };
  std::string out, directory;
  for (const auto& [name, bytes] : members) {
    const auto sum = ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    std::string about;  // as the local header and the directory have it: from the version to the lengths
    put(about, 20, 2);
    put(about, 0, 8);  // no flags, stored, no time
    put(about, sum, 4);
    put(about, bytes.size(), 4);
    put(about, bytes.size(), 4);
    put(about, name.size(), 2);
    put(about, 0, 2);
    directory += "PK\x01\x02";
    put(directory, 20, 2);
    directory += about;
    put(directory, 0, 10);
    put(directory, out.size(), 4);
    directory += name;
    out += "PK\x03\x04" + about + name + bytes;
  }
  const std::size_t begin = out.size();
  out += directory + "PK\x05\x06";
  put(out, 0, 4);
  put(out, members.size(), 2);
  put(out, members.size(), 2);
  put(out, directory.size(), 4);
  put(out, begin, 4);
  put(out, 0, 2);
  return out;
}

inline std::optional<std::string> change_zip(std::span<const std::byte> bytes, Random& random) {
  const auto archive = etdump::ZipArchive::open(bytes, "fuzz");
  if (!archive) return std::nullopt;
  std::vector<NamedBytes> members;
  for (const etdump::ZipMember& member : archive->members()) {
    if (const auto read = archive->read(member))
      members.push_back(
          {member.name, std::string(reinterpret_cast<const char*>(read->bytes.data()), read->bytes.size())});
  }
  change_list(members, random, [&](NamedBytes& member) {
    // A zip in a zip.
    auto inner = below(random, 4) != 0 ? change_zip(std::as_bytes(std::span(member.bytes)), random) : std::nullopt;
    if (inner) {
      member.bytes = *std::move(inner);
    } else {
      mutate(below(random, 10) == 0 ? member.name : member.bytes);
    }
  });
  return zip_of(members);
}

}  // namespace vizd::fuzz
