// Reads one section's lanes, events, allocations and markers into the capture's profile. Events of one lane may stand
// in any order and in several chunks; a lane of a name that the capture has already is that lane. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "formats/native/columns.h"
#include "formats/native/tables.h"
#include "model/capture.h"

namespace vizd::native {

class ProfileReader {
 public:
  // The context of a number of the section's, as RewritesReader::context.
  using FindContext = std::function<ContextId(std::uint64_t number)>;

  ProfileReader(Capture& capture, Tables& tables, FindContext find_context)
      : capture_(capture), tables_(tables), find_context_(std::move(find_context)) {}

  void add_lanes(const Columns& columns, std::uint64_t first);
  // Of lanes that were added.
  void add_events(const Columns& columns);
  void add_allocations(const Columns& columns);
  void add_frees(const Columns& columns);
  void add_markers(const Columns& columns);
  // Brings allocations and frees together.
  void finish();
  bool is_empty() const { return is_empty_; }

 private:
  struct MemoryChange {
    std::uint32_t lane;
    std::int64_t at_ns;
    bool is_free;
    Allocation allocation;  // of a free: its key alone
  };

  Lane* lane(std::uint64_t number);
  bool is_time(std::int64_t ns);

  Capture& capture_;
  Tables& tables_;
  const FindContext find_context_;
  std::vector<std::size_t> lanes_;  // places in the profile
  std::vector<MemoryChange> memory_;
  bool is_empty_ = true;
};

// Sets the profile's extent from all that is in it, where the capture does not say it.
void set_extent(Profile& profile);

}  // namespace vizd::native
