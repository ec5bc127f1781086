#include "query/slice_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/content_hash.h"
#include "query/slice_family.h"

namespace vizd::sql {
namespace {

enum SliceColumn {
  kId,
  kTs,
  kDur,
  kTrackId,
  kCategory,
  kName,
  kDepth,
  kParentId,
  kArgSetId,
  kKind,
  kIsError,
  kContextId,
  kPassId,
  kFirstNaming,
  kSliceColumns = kFirstNaming + static_cast<int>(kNamingColumns.size()),
  // As Perfetto has them besides.
  kSliceId = kSliceColumns,
  kCat,
  kThreadTs,
  kThreadDur,
  kStackId,
  kParentStackId,
  kAllColumns,
};

constexpr std::array<ColumnInfo, kFirstNaming> kOwnColumns{{
    {"id", ColumnType::kInteger, "The slice's number, track by track"},
    {"ts", ColumnType::kInteger,
     "When it began, in nanoseconds on the capture's clock; times on the page count from capture.start_ns"},
    {"dur", ColumnType::kInteger, "How long it took, in nanoseconds; for an unfinished one, the recorded part"},
    {"track_id", ColumnType::kInteger, "track.id of its track"},
    {"category", ColumnType::kText, "As in the capture; null if there is none"},
    {"name", ColumnType::kText, "Its name"},
    {"depth", ColumnType::kInteger, "Row of the lane in which it is drawn: 0 for the outermost"},
    {"parent_id", ColumnType::kInteger, "slice.id of the innermost slice of its track that contains it"},
    {"arg_set_id", ColumnType::kInteger, "args.arg_set_id of its arguments"},
    {"kind", ColumnType::kText, "span, instant, unfinished or asynchronous"},
    {"is_error", ColumnType::kInteger, "1 if it failed"},
    {"context_id", ColumnType::kInteger, "context.id of the rewrites that belong to it"},
    {"pass_id", ColumnType::kInteger, "pass.id, if the event is the run of a rewrite pass"},
}};

constexpr std::array<ColumnInfo, kSliceColumns> kColumns = [] {
  std::array<ColumnInfo, kSliceColumns> all;
  std::ranges::copy(kNamingColumns, std::ranges::copy(kOwnColumns, all.begin()).out);
  return all;
}();

constexpr std::array<ColumnInfo, kAllColumns - kSliceColumns> kHiddenColumns{{
    {"slice_id", ColumnType::kInteger, "As id"},
    {"cat", ColumnType::kText, "As category"},
    {"thread_ts", ColumnType::kInteger, "The thread's CPU time when it began, if a Chrome trace has it"},
    {"thread_dur", ColumnType::kInteger, "CPU time of the thread in it, in nanoseconds, if a Chrome trace has it"},
    {"stack_id", ColumnType::kInteger, "The same for slices with the same name inside the same others"},
    {"parent_stack_id", ColumnType::kInteger, "stack_id of the one that contains it; 0 if none does"},
}};

// Perfetto's other name of a column.
int own_column(int column) { return column == kSliceId ? kId : column == kCat ? kCategory : column; }

Interval* interval_of(SliceFilter& filter, int column) {
  switch (own_column(column)) {
    case kId:
    case kArgSetId:
      return &filter.id;
    case kTs:
      return &filter.ts;
    case kDur:
      return &filter.dur;
    case kTrackId:
      return &filter.track;
    case kDepth:
      return &filter.depth;
    default:
      return nullptr;
  }
}

bool narrows_by(const Constraint& constraint) {
  SliceFilter filter;
  return interval_of(filter, constraint.column) != nullptr ||
         ((constraint.column == kName || own_column(constraint.column) == kCategory) &&
          constraint.compare == Compare::kEqual);
}

class SliceCursor : public Cursor {
 public:
  SliceCursor(SliceTable& table, const Budget& budget) : table_(table), catalog_(table.catalog()), budget_(budget) {}

