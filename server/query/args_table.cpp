#include "query/args_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "query/other_names.h"

namespace vizd::sql {
namespace {

enum ArgsColumn {
  kArgsId,
  kArgsSet,
  kArgsFlatKey,
  kArgsKey,
  kArgsInteger,
  kArgsText,
  kArgsReal,
  kArgsType,
  kArgsDisplay,
  kArgsName,
  kArgsUnit,
  kArgsColumns,
};

constexpr std::array<ColumnInfo, kArgsColumns> kColumnsOfArgs{{
    {"id", ColumnType::kInteger, "The argument's number"},
    {"arg_set_id", ColumnType::kInteger, "slice.arg_set_id of the slice that has it"},
    {"flat_key", ColumnType::kText, "As key"},
    {"key", ColumnType::kText, "Its name after 'args.' in a trace of Chrome's format, else after 'debug.'"},
    {"int_value", ColumnType::kInteger, "Its value, if that is a whole number"},
    {"string_value", ColumnType::kText, "Its value, if that is a text"},
    {"real_value", ColumnType::kReal, "Its value, if that is a real number"},
    {"value_type", ColumnType::kText, "int, real, string or json"},
    {"display_value", ColumnType::kText, "Its value as text"},
    {"name", ColumnType::kText, "Its name without the prefix"},
    {"unit", ColumnType::kText, "The unit of the value; null if unknown"},
}};

// Ways to walk, numbers of Plan::order: track by track, or all of a key one after another.
enum ArgsWalk { kByTrack, kByKey, kByName };

// The keys that are left; none: all.
using WantedKey = std::optional<std::string>;

class ArgsCursor : public Cursor {
 public:
  ArgsCursor(const ArgsTable& table, const Budget& budget) : table_(table), budget_(budget) {}

  Result<void> start(std::span<const Constraint> constraints, int order) override {
    at_end_ = false;
    key_.reset();
    name_.reset();
    set_ = {};
    for (const Constraint& constraint : constraints) {
      if (constraint.column == kArgsSet) {
        set_.narrow(constraint.compare, constraint.value);
      } else if (const auto* text = std::get_if<std::string_view>(&constraint.value)) {
        (constraint.column == kArgsName ? name_ : key_) = std::string(*text);
      } else {
        set_ = {1, 0};  // no key is a number or null
      }
    }
    is_one_set_ = set_.first == set_.last;
    runs_ = set_.is_empty() ? std::span<const ArgumentRun>() : table_.runs();
    if (is_one_set_) {
      const Catalog& catalog = table_.catalog();
      const bool is_there = set_.first >= 0 && static_cast<std::uint64_t>(set_.first) < catalog.slice_count();
      if (!is_there) return end();
      const SliceTrack& track = catalog.slice_tracks()[catalog.slice_track_of(static_cast<std::uint64_t>(set_.first))];
      event_ = static_cast<std::uint32_t>(static_cast<std::uint64_t>(set_.first) - track.first_slice);
      runs_ = table_.runs_of(track);
    }
    run_ = 0;
    order_.clear();
    if (order != kByTrack) {
      order_.resize(runs_.size());
      std::iota(order_.begin(), order_.end(), 0u);
      std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) {
        return order == kByKey ? std::string_view(runs_[i].key) : runs_[i].name;
      });
    }
    return enter();
  }

  bool at_end() const override { return at_end_; }

  Result<void> next() override {
    if (!is_one_set_ && ++place_ < place_end_) return {};
    ++run_;
    return enter();
  }

  void write(int column, Cell& cell) const override {
    const ArgumentRun& run = run_at();
    const Capture& capture = table_.catalog().capture(run.source);
    switch (column) {
      case kArgsId:
        return cell.integer(id());
      case kArgsSet:
        return cell.integer(
            static_cast<std::int64_t>(table_.catalog().slice_number(run.source, run.track, run.column->event(place_))));
      case kArgsFlatKey:
      case kArgsKey:
        return cell.text(run.key);
      case kArgsName:
        return cell.text(run.name);
      case kArgsUnit:
        return cell.text_or_null(capture.strings.get(run.column->unit));
      case kArgsType:
        return cell.text(value_type(run, capture.strings));
      case kArgsDisplay:
        return write_as_text(run, capture, cell);
      default:
        return write_value(column, run, capture, cell);
    }
  }

  std::int64_t id() const override { return static_cast<std::int64_t>(run_at().first_id + place_); }

 private:
  Result<void> end() {
    at_end_ = true;
    return {};
  }

  const ArgumentRun& run_at() const { return order_.empty() ? runs_[run_] : runs_[order_[run_]]; }

  // On to the first value of this run or a later one.
  Result<void> enter() {
    for (; run_ < runs_.size(); ++run_) {
      if (!budget_.goes_on()) return budget_.error();
      const ArgumentRun& run = run_at();
      if ((key_ && run.key != *key_) || (name_ && run.name != *name_)) continue;
      place_ = 0;
      place_end_ = run.column->size();
      if (is_one_set_) {
        const auto found = run.column->place_of(event_);
        if (!found) continue;
        place_ = *found;
      }
      if (place_ < place_end_) return {};
    }
    return end();
  }

