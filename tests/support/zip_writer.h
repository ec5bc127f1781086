// ZipWriter: zips for tests, member by member, as Python's zipfile writes them; and what no honest writer makes.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vizd {

class ZipWriter {
 public:
  ZipWriter& add(std::string_view name, std::string_view content) { return put(name, content, content, 0); }
  ZipWriter& add_deflated(std::string_view name, std::string_view content) {
    return put(name, content, deflated(content), 8);
  }
  // A second entry for the bytes of the last member.
  ZipWriter& add_again(std::string_view name) {
    Entry entry = entries_.back();
    entry.name = name;
    entries_.push_back(entry);
    return *this;
  }
  // Changes what the last member says of itself.
  ZipWriter& claim_size(std::uint32_t size) {
    entries_.back().size = size;
    return *this;
  }
  ZipWriter& claim_checksum(std::uint32_t checksum) {
    entries_.back().checksum = checksum;
    return *this;
  }
  ZipWriter& claim_flags(std::uint16_t flags) {
    entries_.back().flags = flags;
    return *this;
  }

  std::string finish() const {
    std::string bytes = bytes_;
    const auto begin = static_cast<std::uint32_t>(bytes.size());
    for (const Entry& entry : entries_) {
      append(bytes, std::uint32_t{0x02014b50});
      append(bytes, std::uint16_t{20});
      append(bytes, std::uint16_t{20});
      append(bytes, entry.flags);
      append(bytes, entry.method);
      append(bytes, std::uint32_t{0});
      append(bytes, entry.checksum);
      append(bytes, entry.packed);
      append(bytes, entry.size);
      append(bytes, static_cast<std::uint16_t>(entry.name.size()));
      for (int i = 0; i < 4; ++i) append(bytes, std::uint16_t{0});  // extra, comment, disk, internal
      append(bytes, std::uint32_t{0});
      append(bytes, entry.offset);
      bytes += entry.name;
    }
    const auto size = static_cast<std::uint32_t>(bytes.size()) - begin;
    append(bytes, std::uint32_t{0x06054b50});
    append(bytes, std::uint32_t{0});
    append(bytes, static_cast<std::uint16_t>(entries_.size()));
    append(bytes, static_cast<std::uint16_t>(entries_.size()));
    append(bytes, size);
    append(bytes, begin);
    append(bytes, std::uint16_t{0});
    return bytes;
  }

  static std::string deflated(std::string_view content) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }

 private:
  struct Entry {
    std::string name;
    std::uint32_t offset, packed, size, checksum;
    std::uint16_t method, flags;
  };

  template <typename T>
  static void append(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
  }

  ZipWriter& put(std::string_view name, std::string_view content, std::string_view packed, std::uint16_t method) {
    const auto checksum = static_cast<std::uint32_t>(
        crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
    entries_.push_back({std::string(name), static_cast<std::uint32_t>(bytes_.size()),
                        static_cast<std::uint32_t>(packed.size()), static_cast<std::uint32_t>(content.size()), checksum,
                        method, 0});
    append(bytes_, std::uint32_t{0x04034b50});
    append(bytes_, std::uint16_t{20});
    append(bytes_, std::uint16_t{0});
    append(bytes_, method);
    append(bytes_, std::uint32_t{0});
    append(bytes_, checksum);
    append(bytes_, static_cast<std::uint32_t>(packed.size()));
    append(bytes_, static_cast<std::uint32_t>(content.size()));
    append(bytes_, static_cast<std::uint16_t>(name.size()));
    append(bytes_, std::uint16_t{0});
    bytes_.append(name).append(packed);
    return *this;
  }

  std::string bytes_;
  std::vector<Entry> entries_;
};

}  // namespace vizd
