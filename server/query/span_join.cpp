#include "query/span_join.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <map>

#include "base/ascii_case.h"
#include "query/statement_table.h"

namespace vizd::sql {
namespace {

constexpr std::size_t kMostSpans = 4'000'000;  // of a side
constexpr std::int64_t kNoRow = 0;             // rows of SQLite's count from 1

struct Span {
  std::int64_t begin_ns, end_ns;
  std::int64_t row;
};
// By partition, each in order of time; those of a side without one under 0.
using Spans = std::map<std::int64_t, std::vector<Span>>;

class SpanJoin {
 public:
  SpanJoin(sqlite3* connection, const Statement& join, const Budget& budget)
      : connection_(connection), join_(join), budget_(budget) {}

  Result<void> make() {
    for (const std::size_t side : {0u, 1u}) {
      VIZD_TRY(run(fmt::format("CREATE TEMP TABLE {} AS SELECT * FROM {}", table(side), quoted_name(of(side).table))));
      auto names = columns_of(side);
      if (!names) return names.error();
      columns_[side] = *std::move(names);
      VIZD_TRY(read_spans(side));
    }
    VIZD_TRY(run(fmt::format("CREATE TEMP TABLE {}(ts, dur, one, other, part)", times())));
    auto added = prepare(fmt::format("INSERT INTO {} VALUES (?, ?, ?, ?, ?)", times()));
    if (!added) return added.error();
    insert_ = std::move(*added);
    VIZD_TRY(join_all());
    return make_view();
  }

 private:
  const SpanSide& of(std::size_t side) const { return join_.sides[side]; }
  std::string table(std::size_t side) const { return quoted_name(fmt::format("{}: side {}", join_.name, side + 1)); }
  std::string times() const { return quoted_name(fmt::format("{}: times", join_.name)); }
  bool keeps(std::size_t side) const {
    return join_.span_join == "span_outer_join" || (join_.span_join == "span_left_join" && side == 0);
  }

  Result<void> run(const std::string& sql) {
    if (sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
    return error();
  }
  Error error() const {
    if (sqlite3_errcode(connection_) == SQLITE_NOMEM)
      return {ErrorKind::kTooLarge, "takes more memory than a query may", ""};
    return sqlite_error(connection_, budget_);
  }
  Result<PreparedStatement> prepare(const std::string& sql) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v2(connection_, sql.c_str(), -1, &made, nullptr);
    if (code != SQLITE_OK) return error();
    return PreparedStatement(made);
  }

  Result<std::vector<std::string>> columns_of(std::size_t side) {
    auto statement = prepare(fmt::format("SELECT * FROM {}", table(side)));
    if (!statement) return statement.error();
    std::vector<std::string> names;
    for (int i = 0; i < sqlite3_column_count(statement->get()); ++i)
      names.emplace_back(sqlite3_column_name(statement->get(), i));
    return names;
  }

  Result<void> read_spans(std::size_t side) {
    const std::string part = of(side).partition ? quoted_name(*of(side).partition) : "0";
    auto statement = prepare(fmt::format(
        "SELECT CAST({0} AS INTEGER), ts, ts + dur, rowid FROM {1} WHERE {0} IS NOT NULL AND ts IS NOT NULL "
        "AND dur IS NOT NULL ORDER BY 1, 2",
        part, table(side)));
    if (!statement) return statement.error();
    std::size_t count = 0;
    int code = 0;
    while ((code = sqlite3_step(statement->get())) == SQLITE_ROW) {
      if (++count > kMostSpans)
        return Error{ErrorKind::kTooLarge, fmt::format("{} has more than {} spans", of(side).table, kMostSpans), ""};
      const auto number = [&](int column) { return std::int64_t{sqlite3_column_int64(statement->get(), column)}; };
      spans_[side][number(0)].push_back({number(1), number(2), number(3)});
    }
    return code == SQLITE_DONE ? Result<void>() : error();
  }

  // A side without a partition is held against each of the other's.
  Result<void> join_all() {
    const bool is_split[] = {of(0).partition.has_value(), of(1).partition.has_value()};
    const auto empty = std::vector<Span>();
    const auto spans = [&](std::size_t side, std::int64_t part) -> const std::vector<Span>& {
      const auto found = spans_[side].find(is_split[side] ? part : 0);
      return found == spans_[side].end() ? empty : found->second;
    };
    std::vector<std::int64_t> parts;
    for (const std::size_t side : {0u, 1u}) {
      if (is_split[side] == (is_split[0] || is_split[1])) {
        for (const auto& [part, of_part] : spans_[side]) parts.push_back(part);
      }
    }
    std::ranges::sort(parts);
    const auto twice = std::ranges::unique(parts);
    parts.erase(twice.begin(), twice.end());
    for (const std::int64_t part : parts) VIZD_TRY(join_one(part, spans(0, part), spans(1, part)));
    return {};
  }

