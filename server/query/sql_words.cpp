#include "query/sql_words.h"

#include <algorithm>

#include "base/ascii_case.h"

namespace vizd::sql {
namespace {

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_in_name(char c) { return begins_name(c) || is_digit(c) || c == '$'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// The place behind blanks and comments.
std::size_t behind_blanks(std::string_view query, std::size_t at) {
  while (at < query.size()) {
    std::size_t end = at;
    if (is_blank(query[at])) {
      end = at + 1;
    } else if (query.compare(at, 2, "--") == 0) {
      end = query.find('\n', at);
    } else if (query.compare(at, 2, "/*") == 0) {
      end = query.find("*/", at + 2);
      if (end != std::string_view::npos) end += 2;
    } else {
      return at;
    }
    at = std::min(end, query.size());
  }
  return at;
}

// The place behind what the quote at the place begins; two of them within stand for one.
std::size_t behind_quoted(std::string_view query, std::size_t at) {
  const char quote = query[at] == '[' ? ']' : query[at];
  for (++at; at < query.size(); ++at) {
    if (query[at] != quote) continue;
    if (quote == ']' || at + 1 == query.size() || query[at + 1] != quote) return at + 1;
    ++at;
  }
  return at;
}

template <typename Takes>
std::size_t behind(std::string_view query, std::size_t at, Takes&& takes) {
  while (at < query.size() && takes(query[at])) ++at;
  return at;
}

}  // namespace

bool Word::is(std::string_view word) const {
  return (kind == Kind::kName || kind == Kind::kSign) && equal_in_any_case(text, word);
}

std::string Word::name() const {
  if (kind != Kind::kQuotedName) return std::string(text);
  const char quote = text.back();
  std::string name;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    name += text[i];
    if (text[i] == quote && quote != ']') ++i;
  }
  return name;
}

std::vector<Word> words_of(std::string_view query) {
  using Kind = Word::Kind;
  std::vector<Word> words;
  for (std::size_t at = behind_blanks(query, 0); at < query.size(); at = behind_blanks(query, at)) {
    const char first = query[at];
    Kind kind = Kind::kSign;
    std::size_t end = at + 1;
    if (first == '\'') {
      kind = Kind::kText;
      end = behind_quoted(query, at);
    } else if (first == '"' || first == '`' || first == '[') {
      kind = Kind::kQuotedName;
      end = behind_quoted(query, at);
    } else if (begins_name(first)) {
      kind = Kind::kName;
      end = behind(query, at, is_in_name);
    } else if (is_digit(first)) {
      kind = Kind::kNumber;
      end = behind(query, at, [](char c) { return is_in_name(c) || c == '.'; });
    } else if ((first == '$' || first == '@') && at + 1 < query.size() && begins_name(query[at + 1])) {
      kind = Kind::kParameter;
      end = behind(query, at + 1, is_in_name);
    }
    words.push_back({kind, query.substr(at, end - at)});
    at = end;
  }
  return words;
}

std::size_t closing(Words words, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < words.size(); ++i) {
    if (words[i].is("(")) ++depth;
    if (words[i].is(")") && --depth == 0) return i;
  }
  return words.size();
}

namespace {

std::vector<Words> parts(Words words, std::string_view sign, bool keeps_empty) {
  std::vector<Words> found;
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i <= words.size(); ++i) {
    const bool is_end = i == words.size();
    if (!is_end && words[i].is("(")) ++depth;
    if (!is_end && words[i].is(")") && depth > 0) --depth;
    if (!is_end && (depth > 0 || !words[i].is(sign))) continue;
    if (i > begin || keeps_empty) found.push_back(words.subspan(begin, i - begin));
    begin = i + 1;
  }
  return found;
}

}  // namespace

std::vector<Words> statements_of(Words words) { return parts(words, ";", false); }

std::vector<Words> listed(Words words) { return words.empty() ? std::vector<Words>() : parts(words, ",", true); }

std::string_view text_of(Words words) {
  if (words.empty()) return "";
  const char* const begin = words.front().text.data();
  const std::string_view last = words.back().text;
  return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
}

std::string quoted_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

}  // namespace vizd::sql
