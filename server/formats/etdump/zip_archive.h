// ZipArchive: the members of a zip in memory, stored or deflated, also of more than 4 GB. Nothing is written anywhere,
// so a name can lead nowhere; still an archive whose names climb out of a folder is refused as one made to harm, and so
// are one whose members lie over each other and one that unpacks to far more than it is. Read-only once open; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vizd::etdump {

struct ZipLimits {
  std::size_t max_members = 10'000;
  std::size_t max_name_bytes = 1024;
  std::uint64_t max_member_bytes = std::uint64_t{1} << 30;  // unpacked, of those that are read
  std::uint64_t max_ratio = 200;
  std::uint64_t ratio_free_bytes = std::uint64_t{1} << 20;
};

struct ZipMember {
  std::string name;
  std::uint64_t size_bytes = 0;  // unpacked
  std::uint32_t checksum = 0;
  bool is_deflated = false;
  std::span<const std::byte> packed;
};

// The bytes of a member: those of the file where it is stored.
struct MemberBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const std::vector<std::byte>> storage;  // holds them where they had to be unpacked
};

class ZipArchive {
 public:
  // Opens a file's bytes, which must outlive it. Errors, as NAME:OFFSET: no zip, one that is cut or damaged, what the
  // limits refuse, and encrypted members.
  static Result<ZipArchive> open(std::span<const std::byte> bytes, const std::string& name,
                                 const ZipLimits& limits = {});

  std::span<const ZipMember> members() const { return members_; }
  // Whether something lies between the list of members and the zip's end, as where one zip was written behind another.
  bool has_gap() const { return has_gap_; }
  // Null: none is called so.
  const ZipMember* find(std::string_view name) const;
  // Errors: damaged data, or a checksum that does not fit.
  Result<MemberBytes> read(const ZipMember& member) const;

 private:
  std::string name_;
  ZipLimits limits_;
  bool has_gap_ = false;
  std::vector<ZipMember> members_;
};

}  // namespace vizd::etdump
