// The gate between gcc and its assembler: attributes of the source stand in gcc's text as they are, quotes, semicolons
// and all. So it is read as the assembler reads it, statement by statement.
#include "base/ascii_case.h"
#include "disasm/language_gates.h"
#include "disasm/source_gate.h"

namespace vizd {
namespace {

// gcc 12 writes these for C by itself, besides .cfi_...
constexpr std::array<std::string_view, 36> kWrittenByGcc{
    ".text",  ".data",   ".bss",   ".file",    ".loc",     ".globl",  ".global",  ".local", ".hidden",
    ".type",  ".size",   ".ident", ".align",   ".p2align", ".balign", ".section", ".byte",  ".value",
    ".2byte", ".4byte",  ".8byte", ".short",   ".hword",   ".word",   ".long",    ".quad",  ".xword",
    ".zero",  ".string", ".ascii", ".uleb128", ".sleb128", ".arch",   ".set",     ".cpu",   ".comm"};
constexpr std::string_view kSymbolCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$";

// Whether a statement's first word is an instruction, or a directive that gcc writes; labels stand before it.
bool is_usual(std::string_view statement) {
  for (;;) {
    statement.remove_prefix(run_length(statement, " \t"));
    const std::string_view word = statement.substr(0, run_length(statement, kSymbolCharacters));
    const std::string_view rest = statement.substr(word.size());
    if (rest.starts_with(':')) {
      statement = rest.substr(1);
      continue;
    }
    return !word.starts_with('.') || word.starts_with(".cfi_") || holds(kWrittenByGcc, word);
  }
}

// The length of the string that the text begins with; 0: it does not end on its line.
std::size_t string_length(std::string_view text) {
  for (std::size_t at = 1; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return 0;
}

}  // namespace

Result<void> check_assembly(std::string_view assembly) {
  const Error refused{ErrorKind::kForbidden, "the source is not compiled: it reaches the assembler", ""};
  if (find_control(assembly) != std::string_view::npos) return refused;
  // The directives that read files, and those that could put their names together. Case does not count.
  const std::string lower = ascii_lower(assembly);
  for (const std::string_view name : {".inc", ".macro", ".altmacro", ".irp", ".rep", ".exitm", ".linkonce", ".mri"}) {
    if (lower.find(name) != std::string::npos) return refused;
  }
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= assembly.size(); ++at) {
    const char c = at < assembly.size() ? assembly[at] : '\n';
    if (c == '"') {
      const std::size_t length = string_length(assembly.substr(at));
      if (length == 0) return refused;
      at += length - 1;
    } else if (c == '\'' || c == '\\' || c == '`' || assembly.substr(at, 2) == "/*") {
      return refused;  // other quotes and comments, which gcc does not write
    } else if (c == ';' || c == '\n') {
      if (!is_usual(assembly.substr(begin, at - begin))) return refused;
      begin = at + 1;
    }
  }
  return {};
}

}  // namespace vizd
