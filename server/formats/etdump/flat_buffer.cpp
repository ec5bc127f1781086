#include "formats/etdump/flat_buffer.h"

namespace vizd::etdump {
namespace {

constexpr std::size_t kVtableHead = 4;  // its own size and the table's, then an offset a field

}  // namespace

FlatTable FlatBuffer::root() {
  const auto at = follow(0);
  const auto table = at ? table_at(*at) : std::nullopt;
  return table.value_or(FlatTable());
}

std::optional<std::size_t> FlatBuffer::follow(std::size_t at) {
  if (!holds(at, kOffsetBytes)) return damage();
  const std::size_t to = at + read<std::uint32_t>(at);
  if (to == at || !holds(to, kOffsetBytes)) return damage();
  return to;
}

// Whether the table and its vtable are whole.
std::optional<FlatTable> FlatBuffer::table_at(std::size_t at) {
  if (!spend(1)) return std::nullopt;
  const std::int64_t vtable = static_cast<std::int64_t>(at) - read<std::int32_t>(at);
  if (vtable < 0 || !holds(static_cast<std::size_t>(vtable), kVtableHead)) return damage();
  const auto vtable_at = static_cast<std::size_t>(vtable);
  const std::size_t vtable_bytes = read<std::uint16_t>(vtable_at), table_bytes = read<std::uint16_t>(vtable_at + 2);
  if (vtable_bytes < kVtableHead || vtable_bytes % 2 != 0 || !holds(vtable_at, vtable_bytes)) return damage();
  if (table_bytes < kOffsetBytes || !holds(at, table_bytes)) return damage();
  return FlatTable(this, at);
}

std::optional<std::span<const std::byte>> FlatBuffer::block(std::size_t at, std::size_t element_size) {
  if (!holds(at, kOffsetBytes)) return damage();
  const std::uint64_t size = std::uint64_t{read<std::uint32_t>(at)} * element_size;
  if (!holds(at + kOffsetBytes, size)) return damage();
  return bytes_.subspan(at + kOffsetBytes, size);
}

std::optional<std::size_t> FlatTable::field(unsigned slot, std::size_t size) const {
  if (buffer_ == nullptr) return std::nullopt;
  const auto vtable = static_cast<std::size_t>(static_cast<std::int64_t>(at_) - buffer_->read<std::int32_t>(at_));
  const std::size_t entry = kVtableHead + std::size_t{2} * slot;
  // The table was whole when it was found, but somebody may be writing a file that is mapped.
  if (!buffer_->holds(vtable, kVtableHead)) return buffer_->damage();
  if (entry + 2 > buffer_->read<std::uint16_t>(vtable)) return std::nullopt;
  if (!buffer_->holds(vtable, entry + 2)) return buffer_->damage();
  const std::size_t offset = buffer_->read<std::uint16_t>(vtable + entry);
  if (offset == 0) return std::nullopt;
  if (offset + size > buffer_->read<std::uint16_t>(vtable + 2) || !buffer_->holds(at_ + offset, size))
    return buffer_->damage();
  return at_ + offset;
}

std::optional<std::size_t> FlatTable::target(unsigned slot) const {
  const auto at = field(slot, kOffsetBytes);
  return at ? buffer_->follow(*at) : std::nullopt;
}

std::span<const std::byte> FlatTable::bytes(unsigned slot) const {
  const auto at = target(slot);
  const auto found = at ? buffer_->block(*at, 1) : std::nullopt;
  if (!found || !buffer_->spend(found->size())) return {};
  return *found;
}

std::optional<std::string_view> FlatTable::text(unsigned slot) const {
  if (!field(slot, kOffsetBytes)) return std::nullopt;
  const auto found = bytes(slot);
  return std::string_view(reinterpret_cast<const char*>(found.data()), found.size());
}

FlatTable FlatTable::table(unsigned slot) const {
  const auto at = target(slot);
  const auto found = at ? buffer_->table_at(*at) : std::nullopt;
  return found.value_or(FlatTable());
}

FlatVector::FlatVector(const FlatTable& of, unsigned slot, std::size_t element_size) : element_size_(element_size) {
  const auto at = of.target(slot);
  if (!at) return;
  const auto found = of.buffer_->block(*at, element_size);
  if (!found || !of.buffer_->spend(found->size() / element_size)) return;
  buffer_ = of.buffer_;
  at_ = *at + kOffsetBytes;
  size_ = found->size() / element_size;
  is_present_ = true;
}

FlatTable FlatVector::table(std::size_t i) const {
  const auto at = buffer_->follow(at_ + i * kOffsetBytes);
  const auto found = at ? buffer_->table_at(*at) : std::nullopt;
  return found.value_or(FlatTable());
}

}  // namespace vizd::etdump
