#include "query/sql_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/ascii_case.h"

namespace vizd::sql {
namespace {

constexpr std::size_t kMostExpanded_bytes = 256 << 10;
constexpr int kMostExpansions = 64;  // one within the other, or the next

struct Macro {
  std::vector<std::string> arguments;  // with their $
  std::string body;
};

using Macros = std::map<std::string, Macro>;

bool is_span_join(const Word& word) {
  return word.is("span_join") || word.is("span_left_join") || word.is("span_outer_join");
}

Error wrong(std::string message) { return {ErrorKind::kBadInput, std::move(message), ""}; }

// Reads the words of one statement one after another.
class Reading {
 public:
  explicit Reading(Words words) : words_(words) {}

  bool at_end() const { return at_ == words_.size(); }
  bool take(std::string_view word) {
    if (at_end() || !words_[at_].is(word)) return false;
    ++at_;
    return true;
  }
  std::optional<std::string> take_name() {
    if (at_end() || !words_[at_].is_name()) return std::nullopt;
    return words_[at_++].name();
  }
  // What stands between a bracket and the one that closes it.
  std::optional<Words> take_brackets() {
    if (at_end() || !words_[at_].is("(")) return std::nullopt;
    const std::size_t close = closing(words_, at_);
    if (close == words_.size()) return std::nullopt;
    const Words within = words_.subspan(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    return within;
  }
  Words rest() const { return words_.subspan(at_); }
  void skip() { ++at_; }

 private:
  Words words_;
  std::size_t at_ = 0;
};

// The first words of each of "NAME TYPE, NAME TYPE".
std::vector<std::string> names_of(Words list) {
  std::vector<std::string> names;
  for (const Words item : listed(list)) names.push_back(item.empty() ? "" : item.front().name());
  return names;
}

class ScriptReader {
 public:
  Result<std::vector<Statement>> read(std::string_view query) {
    const std::vector<Word> words = words_of(query);
    const std::vector<Words> parts = statements_of(words);
    for (const Words part : parts) {
      auto text = expanded(part, query);
      if (!text) return text.error();
      const std::vector<Word> own = words_of(*text);
      VIZD_TRY(read_statement(own, *text));
    }
    return std::move(statements_);
  }

 private:
  // The statement's text with its macros put in, in its place in the query where there are none.
  Result<std::string> expanded(Words part, std::string_view query) {
    const auto begin = static_cast<std::size_t>(text_of(part).data() - query.data());
    std::string text(query.substr(0, begin));
    for (char& c : text) c = c == '\n' ? '\n' : ' ';
    text += text_of(part);
    if (!part.empty() && part.front().is("create")) {
      // A macro's body keeps the macros that it uses until it is used itself.
      const auto is_macro = [](const Word& word) { return word.is("macro"); };
      const Words beginning = part.first(std::min<std::size_t>(part.size(), 5));
      if (std::ranges::any_of(beginning, is_macro)) return text;
    }
    for (int times = 0; times < kMostExpansions; ++times) {
      quote_functions(text);
      const std::vector<Word> words = words_of(text);
      const auto use = std::ranges::adjacent_find(words, [&](const Word& name, const Word& sign) {
        return name.kind == Word::Kind::kName && sign.is("!") &&
               name.text.data() + name.text.size() == sign.text.data();
      });
      if (use == words.end()) return text;
      VIZD_TRY(expand_one(words, static_cast<std::size_t>(use - words.begin()), text));
      if (text.size() > kMostExpanded_bytes) break;
    }
    return wrong("the macros expand to too much text, or use each other without end");
  }

  // A function of the query's own may have a name that SQLite takes for a word of its language, such as add.
  void quote_functions(std::string& text) const {
    if (functions_.empty()) return;
    const std::vector<Word> words = words_of(text);
    std::string made;
    std::size_t from = 0;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const bool is_call =
          words[i].kind == Word::Kind::kName && words[i + 1].is("(") && functions_.contains(ascii_lower(words[i].text));
      if (!is_call) continue;
      const auto begin = static_cast<std::size_t>(words[i].text.data() - text.data());
      made.append(text, from, begin - from).append(quoted_name(words[i].text));
      from = begin + words[i].text.size();
    }
    if (from > 0) text = made.append(text, from);
  }

