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
  entries_.push_back({});  // kNoneValue
}

// A number as Python compares it: what it is worth counts, not its type.
ValueTable::Entry ValueTable::comparable(Entry entry) {
  if (entry.kind == ValueKind::kBool) entry.kind = ValueKind::kInt;
  if (entry.kind == ValueKind::kFloat) {
    const double value = std::bit_cast<double>(entry.payload);
    if (value == std::trunc(value) && std::fabs(value) < 0x1p63) {
      entry.kind = ValueKind::kInt;
      entry.payload = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    }
  }
  return entry;
}

ValueId ValueTable::first_equal(const Entry& entry, std::span<const ValueId> items, ValueId self) {
  const Entry key = comparable(entry);
  std::uint32_t hash = mix_hash(static_cast<std::uint32_t>(key.kind), static_cast<std::uint32_t>(key.type_name));
  if (items.empty()) hash = mix_payload(hash, key.payload);
  for (const ValueId item : items) hash = mix_hash(hash, static_cast<std::uint32_t>(equality(item)));
  const auto same_item = [&](ValueId a, ValueId b) { return equality(a) == equality(b); };
  const std::uint32_t found = equal_.find(hash, [&](std::uint32_t i) {
    const Entry other = comparable(entries_[i]);
    if (other.kind != key.kind || other.type_name != key.type_name || other.count != key.count) return false;
    return key.count == 0 ? other.payload == key.payload
                          : std::ranges::equal(this->items(to_id<ValueId>(i)), items, same_item);
  });
  if (found != HashIndex::kNone) return to_id<ValueId>(found);
  equal_.add(hash, static_cast<std::uint32_t>(self));
  return self;
}

ValueId ValueTable::intern(Entry entry, std::span<const ValueId> items) {
  entry.count = static_cast<std::uint32_t>(items.size());
  std::uint32_t hash = mix_hash(static_cast<std::uint32_t>(entry.kind), static_cast<std::uint32_t>(entry.type_name));
  if (items.empty()) hash = mix_payload(hash, entry.payload);
  for (const ValueId item : items) hash = mix_hash(hash, static_cast<std::uint32_t>(item));
  const bool is_nan = entry.kind == ValueKind::kFloat && std::isnan(std::bit_cast<double>(entry.payload));
  const std::uint32_t found = is_nan ? HashIndex::kNone : exact_.find(hash, [&](std::uint32_t i) {
    const Entry& other = entries_[i];
    if (other.kind != entry.kind || other.type_name != entry.type_name || other.count != entry.count) return false;
    return entry.count == 0 ? other.payload == entry.payload
                            : std::ranges::equal(this->items(to_id<ValueId>(i)), items);
  });
  if (found != HashIndex::kNone) return to_id<ValueId>(found);

  const auto id = to_id<ValueId>(entries_.size());
  VIZD_ASSERT(index(id) != kNoId);
  scratch_.assign(items.begin(), items.end());  // items may be a view of our own, about to move
  if (entry.count != 0) entry.payload = items_.size();
  items_.insert(items_.end(), scratch_.begin(), scratch_.end());
  entries_.push_back(entry);
  entries_.back().equal = is_nan ? id : first_equal(entry, scratch_, id);
  exact_.add(hash, static_cast<std::uint32_t>(id));
  return id;
}

ValueId ValueTable::boolean(bool value) { return intern({.payload = value, .kind = ValueKind::kBool}, {}); }

ValueId ValueTable::integer(std::int64_t value) {
  return intern({.payload = static_cast<std::uint64_t>(value), .kind = ValueKind::kInt}, {});
}

ValueId ValueTable::big_integer(std::string_view text) {
  std::int64_t small = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), small);
  if (error == std::errc() && end == text.data() + text.size()) return integer(small);
  return intern({.payload = index(strings_.add(text)), .kind = ValueKind::kBigInt}, {});
}

ValueId ValueTable::real(double value) {
  return intern({.payload = std::bit_cast<std::uint64_t>(value), .kind = ValueKind::kFloat}, {});
}

ValueId ValueTable::string(std::string_view text) {
  return intern({.payload = index(strings_.add(text)), .kind = ValueKind::kString}, {});
}

ValueId ValueTable::bytes(std::string_view data) {
  return intern({.payload = index(strings_.add(data)), .kind = ValueKind::kBytes}, {});
}

ValueId ValueTable::sequence(ValueKind kind, std::span<const ValueId> items) { return intern({.kind = kind}, items); }

ValueId ValueTable::member(std::string_view type_name, std::string_view name, std::int64_t number) {
  const ValueId parts[] = {string(name), integer(number)};
  return intern({.type_name = strings_.add(type_name), .kind = ValueKind::kEnum}, parts);
}

ValueId ValueTable::object(std::string_view type_name, std::span<const ValueId> items) {
  return intern({.type_name = strings_.add(type_name), .kind = ValueKind::kObject}, items);
}

ValueId ValueTable::op(OpId id) { return intern({.payload = index(id), .kind = ValueKind::kOp}, {}); }

std::int64_t ValueTable::as_int(ValueId id) const {
  const Entry& entry = entries_[index(id)];
  if (entry.kind == ValueKind::kEnum) return as_int(items(id)[1]);
  return static_cast<std::int64_t>(entry.payload);
}

double ValueTable::as_real(ValueId id) const {
  const Entry& entry = entries_[index(id)];
  if (entry.kind == ValueKind::kFloat) return std::bit_cast<double>(entry.payload);
  return static_cast<double>(static_cast<std::int64_t>(entry.payload));
}

std::string_view ValueTable::text(ValueId id) const {
  const Entry& entry = entries_[index(id)];
  if (entry.kind == ValueKind::kEnum) return text(items(id)[0]);
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
