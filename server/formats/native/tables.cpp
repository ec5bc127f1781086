#include "formats/native/tables.h"

#include <algorithm>
#include <string>
#include <utility>

namespace vizd::native {
namespace {

namespace column = capture::column;

constexpr std::uint16_t kMostKinds = 0xFFF0;
constexpr std::uint32_t kNone = 0xFFFFFFFFu;

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Where each of a chunk's records ends in the column of its parts; false where the parts are too few.
bool add_ends(std::vector<std::uint32_t>& ends, const std::vector<std::uint32_t>& counts, std::size_t part_count) {
  std::uint64_t end = 0;
  for (const std::uint32_t count : counts) end += count;
  if (end > part_count || ends.back() + end >= kNone) return false;
  for (const std::uint32_t count : counts) ends.push_back(ends.back() + count);
  return true;
}

}  // namespace

void Tables::skip(std::string_view reason, std::uint64_t count) { capture_.skipped[std::string(reason)] += count; }

bool Tables::may_lose(std::uint64_t from, std::uint64_t to) {
  if (to < from || to - from > lost_records_) return false;
  lost_records_ -= to - from;
  return true;
}

bool Tables::is_time(std::int64_t ns) {
  if (ns > -kTimeBound_ns && ns < kTimeBound_ns) return true;
  skip("time beyond 36 years");
  return false;
}

template <typename Table, typename Lost>
bool Tables::fill_up(Table& table, std::uint64_t first, const Lost& lost) {
  if (!may_lose(table.size(), first)) return false;
  table.resize(first, lost);
  return true;
}

void Tables::add_strings(const Columns& columns, std::uint64_t first) {
  const auto lengths = columns.read<std::uint32_t>(column::Strings::kLength);
  std::string_view bytes = columns.text(column::Strings::kBytes);
  if (!fill_up(strings_, first, first > strings_.size() ? capture_.strings.add(kLost) : StringId{}))
    return skip("strings out of order", columns.count());
  for (const std::uint32_t length : lengths) {
    strings_.push_back(capture_.strings.add(bytes.substr(0, length)));
    bytes.remove_prefix(std::min<std::size_t>(length, bytes.size()));
  }
}

StringId Tables::string(std::uint64_t number) const { return number < strings_.size() ? strings_[number] : StringId{}; }

void Tables::add_locations(const Columns& columns, std::uint64_t first) {
  const auto files = columns.read<std::uint32_t>(column::Locations::kFile);
  const auto lines = columns.read<std::uint32_t>(column::Locations::kLine);
  const auto codes = columns.read<std::uint32_t>(column::Locations::kCode);
  if (!fill_up(locations_, first, LocationId{kNoId})) return skip("locations out of order", columns.count());
  for (std::size_t i = 0; i < columns.count(); ++i) {
    locations_.push_back(to_id<LocationId>(capture_.rewrites.locations.size()));
    Location& location = capture_.rewrites.locations.emplace_back();
    location.file = string(files[i]);
    location.line = std::min(lines[i], std::uint32_t{0x7FFFFFFF});
    if (codes[i] != 0) location.code = string(codes[i] - 1);
  }
}

LocationId Tables::location(std::uint64_t number) {
  const LocationId known = number < locations_.size() ? locations_[number] : lost_location_;
  if (known != LocationId{kNoId}) return known;
  if (lost_location_ == LocationId{kNoId}) {
    lost_location_ = to_id<LocationId>(capture_.rewrites.locations.size());
    capture_.rewrites.locations.push_back({.file = capture_.strings.add(kLost)});
  }
  return lost_location_;
}

void Tables::add_kinds(const Columns& columns, std::uint64_t first) {
  const auto names = columns.read<std::uint32_t>(column::Kinds::kName);
  const auto colours = columns.read<std::uint32_t>(column::Kinds::kColour);
  const auto flags = columns.read<std::uint32_t>(column::Kinds::kFlags);
  const auto find_or_add = [&](const told::OpKind& kind) {
    const auto found = std::ranges::find(kinds_, kind);
    const auto id = static_cast<std::uint16_t>(found - kinds_.begin());
    if (found == kinds_.end()) kinds_.push_back(kind);
    return id;
  };
  if (!fill_up(kind_ids_, first, std::uint16_t{0})) return skip("kinds of ops out of order", columns.count());
  for (std::size_t i = 0; i < columns.count(); ++i) {
    if (kinds_.size() >= kMostKinds) return skip("kind of op beyond those that vizd can tell apart");
    kind_ids_.push_back(find_or_add({string(names[i]), string(colours[i]), (flags[i] & capture::kKindInlined) != 0}));
  }
}

void Tables::add_values(const Columns& columns, std::uint64_t first) {
  ValueRecords& records = value_records_;
  const std::uint64_t next = records.kind.size() + 1;  // number 0 is none
  if (!may_lose(next, first)) return skip("values out of order", columns.count());
  const auto lost = static_cast<std::size_t>(first - next);
  records.kind.insert(records.kind.end(), lost, 0);
  records.number.insert(records.number.end(), lost, 0);
  records.real.insert(records.real.end(), lost, 0);
  records.item_begin.insert(records.item_begin.end(), lost, records.item_begin.back());

  const auto distances = columns.read_all<std::uint32_t>(column::Values::kItem);
  const auto counts = columns.read<std::uint32_t>(column::Values::kItemCount);
  const std::size_t begin = records.item_begin.size() - 1;
  if (!add_ends(records.item_begin, counts, distances.size())) {
    return skip("values without all of their items", columns.count());
  }
  const auto kinds = columns.read<std::uint8_t>(column::Values::kKind);
  const auto reals = columns.read_all<double>(column::Values::kReal);
  append(records.kind, kinds);
  append(records.number, columns.read<std::int64_t>(column::Values::kNumber));
  std::size_t next_item = 0, next_real = 0;
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const bool is_real = kinds[i] == static_cast<std::uint8_t>(ValueKind::kFloat) && next_real < reals.size();
    records.real.push_back(is_real ? reals[next_real++] : 0);
    const auto number = static_cast<std::uint32_t>(begin + i + 1);
    for (std::uint32_t item = 0; item < counts[i]; ++item) records.items.push_back(number - distances[next_item++]);
  }
}

