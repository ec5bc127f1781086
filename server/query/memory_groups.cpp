#include "query/memory_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash_index.h"
#include "model/allocator_log.h"

namespace vizd::sql {
namespace {

// The column after a group's keys is its number of rows; then come four for each sum.
constexpr int kColumnsOfSum = 4;

}  // namespace

class MemoryGroups::GroupsCursor : public Cursor {
 public:
  GroupsCursor(const MemoryGroups& table, const Budget& budget)
      : table_(table), budget_(budget), row_(table.of_.open(budget)), block_(std::make_unique<MemoryRowBlock>()) {}

  Result<void> start(std::span<const Constraint> constraints, int order) override {
    traits_ = order;
    Interval tracks;
    for (const Constraint& constraint : constraints) tracks.narrow(constraint.compare, constraint.value);
    list_parts(tracks);
    part_ = read_ = 0;
    block_->size = taken_ = 0;
    number_ = 0;
    return fill();
  }

  bool at_end() const override { return at_ == groups_.size(); }

  Result<void> next() override {
    ++number_;
    is_at_row_ = false;
    return ++at_ < groups_.size() ? Result<void>() : fill();
  }

  void write(int column, Cell& cell) const override {
    const Group& group = groups_[at_];
    const auto keys = static_cast<int>(table_.keys_.size());
    if (column < keys) {
      if (!is_at_row_) {
        const Constraint is_it{0, Compare::kEqual, group.row};
        if (const auto started = row_->start(std::span(&is_it, 1), 0); !started) return cell.error(started.error());
        is_at_row_ = true;
      }
      return row_->write(table_.key_columns_[static_cast<std::size_t>(column)], cell);
    }
    if (column == keys) return cell.integer(group.count);
    const int place = column - keys - 1;
    const Sum& sum = group.sums[static_cast<std::size_t>(place / kColumnsOfSum)];
    const int which = place % kColumnsOfSum;
    if (which == 0) return cell.integer(sum.count);
    if (sum.count == 0) return cell.null();
    cell.integer(which == 1 ? sum.sum : which == 2 ? sum.least : sum.most);
  }

  std::int64_t id() const override { return number_; }

 private:
  struct Sum {
    std::int64_t count = 0, sum = 0, least = 0, most = 0;

    void add(std::int64_t value) {
      least = count == 0 ? value : std::min(least, value);
      most = count == 0 ? value : std::max(most, value);
      sum += value;
      ++count;
    }
  };

  struct Group {
    std::array<std::uint32_t, MemoryRowBlock::kTraits> traits = {};
    std::int64_t row = 0;  // one of them, by its id
    std::int64_t count = 0;
    std::array<Sum, MemoryRowBlock::kMostSums> sums = {};
  };

  // Rows of a track.
  struct Part {
    std::size_t source = 0;
    std::uint32_t track = 0;
    std::size_t count = 0;
    std::int64_t first_row = 0;  // its id
  };

  void list_parts(const Interval& tracks) {
    parts_.clear();
    std::int64_t row = 0;
    for (std::size_t source = 0; source < table_.catalog_.sources().size(); ++source) {
      const auto& all = table_.catalog_.capture(source).profile.tracks;
      for (std::uint32_t t = 0; t < all.size(); ++t) {
        const std::size_t count = table_.rows_.count(all[t]);
        const auto track = static_cast<std::int64_t>(table_.catalog_.tracks().first(source) + t);
        if (count != 0 && tracks.has(track)) parts_.push_back({source, t, count, row});
        row += static_cast<std::int64_t>(count);
      }
    }
  }

  // The next batch: rows of one track.
  Result<void> fill() {
    groups_.clear();
    index_ = {};
    at_ = 0;
    is_at_row_ = is_full_ = false;
    while (part_ < parts_.size() && !is_full_) {
      const Part& part = parts_[part_];
      if (taken_ == block_->size) {
        if (budget_.is_over()) return budget_.error();
        if (read_ == part.count) {
          ++part_;
          read_ = block_->size = taken_ = 0;
          if (!groups_.empty()) break;
          continue;
        }
        table_.rows_.read(table_.catalog_.capture(part.source).profile.tracks[part.track], read_, part.count, *block_);
        read_ += block_->size;
        taken_ = 0;
      }
      add_block(part.first_row + static_cast<std::int64_t>(read_ - block_->size));
    }
    return {};
  }

  // Adds what is left of the block, or as much of it as there is room for. first: the id of its first row.
  void add_block(std::int64_t first) {
    const std::size_t sums = table_.rows_.sums.size();
    for (; taken_ < block_->size && !is_full_; ++taken_) {
      bool has_large = false;
      for (std::size_t s = 0; s < sums; ++s) has_large = has_large || is_large_sum(block_->values[s][taken_]);
      if (has_large && !groups_.empty()) {
        is_full_ = true;
        break;
      }
      Group& group = group_of(first + static_cast<std::int64_t>(taken_));
      ++group.count;
      is_full_ = has_large || groups_.size() >= kMostGroups;
      for (std::size_t s = 0; s < sums; ++s) {
        if (block_->is_null[s]) continue;
        group.sums[s].add(block_->values[s][taken_]);
        is_full_ = is_full_ || is_large_sum(group.sums[s].sum);
      }
    }
  }

