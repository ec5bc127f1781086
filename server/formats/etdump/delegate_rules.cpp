#include "formats/etdump/delegate_rules.h"

#include <fmt/core.h>

#include <fstream>

#include "formats/etdump/option_text.h"

namespace vizd::etdump {
namespace {

// Where the text differs behind a *, the * takes one character more.
bool is_like(std::string_view pattern, std::string_view text) {
  std::size_t at = 0, star = pattern.npos, taken = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      taken = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != pattern.npos) {
      at = star + 1;
      i = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == pattern.npos;
}

}  // namespace

bool DelegateRule::fits(std::string_view event, const std::optional<std::string>& delegate) const {
  return is_like(name, event) || (delegate && is_like(name, *delegate));
}

Error DelegateRule::refuse(std::string_view why) const { return {ErrorKind::kBadInput, std::string(why), place}; }

Result<std::vector<DelegateRule>> read_rules(std::string_view path, std::string_view form) {
  std::ifstream file{std::string(path)};
  std::vector<DelegateRule> rules;
  std::string line;
  std::size_t number = 1;
  for (; std::getline(file, line); ++number) {
    const std::string_view text = without_blanks(line);
    if (text.empty() || text.starts_with('#')) continue;
    const auto equals = text.find('=');
    DelegateRule rule{.place = fmt::format("{}:{}", path, number),
                      .name = std::string(without_blanks(text.substr(0, equals))),
                      .text = std::string(equals == text.npos ? "" : without_blanks(text.substr(equals + 1)))};
    if (rule.name.empty() || rule.text.empty()) return rule.refuse(fmt::format("is not a rule; write {}", form));
    rules.push_back(std::move(rule));
  }
  // A folder opens too, and fails when it is read.
  if (number == 1 && !file.eof()) return Error{ErrorKind::kNotFound, "cannot be read", std::string(path)};
  return rules;
}

}  // namespace vizd::etdump
