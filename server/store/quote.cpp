#include "store/quote.h"

namespace vizd::store {
namespace {

// All but plain ASCII goes out as \xHH: there is then no byte that any version might take for something else, a quote's
// end least of all.
std::string escaped(std::string_view text, char quote) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= ' ' && byte < 0x7F && c != '\'' && c != '\\' && c != '`' && c != '"';
    if (is_plain) {
      result += c;
    } else {
      result += "\\x";
      result += kDigits[byte >> 4];
      result += kDigits[byte & 15];
    }
  }
  return result + quote;
}

}  // namespace

std::string sql_text(std::string_view text) { return escaped(text, '\''); }
std::string sql_name(std::string_view name) { return escaped(name, '`'); }

}  // namespace vizd::store
