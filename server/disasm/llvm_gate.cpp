// The gate for LLVM's text. It has neither includes nor macros. A comment ends with its line, a string at the next
// quote, which nothing escapes. A word may begin where another ends without anything between (i32asm, @1asm), so that
// a run of letters is refused for what it holds anywhere.
#include <fmt/core.h>

#include "disasm/language_gates.h"

namespace vizd {
namespace {

constexpr std::string_view kNameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-";
constexpr std::string_view kPunctuation = " \t\r\n,=*()[]{}<>:|+&!@%#";
// Inline assembly; `module asm`, and modules of a summary, which name files; a file, whose name a message would look
// up.
constexpr std::array<std::string_view, 3> kRefusedParts{"asm", "module", "DIFile"};

class IrSource {
 public:
  explicit IrSource(std::string_view text) : text_(text) {}

  Result<void> check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ';') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"') {
        const auto end = text_.find('"', at_ + 1);
        if (end == std::string_view::npos) return refuse("a string does not end");
        at_ = end + 1;
      } else if (kNameCharacters.find(c) != std::string_view::npos) {
        VIZD_TRY(check_run(at_ > 0 ? text_[at_ - 1] : ' '));
      } else if (kPunctuation.find(c) != std::string_view::npos) {
        ++at_;
      } else {
        return refuse(c > ' ' ? fmt::format("it uses {}", c) : "it has other letters than ASCII's");
      }
    }
    return {};
  }

 private:
  Error refuse(std::string_view what) const { return refuse_source(what, text_, at_); }

  // A run of letters and digits, or of more than one word. After @ or % it is a name, which may be anything, unless it
  // begins with a digit: then its digits are the name, and the rest is words again.
  Result<void> check_run(char before) {
    const std::string_view rest = text_.substr(at_);
    const std::string_view run = rest.substr(0, run_length(rest, kNameCharacters));
    const bool is_name = (before == '@' || before == '%') && kDigits.find(run.front()) == std::string_view::npos;
    for (const std::string_view part : kRefusedParts) {
      if (!is_name && run.find(part) != std::string_view::npos) return refuse(fmt::format("it uses {}", part));
    }
    at_ += run.size();
    return {};
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<void> check_llvm_ir(std::string_view source) { return IrSource(source).check(); }

}  // namespace vizd
