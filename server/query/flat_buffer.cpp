#include "query/flat_buffer.h"

#include <algorithm>
#include <functional>

namespace vizd::sql {

void FlatBuffer::put(std::uint64_t value, std::size_t size_bytes) {
  for (std::size_t i = 0; i < size_bytes; ++i) bytes_ += static_cast<char>(value >> 8 * i & 0xffu);
}

void FlatBuffer::set(std::size_t at, std::uint64_t value, std::size_t size_bytes) {
  for (std::size_t i = 0; i < size_bytes; ++i) bytes_[at + i] = static_cast<char>(value >> 8 * i & 0xffu);
}

void FlatBuffer::pad(std::size_t multiple, std::size_t beyond) {
  while (bytes_.size() % multiple != beyond) bytes_ += '\0';
}

std::vector<FlatBuffer::Reference> FlatBuffer::add_table(Reference what, std::span<const Field> fields) {
  const auto size_of = [](const Field& field) { return field.size_bytes == 0 ? std::size_t{4} : field.size_bytes; };
  std::vector<std::size_t> order(fields.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // The widest first: then none needs a gap before it.
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return size_of(fields[i]); });
  std::uint16_t numbers = 0;
  std::size_t size_bytes = 4;
  for (const Field& field : fields) {
    numbers = std::max<std::uint16_t>(numbers, static_cast<std::uint16_t>(field.number + 1));
    size_bytes += size_of(field);
  }
  // Before the table stands where its fields are in it, by number; 0: it has none.
  pad(2);
  const std::size_t places = bytes_.size();
  put(4u + 2u * numbers, 2);
  put(size_bytes, 2);
  bytes_.append(2u * numbers, '\0');
  pad(8, 4);
  refer(what);
  const std::size_t table = bytes_.size();
  put(table - places, 4);
  std::vector<Reference> at(fields.size());
  for (const std::size_t i : order) {
    at[i] = bytes_.size();
    set(places + 4 + 2u * fields[i].number, bytes_.size() - table, 2);
    put(fields[i].value, size_of(fields[i]));
  }
  std::vector<Reference> references;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].size_bytes == 0) references.push_back(at[i]);
  }
  return references;
}

void FlatBuffer::add_text(Reference what, std::string_view text) {
  pad(4);
  refer(what);
  put(text.size(), 4);
  bytes_.append(text).append(1, '\0');
}

std::vector<FlatBuffer::Reference> FlatBuffer::add_references(Reference what, std::size_t count) {
  pad(4);
  refer(what);
  put(count, 4);
  std::vector<Reference> references;
  for (std::size_t i = 0; i < count; ++i) {
    references.push_back(bytes_.size());
    put(0, 4);
  }
  return references;
}

void FlatBuffer::add_structures(Reference what, std::span<const std::uint64_t> numbers, std::size_t numbers_each) {
  pad(8, 4);
  refer(what);
  put(numbers.size() / numbers_each, 4);
  for (const std::uint64_t number : numbers) put(number, 8);
}

}  // namespace vizd::sql