  Result<void> start(std::span<const Constraint> constraints, int order) override {
    walk_ = static_cast<SliceWalk>(order);
    SliceFilter filter;
    for (const Constraint& constraint : constraints) {
      if (Interval* interval = interval_of(filter, constraint.column)) {
        interval->narrow(constraint.compare, constraint.value);
      } else if (const auto* text = std::get_if<std::string_view>(&constraint.value)) {
        auto& wanted = constraint.column == kName ? filter.name : filter.category;
        if (wanted && *wanted != *text) filter.id = {1, 0};
        wanted = std::string(*text);
      } else if (!std::holds_alternative<Blob>(constraint.value)) {
        filter.id = {1, 0};  // no name and no category is a number or null
      }
    }
    filter_ = EventFilter(filter, names_of(filter), categories_of(filter));
    const bool merges = is_merged();
    runs_ = slice_runs(catalog_, filter, merges);
    run_ = 0;
    order_ = {};
    merge_.reset();
    if (merges) {
      merge_.emplace(catalog_, std::move(runs_), walk_ == SliceWalk::kByTimeDown, walk_ == SliceWalk::kByTrackAndTime);
      runs_.clear();
    } else if (walk_ == SliceWalk::kByName || walk_ == SliceWalk::kEachNameOnce) {
      auto by_name =
          slices_by_name(catalog_, table_.all_names(), runs_, filter_, walk_ == SliceWalk::kEachNameOnce, budget_);
      if (!by_name) return by_name.error();
      order_ = *std::move(by_name);
      at_ = group_ = 0;
      if (order_.slices.empty()) return end();
      enter_track(static_cast<std::uint32_t>(catalog_.slice_track_of(order_.slices[0])));
      return enter_ordered();
    }
    return enter_run();
  }

  bool at_end() const override { return at_end_; }

  Result<void> next() override {
    if (!order_.slices.empty()) return ++at_ < order_.slices.size() ? enter_ordered() : end();
    if (merge_) {
      merge_->next();
      return enter_run();
    }
    ++event_;
    return skip();
  }

  void write(int column, Cell& cell) const override {
    switch (own_column(column)) {
      case kId:
      case kArgSetId:
        return cell.integer(id());
      case kTs:
        return cell.integer(events_->start_ns(event_));
      case kDur:
        return cell.integer(events_->dur_ns(event_));
      case kTrackId:
        return cell.integer(track_id_);
      case kName:
        return write_name(cell);
      case kCategory:
        return cell.text_or_null(capture().strings.get(events_->category(event_)));
      case kDepth:
        return cell.integer(lane().row_of(event_));
      case kParentId:
        return write_parent(cell);
      case kKind:
        return cell.text(event_kind_name(events_->kind(event_)));
      case kIsError:
        return cell.integer(events_->is_error(event_) ? 1 : 0);
      case kContextId:
        return write_number(lane().link_context[event_], catalog_.contexts(), cell);
      case kPassId:
        return write_pass(cell);
      case kThreadTs:
        return write_thread_time(".tts", cell);
      case kThreadDur:
        return write_thread_time(".tdur", cell);
      case kStackId:
        return cell.integer(stack_id(event_));
      case kParentStackId: {
        const std::uint32_t above = parent_event(*events_, lane(), event_);
        return cell.integer(above == kNoId ? 0 : stack_id(above));
      }
      default:
        return table_.naming().write(static_cast<NamingColumn>(column - kFirstNaming), source_, track_, event_, cell);
    }
  }

  std::int64_t id() const override { return static_cast<std::int64_t>(first_slice_ + event_); }

 private:
  bool is_merged() const {
    return walk_ == SliceWalk::kByTime || walk_ == SliceWalk::kByTimeDown || walk_ == SliceWalk::kByTrackAndTime;
  }

  std::vector<std::vector<StringId>> names_of(const SliceFilter& filter) const {
    std::vector<std::vector<StringId>> names;
    if (!filter.name) return names;
    for (std::size_t source = 0; source < catalog_.sources().size(); ++source)
      names.push_back(table_.names(source).shown_as(*filter.name, catalog_.timeline(source).names));
    return names;
  }

  // By capture the strings that are shown as the category, where the filter names one.
  std::vector<std::vector<StringId>> categories_of(const SliceFilter& filter) const {
    std::vector<std::vector<StringId>> categories;
    if (!filter.category) return categories;
    for (const Source& source : catalog_.sources()) {
      auto& of = categories.emplace_back();
      const StringTable& strings = source.capture->strings;
      for (std::size_t i = 0; i < strings.size(); ++i) {
        const std::string_view text = strings.get(to_id<StringId>(i));
        const bool is_it = is_shown_as_is(text) ? text == *filter.category : shown_text(text) == *filter.category;
        if (is_it && !text.empty()) of.push_back(to_id<StringId>(i));
      }
    }
    return categories;
  }

  Result<void> end() {
    at_end_ = true;
    return {};
  }

