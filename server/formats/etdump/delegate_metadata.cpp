#include "formats/etdump/delegate_metadata.h"

#include <algorithm>
#include <regex>

#include "formats/etdump/delegate_rules.h"
#include "formats/etdump/json_document.h"
#include "formats/etdump/option_text.h"

namespace vizd::etdump {
namespace {

constexpr std::string_view kForm =
    "NAME = pairs, NAME = json FIELD /POINTER, or NAME = regex PATTERN with groups (?<FIELD>...)";

// A regular expression is looked for in so much: the time may grow as the square of that.
constexpr std::size_t kMostSearchedBytes = 4096;

std::string_view text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct NamedGroups {
  std::string pattern;             // without the names, which std::regex does not know
  std::vector<std::string> names;  // by group; "" of one without a name
};

// None where a name does not end.
std::optional<NamedGroups> take_names(std::string_view pattern) {
  NamedGroups groups;
  bool is_in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    groups.pattern += c;
    if (c == '\\' && i + 1 < pattern.size()) groups.pattern += pattern[++i];
    if (c == (is_in_class ? ']' : '[')) is_in_class = !is_in_class;
    if (c != '(' || is_in_class) continue;
    const std::string_view rest = pattern.substr(i + 1);
    const std::size_t head = rest.starts_with("?P<") ? 3 : rest.starts_with("?<") ? 2 : 0;
    if (head > 0) {
      const auto end = rest.find('>');
      if (end == rest.npos || end == head) return std::nullopt;
      groups.names.emplace_back(rest.substr(head, end - head));
      i += end + 1;
    } else if (!rest.starts_with('?')) {
      groups.names.emplace_back();
    }
  }
  return groups;
}

MetadataFields pairs_in(std::string_view text) {
  MetadataFields fields;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const auto equals = part.find('=');
    if (equals != part.npos) fields.emplace_back(part.substr(0, equals), std::string(part.substr(equals + 1)));
  }
  return fields;
}

MetadataFields json_field(const std::string& name, const std::string& pointer, std::span<const std::byte> metadata) {
  const auto document = JsonDocument::parse(metadata, "");
  simdjson::dom::element found;
  if (!document || document->root().at_pointer(pointer).get(found) != simdjson::SUCCESS || found.is_null()) return {};
  if (const auto whole = integer_of(found)) return {{name, *whole}};
  double real = 0;
  if (found.is_double() && found.get_double().get(real) == simdjson::SUCCESS) return {{name, real}};
  if (const auto text = etdump::text_of(found)) return {{name, std::string(*text)}};
  return {{name, std::string(simdjson::minify(found))}};
}

}  // namespace

MetadataValue number_or_text(const MetadataValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return value;
  if (const auto whole = number_of<std::int64_t>(*text)) return *whole;
  const bool has_digit = text->find_first_of("0123456789") != text->npos;  // nan and inf stay texts
  if (const auto real = has_digit ? number_of<double>(*text) : std::nullopt) return *real;
  return value;
}

struct MetadataRules::Rule {
  DelegateRule of;
  std::string field, pointer;  // of JSON
  std::regex regex;
  std::vector<std::string> groups;  // of the regular expression, by its groups

  Result<void> parse();
  MetadataFields find(std::span<const std::byte> metadata) const {
    if (!pointer.empty()) return json_field(field, pointer, metadata);
    return groups.empty() ? pairs_in(text_of_bytes(metadata)) : search(text_of_bytes(metadata));
  }
  bool fits(const BlockEvent& event) const { return event.is_delegated && of.fits(event.name, event.backend); }

 private:
  MetadataFields search(std::string_view text) const;
};

Result<void> MetadataRules::Rule::parse() {
  const std::string_view text = of.text;
  const auto blank = text.find_first_of(" \t");
  const std::string_view kind = text.substr(0, blank),
                         rest = blank == text.npos ? "" : without_blanks(text.substr(blank));
  if (kind == "pairs" && rest.empty()) return {};
  if (kind == "json") {
    const auto slash = rest.find('/');
    field = std::string(without_blanks(rest.substr(0, slash)));
    if (slash != rest.npos) pointer = std::string(rest.substr(slash));
    return field.empty() || pointer.empty() ? of.refuse("needs a field and a pointer; write NAME = json FIELD /POINTER")
                                            : Result<void>();
  }
  if (kind != "regex" || rest.empty()) return of.refuse(std::string("is not a rule; write ").append(kForm));
  auto named = take_names(rest);
  if (!named || std::ranges::all_of(named->names, [](const std::string& name) { return name.empty(); }))
    return of.refuse("the pattern names no field; write a group as (?<FIELD>...)");
  try {
    // Polynomial: without backtracking, whose time and stack have no bound in a text that a stranger wrote.
    regex = std::regex(named->pattern, std::regex::ECMAScript | std::regex_constants::__polynomial);
  } catch (const std::regex_error& error) {
    return of.refuse(std::string("the pattern is not a valid regular expression: ").append(error.what()));
  }
  groups = std::move(named->names);
  return {};
}

MetadataFields MetadataRules::Rule::search(std::string_view text) const {
  text = text.substr(0, kMostSearchedBytes);
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_search(text.begin(), text.end(), match, regex)) return {};
  MetadataFields fields;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!groups[i].empty() && match[i + 1].matched) fields.emplace_back(groups[i], match[i + 1].str());
  }
  return fields;
}

Result<MetadataRules> MetadataRules::read(std::string_view form) {
  MetadataRules read;
  std::vector<DelegateRule> lines{{.place = "", .name = "*", .text = std::string(form)}};
  if (form != "pairs") {
    auto in_file = read_rules(form, kForm);
    if (!in_file) return std::move(in_file).error();
    lines = *std::move(in_file);
  }
  for (DelegateRule& line : lines) {
    auto rule = std::make_shared<Rule>();
    rule->of = std::move(line);
    VIZD_TRY(rule->parse());
    read.rules_.push_back(std::move(rule));
  }
  return read;
}

MetadataFields MetadataRules::fields(const BlockEvent& event, std::span<const std::byte> metadata) const {
  MetadataFields fields;
  if (metadata.empty()) return fields;
  for (const auto& rule : rules_) {
    if (!rule->fits(event)) continue;
    for (auto& field : rule->find(metadata)) {
      const auto is_it = [&](const auto& told) { return told.first == field.first; };
      if (std::ranges::none_of(fields, is_it)) fields.push_back(std::move(field));
    }
  }
  return fields;
}

std::map<std::string, std::vector<std::optional<MetadataValue>>> MetadataRules::columns(const BlockEvent& event) const {
  std::map<std::string, std::vector<std::optional<MetadataValue>>> columns;
  for (std::size_t i = 0; i < event.metadata.size(); ++i) {
    for (auto& [name, value] : fields(event, event.metadata[i])) {
      auto& column = columns[name];
      column.resize(event.metadata.size());
      column[i] = std::move(value);
    }
  }
  return columns;
}

std::vector<std::string> MetadataRules::idle(std::span<const Block> blocks) const {
  std::vector<std::string> places;
  for (const auto& rule : rules_) {
    const auto finds = [&](const BlockEvent& event) {
      return rule->fits(event) &&
             std::ranges::any_of(event.metadata, [&](auto bytes) { return !rule->find(bytes).empty(); });
    };
    const bool is_used =
        std::ranges::any_of(blocks, [&](const Block& block) { return std::ranges::any_of(block.events, finds); });
    if (!is_used && !rule->of.place.empty()) places.push_back(rule->of.place);
  }
  return places;
}

}  // namespace vizd::etdump
