#include "formats/xplane/stats.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "base/ascii_case.h"

namespace vizd::xplane {
namespace {

constexpr std::string_view kKnownNames[kKnownStats] = {"kernel_details",
                                                       "memcpy_details",
                                                       "memset_details",
                                                       "memalloc_details",
                                                       "memfree_details",
                                                       "memoryresidency_details",
                                                       "hlo_op",
                                                       "hlo_module",
                                                       "program_id",
                                                       "correlation_id",
                                                       "device_offset_ps",
                                                       "device_duration_ps",
                                                       "_pt",
                                                       "_p",
                                                       "_ct",
                                                       "_c",
                                                       "step_num",
                                                       "allocator_name",
                                                       "index_on_host",
                                                       "bytes_allocated",
                                                       "bytes_reserved",
                                                       "bytes_available",
                                                       "peak_bytes_in_use",
                                                       "allocation_bytes",
                                                       "addr",
                                                       "hlo_category",
                                                       "tf_op",
                                                       "source",
                                                       "flops",
                                                       "model_flops",
                                                       "bytes_accessed",
                                                       "Hlo Proto"};

Known known_of(std::string_view text) {
  const auto exact = std::ranges::find(kKnownNames, text);
  if (exact != std::end(kKnownNames)) return static_cast<Known>(exact - std::begin(kKnownNames));
  const auto in_any_case = std::span(kKnownNames).first(static_cast<std::size_t>(Known::kMemoryResidency) + 1);
  const auto found = std::ranges::find(in_any_case, ascii_lower(text));
  return found == in_any_case.end() ? Known::kOther : static_cast<Known>(found - in_any_case.begin());
}

}  // namespace

std::string StatValue::as_text() const {
  switch (type) {
    case StatType::kDouble:
      return fmt::format("{}", real());
    case StatType::kUnsigned:
      return fmt::format("{}", bits);
    case StatType::kSigned:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    case StatType::kText:
    case StatType::kReference:
      return std::string(text);
    case StatType::kBytes:
    case StatType::kNone:
      break;
  }
  return "";
}

StatNames::Name StatNames::make(std::string_view text) {
  Name name{.text = text, .id = strings_.add(text), .known = known_of(text)};
  name.text = strings_.get(name.id);
  name.place = places_.try_emplace(name.id, static_cast<std::uint32_t>(places_.size())).first->second;
  return name;
}

void StatNames::add(std::int64_t number, std::string_view name) {
  told_ += names_.insert_or_assign(number, make(name)).second ? 1 : 0;
}

const StatNames::Name& StatNames::find(std::int64_t number) {
  if (const auto found = names_.find(number); found != names_.end()) return found->second;
  const auto found = unnamed_.find(number);
  if (found != unnamed_.end()) return found->second;
  return unnamed_.emplace(number, make(fmt::format("{}", number))).first->second;
}

std::string_view StatNames::text_of(std::int64_t number) const {
  const auto found = names_.find(number);
  return found == names_.end() ? std::string_view() : found->second.text;
}

bool read_stat(std::string_view message, StatNames& names, Stat& stat, std::uint64_t& unknown) {
  ProtobufFields fields(message);
  std::int64_t number = 0;
  stat.value = {};
  while (fields.next()) {
    if (fields.is(1, WireType::kVarint)) {
      number = fields.integer();
    } else if (fields.is(2, WireType::kFixed64)) {
      stat.value = {.type = StatType::kDouble, .bits = std::bit_cast<std::uint64_t>(fields.real())};
    } else if (fields.is(3, WireType::kVarint) || fields.is(4, WireType::kVarint)) {
      stat.value = {.type = fields.number() == 3 ? StatType::kUnsigned : StatType::kSigned, .bits = fields.value()};
    } else if (fields.is(5, WireType::kBytes) || fields.is(6, WireType::kBytes)) {
      stat.value = {.type = fields.number() == 5 ? StatType::kText : StatType::kBytes, .text = fields.bytes()};
    } else if (fields.is(7, WireType::kVarint)) {
      stat.value = {.type = StatType::kReference, .text = names.text_of(fields.integer())};
    } else {
      ++unknown;
    }
  }
  stat.name = &names.find(number);
  return !fields.is_broken();
}

}  // namespace vizd::xplane
