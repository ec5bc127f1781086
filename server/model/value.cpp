#include "model/value.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "base/assert.h"

namespace vizd {
namespace {

std::uint32_t mix_payload(std::uint32_t hash, std::uint64_t payload) {
  return mix_hash(mix_hash(hash, static_cast<std::uint32_t>(payload)), static_cast<std::uint32_t>(payload >> 32));
}

}  // namespace

ValueTable::ValueTable(StringTable& strings) : strings_(strings) {
  entries_.push_back({});
  kinds_.push_back(ValueKind::kNone);
  equals_.push_back(kNoneValue);
}

std::uint32_t ValueTable::hash(ValueKind kind, const Entry& entry, std::span<const ValueId> items) {
  std::uint32_t result = mix_hash(static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(entry.type_name));
  if (items.empty()) result = mix_payload(result, entry.payload);
  for (const ValueId item : items) result = mix_hash(result, static_cast<std::uint32_t>(item));
  return result;
}

ValueId ValueTable::intern(ValueKind kind, Entry entry, std::span<const ValueId> items) {
  entry.count = static_cast<std::uint32_t>(items.size());
  const std::uint32_t hash = ValueTable::hash(kind, entry, items);
  const bool is_nan = kind == ValueKind::kFloat && std::isnan(std::bit_cast<double>(entry.payload));
  const auto is_same = [&](std::uint32_t i) {
    const Entry& other = entries_[i];
    if (kinds_[i] != kind || other.type_name != entry.type_name || other.count != entry.count) return false;
    return entry.count == 0 ? other.payload == entry.payload
                            : std::ranges::equal(this->items(to_id<ValueId>(i)), items);
  };
  const std::uint32_t found = is_nan ? HashIndex::kNone : index_.find(hash, is_same);
  if (found != HashIndex::kNone) return to_id<ValueId>(found);

  const auto id = to_id<ValueId>(entries_.size());
  VIZD_ASSERT(index(id) != kNoId);
  if (entry.count != 0) entry.payload = append_items(items);
  entries_.push_back(entry);
  kinds_.push_back(kind);
  equals_.push_back(id);
  index_.add(hash, static_cast<std::uint32_t>(id));
  const ValueId equal = equal_of(id);  // may itself be new
  equals_[index(id)] = equal;
  return id;
}

std::size_t ValueTable::append_items(std::span<const ValueId> items) {
  const std::size_t begin = items_.size();
  if (items.data() >= items_.data() && items.data() < items_.data() + items_.size()) {
    const std::vector<ValueId> copy(items.begin(), items.end());  // a view of our own, about to move
    items_.insert(items_.end(), copy.begin(), copy.end());
  } else {
    items_.insert(items_.end(), items.begin(), items.end());
  }
  return begin;
}

// A number as the integer that it is worth, a value with items as the one of its items' equals: most are themselves.
ValueId ValueTable::equal_of(ValueId id) {
  const Entry entry = entries_[index(id)];
  if (kind(id) == ValueKind::kBool) return integer(static_cast<std::int64_t>(entry.payload));
  if (kind(id) == ValueKind::kFloat) {
    const double value = std::bit_cast<double>(entry.payload);
    const bool is_integer = value == std::trunc(value) && std::fabs(value) < 0x1p63;
    return is_integer ? integer(static_cast<std::int64_t>(value)) : id;
  }
  const auto parts = items(id);
  if (std::ranges::all_of(parts, [&](ValueId part) { return equality(part) == part; })) return id;
  std::vector<ValueId> equals;
  for (const ValueId part : parts) equals.push_back(equality(part));
  return intern(kind(id), {.type_name = entry.type_name}, equals);
}

void ValueTable::begin_restore(std::size_t value_count, std::size_t item_count) {
  VIZD_ASSERT(size() == 1);
  entries_.reserve(value_count + 1);
  kinds_.reserve(value_count + 1);
  equals_.reserve(value_count + 1);
  items_.reserve(item_count);
}

void ValueTable::restore(ValueKind kind, std::uint64_t payload, StringId type_name, std::span<const ValueId> items) {
  const std::uint64_t begin = items_.size();
  for (const ValueId item : items) items_.push_back(item);
  equals_.push_back(to_id<ValueId>(entries_.size()));
  kinds_.push_back(kind);
  entries_.push_back({items.empty() ? payload : begin, static_cast<std::uint32_t>(items.size()), type_name});
}

void ValueTable::finish_restore() {
  const std::size_t count = size();
  index_.reserve(count);
  for (std::size_t i = 1; i < count; ++i) {
    const auto id = to_id<ValueId>(i);
    index_.add(hash(kinds_[i], entries_[i], items(id)), static_cast<std::uint32_t>(i));
    const auto payload = static_cast<std::int64_t>(entries_[i].payload);
    if (kinds_[i] == ValueKind::kInt && payload >= 0 && payload < static_cast<std::int64_t>(small_integers_.size())) {
      small_integers_[static_cast<std::size_t>(payload)] = id;
    }
  }
  for (std::size_t i = 1; i < count; ++i) {
    const ValueId equal = equal_of(to_id<ValueId>(i));  // may itself be new
    equals_[i] = equal;
  }
}

void ValueTable::drop_restored() {
  entries_.resize(1);
  kinds_.resize(1);
  equals_.resize(1);
  items_.clear();
  index_ = {};
  small_integers_ = {};
}

ValueId ValueTable::boolean(bool value) { return intern(ValueKind::kBool, {.payload = value}); }

ValueId ValueTable::integer(std::int64_t value) {
  const auto intern_it = [&] { return intern(ValueKind::kInt, {.payload = static_cast<std::uint64_t>(value)}); };
  if (value < 0 || value >= static_cast<std::int64_t>(small_integers_.size())) return intern_it();
  ValueId& known = small_integers_[static_cast<std::size_t>(value)];
  if (known == kNoneValue) known = intern_it();
  return known;
}

ValueId ValueTable::big_integer(std::string_view text) {
  std::int64_t small = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), small);
  if (error == std::errc() && end == text.data() + text.size()) return integer(small);
  return intern(ValueKind::kBigInt, {.payload = index(strings_.add(text))});
}

