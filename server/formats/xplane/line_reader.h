// LineReader: reads the events of a line in one pass, and keeps what they are: events of a track, device work, calls,
// runs, steps, flows, what an allocator did; and counts them. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "formats/xplane/allocator_track.h"
#include "formats/xplane/links.h"
#include "formats/xplane/plane.h"
#include "model/capture.h"

namespace vizd::xplane {

class LineReader {
 public:
  // shift_ns: what is added to the host's times, less its origin, for the profile's.
  LineReader(Capture& capture, XlaHost& host, Links& links, std::int64_t shift_ns)
      : capture_(capture), host_(host), links_(links), shift_ns_(shift_ns) {}

  void begin_plane(Plane& plane, std::uint32_t device);
  // Puts the line's events on the track of that place, with their stats as arguments or without. False where a message
  // is broken.
  bool read(const PlaneLine& line, std::uint32_t track, bool with_arguments);

  // By place in XlaHost::allocators.
  std::vector<AllocatorEvents>& allocators() { return allocator_events_; }
  // Events whose time no clock can have.
  std::uint64_t impossible_times() const { return impossible_times_; }

 private:
  enum class Lane : std::uint8_t { kOther, kStream, kOps, kCpu };
  struct RawEvent {
    std::int64_t metadata = 0, offset_ps = 0;
    std::optional<std::int64_t> dur_ps;
    bool is_aggregated = false;
  };
  // The columns of one stat on the line of that number.
  struct Columns {
    std::uint64_t line = 0;
    std::uint32_t of_type[3] = {kNoId, kNoId, kNoId};  // by ArgumentType
  };
  // One event while it is looked at.
  struct Timed {
    std::string_view name;
    StringId name_id{};
    const EventMetadata* metadata = nullptr;
    XlaSpan span;
    EventPlace place;
    bool is_instant = false;
  };

  void begin_line(const PlaneLine& line, std::uint32_t track);
  void end_line();
  bool read_event(std::string_view message, std::int64_t timestamp_ns);
  std::optional<RawEvent> read_fields(std::string_view message);
  void add_argument(const Stat& stat);
  bool place(Timed& event, const RawEvent& raw, std::int64_t timestamp_ns);
  void count(const Timed& event);
  void add_to_track(const Timed& event, EventRole role);
  // What it is of the line's work; kNone: none.
  EventRole add_work(const Timed& event);
  std::optional<XlaClass> class_of(const Timed& event) const;
  std::uint32_t kind_of(const Timed& event, XlaClass work);
  std::uint32_t metadata_of(const EventMetadata* metadata);
  StringId text_id(const StatValue* value);
  void add_details(const Timed& event, XlaWork& work);
  void add_links(const Timed& event);
  void add_flow_ends(const Timed& event);
  void add_allocator(const Timed& event);

  Capture& capture_;
  XlaHost& host_;
  Links& links_;
  const std::int64_t shift_ns_;

  Plane* plane_ = nullptr;
  std::uint32_t device_ = kNoId;
  std::unordered_map<const EventMetadata*, std::uint32_t> metadata_places_;  // in XlaHost::metadata
  std::map<std::tuple<StringId, StringId, StringId, std::optional<std::uint64_t>, std::uint32_t, XlaClass>,
           std::uint32_t>
      kinds_;

  const PlaneLine* line_ = nullptr;
  std::uint32_t track_place_ = 0;
  Track* track_ = nullptr;
  XlaLine* counts_ = nullptr;
  Lane lane_ = Lane::kOther;
  std::uint64_t line_number_ = 0;  // counts the lines, so that columns_ need not be cleared for each
  bool with_arguments_ = true;
  bool is_runs_ = false, is_transfers_ = false, is_steps_ = false;
  std::size_t first_work_ = 0;
  bool has_own_clock_ = false;    // every event so far has the device's times
  std::vector<Columns> columns_;  // by StatNames::Name::place
  KnownStats stats_;
  std::vector<Stat> event_stats_;

  std::unordered_map<std::string, std::size_t> allocators_;
  std::vector<AllocatorEvents> allocator_events_;
  std::uint64_t impossible_times_ = 0;
};

}  // namespace vizd::xplane
