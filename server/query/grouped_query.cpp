#include "query/grouped_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii_case.h"
#include "query/sql_words.h"

namespace vizd::sql {
namespace {

// What stands for no column, and means the same of groups.
constexpr std::string_view kPlainWords[]{
    "select",  "distinct", "from",    "where",  "group",   "by",     "having", "order", "limit", "offset",
    "as",      "asc",      "desc",    "and",    "or",      "not",    "in",     "is",    "null",  "isnull",
    "notnull", "like",     "glob",    "regexp", "between", "escape", "case",   "when",  "then",  "else",
    "end",     "join",     "inner",   "left",   "on",      "cast",   "nulls",  "first", "last",  "integer",
    "real",    "text",     "collate", "nocase", "binary",  "outer"};
// Columns the tables are grouped by come after one of these words.
constexpr std::string_view kAfterTables[]{"where", "group", "having", "order", "limit"};
// Functions of one row's values.
constexpr std::string_view kPlainFunctions[]{"abs",    "coalesce", "format", "glob", "ifnull",  "iif",     "instr",
                                             "length", "like",     "lower",  "cast", "nullif",  "printf",  "replace",
                                             "round",  "substr",   "trim",   "in",   "upper",   "typeof",  "and",
                                             "or",     "not",      "when",   "then", "else",    "where",   "on",
                                             "select", "by",       "having", "case", "between", "distinct"};

bool is_listed(std::span<const std::string_view> list, std::string_view word) {
  return std::ranges::any_of(list, [&](std::string_view of) { return equal_in_any_case(of, word); });
}

class GroupedQuery {
 public:
  GroupedQuery(std::string_view query, const Grouping& grouping)
      : query_(query), grouping_(grouping), words_(words_of(query)) {}

  std::optional<std::string> make() {
    const bool is_made = find_tables() && name_table() && look_at_words() && (is_total_ || groups());
    if (!is_made) return std::nullopt;
    name_columns();
    return edited();
  }

 private:
  struct Edit {
    std::size_t at, size;  // in the query
    std::string text;
  };

  bool is(std::size_t i, std::string_view word) const { return i < words_.size() && words_[i].is(word); }
  std::size_t place(const Word& word) const { return static_cast<std::size_t>(word.text.data() - query_.data()); }
  std::size_t behind(const Word& word) const { return place(word) + word.text.size(); }
  bool groups() const {
    const auto by = std::ranges::find_if(words_, [](const Word& word) { return word.is("group"); });
    return by != words_.end() || is(1, "distinct");
  }

  // [from_, tables_end_): the words that tell the tables. One SELECT, and one FROM.
  bool find_tables() {
    const auto count = [&](std::string_view of) {
      return std::ranges::count_if(words_, [&](const Word& word) { return word.is(of); });
    };
    if (!is(0, "select") || count("select") != 1 || count("from") != 1) return false;
    const auto from = std::ranges::find_if(words_, [](const Word& word) { return word.is("from"); });
    const auto ends = [](const Word& word) {
      return word.kind == Word::Kind::kName && is_listed(kAfterTables, word.text);
    };
    from_ = static_cast<std::size_t>(from - words_.begin()) + 1;
    tables_end_ = static_cast<std::size_t>(std::find_if(from, words_.end(), ends) - words_.begin());
    return true;
  }

  // The table once, under its name or another; what is joined to it from the left keeps rows that it has not.
  bool name_table() {
    std::size_t tables = 0;
    for (std::size_t i = from_; i < tables_end_; ++i) {
      const bool is_table = words_[i].is_name() && (i == from_ || is(i - 1, "join") || is(i - 1, ","));
      if (!is_table || !equal_in_any_case(words_[i].name(), grouping_.of->name())) continue;
      if (++tables > 1 || is(i + 1, "(") || is(i + 1, ".")) return false;
      for (std::size_t before = from_; before < i; ++before) {
        if (is(before, "left")) return false;
      }
      table_ = i;
    }
    if (tables == 0 || (table_ > from_ && is(table_ - 2, "left"))) return false;
    const std::size_t next = is(table_ + 1, "as") ? table_ + 2 : table_ + 1;
    const bool has_alias = next < tables_end_ && words_[next].is_name() && !is_plain(next);
    alias_ = has_alias ? words_[next].name() : words_[table_].name();
    edit(words_[table_],
         quoted_name(grouping_.groups->name()) + (has_alias ? "" : " AS " + std::string(words_[table_].text)));
    return true;
  }

