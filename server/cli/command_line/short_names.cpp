#include "cli/command_line/short_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/clean_text.h"

namespace vizd {
namespace {

constexpr std::string_view kDots = "…";
// Longer, and more deeply nested, names are left alone: no compiler writes them.
constexpr std::size_t kLongest = 8192;
constexpr int kDeepest = 32;

// Arguments of templates that only carry a kernel's operands.
constexpr std::array<std::string_view, 10> kCarriers = {"Array",
                                                        "array",
                                                        "TensorListMetadata",
                                                        "TensorListScalarListMetadata",
                                                        "TrivialOffsetCalculator",
                                                        "OffsetCalculator",
                                                        "LoadWithoutCast",
                                                        "LoadWithCast",
                                                        "StoreWithoutCast",
                                                        "StoreWithCast"};

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string_view word_of(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_word) - text.begin();
  return text.substr(0, static_cast<std::size_t>(end));
}

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Outermost brackets of a text: text[from] opens them, they end before `to`.
struct Part {
  char open = 0;
  std::size_t from = 0, to = 0;
  bool is_closed = true;
};

struct Scan {
  std::vector<Part> parts;
  std::vector<std::size_t> spaces, outside;  // outside of any brackets
};

// Whether the '<' there begins a template's arguments: not the name of an operator, nor a comparison.
bool opens_arguments(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  return before.ends_with("operator()") || (at > 0 && is_word(before.back()) && !before.ends_with("operator"));
}

Scan scan(std::string_view text) {
  Scan result;
  std::string open;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_opening = c == '<' ? opens_arguments(text, at) : c == '(' || c == '{' || c == '[';
    const bool is_closing =
        c == '>' ? open.ends_with('<') && text[at - 1] != '-' : (c == ')' || c == '}' || c == ']') && !open.empty();
    if (is_opening) {
      if (open.empty()) from = at;
      open += c;
    } else if (is_closing) {
      // A bracket that is left open by then was a comparison.
      while (c != '>' && open.ends_with('<')) open.pop_back();
      if (!open.empty()) open.pop_back();
      if (open.empty()) result.parts.push_back({.open = text[from], .from = from, .to = at + 1});
    } else if (open.empty()) {
      (c == ' ' ? result.spaces : result.outside).push_back(at);
    }
  }
  // A name that was cut off where it was recorded.
  if (!open.empty()) result.parts.push_back({.open = text[from], .from = from, .to = text.size(), .is_closed = false});
  return result;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> pieces;
  std::size_t from = 0;
  for (const std::size_t at : scan(text).outside) {
    if (at < from || !text.substr(at).starts_with(separator)) continue;
    pieces.push_back(trim(text.substr(from, at - from)));
    from = at + separator.size();
  }
  pieces.push_back(trim(text.substr(from)));
  return pieces;
}

// A function as C++ spells it: with parameters or a template's arguments that are types.
bool is_signature(std::string_view name) {
  if (name.size() > kLongest || name.find('\x1B') != std::string_view::npos) return false;
  if (name.starts_with("void ")) return true;
  for (std::size_t at = 1; at < name.size(); ++at) {
    if (name[at] == '<' && is_word(name[at - 1]) && name.find('>', at) != std::string_view::npos) return true;
    if (name[at] != '(' || !(is_word(name[at - 1]) || name[at - 1] == '>')) continue;
    const std::string_view inside = name.substr(at + 1, name.rfind(')') - std::min(name.rfind(')'), at + 1));
    if (name.rfind(')') != std::string_view::npos && name.rfind(')') > at &&
        (inside.find("::") != std::string_view::npos || inside.find_first_of("*&<") != std::string_view::npos))
      return true;
  }
  return false;
}

// Without the type of the result before it, and the parameters after it.
std::string_view callee(std::string_view name) {
  if (const auto clone = name.rfind(" [clone "); clone != std::string_view::npos && name.ends_with(']'))
    name = name.substr(0, clone);
  const Scan found = scan(name);
  std::size_t end = name.size();
  if (!found.parts.empty() && found.parts.back().open == '(' && found.parts.back().to == end)
    end = found.parts.back().from;
  std::size_t start = 0;
  for (const std::size_t at : found.spaces) {
    if (at < end && !name.substr(0, at).ends_with("operator")) start = at + 1;
  }
  return end > start ? name.substr(start, end - start) : name;
}

std::string fold_type(std::string_view type, bool is_short, int depth);

// The arguments that tell something; dots in the place of others.
std::string join_arguments(std::string_view list, bool is_short, int depth) {
  std::string text;
  for (const std::string_view each : split(list, ",")) {
    const std::string argument = fold_type(each, is_short, depth + 1);
    if (is_short && std::ranges::find(kCarriers, word_of(argument)) != kCarriers.end()) {
      if (!text.ends_with(kDots)) text += kDots;
    } else {
      text += (text.empty() ? "" : ", ") + argument;
    }
  }
  return text;
}

// Folds "f<int, ns::T>(int) const" to "f<int, T>".
std::string fold_arguments(std::string_view name, bool is_short, int depth) {
  if (name.starts_with('{')) return std::string(name);
  std::string folded;
  std::size_t from = 0;
  for (const Part& part : scan(name).parts) {
    const std::string_view before = name.substr(0, part.from);
    if (part.open == '<') {
      const std::size_t last = part.is_closed ? part.to - 1 : part.to;
      folded += name.substr(from, part.from - from);
      folded += '<' + join_arguments(name.substr(part.from + 1, last - part.from - 1), is_short, depth);
      if (part.is_closed) folded += '>';
      from = part.to;
    } else if (part.open == '(' && !before.empty() && (is_word(before.back()) || before.back() == '>') &&
               !before.ends_with("operator")) {
      // The parameters of a function that a lambda stands in.
      folded += name.substr(from, part.from - from);
      from = part.to;
      if (name.substr(from).starts_with(" const")) from += 6;
    }
  }
  return folded.append(name.substr(from));
}

