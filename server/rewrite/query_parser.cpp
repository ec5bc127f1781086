// The query language of query.h: a recursive descent over words, bounded in depth.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/ascii_case.h"
#include "rewrite/query.h"

namespace vizd {
namespace {

using Term = Query::Term;

constexpr std::size_t kMaxTextBytes = 4096;
constexpr std::uint32_t kMaxDepth = 16;

struct FieldName {
  std::string_view name;
  Term::Field field;
  bool is_number;
};
constexpr std::array<FieldName, 12> kFields{{{"op", Term::Field::kOp, false},
                                             {"dtype", Term::Field::kDtype, false},
                                             {"arg", Term::Field::kArg, false},
                                             {"tag", Term::Field::kTag, false},
                                             {"label", Term::Field::kLabel, false},
                                             {"rule", Term::Field::kRule, false},
                                             {"fanout", Term::Field::kFanOut, true},
                                             {"fanin", Term::Field::kFanIn, true},
                                             {"born", Term::Field::kBorn, true},
                                             {"died", Term::Field::kDied, true},
                                             {"versions", Term::Field::kVersions, true},
                                             {"id", Term::Field::kId, true}}};

bool is_operator(char c) { return c == '=' || c == '!' || c == '~' || c == '<' || c == '>'; }

}  // namespace

class QueryParser {
 public:
  explicit QueryParser(std::string_view text) : text_(text) {}

  // Where the error is, in bytes.
  std::size_t error_place() const { return error_place_; }

