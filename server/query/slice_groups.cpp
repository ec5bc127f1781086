#include "query/slice_groups.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace vizd::sql {
namespace {

enum GroupColumn {
  kGroupName,
  kGroupCategory,
  kGroupCat,
  kGroupTrack,
  kGroupDepth,
  kGroupKind,
  kGroupIsError,
  kGroupCount,
  kGroupDurSum,
  kGroupDurMin,
  kGroupDurMax,
  kGroupTsMin,
  kGroupTsMax,
  kGroupEndMax,
  kGroupColumns,
};

constexpr std::array<ColumnInfo, kGroupColumns> kColumnsOfGroups{{
    {"name", ColumnType::kText, "slice.name of all of them"},
    {"category", ColumnType::kText, "slice.category of all of them"},
    {"cat", ColumnType::kText, "As category"},
    {"track_id", ColumnType::kInteger, "slice.track_id of all of them"},
    {"depth", ColumnType::kInteger, "slice.depth of all of them"},
    {"kind", ColumnType::kText, "slice.kind of all of them"},
    {"is_error", ColumnType::kInteger, "slice.is_error of all of them"},
    {"#count", ColumnType::kInteger, "Number of rows"},
    {"#dur_sum", ColumnType::kInteger, "The sum of slice.dur"},
    {"#dur_min", ColumnType::kInteger, "The smallest slice.dur"},
    {"#dur_max", ColumnType::kInteger, "The largest slice.dur"},
    {"#ts_min", ColumnType::kInteger, "The smallest slice.ts"},
    {"#ts_max", ColumnType::kInteger, "The largest slice.ts"},
    {"#end_max", ColumnType::kInteger, "The largest sum of slice.ts and slice.dur"},
}};

constexpr std::array<std::string_view, 7> kKeys{"name", "category", "cat", "track_id", "depth", "kind", "is_error"};

constexpr std::string_view kCountOfSlices = R"(coalesce(sum({of}."#count"), 0))";
constexpr std::array kTotals{
    TotalOfGroups{"count", "*", kCountOfSlices},
    TotalOfGroups{"count", "", kCountOfSlices},
    TotalOfGroups{"count", "1", kCountOfSlices},
    TotalOfGroups{"count", "id", kCountOfSlices},
    TotalOfGroups{"count", "slice_id", kCountOfSlices},
    TotalOfGroups{"count", "dur", kCountOfSlices},
    TotalOfGroups{"count", "ts", kCountOfSlices},
    TotalOfGroups{"sum", "dur", R"(sum({of}."#dur_sum"))"},
    TotalOfGroups{"total", "dur", R"(total({of}."#dur_sum"))"},
    TotalOfGroups{"avg", "dur", R"((total({of}."#dur_sum") / sum({of}."#count")))"},
    TotalOfGroups{"min", "dur", R"(min({of}."#dur_min"))"},
    TotalOfGroups{"max", "dur", R"(max({of}."#dur_max"))"},
    TotalOfGroups{"min", "ts", R"(min({of}."#ts_min"))"},
    TotalOfGroups{"max", "ts", R"(max({of}."#ts_max"))"},
    TotalOfGroups{"max", "ts+dur", R"(max({of}."#end_max"))"},
};

// Which columns a query reads. Numbers of Plan::order.
bool reads(int columns, GroupColumn column) { return ((columns >> column) & 1) != 0; }
bool reads_from(int columns, GroupColumn first) { return columns >> first != 0; }

// What the slices of a group have in common, as far as the query reads it.
struct GroupKeys {
  StringId name = {}, category = {};
  std::uint8_t traits = 0;  // EventColumns::traits()

  bool operator==(const GroupKeys&) const = default;
};

struct Group {
  GroupKeys keys = {};
  std::uint64_t count = 0;
  std::int64_t dur_sum = 0;
  std::int64_t dur_min = std::numeric_limits<std::int64_t>::max(), dur_max = std::numeric_limits<std::int64_t>::min();
  std::int64_t ts_min = dur_min, ts_max = dur_max, end_max = dur_max;
};

// Groups found by their keys.
class GroupIndex {
 public:
  void clear() {
    for (const std::uint32_t slot : used_) slots_[slot] = kNoId;
    used_.clear();
    groups_.clear();
    is_full_ = false;
  }

  const std::vector<Group>& groups() const { return groups_; }
  bool is_full() const { return is_full_ || groups_.size() >= SliceGroups::kMostGroups; }
  void add_to_sum(std::int64_t dur, std::int64_t& sum) {
    sum += dur;
    is_full_ = is_full_ || is_large_sum(sum);
  }

  Group& of(const GroupKeys& keys) {
    std::uint32_t slot = slot_of(keys);
    for (; slots_[slot] != kNoId; slot = (slot + 1) % kSlots) {
      if (groups_[slots_[slot]].keys == keys) return groups_[slots_[slot]];
    }
    slots_[slot] = static_cast<std::uint32_t>(groups_.size());
    used_.push_back(slot);
    return groups_.emplace_back(Group{.keys = keys});
  }

 private:
  static constexpr std::uint32_t kSlots = 2 * SliceGroups::kMostGroups;

  static std::uint32_t slot_of(const GroupKeys& keys) {
    const std::uint64_t all =
        (std::uint64_t{index(keys.name)} << 32) + (std::uint64_t{index(keys.category)} << 3) + keys.traits;
    return static_cast<std::uint32_t>(all * 0x9E3779B97F4A7C15u >> 40) % kSlots;
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(kSlots, kNoId);  // places in groups_
  std::vector<std::uint32_t> used_;
  std::vector<Group> groups_;
  bool is_full_ = false;
};

class SliceGroupsCursor : public Cursor {
 public:
  SliceGroupsCursor(SliceTable& table, const Budget& budget)
      : table_(table), catalog_(table.catalog()), budget_(budget) {}

  Result<void> start(std::span<const Constraint> constraints, int order) override {
    columns_ = order;
    reads_name_ = reads(columns_, kGroupName);
    reads_category_ = reads(columns_, kGroupCategory) || reads(columns_, kGroupCat);
    reads_traits_ = reads(columns_, kGroupKind) || reads(columns_, kGroupIsError);
    SliceFilter filter;
    for (const Constraint& constraint : constraints) filter.track.narrow(constraint.compare, constraint.value);
    runs_ = slice_runs(catalog_, filter, reads(columns_, kGroupDepth));
    run_ = event_ = 0;
    row_ = 0;
    if (!runs_.empty()) event_ = runs_[0].begin;
    return fill();
  }

  bool at_end() const override { return at_ == index_.groups().size(); }

  Result<void> next() override {
    ++row_;
    return ++at_ < index_.groups().size() ? Result<void>() : fill();
  }

  void write(int column, Cell& cell) const override {
    const Group& group = index_.groups()[at_];
    switch (column) {
      case kGroupName:
        return cell.clean_text(table_.names(source_).text(group.keys.name));
      case kGroupCategory:
      case kGroupCat:
        return cell.text_or_null(catalog_.capture(source_).strings.get(group.keys.category));
      case kGroupTrack:
        return cell.integer(track_id_);
      case kGroupDepth:
        return cell.integer(depth_);
      case kGroupKind:
        return cell.text(event_kind_name(static_cast<EventKind>(group.keys.traits & (EventColumns::kError - 1))));
      case kGroupIsError:
        return cell.integer((group.keys.traits & EventColumns::kError) != 0 ? 1 : 0);
      case kGroupCount:
        return cell.integer(static_cast<std::int64_t>(group.count));
      case kGroupDurSum:
        return cell.integer(group.dur_sum);
      default: {
        const std::array times{group.dur_min, group.dur_max, group.ts_min, group.ts_max, group.end_max};
        return cell.integer(times[static_cast<std::size_t>(column - kGroupDurMin)]);
      }
    }
  }

  std::int64_t id() const override { return row_; }

 private:
  // The next batch: slices of one capture, of one track or row of it where the query tells these apart.
  Result<void> fill() {
    index_.clear();
    at_ = 0;
    const bool is_of_one_run = reads(columns_, kGroupTrack) || reads(columns_, kGroupDepth);
    for (bool is_first = true; run_ < runs_.size() && !index_.is_full(); is_first = false) {
      const SliceTrack& at = catalog_.slice_tracks()[runs_[run_].track];
      if (!is_first && (is_of_one_run || at.source != source_)) break;
      source_ = at.source;
      track_id_ = static_cast<std::int64_t>(catalog_.tracks().first(source_) + at.track);
      if (reads(columns_, kGroupDepth)) depth_ = catalog_.timeline(source_).lanes[at.track].row_of(runs_[run_].begin);
      add(catalog_.capture(source_).profile.tracks[at.track].events);
      if (budget_.is_over()) return budget_.error();
      if (event_ == runs_[run_].end && ++run_ < runs_.size()) event_ = runs_[run_].begin;
    }
    return {};
  }

  // Adds what is left of the run, or as much of it as there is room for groups, or as the budget allows.
  void add(const EventColumns& events) {
    const std::uint32_t end = runs_[run_].end;
    if (!reads_from(columns_, kGroupDurSum) && !tells_slices_apart()) {
      index_.of({}).count += end - event_;
      event_ = end;
      return;
    }
    while (event_ < end && !index_.is_full() && !budget_.is_over()) {
      const std::uint32_t stop = event_ + std::min(std::uint32_t{1} << 15, end - event_);
      reads_from(columns_, kGroupTsMin) ? add_each<true>(events, stop) : add_each<false>(events, stop);
    }
  }

  bool tells_slices_apart() const { return reads_name_ || reads_category_ || reads_traits_; }

  template <bool kWithTimes>
  void add_each(const EventColumns& events, std::uint32_t stop) {
    for (; event_ < stop && !index_.is_full(); ++event_) {
      GroupKeys keys;
      if (reads_name_) keys.name = events.name(event_);
      if (reads_category_) keys.category = events.category(event_);
      if (reads_traits_) keys.traits = events.traits(event_);
      Group& group = index_.of(keys);
      ++group.count;
      const std::int64_t dur = events.dur_ns(event_);
      index_.add_to_sum(dur, group.dur_sum);
      group.dur_min = std::min(group.dur_min, dur);
      group.dur_max = std::max(group.dur_max, dur);
      if constexpr (kWithTimes) {
        const std::int64_t ts = events.start_ns(event_);
        group.ts_min = std::min(group.ts_min, ts);
        group.ts_max = std::max(group.ts_max, ts);
        group.end_max = std::max(group.end_max, ts + dur);
      }
    }
  }

  SliceTable& table_;
  const Catalog& catalog_;
  const Budget& budget_;
  int columns_ = 0;
  bool reads_name_ = false, reads_category_ = false, reads_traits_ = false;
  std::vector<SliceRun> runs_;
  std::size_t run_ = 0;
  std::uint32_t event_ = 0;  // of the run: the first that is not in a batch yet
  GroupIndex index_;         // the batch
  std::size_t at_ = 0;
  std::int64_t row_ = 0;
  std::size_t source_ = 0;
  std::int64_t track_id_ = 0, depth_ = 0;
};

}  // namespace

std::span<const ColumnInfo> SliceGroups::columns() const { return kColumnsOfGroups; }

Plan SliceGroups::plan(const PlanRequest& request) {
  const Catalog& catalog = slices_.catalog();
  double slices = static_cast<double>(catalog.slice_count()) + 1;
  Plan plan;
  for (const Constraint& constraint : request.constraints) {
    plan.takes.push_back(constraint.column == kGroupTrack);
    if (!plan.takes.back()) continue;
    const auto tracks = static_cast<double>(catalog.slice_tracks().size()) + 1;
    slices *= constraint.compare == Compare::kEqual ? 1 / tracks : 0.3;
  }
  plan.order = static_cast<int>(request.columns & ((1u << kGroupColumns) - 1));
  plan.is_ordered = request.order.empty();
  // What is added up costs a tenth of what is handed over; how many groups come of it is not known.
  plan.rows = static_cast<std::int64_t>(slices / 100 + 1);
  plan.cost = slices / 10 + 20;
  return plan;
}

std::unique_ptr<Cursor> SliceGroups::open(const Budget& budget) {
  return std::make_unique<SliceGroupsCursor>(slices_, budget);
}

Grouping SliceGroups::grouping() { return {.of = &slices_, .groups = this, .totals = kTotals, .keys = kKeys}; }

}  // namespace vizd::sql