ValueId Tables::value(std::uint64_t number) const {
  if (is_restored_) return number < capture_.values.size() ? to_id<ValueId>(number) : kNoneValue;
  return number < values_.size() ? values_[number] : kNoneValue;
}

// Makes the values up to that number.
void Tables::make_values(std::uint64_t end) {
  end = std::min<std::uint64_t>(end, value_records_.kind.size() + 1);
  while (values_.size() < end) {
    const std::size_t record = values_.size() - 1;
    std::uint8_t depth = 0;
    for (std::uint32_t i = value_records_.item_begin[record]; i < value_records_.item_begin[record + 1]; ++i) {
      const std::uint32_t item = value_records_.items[i];
      depth = std::max<std::uint8_t>(depth, item < values_.size() ? value_depth_[item] + 1 : kMostNested + 1);
    }
    const bool is_good = depth <= kMostNested;
    if (!is_good) skip("value that contains itself, or is nested too deep");
    value_depth_.push_back(is_good ? depth : 0);
    values_.push_back(is_good ? make_value(record) : kNoneValue);
  }
}

ValueId Tables::make_value(std::size_t record) {
  ValueTable& values = capture_.values;
  const std::int64_t number = value_records_.number[record];
  const auto text = [&] { return capture_.strings.get(string(static_cast<std::uint64_t>(number))); };
  parts_.clear();
  for (std::uint32_t i = value_records_.item_begin[record]; i < value_records_.item_begin[record + 1]; ++i) {
    parts_.push_back(values_[value_records_.items[i]]);
  }
  const auto kind = static_cast<ValueKind>(value_records_.kind[record]);
  switch (kind) {
    case ValueKind::kNone:
      return kNoneValue;
    case ValueKind::kBool:
      return values.boolean(number != 0);
    case ValueKind::kInt:
      return values.integer(number);
    case ValueKind::kBigInt:
      return values.big_integer(text());
    case ValueKind::kFloat:
      return values.real(value_records_.real[record]);
    case ValueKind::kString:
      return values.string(text());
    case ValueKind::kBytes:
      return values.bytes(text());
    case ValueKind::kTuple:
    case ValueKind::kList:
    case ValueKind::kSet:
    case ValueKind::kDict:
      return values.sequence(kind, parts_);
    case ValueKind::kEnum:
      if (parts_.size() != 2 || values.kind(parts_[0]) != ValueKind::kString ||
          values.kind(parts_[1]) != ValueKind::kInt) {
        break;
      }
      return values.member(text(), values.text(parts_[0]), values.as_int(parts_[1]));
    case ValueKind::kObject:
      return values.object(text(), parts_);
    case ValueKind::kOp:
      if (const auto op = made_op(static_cast<std::uint64_t>(number))) return values.op(*op);
      break;
  }
  skip("value of a kind or with parts that vizd does not know");
  return kNoneValue;
}

