#include "disasm/source_gate.h"

#include <fmt/core.h>

#include <algorithm>

#include "disasm/language_gates.h"

namespace vizd {
namespace {

constexpr std::size_t kMostSourceBytes = std::size_t{4} << 20;

}  // namespace

std::size_t find_control(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const bool ends_line = c == '\n' || (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
    if ((c < 0x20 || c == 0x7F) && c != '\t' && !ends_line) return at;
  }
  return std::string_view::npos;
}

Error refuse_source(std::string_view what, std::string_view text, std::size_t at, std::size_t joined) {
  const auto before = text.substr(0, at);
  const auto line = 1 + joined + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  return {ErrorKind::kForbidden, fmt::format("the source is not compiled: {}", what), fmt::format("line {}", line)};
}

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
  if (source.size() > kMostSourceBytes)
    return Error{ErrorKind::kTooLarge, "the source is not compiled: it is larger than 4 MiB", ""};
  if (language == SourceLanguage::kOther)
    return Error{ErrorKind::kBadInput, "the source is not compiled: it is neither C nor LLVM's", ""};
  if (const std::size_t at = find_control(source); at != std::string_view::npos)
    return refuse_source("it holds a control character", source, at);
  return language == SourceLanguage::kC ? check_c(source) : check_llvm_ir(source);
}

}  // namespace vizd