  Group& group_of(std::int64_t row) {
    std::array<std::uint32_t, MemoryRowBlock::kTraits> traits = {};
    std::uint32_t hash = 0;
    for (std::size_t t = 0; t < traits.size(); ++t) {
      if (((traits_ >> t) & 1) == 0) continue;
      traits[t] = block_->traits[taken_][t];
      hash = mix_hash(hash, traits[t]);
    }
    const std::uint32_t found = index_.find(hash, [&](std::uint32_t g) { return groups_[g].traits == traits; });
    if (found != HashIndex::kNone) return groups_[found];
    index_.add(hash, static_cast<std::uint32_t>(groups_.size()));
    return groups_.emplace_back(Group{.traits = traits, .row = row});
  }

  const MemoryGroups& table_;
  const Budget& budget_;
  std::unique_ptr<Cursor> row_;  // of the table, at the row of groups_[at_] once a key of it was asked
  mutable bool is_at_row_ = false;
  int traits_ = 0;  // that the query reads, as bits
  std::vector<Part> parts_;
  std::size_t part_ = 0, read_ = 0;  // the part's rows from read_ on are in no block yet
  std::unique_ptr<MemoryRowBlock> block_;
  std::size_t taken_ = 0;  // of the block
  std::vector<Group> groups_;
  HashIndex index_;
  std::size_t at_ = 0;
  bool is_full_ = false;
  std::int64_t number_ = 0;
};

MemoryGroups::MemoryGroups(const Catalog& catalog, Table& of, const MemoryRows& rows)
    : catalog_(catalog), of_(of), rows_(rows) {
  for (const MemoryRows::Key& key : rows.keys) {
    const auto column = std::ranges::find(of.columns(), key.name, &ColumnInfo::name);
    key_columns_.push_back(static_cast<int>(column - of.columns().begin()));
    keys_.push_back(key.name);
    columns_.push_back(*column);
  }
  columns_.push_back({"#count", ColumnType::kInteger, "Number of rows"});
  constexpr std::string_view kCountOfAll = R"(coalesce(sum({of}."#count"), 0))";
  for (const std::string_view argument : {"*", "", "1", "id"}) totals_.push_back({"count", argument, kCountOfAll});
  for (const std::string_view column : rows.sums) add_sum(column);
}

void MemoryGroups::add_sum(std::string_view column) {
  const auto add = [&](std::string_view part, std::string_view about) {
    columns_.push_back({keep(fmt::format("#{}_{}", column, part)), ColumnType::kInteger, about});
  };
  add("count", "Number of rows in which it is not null");
  add("sum", "Their sum");
  add("min", "The least");
  add("max", "The greatest");
  const auto total = [&](std::string_view function, std::string_view sql) {
    std::string text(sql);
    for (std::size_t at; (at = text.find('#')) != std::string::npos;)
      text.replace(at, 1, fmt::format("\x01{}_", column));
    std::ranges::replace(text, '\x01', '#');
    totals_.push_back({function, column, keep(std::move(text))});
  };
  total("count", R"(coalesce(sum({of}."#count"), 0))");
  total("sum", R"(sum({of}."#sum"))");
  total("total", R"(total({of}."#sum"))");
  total("avg", R"((total({of}."#sum") / sum({of}."#count")))");
  total("min", R"(min({of}."#min"))");
  total("max", R"(max({of}."#max"))");
}

Plan MemoryGroups::plan(const PlanRequest& request) {
  double rows = 1;
  for (const Source& source : catalog_.sources()) {
    for (const Track& track : source.capture->profile.tracks) rows += static_cast<double>(rows_.count(track));
  }
  Plan plan;
  for (const Constraint& constraint : request.constraints) {
    plan.takes.push_back(constraint.column == 0);
    if (plan.takes.back()) rows *= 0.3;
  }
  for (std::size_t key = 0; key < rows_.keys.size(); ++key) {
    const std::size_t trait = rows_.keys[key].trait;
    if (trait != MemoryRows::kNoTrait && ((request.columns >> key) & 1) != 0) plan.order |= 1 << trait;
  }
  plan.is_ordered = request.order.empty();
  // What is added up costs a tenth of what is handed over; how many groups come of it is not known.
  plan.rows = static_cast<std::int64_t>(rows / 100 + 1);
  plan.cost = rows / 10 + 20;
  return plan;
}

std::unique_ptr<Cursor> MemoryGroups::open(const Budget& budget) {
  return std::make_unique<GroupsCursor>(*this, budget);
}

}  // namespace vizd::sql