void Tables::add_ops(const Columns& columns, std::uint64_t first) {
  using Column = column::Ops;
  const auto distances = columns.read_all<std::int64_t>(Column::kSource);
  const auto numbers = columns.read<std::uint64_t>(Column::kNumber);
  const auto counts = columns.read<std::uint32_t>(Column::kSourceCount);
  const std::size_t begin = ops_.number.size();
  const std::uint64_t most = std::uint64_t{2} * (begin + columns.count()) + kMostLostRecords;
  const bool are_numbered = columns.has(Column::kNumber);
  const auto in_range = [&](std::uint64_t number) { return number < most && first + number < most; };
  if (first >= most || !std::ranges::all_of(numbers, in_range)) return skip("ops out of order", columns.count());
  if (!add_ends(ops_.source_begin, counts, distances.size())) {
    return skip("ops without all of their sources", columns.count());
  }
  std::size_t next_source = 0;
  for (std::size_t i = 0; i < columns.count(); ++i) {
    const std::uint64_t number = first + (are_numbered ? numbers[i] : i);
    ops_.number.push_back(number);
    if (number >= op_record_.size()) op_record_.resize(number + 1, kNone);
    op_record_[number] = static_cast<std::uint32_t>(begin + i);
    for (std::uint32_t port = 0; port < counts[i]; ++port) {
      ops_.sources.push_back(number - static_cast<std::uint64_t>(distances[next_source++]));
    }
  }
  const std::pair<std::vector<std::uint32_t>&, std::uint16_t> words[] = {{ops_.kind, Column::kKind},
                                                                         {ops_.dtype_value, Column::kDtypeValue},
                                                                         {ops_.argument_value, Column::kArgumentValue},
                                                                         {ops_.tag_value, Column::kTagValue},
                                                                         {ops_.dtype, Column::kDtype},
                                                                         {ops_.argument, Column::kArgument},
                                                                         {ops_.tag, Column::kTag},
                                                                         {ops_.shape, Column::kShape},
                                                                         {ops_.label, Column::kLabel},
                                                                         {ops_.text, Column::kText},
                                                                         {ops_.context, Column::kContext},
                                                                         {ops_.flags, Column::kFlags}};
  for (const auto& [to, number] : words) append(to, columns.read<std::uint32_t>(number));
  append(ops_.identity, columns.read<std::uint64_t>(Column::kIdentity));
}

void Tables::finish(std::size_t first_context) {
  first_context_ = first_context;
  if (is_restored_) return;
  make_ops();
  make_values(value_records_.kind.size() + 1);
}

std::optional<OpId> Tables::made_op(std::uint64_t number) const {
  if (number >= op_record_.size() || op_record_[number] == kNone) return std::nullopt;
  const std::uint32_t record = op_record_[number];
  const OpId id = record < ops_.made.size() ? ops_.made[record] : OpId{kNoId};
  return id == OpId{kNoId} ? std::nullopt : std::optional(id);
}