  void enter_track(std::uint32_t place) {
    track_place_ = place;
    const SliceTrack& at = catalog_.slice_tracks()[place];
    source_ = at.source;
    track_ = at.track;
    events_ = &capture().profile.tracks[track_].events;
    first_slice_ = at.first_slice;
    end_slice_ = first_slice_ + events_->size();
    track_id_ = static_cast<std::int64_t>(catalog_.tracks().first(source_) + track_);
  }

  Result<void> enter_ordered() {
    prefetch_ordered();
    if (at_ == order_.groups[group_].end) ++group_;
    const std::uint64_t slice = order_.slices[at_];
    if (slice < first_slice_ || slice >= end_slice_)
      enter_track(static_cast<std::uint32_t>(catalog_.slice_track_of(slice)));
    event_ = static_cast<std::uint32_t>(slice - first_slice_);
    at_end_ = false;
    return {};
  }

  // The rows that come soon are far away in memory: they are asked for before they are needed.
  void prefetch_ordered() {
    constexpr std::size_t kAhead = 32;
    if (at_ + kAhead >= order_.slices.size()) return;
    const std::uint64_t slice = order_.slices[at_ + kAhead];
    if (slice - soon_first_ >= soon_durs_.size()) {
      const SliceTrack& at = catalog_.slice_tracks()[catalog_.slice_track_of(slice)];
      soon_first_ = at.first_slice;
      soon_durs_ = catalog_.capture(at.source).profile.tracks[at.track].events.short_durs();
    }
    __builtin_prefetch(&soon_durs_[slice - soon_first_]);
  }

  Result<void> enter_run() {
    at_end_ = false;
    if (merge_) {
      for (; !merge_->at_end(); merge_->next()) {
        const SliceRun run = merge_->current();
        if (run.track != track_place_) enter_track(run.track);
        event_ = run.begin;
        if (filter_.passes_all() || filter_.passes(source_, *events_, event_)) return {};
        if (!budget_.goes_on()) return budget_.error();
      }
      return end();
    }
    if (run_ == runs_.size()) return end();
    enter_track(runs_[run_].track);
    event_ = runs_[run_].begin;
    run_end_ = runs_[run_].end;
    return skip();
  }

  // On to the next event that passes, in this run or a later one.
  Result<void> skip() {
    while (true) {
      if (!filter_.passes_all()) {
        while (event_ < run_end_ && !filter_.passes(source_, *events_, event_)) {
          if (!budget_.goes_on()) return budget_.error();
          ++event_;
        }
      }
      if (event_ < run_end_) return {};
      if (++run_ == runs_.size()) return end();
      if (runs_[run_].track != track_place_) enter_track(runs_[run_].track);
      event_ = runs_[run_].begin;
      run_end_ = runs_[run_].end;
    }
  }

  const Capture& capture() const { return catalog_.capture(source_); }
  const LaneIndex& lane() const { return catalog_.timeline(source_).lanes[track_]; }

  void write_name(Cell& cell) const {
    if (!order_.slices.empty()) return cell.clean_text(order_.groups[group_].name);
    cell.clean_text(table_.names(source_).text(events_->name(event_)));
  }

  void write_number(std::uint32_t local, const Numbering& numbering, Cell& cell) const {
    local == kNoId ? cell.null() : cell.integer(static_cast<std::int64_t>(numbering.first(source_) + local));
  }

  void write_pass(Cell& cell) const {
    const std::uint32_t context = lane().link_context[event_], pass = lane().link_pass[event_];
    if (context == kNoId || pass == kNoId) return cell.null();
    write_number(capture().rewrites.contexts[context].first_pass + pass, catalog_.passes(), cell);
  }

  void write_parent(Cell& cell) const {
    const std::uint32_t above = parent_event(*events_, lane(), event_);
    above == kNoId ? cell.null() : cell.integer(static_cast<std::int64_t>(first_slice_ + above));
  }

  // A member of a Chrome trace's event, in microseconds there.
  void write_thread_time(std::string_view member, Cell& cell) const {
    const auto& columns = capture().profile.tracks[track_].arguments;
    for (const ArgumentColumn& column : columns) {
      if (!column.is_hidden || capture().strings.get(column.name) != member) continue;
      const auto value = column.of(event_);
      if (!value) continue;
      if (const auto* number = std::get_if<std::int64_t>(&*value)) return cell.integer(*number * 1000);
      if (const auto* real = std::get_if<double>(&*value)) return cell.integer(std::llround(*real * 1000));
    }
    cell.null();
  }

