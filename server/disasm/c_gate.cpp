// The gate for C. It reads the source as the compiler's translation phases 1 to 3 do (trigraphs, lines joined by a
// backslash, comments, tokens), for every standard from C99 on (compile.cpp asks for none before).
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "disasm/language_gates.h"

namespace vizd {
namespace {

// Headers that belong to the compiler itself (-nostdinc leaves only them) and include nothing but one another.
constexpr std::array<std::string_view, 14> kHeaders{
    "stddef.h",    "stdint.h", "stdbool.h",   "stdalign.h",  "float.h",    "limits.h",   "stdarg.h",
    "stdatomic.h", "iso646.h", "immintrin.h", "x86intrin.h", "arm_neon.h", "arm_fp16.h", "arm_acle.h"};
constexpr std::array<std::string_view, 10> kDirectives{"define", "undef", "if",    "ifdef", "ifndef",
                                                       "else",   "elif",  "endif", "error", "pragma"};
// The words that may follow `#pragma`. Some others read files ("dependency", "include_alias", "module"), some crash.
constexpr std::array<std::string_view, 5> kPragmas{"once", "unroll", "nounroll", "STDC", "omp"};

// Words of the language that bring in the assembler.
constexpr std::array<std::string_view, 2> kRefusedWords{"asm", "_asm"};
// Words with two underscores at the beginning are the compiler's. Among them are the assembler (__asm__), questions
// about files (__has_include) and languages of the compiler's own inside (__RTL, __GIMPLE), so these alone pass:
constexpr std::array<std::string_view, 43> kCompilerWords{
    "__attribute__", "__attribute",     "__restrict", "__restrict__",    "__inline",        "__inline__",
    "__const",       "__const__",       "__volatile", "__volatile__",    "__signed",        "__signed__",
    "__extension__", "__typeof",        "__typeof__", "__alignof",       "__alignof__",     "__auto_type",
    "__label__",     "__func__",        "__real__",   "__imag__",        "__complex__",     "__thread",
    "__fp16",        "__bf16",          "__int128",   "__int128_t",      "__uint128_t",     "__float80",
    "__float128",    "__unused__",      "__m64",      "__has_builtin",   "__has_attribute", "__has_feature",
    "__aligned__",   "__vector_size__", "__packed__", "__has_extension", "__noinline__",    "__always_inline__",
    "__may_alias__"};
constexpr std::array<std::string_view, 9> kCompilerFamilies{"__builtin_", "__sync_", "__atomic_", "__m128", "__m256",
                                                            "__m512",     "__mmask", "__arm_",    "__nv_"};

// As __AVX2__ or __STDC_VERSION__: a constant.
bool is_compiler_constant(std::string_view word) {
  return word.ends_with("__") && std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

bool may_stand(std::string_view word) {
  if (word.starts_with("__"))
    return holds(kCompilerWords, word) || is_compiler_constant(word) ||
           std::ranges::any_of(kCompilerFamilies, [&](std::string_view family) { return word.starts_with(family); });
  return word != "_Pragma" && !holds(kRefusedWords, word);
}

// The source after phases 1 and 2: what stands on one line for the compiler does so here.
struct JoinedText {
  std::string text;
  std::vector<std::size_t> joints;  // where a backslash joined two lines
};

Result<JoinedText> join_lines(std::string_view source) {
  JoinedText joined;
  joined.text.reserve(source.size());
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source.substr(at).starts_with("??") && at + 2 < source.size() &&
        std::string_view("=/'()!<>-").find(source[at + 2]) != std::string_view::npos)
      return refuse_source("it uses ??", source, at);  // a trigraph for some compilers, and for some options
    if (source[at] == '\\') {
      const auto next = source.find_first_not_of(" \t\r", at + 1);
      if (next != std::string_view::npos && source[next] == '\n') {
        joined.joints.push_back(joined.text.size());
        at = next;
        continue;
      }
    }
    if (source[at] != '\r') joined.text += source[at];
  }
  return joined;
}

class CSource {
 public:
  explicit CSource(const JoinedText& joined) : text_(joined.text), joints_(joined.joints) {}

  Result<void> check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        line_begins_ = true, in_define_ = false, ++at_;
      } else if (c == ' ' || c == '\t') {
        ++at_;
      } else if (starts("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (starts("/*")) {
        const auto end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return refuse("a comment does not end");
        at_ = end + 2;
      } else {
        const bool is_first = std::exchange(line_begins_, false);
        VIZD_TRY(c == '#' && is_first ? check_directive() : check_token());
      }
    }
    return {};
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  Error refuse(std::string_view what) const {
    const auto joined = std::ranges::upper_bound(joints_, at_) - joints_.begin();
    return refuse_source(what, text_, at_, static_cast<std::size_t>(joined));
  }
  std::string_view take(std::string_view characters) {
    const std::string_view taken = text_.substr(at_, run_length(text_.substr(at_), characters));
    at_ += taken.size();
    return taken;
  }

  // At the # that begins a line.
  Result<void> check_directive() {
    ++at_;
    take(" \t");
    const std::string_view name = take(kWordCharacters);
    take(" \t");
    if (name == "include") return check_include();
    if (!holds(kDirectives, name))
      return refuse(fmt::format("#{} is not let through", name.empty() ? "line" : name.substr(0, 40)));
    in_define_ = name == "define";
    return name == "pragma" ? check_pragma() : Result<void>();  // the rest of its line is tokens like any others
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
    const std::string_view name = take(kWordCharacters);
    take(" \t");
    const std::string_view rest = text_.substr(at_);
    const std::string_view second = rest.substr(0, run_length(rest, kWordCharacters));
    const bool is_loop = (name == "clang" && (second == "loop" || second == "fp")) ||
                         (name == "GCC" && (second == "ivdep" || second == "unroll"));
    return is_loop || holds(kPragmas, name) ? Result<void>() : refuse("a #pragma that is not about loops");
  }

  Result<void> check_token() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    if (kWordCharacters.find(c) != std::string_view::npos) return check_word();
    if (starts("##") || starts("%:")) return refuse(fmt::format("it uses {}", text_.substr(at_, 2)));
    if (c == '#' ? !in_define_ : std::string_view("!%&()*+,-./:;<=>?[]^{|}~").find(c) == std::string_view::npos)
      return refuse(c > ' ' ? fmt::format("it uses {}", c) : "it has other letters than ASCII's");
    ++at_;
    return {};
  }
  Result<void> check_word() {
    const std::size_t from = at_;
    const std::string_view word = take(kWordCharacters);
    const bool is_prefix = word == "L" || word == "u" || word == "U" || word == "u8";
    const bool has_quote = starts("\"") || starts("'");
    if (may_stand(word) && (is_prefix || !has_quote)) return {};
    at_ = from;  // R"( begins a string without escapes, and 1'000 no string at all
    return refuse(fmt::format("it uses {}{}", word.substr(0, 40), has_quote ? " before a quote" : ""));
  }
  Result<void> skip_string(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == quote) return ++at_, Result<void>();
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    }
    return refuse("a string does not end on its line");
  }

  const std::string_view text_;
  const std::vector<std::size_t>& joints_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
  bool in_define_ = false;
};

}  // namespace

Result<void> check_c(std::string_view source) {
  const auto joined = join_lines(source);
  return joined ? CSource(*joined).check() : joined.error();
}

}  // namespace vizd