  Result<Query> parse() {
    if (text_.size() > kMaxTextBytes) return fail(0, "the query is longer than 4,096 bytes");
    query_.terms_.emplace_back();  // the whole, filled at the end
    skip_space();
    if (at_end()) return fail(0, "the query is empty; try a word, or op=LOAD fanout>8");
    const auto whole = parse_or(0);
    if (error_) return *error_;
    if (!at_end()) return fail(at_, "a ')' without its '('");
    query_.terms_[0].kind = Term::Kind::kAnd;
    query_.terms_[0].children = {whole};
    query_.reach_ = reach_of(0);
    return std::move(query_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return text_[at_]; }
  void skip_space() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(peek())) != 0) ++at_;
  }

  Error fail(std::size_t where, std::string what) {
    error_ = Error{ErrorKind::kBadInput, std::move(what), fmt::format("query:{}", where + 1)};
    error_place_ = where;
    return *error_;
  }

  std::uint32_t add(Term term) {
    query_.terms_.push_back(std::move(term));
    return static_cast<std::uint32_t>(query_.terms_.size() - 1);
  }

  // Takes a bare word where it stands alone; an operator or '(' after it makes it something else.
  bool take_word(std::string_view word) {
    if (ascii_lower(text_.substr(at_, word.size())) != word) return false;
    const std::size_t after = at_ + word.size();
    if (after < text_.size() && std::isspace(static_cast<unsigned char>(text_[after])) == 0) return false;
    at_ = after;
    skip_space();
    return true;
  }

  std::uint32_t parse_or(std::uint32_t depth) {
    if (depth > kMaxDepth) return fail(at_, "nested deeper than 16; take some parentheses out"), 0;
    Term any{.kind = Term::Kind::kOr};
    any.children.push_back(parse_and(depth));
    while (!error_ && !at_end() && take_word("or")) any.children.push_back(parse_and(depth));
    return any.children.size() == 1 ? any.children[0] : add(std::move(any));
  }

  std::uint32_t parse_and(std::uint32_t depth) {
    Term all{.kind = Term::Kind::kAnd};
    while (!error_ && !at_end() && peek() != ')') {
      const std::size_t before = at_;
      if (take_word("or")) {
        at_ = before;
        break;
      }
      take_word("and");
      if (at_end() || peek() == ')') break;
      all.children.push_back(parse_not(depth));
    }
    if (!error_ && all.children.empty()) fail(at_, "something is missing here; a word, or a field like op=LOAD");
    return all.children.size() == 1 ? all.children[0] : add(std::move(all));
  }

  std::uint32_t parse_not(std::uint32_t depth) {
    if (depth > kMaxDepth) return fail(at_, "nested deeper than 16; take some parentheses out"), 0;
    const bool minus =
        peek() == '-' && at_ + 1 < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_ + 1])) == 0;
    if (minus || take_word("not")) {
      if (minus) ++at_;
      if (at_end()) return fail(at_, "what should not hold is missing"), 0;
      Term negation{.kind = Term::Kind::kNot};
      negation.children = {parse_not(depth + 1)};
      return add(std::move(negation));
    }
    return parse_term(depth);
  }

  std::uint32_t parse_term(std::uint32_t depth) {
    if (peek() == '(') return parse_group(depth);
    const std::size_t start = at_;
    const std::string name = take_value(true);
    if (error_) return 0;
    if (!at_end() && peek() == '(') {
      if (const auto neighbour = neighbour_term(name)) return parse_neighbour(*neighbour, depth);
    }
    if (!at_end() && is_operator(peek())) return parse_comparison(name, start);
    skip_space();
    return add({.kind = Term::Kind::kText,
                .field = Term::Field::kLabel,
                .compare = Term::Compare::kHolds,
                .texts = {ascii_lower(name)}});
  }

  std::uint32_t parse_group(std::uint32_t depth) {
    ++at_;
    skip_space();
    const auto inside = parse_or(depth + 1);
    if (error_) return 0;
    if (at_end()) return fail(at_, "a ')' is missing"), 0;
    ++at_;
    skip_space();
    return inside;
  }

  static std::optional<Term> neighbour_term(std::string_view name) {
    const std::string word = ascii_lower(name);
    if (word == "user") return Term{.kind = Term::Kind::kUser};
    if (!word.starts_with("src")) return std::nullopt;
    Term term{.kind = Term::Kind::kSource};
    if (word.size() == 3) return term;
    const auto [end, error] = std::from_chars(word.data() + 3, word.data() + word.size(), term.port);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return term;
  }

  std::uint32_t parse_neighbour(Term term, std::uint32_t depth) {
    term.children = {parse_group(depth)};
    return error_ ? 0 : add(std::move(term));
  }

  // A word up to a space, a bracket or (where a field name may stand) an operator; or text in double quotes.
  std::string take_value(bool stop_at_operator) {
    if (!at_end() && peek() == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) return fail(at_, "the closing '\"' is missing"), "";
      const std::string value(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return value;
    }
    const std::size_t start = at_;
    int open = 0;  // brackets inside a value, as in float.vec(4), belong to it
    while (!at_end() && std::isspace(static_cast<unsigned char>(peek())) == 0) {
      if (peek() == '(' && stop_at_operator && neighbour_term(text_.substr(start, at_ - start))) break;
      if (peek() == ')' && open == 0) break;
      if (stop_at_operator && is_operator(peek())) break;
      open += peek() == '(' ? 1 : peek() == ')' ? -1 : 0;
      ++at_;
    }
    if (at_ == start) return fail(at_, "something is missing here"), "";
    return std::string(text_.substr(start, at_ - start));
  }

  std::uint32_t parse_comparison(const std::string& name, std::size_t start) {
    const auto field = std::ranges::find(kFields, ascii_lower(name), &FieldName::name);
    if (field == kFields.end()) {
      return fail(start, fmt::format("there is no field '{}'; take op, dtype, arg, tag, label, rule, fanout, fanin, "
                                     "born, died, versions or id",
                                     name)),
             0;
    }
    const std::size_t where = at_;
    const auto compare = take_comparison();
    if (!compare) return fail(where, "no such comparison; take = != ~ < <= > >="), 0;
    const std::string value = take_value(false);
    if (error_) return 0;
    skip_space();
    Term term{
        .kind = field->is_number ? Term::Kind::kNumber : Term::Kind::kText, .field = field->field, .compare = *compare};
    if (!field->is_number) {
      if (*compare > Term::Compare::kHolds)
        return fail(where, fmt::format("{} is text; compare it with =, != or ~", name)), 0;
      for (std::size_t from = 0; from <= value.size();) {
        const std::size_t comma = field->field == Term::Field::kOp ? value.find(',', from) : std::string::npos;
        term.texts.push_back(ascii_lower(std::string_view(value).substr(from, comma - from)));
        from = comma == std::string::npos ? value.size() + 1 : comma + 1;
      }
      // As labels show it, or by its short name, which is what is compared.
      std::string& first = term.texts.front();
      if (field->field == Term::Field::kDtype && first.starts_with(kDtypePrefix)) first.erase(0, kDtypePrefix.size());
      return add(std::move(term));
    }
    if (*compare == Term::Compare::kHolds) term.compare = Term::Compare::kEqual;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), term.number);
    if (error != std::errc() || end != value.data() + value.size())
      return fail(where, fmt::format("{} is compared with a number, not '{}'", name, value)), 0;
    return add(std::move(term));
  }

  std::optional<Term::Compare> take_comparison() {
    const char first = text_[at_++];
    const bool equals = !at_end() && peek() == '=';
    if (equals && first != '=' && first != '~') ++at_;
    switch (first) {
      case '=':
        return Term::Compare::kEqual;
      case '~':
        return Term::Compare::kHolds;
      case '!':
        return equals ? std::optional(Term::Compare::kNotEqual) : std::nullopt;
      case '<':
        return equals ? Term::Compare::kLessEqual : Term::Compare::kLess;
      default:
        return equals ? Term::Compare::kGreaterEqual : Term::Compare::kGreater;
    }
  }

  // Recursion is bounded: children nest no deeper than kMaxDepth.
  std::uint32_t reach_of(std::uint32_t term) const {
    const Term& t = query_.terms_[term];
    std::uint32_t reach = 0;
    for (const std::uint32_t child : t.children) reach = std::max(reach, reach_of(child));
    return reach + (t.kind == Term::Kind::kSource || t.kind == Term::Kind::kUser ? 1 : 0);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Query query_;
  std::optional<Error> error_;
  std::size_t error_place_ = 0;
};

Result<Query> Query::parse(std::string_view text, std::size_t* place) {
  QueryParser parser(text);
  auto query = parser.parse();
  if (!query && place != nullptr) *place = parser.error_place();
  return query;
}

}  // namespace vizd