ValueId ValueTable::real(double value) {
  return intern(ValueKind::kFloat, {.payload = std::bit_cast<std::uint64_t>(value)});
}

ValueId ValueTable::string(std::string_view text) {
  return intern(ValueKind::kString, {.payload = index(strings_.add(text))});
}

ValueId ValueTable::bytes(std::string_view data) {
  return intern(ValueKind::kBytes, {.payload = index(strings_.add(data))});
}

ValueId ValueTable::sequence(ValueKind kind, std::span<const ValueId> items) { return intern(kind, {}, items); }

ValueId ValueTable::member(std::string_view type_name, std::string_view name, std::int64_t number) {
  const ValueId parts[] = {string(name), integer(number)};
  return intern(ValueKind::kEnum, {.type_name = strings_.add(type_name)}, parts);
}

ValueId ValueTable::object(std::string_view type_name, std::span<const ValueId> items) {
  return intern(ValueKind::kObject, {.type_name = strings_.add(type_name)}, items);
}

ValueId ValueTable::op(OpId id) { return intern(ValueKind::kOp, {.payload = index(id)}); }

std::int64_t ValueTable::as_int(ValueId id) const {
  const Entry& entry = entries_[index(id)];
  if (kind(id) == ValueKind::kEnum) return as_int(items(id)[1]);
  return static_cast<std::int64_t>(entry.payload);
}

double ValueTable::as_real(ValueId id) const {
  const Entry& entry = entries_[index(id)];
  if (kind(id) == ValueKind::kFloat) return std::bit_cast<double>(entry.payload);
  return static_cast<double>(static_cast<std::int64_t>(entry.payload));
}

std::string_view ValueTable::text(ValueId id) const {
  const Entry& entry = entries_[index(id)];
  if (kind(id) == ValueKind::kEnum) return text(items(id)[0]);
  return strings_.get(to_id<StringId>(entry.payload));
}

std::string_view ValueTable::type_name(ValueId id) const { return strings_.get(entries_[index(id)].type_name); }

std::span<const ValueId> ValueTable::items(ValueId id) const {
  const Entry& entry = entries_[index(id)];
  return std::span(items_).subspan(entry.count == 0 ? 0 : entry.payload, entry.count);
}

ValueId ValueTable::field(ValueId object, std::string_view name) const {
  const auto parts = items(object);
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    if (kind(parts[i]) == ValueKind::kString && text(parts[i]) == name) return parts[i + 1];
  }
  return kNoneValue;
}

}  // namespace vizd
