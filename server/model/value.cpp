#include "model/value.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "base/assert.h"

namespace vizd {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 29);
}

}  // namespace

ValueTable::ValueTable(StringTable& strings) : strings_(strings) {
  entries_.push_back({});  // kNoneValue
}

std::uint64_t ValueTable::hash(const Entry& entry, std::span<const ValueId> items) const {
  std::uint64_t result = mix(static_cast<std::uint64_t>(entry.kind), index(entry.type_name));
  if (items.empty()) result = mix(result, entry.payload);
  for (const ValueId item : items) result = mix(result, index(item));
  return mix(result, entry.count);
}

// An entry in the form that all its equals share: numbers as a double or an integer, items by their own equals.
ValueId ValueTable::equal_of(const Entry& entry, std::span<const ValueId> items, ValueId self) {
  Entry key = entry;
  std::vector<ValueId> key_items;
  if (entry.kind == ValueKind::kBool) key.kind = ValueKind::kInt;
  if (entry.kind == ValueKind::kFloat) {
    const double value = std::bit_cast<double>(entry.payload);
    if (std::isnan(value)) return self;
    if (value == std::trunc(value) && std::fabs(value) < 9.2e18) {
      key.kind = ValueKind::kInt;
      key.payload = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    }
  }
  for (const ValueId item : items) key_items.push_back(equality(item));
  const std::uint64_t hashed = hash(key, key_items);
  for (auto [it, end] = equal_.equal_range(hashed); it != end; ++it) {
    const Entry& other = entries_[index(it->second)];
    const auto same_item = [&](ValueId a, ValueId b) { return equality(a) == b; };
    if (!items.empty() || entry.count != 0) {
      if (other.kind == entry.kind && other.type_name == entry.type_name &&
          std::ranges::equal(this->items(it->second), key_items, same_item)) {
        return it->second;
      }
      continue;
    }
    const auto number = [](const Entry& e) { return e.kind == ValueKind::kBool || e.kind == ValueKind::kInt; };
    if (number(entry) && number(other) && entry.payload == other.payload) return it->second;
    const auto real = [](const Entry& e) {
      return e.kind == ValueKind::kFloat ? std::bit_cast<double>(e.payload)
                                         : static_cast<double>(static_cast<std::int64_t>(e.payload));
    };
    const auto numeric = [&](const Entry& e) { return number(e) || e.kind == ValueKind::kFloat; };
    if (numeric(entry) && numeric(other)) {
      if (real(entry) == real(other)) return it->second;
    } else if (other.kind == entry.kind && other.type_name == entry.type_name && other.payload == entry.payload &&
               other.count == entry.count) {
      return it->second;
    }
  }
  equal_.emplace(hashed, self);
  return self;
}

ValueId ValueTable::intern(Entry entry, std::span<const ValueId> items) {
  entry.count = static_cast<std::uint32_t>(items.size());
  const std::uint64_t hashed = hash(entry, items);
  const bool is_nan = entry.kind == ValueKind::kFloat && std::isnan(std::bit_cast<double>(entry.payload));
  for (auto [it, end] = exact_.equal_range(hashed); it != end && !is_nan; ++it) {
    const Entry& other = entries_[index(it->second)];
    if (other.kind != entry.kind || other.type_name != entry.type_name || other.count != entry.count) continue;
    if (entry.count == 0 ? other.payload == entry.payload : std::ranges::equal(this->items(it->second), items)) {
      return it->second;
    }
  }
  const auto id = to_id<ValueId>(entries_.size());
  VIZD_ASSERT(index(id) != kNoId);
  if (entry.count != 0) {
    const std::vector<ValueId> copy(items.begin(), items.end());  // items may be a view of our own, about to move
    entry.payload = items_.size();
    items_.insert(items_.end(), copy.begin(), copy.end());
    entries_.push_back(entry);
    entries_.back().equal = equal_of(entry, copy, id);
  } else {
    entries_.push_back(entry);
    entries_.back().equal = equal_of(entry, {}, id);
  }
  exact_.emplace(hashed, id);
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