// A value of an enumeration without its type: (cub::Algorithm)3.
std::string_view without_cast(std::string_view text) {
  if (!text.starts_with('(')) return text;
  const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_: ", 1);
  if (end == std::string_view::npos || end == 1 || text[end] != ')') return text;
  const std::string_view value = text.substr(end + 1);
  const bool is_value =
      !value.empty() && (is_word(value[0]) || (value.size() > 1 && value[0] == '-' && is_word(value[1])));
  return is_value ? value : text;
}

// is_short: without what only carries operands, and what is nested in a function or type: its lambdas, its members.
std::string fold_type(std::string_view type, bool is_short, int depth) {
  if (depth > kDeepest) return std::string(type);
  const auto names = split(without_cast(trim(type)), "::");
  const auto is_named = [](std::string_view name) {
    return !name.starts_with('{') && !name.starts_with('(') && !name.starts_with("operator()") &&
           word_of(name) != "type" && word_of(name) != "value";
  };
  std::size_t last = 0;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_named(names[i])) continue;
    last = i;
    if (!first && names[i].find_first_of("<(") != std::string_view::npos) first = i;
  }
  if (is_short || !first) return fold_arguments(names[last], is_short, depth);
  std::string text;
  for (std::size_t i = *first; i < names.size(); ++i) {
    if (names[i].starts_with("operator()(")) continue;
    text += (text.empty() ? "" : "::") + fold_arguments(names[i], is_short, depth);
  }
  return text;
}

// How much of a name is shown, from 0: the first that tells it from its neighbours.
constexpr int kForms = 4;
std::string form_of(const std::string& name, int form) {
  if (form >= kForms - 1 || !is_signature(name)) return name;
  return form == 2 ? std::string(callee(name)) : fold_type(callee(name), form == 0, 0);
}

// A character as the screen shows it, with the colours before it.
struct Glyph {
  std::string colours, character;
};

std::vector<Glyph> glyphs_of(std::string_view line, std::string& colours_after) {
  std::vector<Glyph> glyphs;
  for (std::size_t at = 0; at < line.size();) {
    if (const std::size_t length = colour_length(line.substr(at)); length > 0) {
      colours_after += line.substr(at, length);
      at += length;
      continue;
    }
    std::size_t end = at + 1;
    while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) ++end;
    glyphs.push_back({std::exchange(colours_after, {}), std::string(line.substr(at, end - at))});
    at = end;
  }
  return glyphs;
}

struct Line {
  std::vector<Glyph> glyphs;
  std::string colours_after;

  // So many columns: the beginning, and what stands from `window` on, or at the end. Every colour stays, also of what
  // goes.
  std::string cut(std::size_t columns, std::optional<std::size_t> window) const {
    if (glyphs.size() <= columns) return join(glyphs.size(), glyphs.size(), glyphs.size());
    const std::size_t tail = (columns - 1) * 2 / 5, head = columns - 1 - tail;
    const std::size_t start = std::clamp(window.value_or(glyphs.size()), head + 1, glyphs.size() - tail);
    return join(head, start, start + tail);
  }

 private:
  std::string join(std::size_t head, std::size_t start, std::size_t end) const {
    std::string text;
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
      text += glyphs[i].colours;
      if (i == head) text += kDots;
      if (i < head || (i >= start && i < end)) text += glyphs[i].character;
    }
    return text + colours_after;
  }
};

// How many characters the lines have in common at their beginnings.
std::size_t common_length(const std::vector<const Line*>& lines) {
  for (std::size_t at = 0;; ++at) {
    for (const Line* line : lines) {
      if (at >= line->glyphs.size() || line->glyphs[at].character != lines[0]->glyphs[at].character) return at;
    }
  }
}

}  // namespace

std::vector<std::string> shorten_names(const std::vector<std::string>& names) {
  std::map<std::string, std::string> texts;
  std::vector<std::string> alike = names;
  for (int form = 0; form < kForms && !alike.empty(); ++form) {
    for (const std::string& name : alike) texts[name] = form_of(name, form);
    std::map<std::string, std::vector<std::string>> names_of;
    for (const auto& [name, text] : texts) names_of[text].push_back(name);
    alike.clear();
    for (const auto& [text, same] : names_of) {
      if (same.size() > 1) alike.insert(alike.end(), same.begin(), same.end());
    }
  }
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(texts[name]);
  return result;
}

std::vector<std::string> cut_lines(const std::vector<std::string>& lines, std::size_t columns) {
  std::map<std::string, Line> cuttable;
  for (const std::string& line : lines) {
    Line& made = cuttable[line];
    made.colours_after.clear();
    made.glyphs = glyphs_of(line, made.colours_after);
  }
  std::map<std::string, std::vector<const Line*>> lines_of;
  for (const auto& [text, line] : cuttable) lines_of[line.cut(columns, {})].push_back(&line);
  std::map<const Line*, std::string> texts;
  for (const auto& [text, same] : lines_of) {
    const auto window = same.size() > 1 ? std::optional(common_length(same)) : std::nullopt;
    for (const Line* line : same) texts[line] = line->cut(columns, window);
  }
  std::vector<std::string> result;
  for (const std::string& line : lines) result.push_back(texts[&cuttable[line]]);
  return result;
}

}  // namespace vizd
