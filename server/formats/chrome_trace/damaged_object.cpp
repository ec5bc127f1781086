#include "formats/chrome_trace/damaged_object.h"

#include <optional>

#include "formats/chrome_trace/item_scan.h"
#include "formats/chrome_trace/json_token.h"

namespace vizd::chrome_trace {
namespace {

// Up to the comma that no text, list or object holds.
std::string_view first_part(std::string_view text) {
  bool is_in_text = false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_text) {
      if (c == '\\') ++i;
      if (c == '"') is_in_text = false;
    } else if (c == '"') {
      is_in_text = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      return text.substr(0, i);
    }
  }
  return text;
}

bool is_one_value(std::string_view token) {
  if (token.empty()) return false;
  const bool has_end = token.front() == '"' || token.front() == '{' || token.front() == '[';
  return has_end ? ItemScan().find_end(token) == token.size()
                 : token.find_first_of("\"{}[]:, \t\r\n") == std::string_view::npos;
}

std::optional<Member> member_of(std::string_view part) {
  if (!part.starts_with('"')) return std::nullopt;
  const auto key_end = ItemScan().find_end(part);
  if (!key_end) return std::nullopt;
  const std::string_view rest = trimmed(part.substr(*key_end));
  if (!rest.starts_with(':')) return std::nullopt;
  const std::string_view value = trimmed(rest.substr(1));
  return is_one_value(value) ? std::optional(Member{part.substr(1, *key_end - 2), value}) : std::nullopt;
}

}  // namespace

DamagedObject::DamagedObject(std::string_view text) {
  text = text.size() < 2 ? std::string_view() : text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::string_view whole = first_part(text), part = trimmed(whole);
    text.remove_prefix(whole.size() == text.size() ? whole.size() : whole.size() + 1);
    if (part.empty()) continue;
    if (const auto member = member_of(part)) {
      members.push_back(*member);
    } else {
      damaged.push_back(part);
    }
  }
}

}  // namespace vizd::chrome_trace
