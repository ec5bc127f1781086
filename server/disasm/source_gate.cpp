#include "disasm/source_gate.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "base/ascii_case.h"

namespace vizd {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;

bool is_source_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Headers that belong to the compiler itself (-nostdinc leaves only them) and include nothing but one another.
constexpr std::array<std::string_view, 14> kHeaders{
    "stddef.h",    "stdint.h", "stdbool.h",   "stdalign.h",  "float.h",    "limits.h",   "stdarg.h",
    "stdatomic.h", "iso646.h", "immintrin.h", "x86intrin.h", "arm_neon.h", "arm_fp16.h", "arm_acle.h"};
constexpr std::array<std::string_view, 10> kDirectives{"define", "undef", "if",    "ifdef", "ifndef",
                                                       "else",   "elif",  "endif", "error", "pragma"};
// The words that may follow `#pragma`. Some others read files ("dependency", "include_alias", "module"), some crash.
constexpr std::array<std::string_view, 5> kPragmas{"once", "unroll", "nounroll", "STDC", "omp"};
// Words that bring in the assembler or ask about files.
constexpr std::array<std::string_view, 9> kRefusedWords{
    "asm",         "__asm",   "__asm__",  "__has_include", "__has_include_next",
    "__has_embed", "_Pragma", "__pragma", "__import__"};

// Reads C as its first translation phases do, as far as it must to tell comments, strings, words and directives apart.
class CSource {
 public:
  explicit CSource(std::string_view text) : text_(text) {}

  Result<void> check() {
    bool line_begins = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        line_begins = true, ++line_, ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
      } else if (starts("//") || starts("/*")) {
        VIZD_TRY(skip_comment());
      } else if (c == '#' && line_begins) {
        VIZD_TRY(check_directive());
        line_begins = false;
      } else {
        line_begins = false;
        VIZD_TRY(check_token());
      }
    }
    return {};
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  Error refuse(std::string_view what) const {
    return {ErrorKind::kForbidden, fmt::format("the source is not compiled: {}", what), fmt::format("line {}", line_)};
  }
  std::string_view take_word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && is_source_word(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  Result<void> skip_comment() {
    const bool is_line = starts("//");
    const auto end = text_.find(is_line ? "\n" : "*/", at_ + 2);
    if (end == std::string_view::npos && !is_line) return refuse("a comment does not end");
    const std::size_t to = end == std::string_view::npos ? text_.size() : is_line ? end : end + 2;
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
    return {};
  }

  // After the # that begins a line.
  Result<void> check_directive() {
    ++at_;
    skip_blanks();
    const std::string_view name = take_word();
    skip_blanks();
    if (name == "include") return check_include();
    if (!holds(kDirectives, name))
      return refuse(fmt::format("#{} is not let through", name.empty() ? "line" : name.substr(0, 40)));
    if (name == "pragma") return check_pragma();
    return {};  // the rest of its line is tokens like any others
  }
  Result<void> check_include() {
    const auto end = text_.find_first_of(">\n", at_);
    const bool is_quoted = starts("<") && end != std::string_view::npos && text_[end] == '>';
    if (!is_quoted || !holds(kHeaders, text_.substr(at_ + 1, end - at_ - 1)))
      return refuse("it includes more than the compiler's own headers");
    at_ = end + 1;
    return {};
  }
  Result<void> check_pragma() {
    const std::string_view name = take_word();
    skip_blanks();
    const std::size_t second_at = at_;
    const std::string_view second = take_word();
    at_ = second_at;
    const bool is_loop = (name == "clang" && (second == "loop" || second == "fp")) ||
                         (name == "GCC" && (second == "ivdep" || second == "unroll"));
    return is_loop || holds(kPragmas, name) ? Result<void>() : refuse("a #pragma that is not about loops");
  }

  Result<void> check_token() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    if (is_source_word(c)) {
      const std::string_view word = take_word();
      return holds(kRefusedWords, word) ? refuse(fmt::format("it uses {}", word)) : Result<void>();
    }
    // Other spellings of # and line ends, and ## (which makes words out of pieces), would get past the rules above.
    for (const std::string_view other : {"##", "%:", "??", "\\"}) {
      if (starts(other)) return refuse(fmt::format("it uses {}", other));
    }
    ++at_;
    return {};
  }
  Result<void> skip_string(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (starts("??")) return refuse("it uses ??");
      if (text_[at_] == quote) return ++at_, Result<void>();
      if (text_[at_] == '\\' && ++at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) break;
    }
    return refuse("a string does not end on its line");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

// LLVM's text knows neither includes nor macros; its strings have no escaped quotes; a comment ends with its line.
Result<void> check_ir(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') ++line;
    if (text[at] == ';' || text[at] == '"') {
      const auto end = text.find(text[at] == ';' ? '\n' : '"', at + 1);
      if (end == std::string_view::npos) break;
      line += text[at] == '"'
                  ? static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                        text.begin() + static_cast<std::ptrdiff_t>(end), '\n'))
                  : 0;
      at = text[at] == ';' ? end : end + 1;
      continue;
    }
    const std::size_t from = at;
    while (at < text.size() && (is_source_word(text[at]) || text[at] == '.')) ++at;
    if (text.substr(from, at - from) == "asm")
      return Error{ErrorKind::kForbidden, "the source is not compiled: it uses asm", fmt::format("line {}", line)};
    if (at == from) ++at;
  }
  return {};
}

}  // namespace

