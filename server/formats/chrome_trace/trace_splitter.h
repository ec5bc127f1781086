// TraceSplitter: takes a trace's text apart as it comes: into its events, and the members beside them. Holds no more of
// it than the item that is not whole yet. It knows an object with a list "traceEvents", and a bare list, also one that
// was never closed. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/huge_pages.h"
#include "formats/chrome_trace/item_scan.h"

namespace vizd::chrome_trace {

// What a trace is made of, in the order of the file.
class TraceParts {
 public:
  virtual ~TraceParts() = default;
  // An event's JSON, an object; kPadding_bytes behind it may be read. False where it is not valid JSON.
  virtual bool take_event(std::string_view json) = 0;
  // Something else that stands among the events.
  virtual void take_stranger() = 0;
  // A member of the object around the events, by its key and value as tokens.
  virtual void take_member(std::string_view key, std::string_view value) = 0;
};

class TraceSplitter {
 public:
  static constexpr std::size_t kPadding_bytes = 64;

  explicit TraceSplitter(TraceParts& parts) : parts_(parts) {}

  // False where no more is to be had of the trace: it is over, or damaged beyond.
  bool feed(std::span<const std::byte> part);
  // No more comes.
  void finish();

  // Whether there was a list of events.
  bool has_list() const { return has_list_; }
  // Where the trace stops in the middle, in bytes from its beginning.
  bool is_cut() const { return is_cut_; }
  std::uint64_t cut_offset() const { return cut_offset_; }
  bool is_at_end() const { return state_ == State::kEnd; }
  // Where something stands behind that end, among all that was fed, likewise; none where there is nothing.
  std::optional<std::uint64_t> next_offset();
  // Where the first byte of zero stands, which no JSON has: a part of the file that never reached the disk.
  std::optional<std::uint64_t> zero_offset() const { return zero_offset_; }
  // Events that are damaged and were passed over.
  std::uint64_t damaged_count() const { return damaged_count_; }

 private:
  enum class State { kStart, kKey, kColon, kValue, kEvents, kEnd, kNoTrace };

  // Each takes one item, or returns false where it is not all there.
  bool step();
  bool begin();
  bool take_key();
  bool take_colon();
  bool take_value();
  bool take_item();

  // Skips whitespace, and commas where they may be; false where the text ends.
  bool skip(bool commas);
  std::string_view rest() const { return {text_.data() + at_, size_ - at_}; }
  // The item that the text goes on with; empty where it is not whole.
  std::string_view scan();
  void pass(std::size_t size);
  // Goes to where the next event seems to begin, within the next size bytes; to their end where none does. False where
  // too much was looked at in vain.
  bool pass_damage(std::size_t size);
  void give_up();

  TraceParts& parts_;
  LargeVector<char> text_;  // with padding
  std::size_t size_ = 0, at_ = 0;
  std::uint64_t dropped_bytes_ = 0;
  std::optional<std::uint64_t> zero_offset_;
  State state_ = State::kStart;
  bool is_in_object_ = false;  // the events are a member's
  bool has_list_ = false;
  bool is_cut_ = false;
  std::string key_;
  ItemScan scan_;
  std::uint64_t damaged_count_ = 0, wasted_bytes_ = 0, cut_offset_ = 0;
};

}  // namespace vizd::chrome_trace