// In the order of the records where that has sources first, as it nearly always has; else depth first.
void Tables::make_ops() {
  enum class State : std::uint8_t { kWaiting, kOpen, kDone };
  const std::size_t count = ops_.number.size();
  std::vector<State> states(count, State::kWaiting);
  ops_.made.assign(count, OpId{kNoId});
  capture_.ops.reserve(capture_.ops.size() + count);
  struct Frame {
    std::uint32_t record;
    std::uint32_t next_source;  // into ops_.sources
  };
  std::vector<Frame> stack;
  // The next source that is to be made first, or kNone.
  const auto next_source = [&](Frame& frame) {
    while (frame.next_source < ops_.source_begin[frame.record + 1]) {
      const std::uint64_t number = ops_.sources[frame.next_source++];
      const std::uint32_t source = number < op_record_.size() ? op_record_[number] : kNone;
      if (source != kNone && states[source] == State::kWaiting) return source;
    }
    return kNone;
  };
  const auto enter = [&](std::uint32_t record) {
    states[record] = State::kOpen;
    stack.push_back({record, ops_.source_begin[record]});
  };
  for (std::uint32_t begin = 0; begin < count; ++begin) {
    if (states[begin] == State::kWaiting) enter(begin);
    while (!stack.empty()) {
      if (const std::uint32_t source = next_source(stack.back()); source != kNone) {
        enter(source);
        continue;
      }
      make_op(stack.back().record);
      states[stack.back().record] = State::kDone;
      stack.pop_back();
    }
  }
}

void Tables::make_op(std::size_t record) {
  sources_.clear();
  for (std::uint32_t i = ops_.source_begin[record]; i < ops_.source_begin[record + 1]; ++i) {
    const auto source = made_op(ops_.sources[i]);
    if (!source) return skip("op whose source is missing or leads back to it");
    sources_.push_back(*source);
  }
  const auto kind = this->kind(ops_.kind[record]);
  if (!kind) return skip("op of a kind that is missing");
  const std::uint32_t dtype = ops_.dtype_value[record], arg = ops_.argument_value[record], tag = ops_.tag_value[record];
  make_values(std::uint64_t{std::max({dtype, arg, tag})} + 1);
  ops_.made[record] = capture_.ops.add(*kind, dtype != 0 ? value(dtype) : text_value(ops_.dtype[record]), sources_,
                                       arg != 0 ? value(arg) : native_argument(record),
                                       tag != 0 ? value(tag) : text_value(ops_.tag[record]));
}

ValueId Tables::text_value(std::uint32_t string_number) {
  if (string_number == 0) return kNoneValue;
  return capture_.values.string(capture_.strings.get(string(string_number)));
}

ValueId Tables::native_argument(std::size_t record) {
  ValueTable& values = capture_.values;
  const ValueId argument = text_value(ops_.argument[record]);
  const bool is_inlined = (ops_.flags[record] & capture::kOpInlined) != 0;
  const std::uint32_t context = ops_.context[record];
  const std::uint64_t identity = ops_.identity[record];
  if (ops_.shape[record] == 0 && ops_.label[record] == 0 && ops_.text[record] == 0 && identity == 0 && context == 0 &&
      !is_inlined) {
    return argument;
  }
  if (field_names_.empty()) {
    for (const std::string_view name : kOpFieldNames) field_names_.push_back(values.string(name));
  }
  const auto context_value = [&] { return values.integer(static_cast<std::int64_t>(first_context_ + context - 1)); };
  const ValueId fields[] = {argument,
                            text_value(ops_.shape[record]),
                            text_value(ops_.label[record]),
                            text_value(ops_.text[record]),
                            identity == 0 ? kNoneValue : values.integer(static_cast<std::int64_t>(identity)),
                            context == 0 ? kNoneValue : context_value(),
                            is_inlined ? values.boolean(true) : kNoneValue};
  static_assert(std::size(fields) == static_cast<std::size_t>(OpField::kCount));
  parts_.clear();
  for (std::size_t i = 0; i < std::size(fields); ++i) {
    parts_.push_back(field_names_[i]);
    parts_.push_back(fields[i]);
  }
  return values.object(kOpType, parts_);
}

}  // namespace vizd::native
