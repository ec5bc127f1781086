// Timeline: a profile made ready to be looked at from any distance: its events numbered row by row, an index over each
// row, names by weight, a key that tells contents apart. Prepared once, after a capture was read; then read-only, by
// any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "model/capture.h"
#include "timeline/event_links.h"
#include "timeline/lane_memory.h"
#include "timeline/row_index.h"

namespace vizd {

// Columns beside a lane's events, numbered by row.
struct LaneIndex {
  Column<std::uint32_t> row_begin;   // the first event of each row, and the number of events
  Column<std::uint64_t> node_begin;  // the first node of each row, and the number of nodes
  Column<RowNode> nodes;
  SparseColumn<std::uint32_t, kNoId> link_context, link_pass;  // by event (event_links.h)
  LaneMemory memory;
  Column<std::uint32_t> uses_by_event;  // places in Track::uses, by (lane, event); uses are by allocation
  std::uint32_t relaned = 0;
  std::int64_t busy_ns = 0;   // in which at least one event runs
  std::int64_t first_ns = 0;  // start of the first event and end of the last, on the capture's clock
  std::int64_t last_ns = 0;

  std::uint32_t row_count() const { return row_begin.empty() ? 0 : static_cast<std::uint32_t>(row_begin.size() - 1); }
  Row row(std::uint32_t number) const {
    const auto first = static_cast<std::size_t>(node_begin[number]);
    return {row_begin[number], row_begin[number + 1],
            nodes.span().subspan(first, static_cast<std::size_t>(node_begin[number + 1]) - first)};
  }
  std::uint32_t row_of(std::uint32_t event) const;
};

struct Timeline {
  std::vector<LaneIndex> lanes;            // as Profile::tracks
  std::vector<StringId> names;             // of events, most time first
  std::vector<std::uint32_t> name_number;  // by StringId: the place in names; kNoId for other strings
  std::uint64_t key = 0;                   // the same for the same content
  Column<std::uint32_t> flows_by_target;   // places in Profile::flows, by (to_lane, to_event); flows are by source

  std::uint32_t number_of(StringId name) const { return name_number[index(name)]; }
};

// Called now and then while the timeline is prepared: events done.
using TimelineProgress = std::function<void(std::uint64_t done)>;

// Numbers the capture's events by row, on several threads: changes the order of Track::events, and what Use, Flow and
// arguments call them. While it runs it takes up to 24 bytes an event of the lanes that are in work, and keeps about
// half a byte.
Timeline prepare_timeline(Capture& capture, unsigned threads, const TimelineProgress& progress = {});

}  // namespace vizd