  Result<void> expand_one(const std::vector<Word>& words, std::size_t at, std::string& text) const {
    const auto found = macros_.find(ascii_lower(words[at].text));
    if (found == macros_.end()) return wrong(fmt::format("no macro {}!", words[at].text));
    const std::size_t open = at + 2, close = open < words.size() ? closing(words, open) : words.size();
    if (open >= words.size() || !words[open].is("(") || close == words.size())
      return wrong(fmt::format("the macro {}! needs its arguments in brackets", words[at].text));
    const std::vector<Words> given = listed(Words(words).subspan(open + 1, close - open - 1));
    const Macro& macro = found->second;
    if (given.size() != macro.arguments.size())
      return wrong(fmt::format("the macro {}! takes {} arguments, not {}", words[at].text, macro.arguments.size(),
                               given.size()));
    std::string put;
    std::size_t from = 0;
    for (const Word& word : words_of(macro.body)) {
      const auto place = static_cast<std::size_t>(word.text.data() - macro.body.data());
      const auto argument = std::ranges::find(macro.arguments, ascii_lower(word.text));
      if (word.kind != Word::Kind::kParameter || argument == macro.arguments.end()) continue;
      put.append(macro.body, from, place - from);
      put += text_of(given[static_cast<std::size_t>(argument - macro.arguments.begin())]);
      from = place + word.text.size();
    }
    put.append(macro.body, from);
    const auto begin = static_cast<std::size_t>(words[at].text.data() - text.data());
    const auto end = static_cast<std::size_t>(words[close].text.data() - text.data()) + 1;
    text.replace(begin, end - begin, put);
    return {};
  }

  Result<void> read_statement(Words words, const std::string& text) {
    Reading reading(words);
    if (reading.take("include")) return read_include(reading);
    if (reading.take("drop")) return read_drop(reading);
    if (reading.take("create")) return read_create(reading, text);
    Statement ask{.kind = Statement::Kind::kAsk, .name = "", .query = text};
    take_span_joins(ask.query);
    statements_.push_back(std::move(ask));
    return {};
  }

  Result<void> read_include(Reading& reading) {
    if (!reading.take("perfetto") || !reading.take("module")) return wrong("INCLUDE needs PERFETTO MODULE and a name");
    statements_.push_back({.kind = Statement::Kind::kInclude, .name = std::string(text_of(reading.rest()))});
    return {};
  }

  Result<void> read_drop(Reading& reading) {
    reading.take("perfetto");
    const bool is_index = reading.take("index");
    if (!is_index && !reading.take("table") && !reading.take("view"))
      return wrong("DROP needs a TABLE or a VIEW that the query created before");
    Statement drop{.kind = is_index ? Statement::Kind::kNothing : Statement::Kind::kDrop, .name = ""};
    if (reading.take("if")) drop.replaces = reading.take("exists");
    drop.name = reading.take_name().value_or("");
    statements_.push_back(std::move(drop));
    return {};
  }

  Result<void> read_create(Reading& reading, const std::string& text) {
    Statement made{.kind = Statement::Kind::kTable, .name = ""};
    if (reading.take("or")) made.replaces = reading.take("replace");
    const bool is_perfetto = reading.take("perfetto");
    if (!is_perfetto && !reading.take("temp")) reading.take("temporary");
    if (reading.take("virtual")) return read_span_join(reading, std::move(made));
    const bool is_function = is_perfetto && reading.take("function"), is_macro = is_perfetto && reading.take("macro");
    if (is_perfetto && reading.take("index")) {
      statements_.push_back({.kind = Statement::Kind::kNothing, .name = ""});
      return {};
    }
    if (!is_function && !is_macro && !reading.take("table")) {
      if (!reading.take("view")) return wrong("CREATE needs a TABLE, VIEW, or a PERFETTO FUNCTION or MACRO");
      made.kind = Statement::Kind::kView;
    }
    if (reading.take("if") && reading.take("not")) made.replaces = reading.take("exists");
    const auto name = reading.take_name();
    if (!name) return wrong("CREATE needs a name");
    made.name = *name;
    const auto told = reading.take_brackets();
    if (is_macro) return read_macro(reading, made.name, told);
    if (is_function) {
      if (!told) return wrong(fmt::format("the function {} needs its arguments in brackets", made.name));
      made.arguments = names_of(*told);
      if (!reading.take("returns")) return wrong(fmt::format("the function {} needs RETURNS and a type", made.name));
      const bool is_table = reading.take("table");
      made.kind = is_table ? Statement::Kind::kTableFunction : Statement::Kind::kFunction;
      if (!is_table) reading.skip();
      if (const auto columns = reading.take_brackets(); columns && is_table) made.columns = names_of(*columns);
      functions_.insert(ascii_lower(std::string_view(made.name)));
    } else if (told) {
      made.columns = names_of(*told);
    }
    if (reading.at_end() || !reading.take("as") || reading.at_end())
      return wrong(
          fmt::format("{} must be created with AS SELECT, for this query only: nothing else can be stored", made.name));
    made.query = in_place(reading.rest(), text);
    take_span_joins(made.query);
    statements_.push_back(std::move(made));
    return {};
  }

