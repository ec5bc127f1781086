#include "disasm/operand_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "disasm/register_family.h"

namespace vizd {
namespace {

// Words among operands that are no registers.
constexpr std::array<std::string_view, 24> kWords{
    "ptr", "byte", "word", "dword", "qword", "xmmword", "ymmword", "zmmword", "lsl",  "lsr", "asr", "mul",
    "vl",  "sxtw", "uxtw", "sxtx",  "m",     "z",       "mem",     "1to2",    "1to4", "rn",  "sae", "pow2"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class OperandReader {
 public:
  OperandReader(Architecture architecture, Instruction& instruction, std::map<std::string, std::string>& families)
      : architecture_(architecture), instruction_(instruction), families_(families) {}

  void read() {
    const std::string_view text = instruction_.operands;
    const bool stores = text.find('[') < text.find(',') || instruction_.mnemonic.starts_with("st");
    bool is_first = true;
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      if (c == '[') {
        const std::size_t end = std::min(text.find(']', at), text.size());
        read_memory(text.substr(at + 1, end - at - 1), stores);
        at = end;
      } else if (is_word(c)) {
        const std::string family = take_register(text, at);
        if (!family.empty()) add(is_first && !stores ? instruction_.writes : instruction_.reads, family);
      } else {
        is_first = is_first && c != ',';
        ++at;
      }
    }
  }

 private:
  // Reads a word, and the lanes after a dot; "" where it is no register.
  std::string take_register(std::string_view text, std::size_t& at) {
    const std::size_t from = at;
    while (at < text.size() && is_word(text[at])) ++at;
    const std::string name(text.substr(from, at - from));
    if (at < text.size() && text[at] == '.') {
      for (++at; at < text.size() && is_word(text[at]);) ++at;
    }
    const bool begins_as_name = std::isalpha(static_cast<unsigned char>(name[0])) != 0;
    if (!begins_as_name || std::find(kWords.begin(), kWords.end(), name) != kWords.end()) return "";
    std::string family = register_family(architecture_, name);
    if (!family.empty() && family != name) families_.try_emplace(name, family);
    return family;
  }

  // Decimal or hexadecimal.
  static std::optional<std::int64_t> take_number(std::string_view text, std::size_t& at) {
    const bool is_hex = text.substr(at).starts_with("0x");
    std::int64_t number = 0;
    const char* digits = text.data() + at + (is_hex ? 2 : 0);
    const auto [end, failed] = std::from_chars(digits, text.data() + text.size(), number, is_hex ? 16 : 10);
    if (failed != std::errc()) return std::nullopt;
    at = static_cast<std::size_t>(end - text.data());
    return number;
  }

  // "rdi + 4*rax - 16", or "x0, x1, lsl #2".
  void read_memory(std::string_view text, bool stores) {
    MemoryOperand memory;
    (stores ? memory.is_written : memory.is_read) = true;
    bool is_scaled = false;
    bool is_negative = false;
    for (std::size_t at = 0; at < text.size();) {
      if (!is_word(text[at])) {
        is_negative = text[at] == '-' || (is_negative && text[at] != '+');
        is_scaled = is_scaled || text[at] == '*';
        ++at;
      } else if (text.substr(at).starts_with("lsl")) {
        is_scaled = true, at += 3;
      } else if (const auto number = take_number(text, at)) {
        const bool is_shift = is_scaled && architecture_ == Architecture::kAarch64;
        if (is_shift || text.substr(at).starts_with('*'))
          memory.scale = static_cast<std::int32_t>(is_shift ? 1 << (*number & 15) : *number);
        else
          memory.displacement = is_negative ? -*number : *number;
      } else if (const std::string family = take_register(text, at); !family.empty()) {
        (is_scaled || !memory.base.empty() ? memory.index : memory.base) = family;
        add(instruction_.reads, family);
      }
    }
    instruction_.memory.push_back(std::move(memory));
  }

  static void add(std::vector<std::string>& to, const std::string& family) {
    if (std::find(to.begin(), to.end(), family) == to.end()) to.push_back(family);
  }

  Architecture architecture_;
  Instruction& instruction_;
  std::map<std::string, std::string>& families_;
};

}  // namespace

void add_operands(Architecture architecture, Instruction& instruction, std::map<std::string, std::string>& families) {
  OperandReader(architecture, instruction, families).read();
}

}  // namespace vizd
