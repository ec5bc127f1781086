#include "disasm/object_file.h"

#include <algorithm>

#include "disasm/byte_cursor.h"

namespace vizd {

Result<ObjectFile> read_object(std::span<const std::byte> bytes, Architecture raw_architecture) {
  constexpr std::uint32_t kElfMagic = 0x464C457F;
  constexpr std::uint32_t kMachO64Magic = 0xFEEDFACF;
  if (bytes.empty()) return Error{ErrorKind::kBadInput, "the program's binary is empty", ""};
  const std::uint32_t magic = ByteCursor(bytes).u32();
  auto object = magic == kElfMagic       ? read_elf(bytes)
                : magic == kMachO64Magic ? read_mach_o(bytes)
                                         : Result<ObjectFile>(ObjectFile{});
  if (!object) return object;
  if (magic != kElfMagic && magic != kMachO64Magic) {
    object->architecture = raw_architecture;
    object->code.push_back({"code", 0, bytes});
  }
  if (object->code.empty()) return Error{ErrorKind::kBadInput, "the program's binary holds no code", ""};
  const auto by_address = [](const auto& a, const auto& b) { return a.address < b.address; };
  std::stable_sort(object->code.begin(), object->code.end(), by_address);
  std::stable_sort(object->symbols.begin(), object->symbols.end(), by_address);
  std::stable_sort(object->lines.begin(), object->lines.end(), by_address);
  return object;
}

}  // namespace vizd
