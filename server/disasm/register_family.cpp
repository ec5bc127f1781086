#include "disasm/register_family.h"

#include <algorithm>
#include <array>

namespace vizd {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string x86_family(std::string_view name) {
  constexpr std::array<std::string_view, 12> kIgnored{"rflags", "eflags", "flags", "rip", "eip", "ip",
                                                      "cs",     "ds",     "es",    "fs",  "gs",  "ss"};
  if (std::find(kIgnored.begin(), kIgnored.end(), name) != kIgnored.end()) return "";
  if (name.size() > 3 && name.substr(1, 2) == "mm" && is_number(name.substr(3)))  // xmm3, ymm3, zmm3
    return "zmm" + std::string(name.substr(3));
  if (name.size() >= 2 && name[0] == 'r' && name[1] >= '0' && name[1] <= '9') {  // r8, r8d, r8w, r8b
    const auto end = name.find_first_not_of("0123456789", 1);
    return std::string(name.substr(0, end));
  }
  for (const char letter : {'a', 'b', 'c', 'd'}) {  // al, ah, ax, eax, rax
    const std::string word{letter, 'x'};
    if (name == word || name == "e" + word || name == "r" + word || name == std::string{letter, 'l'} ||
        name == std::string{letter, 'h'})
      return "r" + word;
  }
  for (const std::string_view word : {"si", "di", "bp", "sp"}) {  // sil, si, esi, rsi
    const std::string text(word);
    if (name == text || name == "e" + text || name == "r" + text || name == text + "l") return "r" + text;
  }
  return std::string(name);
}

std::string aarch64_family(std::string_view name) {
  if (name == "nzcv" || name == "pc" || name == "xzr" || name == "wzr") return "";
  if (name == "wsp") return "sp";
  if (name == "fp") return "x29";
  if (name == "lr") return "x30";
  if (name.size() < 2 || !is_number(name.substr(1))) return std::string(name);
  if (name[0] == 'w') return "x" + std::string(name.substr(1));
  if (std::string_view("bhsdqz").find(name[0]) != std::string_view::npos) return "v" + std::string(name.substr(1));
  return std::string(name);
}

}  // namespace

std::string register_family(Architecture architecture, std::string_view name) {
  if (architecture == Architecture::kX86_64) return x86_family(name);
  if (architecture == Architecture::kAarch64) return aarch64_family(name);
  return std::string(name);
}

}  // namespace vizd
