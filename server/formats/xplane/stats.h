// The stats of XPlane files: the named values of XPlane's events, of their metadata and of planes. The names are a
// plane's: StatNames has them by number, and which of them vizd gives a meaning to. EventStats holds those of one
// event. Values refer to the file's bytes, which must outlive them. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_table.h"
#include "formats/protobuf_fields.h"

namespace vizd::xplane {

// In the order of XlaHost::stat_types; kNone: the stat has no value.
enum class StatType : std::uint8_t { kDouble, kUnsigned, kSigned, kText, kBytes, kReference, kNone };

struct StatValue {
  StatType type = StatType::kNone;
  std::uint64_t bits = 0;      // of numbers
  std::string_view text = {};  // of texts, references and bytes

  bool is_integer() const { return type == StatType::kUnsigned || type == StatType::kSigned; }
  bool is_text() const { return type == StatType::kText || type == StatType::kReference; }
  std::optional<std::int64_t> integer() const {
    return is_integer() ? std::optional(static_cast<std::int64_t>(bits)) : std::nullopt;
  }
  double real() const { return std::bit_cast<double>(bits); }
  // As people write it; "" of bytes.
  std::string as_text() const;
};

// The stats that have a meaning; those up to kMemoryResidency are known in any case of their letters.
enum class Known : std::uint8_t {
  kKernelDetails,
  kMemcpyDetails,
  kMemsetDetails,
  kMemalloc,
  kMemfree,
  kMemoryResidency,
  kHloOp,
  kHloModule,
  kProgram,
  kCorrelation,
  kDeviceOffset,
  kDeviceDuration,
  kProducerType,
  kProducer,
  kConsumerType,
  kConsumer,
  kStepNumber,
  kAllocatorName,
  kIndexOnHost,
  kBytesAllocated,
  kBytesReserved,
  kBytesAvailable,
  kPeakBytes,
  kAllocationBytes,
  kAddress,
  kCategory,
  kOpName,
  kSource,
  kFlops,
  kModelFlops,
  kBytesAccessed,
  kHloProto,
  kOther,
};
inline constexpr std::size_t kKnownStats = static_cast<std::size_t>(Known::kOther);

// The names of a plane's stats.
class StatNames {
 public:
  struct Name {
    std::string_view text;  // as a reference gives it
    StringId id{};
    Known known = Known::kOther;
    std::uint32_t place = 0;  // names that are equal have one place
  };

  explicit StatNames(StringTable& strings) : strings_(strings) {}
  void add(std::int64_t number, std::string_view name);
  // A number that the plane does not name is its own name.
  const Name& find(std::int64_t number);
  // The text of a reference to it; "" where the plane has none.
  std::string_view text_of(std::int64_t number) const;
  std::size_t size() const { return told_; }  // numbers that the plane names
  std::size_t places() const { return places_.size(); }

 private:
  Name make(std::string_view text);

  StringTable& strings_;
  std::unordered_map<std::int64_t, Name> names_;
  std::unordered_map<std::int64_t, Name> unnamed_;
  std::unordered_map<StringId, std::uint32_t> places_;
  std::size_t told_ = 0;
};

// One stat as it stands in the file.
struct Stat {
  const StatNames::Name* name = nullptr;
  StatValue value;
};

// Reads a stat. False where the message is broken. unknown: grows by the fields that no stat has.
bool read_stat(std::string_view message, StatNames& names, Stat& stat, std::uint64_t& unknown);

// The known stats of one event, or of one metadata. Of a stat given twice the last value counts.
class KnownStats {
 public:
  void clear() { present_ = 0; }
  void set(const Stat& stat) {
    if (stat.name->known == Known::kOther) return;
    const auto place = static_cast<std::size_t>(stat.name->known);
    values_[place] = stat.value;
    present_ |= std::uint64_t{1} << place;
  }
  bool has(Known known) const { return (present_ >> static_cast<unsigned>(known) & 1) != 0; }
  // None where it is not there.
  const StatValue* find(Known known) const { return has(known) ? &values_[static_cast<std::size_t>(known)] : nullptr; }
  std::optional<std::int64_t> integer(Known known) const { return has(known) ? find(known)->integer() : std::nullopt; }
  // "" where it is not there or no text.
  std::string_view text(Known known) const {
    return has(known) && find(known)->is_text() ? find(known)->text : std::string_view();
  }

 private:
  std::array<StatValue, kKnownStats> values_;
  std::uint64_t present_ = 0;
};
static_assert(kKnownStats <= 64);

}  // namespace vizd::xplane