SourceLanguage language_of(std::string_view device, std::string_view source) {
  const std::string_view kind = device.substr(0, device.find(':'));
  if (source.starts_with("define ") || source.find("\ndefine ") != std::string_view::npos)
    return SourceLanguage::kLlvmIr;
  const bool is_cpu = kind == "CPU" || kind == "CLANG" || kind == "NULL" || kind.empty();
  return is_cpu ? SourceLanguage::kC : SourceLanguage::kOther;
}

std::string_view name_of(SourceLanguage language) {
  return language == SourceLanguage::kC ? "c" : language == SourceLanguage::kLlvmIr ? "llvm" : "other";
}

Result<void> check_source(SourceLanguage language, std::string_view source) {
  if (source.size() > kMostBytes)
    return Error{ErrorKind::kTooLarge, "the source is not compiled: it is larger than 4 MiB", ""};
  if (source.find('\0') != std::string_view::npos)
    return Error{ErrorKind::kBadInput, "the source is not compiled: it holds a 0 character", ""};
  if (language == SourceLanguage::kC) return CSource(source).check();
  if (language == SourceLanguage::kLlvmIr) return check_ir(source);
  return Error{ErrorKind::kBadInput, "the source is not compiled: it is neither C nor LLVM's", ""};
}

Result<void> check_assembly(std::string_view assembly) {
  const Error refused{ErrorKind::kForbidden, "the source is not compiled: it reaches the assembler", ""};
  // The directives that read files, and those that could put their names together. Case does not count.
  const std::string lower = ascii_lower(assembly);
  for (const std::string_view name : {".inc", ".macro", ".altmacro", ".irp", ".rep", ".exitm", ".linkonce"}) {
    if (lower.find(name) != std::string::npos) return refused;
  }
  // And of all others only those that gcc 12 writes for C by itself.
  constexpr std::array<std::string_view, 36> kWritten{
      ".text",  ".data",   ".bss",   ".file",    ".loc",     ".globl",  ".global",  ".local", ".hidden",
      ".type",  ".size",   ".ident", ".align",   ".p2align", ".balign", ".section", ".byte",  ".value",
      ".2byte", ".4byte",  ".8byte", ".short",   ".hword",   ".word",   ".long",    ".quad",  ".xword",
      ".zero",  ".string", ".ascii", ".uleb128", ".sleb128", ".arch",   ".set",     ".cpu",   ".comm"};
  while (!assembly.empty()) {
    const auto end = std::min(assembly.find('\n'), assembly.size());
    std::string_view line = assembly.substr(0, end);
    assembly.remove_prefix(std::min(end + 1, assembly.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (word.starts_with('.') && !word.ends_with(':') && !word.starts_with(".cfi_") && !holds(kWritten, word))
      return refused;
  }
  return {};
}

}  // namespace vizd