  // Both sides' spans in the order of time, which do not overlap among themselves.
  Result<void> join_one(std::int64_t part, const std::vector<Span>& one, const std::vector<Span>& other) {
    std::size_t i = 0, j = 0;
    std::int64_t from_ns = INT64_MIN;
    while (i < one.size() || j < other.size()) {
      if (!budget_.goes_on()) return budget_.error();
      const bool has_one = i < one.size(), has_other = j < other.size();
      // The next stretch in which the same spans are open.
      const auto begin = [&](const Span& span) { return std::max(span.begin_ns, from_ns); };
      const std::int64_t one_ns = has_one ? begin(one[i]) : INT64_MAX,
                         other_ns = has_other ? begin(other[j]) : INT64_MAX;
      const std::int64_t at_ns = std::min(one_ns, other_ns);
      const bool in_one = has_one && one_ns == at_ns, in_other = has_other && other_ns == at_ns;
      std::int64_t end_ns = INT64_MAX;
      if (in_one) end_ns = std::min(end_ns, one[i].end_ns);
      if (in_other) end_ns = std::min(end_ns, other[j].end_ns);
      if (!in_one && has_one) end_ns = std::min(end_ns, one_ns);
      if (!in_other && has_other) end_ns = std::min(end_ns, other_ns);
      const bool is_wanted = (in_one && in_other) || (in_one && keeps(0)) || (in_other && keeps(1));
      if (is_wanted && end_ns > at_ns)
        VIZD_TRY(add(part, at_ns, end_ns, in_one ? one[i].row : kNoRow, in_other ? other[j].row : kNoRow));
      from_ns = std::max(end_ns, at_ns);
      if (has_one && one[i].end_ns <= from_ns) ++i;
      if (has_other && other[j].end_ns <= from_ns) ++j;
    }
    return {};
  }

  Result<void> add(std::int64_t part, std::int64_t begin_ns, std::int64_t end_ns, std::int64_t one,
                   std::int64_t other) {
    sqlite3_stmt* const statement = insert_.get();
    sqlite3_reset(statement);
    int place = 0;
    for (const std::int64_t value : {begin_ns, end_ns - begin_ns, one, other, part})
      sqlite3_bind_int64(statement, ++place, value);
    return sqlite3_step(statement) == SQLITE_DONE ? Result<void>() : error();
  }

  Result<void> make_view() {
    const auto& partition = of(0).partition ? of(0).partition : of(1).partition;
    std::vector<std::string> taken{"ts", "dur"};
    std::string list = "t.ts, t.dur";
    if (partition) {
      taken.push_back(ascii_lower(std::string_view(*partition)));
      list += fmt::format(", t.part AS {}", quoted_name(*partition));
    }
    for (const std::size_t side : {0u, 1u}) {
      for (const std::string& column : columns_[side]) {
        const std::string name = ascii_lower(std::string_view(column));
        const bool is_own = name == "ts" || name == "dur" || (partition && equal_in_any_case(column, *partition));
        if (is_own) continue;
        if (std::ranges::find(taken, name) != taken.end())
          return Error{ErrorKind::kBadInput, fmt::format("both sides have a column {}", column), ""};
        taken.push_back(name);
        list += fmt::format(", {}.{}", side == 0 ? "a" : "b", quoted_name(column));
      }
    }
    return run(
        fmt::format("CREATE TEMP VIEW {} AS SELECT {} FROM {} t LEFT JOIN {} a ON a.rowid = t.one "
                    "LEFT JOIN {} b ON b.rowid = t.other",
                    quoted_name(join_.name), list, times(), table(0), table(1)));
  }

  sqlite3* connection_;
  const Statement& join_;
  const Budget& budget_;
  std::vector<std::string> columns_[2];
  Spans spans_[2];
  PreparedStatement insert_;
};

}  // namespace

Result<void> make_span_join(sqlite3* connection, const Statement& join, const Budget& budget) {
  return SpanJoin(connection, join, budget).make();
}

}  // namespace vizd::sql
