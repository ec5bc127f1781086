// Mach-O files of 64 bits, as Apple's tools write them: sections of instructions
// and symbols in them. Layouts as in Apple's <mach-o/loader.h> and <mach-o/nlist.h>.
#include <algorithm>
#include <utility>

#include "disasm/byte_cursor.h"
#include "disasm/object_file.h"

namespace vizd {
namespace {

constexpr std::uint32_t kSegment64 = 0x19, kSymbols = 0x2;
constexpr std::uint32_t kHeaderBytes = 32, kCommandBytes = 8, kMachOSymbolBytes = 16;
constexpr std::uint32_t kInstructionFlags = 0x80000400;  // only, or also, instructions
constexpr std::uint32_t kMostSymbols = 1'000'000;

Error broken_mach_o(const char* what) { return {ErrorKind::kBadInput, std::string("the Mach-O file's ") + what, ""}; }

std::string_view fixed_text(std::span<const std::byte> bytes) {
  const std::string_view text = ByteCursor::view(bytes);
  return text.substr(0, text.find('\0'));
}

// `in` stands after the command's head.
Result<void> read_segment(std::span<const std::byte> file, ByteCursor in, ObjectFile& object,
                          std::vector<bool>& section_is_code) {
  in.take(16 + 4 * 8 + 2 * 4);  // name, places and sizes, protections
  const std::uint32_t count = in.u32();
  in.u32();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view name = fixed_text(in.take(16));
    in.take(16);
    const std::uint64_t address = in.u64();
    const std::uint64_t size_bytes = in.u64();
    const std::uint32_t at = in.u32();
    in.take(3 * 4);
    const std::uint32_t flags = in.u32();
    in.take(3 * 4);
    if (in.failed()) return broken_mach_o("sections are cut off");
    const bool is_code = (flags & kInstructionFlags) != 0 && size_bytes > 0;
    section_is_code.push_back(is_code);
    if (!is_code) continue;
    if (at > file.size() || size_bytes > file.size() - at) return broken_mach_o("sections reach beyond its end");
    object.code.push_back({name, address, file.subspan(at, static_cast<std::size_t>(size_bytes))});
  }
  return {};
}

Result<void> read_symbols(std::span<const std::byte> file, ByteCursor in, ObjectFile& object,
                          const std::vector<bool>& section_is_code) {
  const std::uint32_t symbols_at = in.u32();
  const std::uint32_t count = std::min(in.u32(), kMostSymbols);
  const std::uint32_t names_at = in.u32();
  const std::uint32_t names_bytes = in.u32();
  ByteCursor names_in(file, names_at);
  const auto names = names_in.take(names_bytes);
  ByteCursor symbols(file, symbols_at);
  ByteCursor table(symbols.take(std::uint64_t{count} * kMachOSymbolBytes));
  if (in.failed() || names_in.failed() || symbols.failed()) return broken_mach_o("symbols reach beyond its end");
  while (!table.at_end()) {
    const std::uint32_t name_at = table.u32();
    const std::uint8_t type = table.u8();
    const std::uint8_t section = table.u8();
    table.u16();
    const std::uint64_t address = table.u64();
    constexpr std::uint8_t kDebug = 0xE0, kInSection = 0x0E;
    const bool is_defined = (type & kDebug) == 0 && (type & kInSection) == kInSection;
    if (!is_defined || section == 0 || section > section_is_code.size() || !section_is_code[section - 1U]) continue;
    object.symbols.push_back({ByteCursor(names, name_at).text(), address});
  }
  return {};
}

}  // namespace

Result<ObjectFile> read_mach_o(std::span<const std::byte> bytes) {
  ObjectFile object;
  object.container = ObjectFile::Container::kMachO;
  ByteCursor in(bytes, 4);
  const std::uint32_t cpu = in.u32();
  object.architecture = cpu == 0x01000007   ? Architecture::kX86_64
                        : cpu == 0x0100000C ? Architecture::kAarch64
                                            : Architecture::kUnknown;
  in.take(8);
  const std::uint32_t commands = in.u32();
  in.seek(kHeaderBytes);
  std::vector<bool> section_is_code;  // counted through all segments, as symbols do
  bool has_symbols = false;           // a file has one table: of many that overlap each would be read
  for (std::uint32_t i = 0; i < commands; ++i) {
    const std::uint32_t command = in.u32();
    const std::uint32_t size_bytes = in.u32();
    if (in.failed() || size_bytes < kCommandBytes) return broken_mach_o("load commands are cut off");
    const auto body = in.take(size_bytes - kCommandBytes);
    if (in.failed()) return broken_mach_o("load commands are cut off");
    if (command == kSegment64) VIZD_TRY(read_segment(bytes, ByteCursor(body), object, section_is_code));
    if (command == kSymbols && !std::exchange(has_symbols, true))
      VIZD_TRY(read_symbols(bytes, ByteCursor(body), object, section_is_code));
  }
  return object;
}

}  // namespace vizd
