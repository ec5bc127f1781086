#include "disasm/object_file.h"

#include <fmt/core.h>

#include <algorithm>

#include "disasm/byte_cursor.h"

namespace vizd {
namespace {

// Names bytes that a device took but that are neither an object file nor code: they would decode all the same.
const char* describe_other(std::span<const std::byte> bytes) {
  std::string_view text = ByteCursor::view(bytes.first(std::min<std::size_t>(bytes.size(), 4096)));
  text = text.substr(0, text.find_last_not_of('\0') + 1);  // PTX ends with one
  if (text.starts_with("MTLB")) return "a Metal library";
  if (text.starts_with("\xCA\xFE\xBA\xBE")) return "a Mach-O file of several machines";
  if (text.starts_with("BC\xC0\xDE")) return "LLVM's bitcode";
  const bool is_text = text.size() >= 8 && std::all_of(text.begin(), text.end(), [](char c) {
                         return (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r';
                       });
  return is_text ? "text, such as PTX" : nullptr;
}

}  // namespace

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
    if (const char* other = describe_other(bytes); other != nullptr)
      return Error{ErrorKind::kBadInput, fmt::format("the program's binary is {}, not machine code", other), ""};
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