  bool is_plain(std::size_t i) const {
    return words_[i].kind == Word::Kind::kName && is_listed(kPlainWords, words_[i].text);
  }

  bool look_at_words() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const Word& word = words_[i];
      if (word.kind == Word::Kind::kParameter) return false;
      if (word.is("*") && stands_for_columns(i)) return false;
      if (!word.is_name() || i == table_) continue;
      if (is(i + 1, "(")) {
        const std::size_t end = closing(words_, i + 1);
        if (end == words_.size()) return false;
        if (write_total(i, end)) {
          i = end;
        } else if (is_fold_of_keys(i)) {
          is_total_ = is_total_ || std::none_of(&words_[i], &words_[end], [](const Word& w) { return w.is(","); });
        } else if (!is_listed(kPlainFunctions, word.text)) {
          return false;
        }
      } else if (!is_plain(i) && !is_fine(i)) {
        return false;
      }
    }
    return true;
  }

  // A star that multiplies has a value before it.
  bool stands_for_columns(std::size_t i) const {
    const Word& before = words_[i - 1];
    return before.is(".") || before.is(",") || before.is("(") || is_plain(i - 1);
  }

  // The greatest and the least key, and how many there are, are the same of groups.
  bool is_fold_of_keys(std::size_t i) const {
    return (is(i, "count") && is(i + 2, "distinct")) || is(i, "max") || is(i, "min");
  }

  // Whether a name is no column of the table, or a key.
  bool is_fine(std::size_t i) const {
    if (is(i + 1, ".")) return true;
    const bool is_of_other = i > 1 && is(i - 1, ".") && !equal_in_any_case(words_[i - 2].name(), alias_);
    if (is_of_other || is(i - 1, "as")) return true;
    const std::string name = words_[i].name();
    if (is_listed(grouping_.keys, name)) return true;
    const auto has = [&](std::span<const ColumnInfo> columns) {
      return std::ranges::any_of(columns, [&](const ColumnInfo& c) { return equal_in_any_case(c.name, name); });
    };
    constexpr std::array<std::string_view, 16> kUnknown{"rowid",   "oid",    "_rowid_", "over",  "filter", "window",
                                                        "natural", "right",  "full",    "union", "except", "intersect",
                                                        "using",   "exists", "indexed", "with"};
    return !has(grouping_.of->columns()) && !has(grouping_.of->hidden_columns()) && !is_listed(kUnknown, name);
  }

  // Writes what a function of the words in its brackets is of groups, where it is one of the totals.
  bool write_total(std::size_t i, std::size_t end) {
    std::string argument;
    std::size_t qualifiers = 0, names = 0;
    for (std::size_t at = i + 2; at < end; ++at) {
      const Word& word = words_[at];
      const bool is_qualifier = is(at + 1, ".") && equal_in_any_case(word.name(), alias_);
      qualifiers += is_qualifier ? 1 : 0;
      names += word.is_name() && !is_qualifier ? 1 : 0;
      if (is_qualifier) {
        ++at;
      } else {
        argument += word.is_name() ? ascii_lower(word.name()) : std::string(word.text);
      }
    }
    if (qualifiers != 0 && qualifiers != names) return false;
    const auto total = std::ranges::find_if(
        grouping_.totals, [&](const TotalOfGroups& t) { return words_[i].is(t.function) && argument == t.argument; });
    if (total == grouping_.totals.end()) return false;
    const std::size_t at = place(words_[i]);
    edits_.push_back(
        {at, behind(words_[end]) - at, fmt::format(fmt::runtime(total->sql), fmt::arg("of", quoted_name(alias_)))});
    is_total_ = true;
    return true;
  }

