// TraceRoots: the traces that a capture was read of, and how their times and numbers stay apart where several are
// written to one file. Refers to the capture. Plain data once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd::chrome_trace {

// A hidden fact of a trace: what the flows of a category, its subject, are all called, where that is not the category.
inline constexpr std::string_view kFlowName = ".flow name";

// A hidden fact of a process: the thread that all records of a counter, its subject, are of.
inline constexpr std::string_view kCounterThread = ".counter thread";

// One trace of a capture is written with these, so that several in one file stay apart.
struct Root {
  std::uint32_t track = kNoId;  // kNoId: the only trace
  std::int64_t offset_ns = 0;   // from the profile's times to the file's
  std::string prefix;           // of its processes' and flows' numbers
  std::int64_t first_id = 0;    // is added to its events' ids
};

class TraceRoots {
 public:
  explicit TraceRoots(const Capture& capture);

  // At least one.
  const std::vector<Root>& all() const { return roots_; }
  const Root& of(std::uint32_t track) const { return roots_[root_of_track_[track]]; }
  // An argument's value as it is written: the number that an event is known by is its trace's own.
  ArgumentValue written(const ArgumentColumn& column, const ArgumentValue& value, std::uint32_t track) const;

 private:
  void keep_apart();
  bool is_id(const ArgumentColumn& column) const;

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  std::vector<Root> roots_;
  std::vector<std::size_t> root_of_track_;
};

}  // namespace vizd::chrome_trace