  void write_value(int column, const ArgumentRun& run, const Capture& capture, Cell& cell) const {
    const ArgumentType type = run.column->type;
    if (column == kArgsInteger && type == ArgumentType::kInteger) return cell.integer(run.column->integer(place_));
    if (column == kArgsReal && type == ArgumentType::kReal) return cell.real(run.column->real(place_));
    if (column == kArgsText && type == ArgumentType::kText)
      return cell.text(capture.strings.get(run.column->text(place_)));
    cell.null();
  }

  void write_as_text(const ArgumentRun& run, const Capture& capture, Cell& cell) const {
    if (run.column->type == ArgumentType::kInteger)
      return cell.copied_text(fmt::format("{}", run.column->integer(place_)));
    if (run.column->type == ArgumentType::kReal) return cell.copied_text(fmt::format("{}", run.column->real(place_)));
    cell.text(capture.strings.get(run.column->text(place_)));
  }

  const ArgsTable& table_;
  const Budget& budget_;
  WantedKey key_, name_;
  Interval set_;
  bool is_one_set_ = false;
  std::uint32_t event_ = 0;
  std::span<const ArgumentRun> runs_;
  std::vector<std::uint32_t> order_;  // of the runs; empty: as they are
  std::size_t run_ = 0, place_ = 0, place_end_ = 0;
  bool at_end_ = true;
};

bool narrows_args_by(const Constraint& constraint) {
  if (constraint.compare != Compare::kEqual) return false;
  return constraint.column == kArgsSet || constraint.column == kArgsKey || constraint.column == kArgsFlatKey ||
         constraint.column == kArgsName;
}

}  // namespace

const ArgsTable::Runs& ArgsTable::all() const {
  if (all_) return *all_;
  Runs& made = all_.emplace(Runs{});  // clang 16 takes it for one that cannot be made of nothing
  for (std::uint32_t source = 0; source < catalog_.sources().size(); ++source) {
    const Capture& capture = catalog_.capture(source);
    const bool is_trace = capture.profile.is_trace;
    const std::string_view prefix = is_trace ? "args." : "debug.";
    for (std::uint32_t track = 0; track < capture.profile.tracks.size(); ++track) {
      const auto add = [&](const ArgumentColumn& column, std::string_view name) {
        made.runs.push_back({source, track, &column,
                             name.starts_with(prefix) ? std::string(name) : fmt::format("{}{}", prefix, name), name,
                             made.size});
        made.size += column.size();
      };
      for (const ArgumentColumn& column : capture.profile.tracks[track].arguments) {
        if (column.size() > 0 && !column.is_hidden) add(column, capture.strings.get(column.name));
      }
      for (const OtherName& other : other_names(capture.profile.tracks[track], capture.strings, made.made))
        add(*other.column, other.name);
    }
  }
  return made;
}

std::span<const ArgumentRun> ArgsTable::runs_of(const SliceTrack& track) const {
  const auto place = [](const ArgumentRun& run) { return std::pair(run.source, run.track); };
  const auto found = std::ranges::equal_range(all().runs, std::pair(track.source, track.track), {}, place);
  return {found.begin(), found.end()};
}

std::string_view value_type(const ArgumentRun& run, const StringTable& strings) {
  if (run.column->type == ArgumentType::kInteger) return "int";
  if (run.column->type == ArgumentType::kReal) return "real";
  return strings.get(run.column->unit) == argument::kJson ? "json" : "string";
}

std::span<const ColumnInfo> ArgsTable::columns() const { return kColumnsOfArgs; }

Plan ArgsTable::plan(const PlanRequest& request) {
  Plan plan;
  double rows = static_cast<double>(size()) + 1;
  const double of_one = std::min(rows, 20.0);
  for (const Constraint& constraint : request.constraints) {
    plan.takes.push_back(narrows_args_by(constraint));
    if (!plan.takes.back()) continue;
    rows = constraint.column == kArgsSet ? std::min(rows, of_one) : std::max(1.0, rows / 10);
  }
  const auto order = request.order;
  plan.is_ordered = order.empty();
  if (order.size() == 1 && (request.wants_groups || !order[0].is_descending)) {
    const int column = order[0].column;
    plan.order = column == kArgsKey || column == kArgsFlatKey ? kByKey : column == kArgsName ? kByName : kByTrack;
    plan.is_ordered = plan.order != kByTrack;
  }
  plan.rows = static_cast<std::int64_t>(rows);
  plan.cost = rows + 30;
  return plan;
}

std::unique_ptr<Cursor> ArgsTable::open(const Budget& budget) { return std::make_unique<ArgsCursor>(*this, budget); }

void write_argument(const ArgsTable& args, std::int64_t slice, std::string_view key, Cell& cell) {
  const Catalog& catalog = args.catalog();
  if (slice < 0 || static_cast<std::uint64_t>(slice) >= catalog.slice_count()) return cell.null();
  const SliceTrack& track = catalog.slice_tracks()[catalog.slice_track_of(static_cast<std::uint64_t>(slice))];
  const auto event = static_cast<std::uint32_t>(static_cast<std::uint64_t>(slice) - track.first_slice);
  for (const ArgumentRun& run : args.runs_of(track)) {
    if (run.key != key && run.name != key) continue;
    const auto value = run.column->of(event);
    if (!value) continue;
    if (const auto* number = std::get_if<std::int64_t>(&*value)) return cell.integer(*number);
    if (const auto* real = std::get_if<double>(&*value)) return cell.real(*real);
    return cell.text(catalog.capture(track.source).strings.get(std::get<StringId>(*value)));
  }
  cell.null();
}

}  // namespace vizd::sql