  // The words' text where it stands in the query, after blanks.
  static std::string in_place(Words words, const std::string& text) {
    std::string placed(text);
    const auto begin = static_cast<std::size_t>(words.front().text.data() - text.data());
    for (std::size_t i = 0; i < begin; ++i) placed[i] = placed[i] == '\n' ? '\n' : ' ';
    return placed;
  }

  Result<void> read_macro(Reading& reading, const std::string& name, std::optional<Words> arguments) {
    if (!arguments || !reading.take("returns")) return wrong(fmt::format("the macro {} needs (…) RETURNS", name));
    reading.skip();
    if (!reading.take("as") || reading.at_end()) return wrong(fmt::format("the macro {} needs AS and its text", name));
    Macro macro;
    for (const std::string& argument : names_of(*arguments)) macro.arguments.push_back('$' + ascii_lower(argument));
    // A sign ; within its brackets ends nothing.
    for (const char c : text_of(reading.rest())) macro.body += c == ';' ? ' ' : c;
    macros_[ascii_lower(name)] = std::move(macro);
    return {};
  }

  Result<void> read_span_join(Reading& reading, Statement made) {
    const bool is_table = reading.take("table");
    if (reading.take("if") && reading.take("not")) made.replaces = reading.take("exists");
    made.name = reading.take_name().value_or("");
    const bool has_words = is_table && !made.name.empty() && reading.take("using");
    const Words rest = reading.rest();
    if (!has_words || rest.empty() || !is_span_join(rest.front()))
      return wrong("CREATE VIRTUAL TABLE can create only a SPAN_JOIN, SPAN_LEFT_JOIN or SPAN_OUTER_JOIN");
    made.span_join = ascii_lower(rest.front().text);
    reading.skip();
    const auto sides = reading.take_brackets();
    if (!sides) return wrong(fmt::format("{} needs two tables in brackets", made.span_join));
    VIZD_TRY(read_sides(*sides, made));
    statements_.push_back(std::move(made));
    return {};
  }

  static Result<void> read_sides(Words words, Statement& made) {
    made.kind = Statement::Kind::kSpanJoin;
    for (const Words side : listed(words)) {
      Reading of(side);
      SpanSide read{of.take_name().value_or(""), std::nullopt};
      if (of.take("partitioned")) read.partition = of.take_name();
      if (read.table.empty() || !of.at_end())
        return wrong(fmt::format("a side of {} is TABLE, or TABLE PARTITIONED COLUMN", made.span_join));
      made.sides.push_back(std::move(read));
    }
    if (made.sides.size() != 2) return wrong(fmt::format("{} needs two tables", made.span_join));
    return {};
  }

  // FROM SPAN_JOIN(a PARTITIONED x, b): the join becomes a table before the query, which then asks that.
  void take_span_joins(std::string& query) {
    for (std::size_t from = 0;;) {
      const std::vector<Word> words = words_of(std::string_view(query));
      std::size_t at = from;
      while (at + 1 < words.size() && !(is_span_join(words[at]) && words[at + 1].is("("))) ++at;
      if (at + 1 >= words.size()) return;
      from = at + 1;
      const std::size_t close = closing(words, at + 1);
      if (close == words.size()) return;
      Statement made{.kind = Statement::Kind::kSpanJoin, .name = fmt::format("span join {}", ++span_joins_)};
      made.span_join = ascii_lower(words[at].text);
      if (!read_sides(Words(words).subspan(at + 2, close - at - 2), made)) continue;  // SQLite will tell of it
      const auto begin = static_cast<std::size_t>(words[at].text.data() - query.data());
      const auto end = static_cast<std::size_t>(words[close].text.data() - query.data()) + 1;
      query.replace(begin, end - begin, quoted_name(made.name));
      statements_.push_back(std::move(made));
    }
  }

  Macros macros_;
  std::set<std::string> functions_;  // in small letters
  std::vector<Statement> statements_;
  int span_joins_ = 0;
};

}  // namespace

Result<std::vector<Statement>> read_script(std::string_view query) { return ScriptReader().read(query); }

}  // namespace vizd::sql