  // Identifies the names from the event up to the outermost.
  std::int64_t stack_id(std::uint32_t event) const {
    ContentHash hash;
    for (std::uint32_t at = event; at != kNoId; at = parent_event(*events_, lane(), at))
      hash.add(std::uint64_t{index(events_->name(at))} << 32 | index(events_->category(at)));
    return static_cast<std::int64_t>(hash.value() >> 1);
  }

  SliceTable& table_;
  const Catalog& catalog_;
  const Budget& budget_;
  SliceWalk walk_ = SliceWalk::kById;
  EventFilter filter_{{}, {}, {}};
  std::vector<SliceRun> runs_;
  std::size_t run_ = 0;
  std::optional<TimeMerge> merge_;
  NameOrder order_;
  std::size_t at_ = 0, group_ = 0;
  std::uint64_t soon_first_ = 0;  // of the track that prefetch_ordered() was on
  std::span<const std::uint32_t> soon_durs_;
  bool at_end_ = true;

  std::uint32_t track_place_ = kNoId, source_ = 0, track_ = 0;
  const EventColumns* events_ = nullptr;
  std::uint64_t first_slice_ = 0, end_slice_ = 0;
  std::int64_t track_id_ = 0;
  std::uint32_t event_ = 0, run_end_ = 0;
};

// How the order that is asked for can be walked.
std::optional<SliceWalk> walk_for(const PlanRequest& request, std::uint64_t slices) {
  const auto order = request.order;
  const auto is = [&](std::size_t i, int column) {
    return own_column(order[i].column) == column && !order[i].is_descending;
  };
  if (order.empty()) return SliceWalk::kById;
  if (is(0, kId)) return SliceWalk::kById;
  if (order.size() == 1 && is(0, kTrackId)) return SliceWalk::kById;
  if (order.size() == 2 && is(0, kTrackId) && is(1, kId)) return SliceWalk::kById;
  if (order.size() == 1 && order[0].column == kTs)
    return order[0].is_descending ? SliceWalk::kByTimeDown : SliceWalk::kByTime;
  if (order.size() == 2 && is(0, kTrackId) && is(1, kTs)) return SliceWalk::kByTrackAndTime;
  constexpr std::uint64_t kMostOrdered = std::uint64_t{1} << 27;
  if (order.size() == 1 && order[0].column == kName && slices <= kMostOrdered) {
    if (request.wants_distinct && request.columns == std::uint64_t{1} << kName) return SliceWalk::kEachNameOnce;
    if (request.wants_groups || !order[0].is_descending) return SliceWalk::kByName;
  }
  return std::nullopt;
}

}  // namespace

SliceTable::SliceTable(Catalog& catalog) : catalog_(catalog), naming_(catalog) {
  for (const Source& source : catalog.sources())
    names_.push_back(std::make_unique<SliceNames>(source.capture->strings));
}

std::span<const ColumnInfo> SliceTable::columns() const { return kColumns; }
std::span<const ColumnInfo> SliceTable::hidden_columns() const { return kHiddenColumns; }

Plan SliceTable::plan(const PlanRequest& request) {
  const auto slices = static_cast<double>(catalog_.slice_count()) + 1;
  const auto tracks = static_cast<double>(catalog_.slice_tracks().size()) + 1;
  Plan plan;
  double walked = slices, rows = slices;
  for (const Constraint& constraint : request.constraints) {
    plan.takes.push_back(narrows_by(constraint));
    if (!plan.takes.back()) continue;
    const bool is_equal = constraint.compare == Compare::kEqual;
    double share = is_equal ? 0.01 : 0.3;
    if (constraint.column == kTrackId && is_equal) share = 1 / tracks;
    rows *= share;
    const int column = own_column(constraint.column);
    if (column != kName && column != kDur && column != kCategory) walked *= share;
    plan.is_one_row = plan.is_one_row || (is_equal && (column == kId || column == kArgSetId));
  }
  if (plan.is_one_row) walked = rows = 1;
  const auto walk = walk_for(request, catalog_.slice_count());
  plan.is_ordered = walk.has_value();
  plan.order = static_cast<int>(walk.value_or(SliceWalk::kById));
  plan.rows = static_cast<std::int64_t>(std::max(rows, 1.0));
  // A slice that is only looked at costs a tenth of one that is handed over.
  plan.cost = walked / 10 + rows + 20;
  return plan;
}

std::unique_ptr<Cursor> SliceTable::open(const Budget& budget) { return std::make_unique<SliceCursor>(*this, budget); }

}  // namespace vizd::sql