  // What SQLite calls a column without a name of its own is its text, which may be another now.
  void name_columns() {
    const std::size_t first = is(1, "distinct") ? 2 : 1;
    const std::size_t rewritten = edits_.size();
    for (const Words item : listed(Words(words_).subspan(first, from_ - 1 - first))) {
      if (item.empty() || has_name(item)) continue;
      const std::size_t from = place(item.front()), to = behind(item.back());
      const bool is_other = std::any_of(edits_.begin(), edits_.begin() + static_cast<std::ptrdiff_t>(rewritten),
                                        [&](const Edit& e) { return e.at >= from && e.at < to; });
      if (is_other) edits_.push_back({to, 0, " AS " + quoted_name(text_of(item))});
    }
  }

  static bool has_name(Words item) {
    if (item.size() < 2 || !item.back().is_name()) return false;
    const Word& before = item[item.size() - 2];
    if (item.back().is("end") || item.back().is("null")) return false;
    return before.is("as") || before.is(")") || before.is("end") || before.kind == Word::Kind::kNumber;
  }

  void edit(const Word& word, std::string text) { edits_.push_back({place(word), word.text.size(), std::move(text)}); }

  std::string edited() {
    std::ranges::stable_sort(edits_, {}, &Edit::at);
    std::string text;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      text += query_.substr(at, edit.at - at);
      text += edit.text;
      at = edit.at + edit.size;
    }
    return text.append(query_.substr(at));
  }

  std::string_view query_;
  const Grouping& grouping_;
  std::vector<Word> words_;
  std::size_t from_ = 0, tables_end_ = 0, table_ = 0;
  std::string alias_;
  bool is_total_ = false;
  std::vector<Edit> edits_;
};

// Whether a table of the query's own has the name: `WITH slice AS (`, `WITH slice(a, b) AS (`.
bool has_own_table(const std::vector<Word>& words, std::string_view name) {
  const auto is = [&](std::size_t i, std::string_view word) { return i < words.size() && words[i].is(word); };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].is_name() || !equal_in_any_case(words[i].name(), name)) continue;
    std::size_t next = i + 1;
    if (is(next, "(")) next = closing(words, next) + 1;
    if (is(next, "as") && (is(next + 1, "(") || is(next + 1, "materialized") || is(next + 1, "not"))) return true;
  }
  return false;
}

// The queries in brackets that stand where a table does: in WITH, FROM and JOIN. They know nothing of what is around.
std::optional<std::string> with_grouped_tables(std::string_view query, const Grouping& grouping) {
  const std::vector<Word> words = words_of(query);
  if (has_own_table(words, grouping.of->name())) return std::nullopt;
  std::string text;
  std::size_t at = 0;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    constexpr std::string_view kBefore[]{"as", "materialized", "from", "join"};
    if (!words[i].is("(") || !words[i + 1].is("select") || !is_listed(kBefore, words[i - 1].text)) continue;
    const std::size_t end = closing(words, i);
    if (end == words.size()) return std::nullopt;
    const std::string_view inner = text_of(Words(words).subspan(i + 1, end - i - 1));
    const auto grouped = GroupedQuery(inner, grouping).make();
    if (!grouped) continue;
    const auto begin = static_cast<std::size_t>(inner.data() - query.data());
    text.append(query.substr(at, begin - at)).append(*grouped);
    at = begin + inner.size();
    i = end;
  }
  return at == 0 ? std::nullopt : std::optional(text.append(query.substr(at)));
}

}  // namespace

std::optional<std::string> grouped_query(std::string_view query, const Grouping& grouping) {
  auto whole = GroupedQuery(query, grouping).make();
  return whole ? whole : with_grouped_tables(query, grouping);
}

}  // namespace vizd::sql
