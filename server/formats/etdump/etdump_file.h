// EtdumpFile: an ETDump as its runtime wrote it: runs with profile, debug and allocation events in the order in which
// they were stored, which is that of their ends. Texts and bytes refer to the file's own. Broken parts are left out and
// counted. Read run by run, since a file of many runs is larger than what is kept of it. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sparse_file.h"

namespace vizd::etdump {

// Which instruction of the program an event is of, and which part of a delegate.
struct EventIdentity {
  std::optional<std::string_view> name;
  // Outside of any chain -1, for which debug events have 2^64 - 1: has_wide_chain tells what the file says.
  std::int64_t chain = 0;
  bool has_wide_chain = false;
  std::int32_t instruction = -1;      // -1: none
  bool is_none_written = false;       // the -1 stands in the file, which the Inspector tells apart from no field
  std::int32_t delegate_number = -1;  // -1: none
  std::optional<std::string_view> delegate_text;

  // The name, or else the delegate's id.
  std::string shown_name() const;
  bool operator==(const EventIdentity&) const = default;
  bool is_delegated() const { return delegate_number != -1 || !delegate_text.value_or("").empty(); }
};

struct ProfileEvent {
  EventIdentity of;
  std::span<const std::byte> metadata;  // the delegate's own
  std::uint64_t start = 0, end = 0;     // ticks
};

// Where a tensor's dense bytes lie in the debug buffer.
struct LoggedTensor {
  std::int8_t scalar_type = 0;
  std::vector<std::int64_t> sizes;
  std::int64_t offset = 0;
};

struct LoggedValue {
  enum class Kind : std::int8_t { kNone, kInteger, kBoolean, kFloat, kDouble, kTensor, kTensorList, kText };

  Kind kind = Kind::kNone;
  std::vector<LoggedTensor> tensors;
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  bool is_output = false;  // of the whole program, for this run
};

struct DebugEvent {
  EventIdentity of;
  LoggedValue value;
};

struct AllocationEvent {
  std::int32_t allocator = 0;  // place in Run::allocators
  std::uint64_t size_bytes = 0;
};

struct Run {
  std::string_view name;
  std::int32_t bundled_input = -1;  // -1: none
  bool has_events = false;          // whether it has a list of them, be it empty
  std::vector<std::string_view> allocators;
  std::vector<ProfileEvent> profile_events;
  std::vector<DebugEvent> debug_events;
  std::vector<AllocationEvent> allocation_events;
  // The order in which the file has them: kind and place in the list of that kind.
  enum class Kind : std::uint8_t { kProfile, kDebug, kAllocation };
  struct Stored {
    Kind kind;
    std::uint32_t place;
  };
  std::vector<Stored> stored;
};

// The length of a span of ticks: where it ends before it starts, the 32-bit counter of the platform went round once.
constexpr std::uint64_t elapsed_ticks(std::uint64_t start, std::uint64_t end) {
  return end >= start ? end - start : end + (std::uint64_t{1} << 32) - start;
}

bool looks_like_etdump(std::span<const std::byte> beginning);

class EtdumpFile {
 public:
  // bytes must outlive it and its runs; name stands in errors. mapped: the file that they are of, where it is large: a
  // walk lets go of what it has passed. Errors: no ETDump, or none of its runs can be read.
  static Result<EtdumpFile> open(std::span<const std::byte> bytes, const std::string& name,
                                 std::shared_ptr<const SparseFile> mapped = nullptr);

  std::uint32_t version() const { return version_; }
  // Calls visit(run) for each run, in the file's order. Errors: more than a file of its size can hold; visit's.
  Result<void> for_each_run(const std::function<Result<void>(const Run& run)>& visit) const;
  // Counts what the last walk left out, by reason.
  const std::map<std::string, std::uint64_t>& skipped() const { return skipped_; }

 private:
  EtdumpFile(std::span<const std::byte> buffer, std::size_t buffer_at, std::string name,
             std::shared_ptr<const SparseFile> mapped)
      : buffer_(buffer), buffer_at_(buffer_at), name_(std::move(name)), mapped_(std::move(mapped)) {}

  std::span<const std::byte> buffer_;  // without the size that may precede it
  std::size_t buffer_at_ = 0;          // in the file
  std::string name_;
  std::shared_ptr<const SparseFile> mapped_;  // null: the bytes are in memory
  std::uint32_t version_ = 0;
  bool has_second_ = false;  // ETDump, behind the first
  mutable std::map<std::string, std::uint64_t> skipped_;
};

}  // namespace vizd::etdump
