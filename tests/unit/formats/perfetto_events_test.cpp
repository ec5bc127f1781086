// Track events of Perfetto's traces as its writers use them: counters that add up, flows on ends, events of the older
// kind, numbers of processes that are used again, names of packets.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_names.h"
#include "formats/perfetto/protozero.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "timeline/timeline.h"

namespace vizd::perfetto_events_test {
namespace {

namespace f = perfetto::field;
using protozero::pbf_writer;
using Strings = std::vector<std::string>;

template <typename Fill>
void put(std::string& bytes, std::uint64_t at_ns, std::uint32_t sequence, Fill&& fill) {
  std::string packet;
  pbf_writer writer(packet);
  writer.add_uint64(f::packet::kTimestamp, at_ns);
  writer.add_uint32(f::packet::kSequence, sequence);
  fill(writer);
  pbf_writer(bytes).add_message(f::kPacket, packet);
}

template <typename Fill>
void put_event(std::string& bytes, std::uint64_t at_ns, std::uint32_t type, std::uint64_t uuid, const std::string& name,
               Fill&& fill, std::uint32_t sequence = 1) {
  put(bytes, at_ns, sequence, [&](pbf_writer& packet) {
    pbf_writer event(packet, f::packet::kTrackEvent);
    if (type != 0) event.add_uint32(f::event::kType, type);
    event.add_uint64(f::event::kTrack, uuid);
    if (!name.empty()) event.add_string(f::event::kName, name);
    fill(event);
  });
}

struct Legacy {
  char phase;
  std::uint64_t id = 0;
  bool is_local = false;
  std::int64_t dur_us = 0;
  std::uint64_t bind_id = 0;
  std::uint32_t direction = 0;
};

void put_legacy(std::string& bytes, std::uint64_t at_ns, std::uint64_t uuid, const std::string& name, Legacy of) {
  put_event(bytes, at_ns, 0, uuid, name, [&](pbf_writer& event) {
    pbf_writer legacy(event, f::event::kLegacy);
    legacy.add_int32(f::legacy::kPhase, of.phase);
    if (of.id != 0) legacy.add_uint64(of.is_local ? f::legacy::kLocalId : f::legacy::kUnscopedId, of.id);
    if (of.dur_us != 0) legacy.add_int64(f::legacy::kDuration_us, of.dur_us);
    if (of.bind_id != 0) legacy.add_uint64(f::legacy::kBindId, of.bind_id);
    if (of.direction != 0) legacy.add_uint32(f::legacy::kDirection, of.direction);
  });
}

void put_process(std::string& bytes, std::uint64_t uuid, std::int32_t pid, const std::string& name,
                 std::uint32_t sequence = 1) {
  put(bytes, 0, sequence, [&](pbf_writer& packet) {
    pbf_writer track(packet, f::packet::kTrackDescriptor);
    track.add_uint64(f::track::kUuid, uuid);
    pbf_writer process(track, f::track::kProcess);
    process.add_int32(f::track::kProcessPid, pid);
    process.add_string(f::track::kProcessName, name);
  });
}

void put_thread(std::string& bytes, std::uint64_t uuid, std::int32_t pid, std::int32_t tid, const std::string& name,
                std::uint32_t sequence = 1) {
  put(bytes, 0, sequence, [&](pbf_writer& packet) {
    pbf_writer track(packet, f::packet::kTrackDescriptor);
    track.add_uint64(f::track::kUuid, uuid);
    pbf_writer thread(track, f::track::kThread);
    thread.add_int32(f::track::kThreadPid, pid);
    thread.add_int32(f::track::kThreadTid, tid);
    thread.add_string(f::track::kThreadName, name);
  });
}

std::unique_ptr<Capture> read(const std::string& bytes) {
  auto capture = std::make_unique<Capture>();
  REQUIRE(read_capture({"trace.pftrace", std::as_bytes(std::span(bytes))}, *capture));
  prepare_timeline(*capture, 1);
  return capture;
}

// "TRACK KIND NAME START+DURATION" of each event.
Strings events_of(const Capture& capture) {
  Strings texts;
  const auto paths = track_paths(capture.profile.tracks, capture.strings);
  for (std::size_t t = 0; t < paths.size(); ++t) {
    for (const Event& event : capture.profile.tracks[t].events)
      texts.push_back(fmt::format("{} {} {} {}+{}", paths[t], event_kind_name(event.kind),
                                  capture.strings.get(event.name), event.start_ns, event.dur_ns));
  }
  std::ranges::sort(texts);
  return texts;
}

Strings flows_of(const Capture& capture) {
  Strings texts;
  const auto name = [&](std::uint32_t track, std::uint32_t event) {
    return capture.strings.get(capture.profile.tracks[track].events.name(event));
  };
  for (const Flow& flow : capture.profile.flows.span())
    texts.push_back(fmt::format("{} {}", name(flow.from_track, flow.from_event), name(flow.to_track, flow.to_event)));
  std::ranges::sort(texts);
  return texts;
}

const auto kNothing = [](pbf_writer&) {};

TEST_CASE("a snapshot without BOOTTIME relates its clocks by one that is known, or by MONOTONIC", "[perfetto]") {
  using Clock = std::array<std::uint64_t, 3>;  // id, time, 1 if incremental
  for (const bool is_known : {true, false}) {
    std::string bytes;
    const auto put_snapshot = [&](std::uint32_t sequence, const std::vector<Clock>& clocks) {
      put(bytes, 0, sequence, [&](pbf_writer& packet) {
        pbf_writer snapshot(packet, f::packet::kClockSnapshot);
        for (const auto& [id, at, is_incremental] : clocks) {
          pbf_writer clock(snapshot, f::clock::kClocks);
          clock.add_uint32(f::clock::kId, static_cast<std::uint32_t>(id));
          clock.add_uint64(f::clock::kTimestamp, at);
          if (is_incremental == 1) clock.add_bool(f::clock::kIsIncremental, true);
        }
      });
    };
    if (is_known) put_snapshot(1, {{f::clock::kBoottime, 5000, 0}, {f::clock::kMonotonic, 1000, 0}});
    put_snapshot(9, {{f::clock::kMonotonic, 1100, 0}, {64, 1100, 1}});
    put_process(bytes, 7, 1, "main", 9);
    for (const std::uint32_t type : {f::event::kBegin, f::event::kEnd}) {
      put(bytes, type == f::event::kBegin ? 10 : 50, 9, [&](pbf_writer& packet) {
        packet.add_uint32(f::packet::kTimestampClock, 64);
        pbf_writer event(packet, f::packet::kTrackEvent);
        event.add_uint32(f::event::kType, type);
        event.add_uint64(f::event::kTrack, 7);
        if (type == f::event::kBegin) event.add_string(f::event::kName, "A");
      });
    }
    CHECK(events_of(*read(bytes)) == Strings{is_known ? "main span A 5110+50" : "main span A 1110+50"});
  }
}

TEST_CASE("differences of a counter add up for each sequence, from where its state was cleared", "[perfetto]") {
  std::string bytes;
  put(bytes, 0, 1, [](pbf_writer& packet) {
    pbf_writer track(packet, f::packet::kTrackDescriptor);
    track.add_uint64(f::track::kUuid, 1);
    track.add_string(f::track::kName, "load");
    pbf_writer counter(track, f::track::kCounter);
    counter.add_bool(f::track::kCounterIsIncremental, true);
  });
  const auto put_value = [&](std::uint64_t at_ns, std::uint32_t sequence, std::int64_t value, bool clears = false) {
    put(bytes, at_ns, sequence, [&](pbf_writer& packet) {
      if (clears) packet.add_uint32(f::packet::kSequenceFlags, f::packet::kFlagStateCleared);
      pbf_writer event(packet, f::packet::kTrackEvent);
      event.add_uint32(f::event::kType, f::event::kCounter);
      event.add_uint64(f::event::kTrack, 1);
      event.add_int64(f::event::kCounterValue, value);
    });
  };
  put_value(10, 1, 5);
  put_value(20, 2, 100);
  put_value(30, 1, -2);
  put_value(40, 2, 1);
  put_value(50, 1, 7, true);
  const auto read_one = read(bytes);
  const Capture& capture = *read_one;
  std::vector<double> values;
  for (const Track& track : capture.profile.tracks) {
    for (const Counter& counter : track.counters)
      values.assign(counter.value.span().begin(), counter.value.span().end());
  }
  CHECK(values == std::vector<double>{5, 100, 3, 101, 7});
}

TEST_CASE("a flow may be on the end of a slice", "[perfetto]") {
  std::string bytes;
  const auto with_flow = [](pbf_writer& event) { event.add_fixed64(f::event::kFlowIds, 9); };
  put_event(bytes, 10, f::event::kBegin, 1, "outer", kNothing);
  put_event(bytes, 20, f::event::kBegin, 1, "from", kNothing);
  put_event(bytes, 30, f::event::kEnd, 1, "", with_flow);
  put_event(bytes, 40, f::event::kEnd, 1, "", kNothing);
  put_event(bytes, 50, f::event::kBegin, 2, "to", with_flow);
  put_event(bytes, 60, f::event::kEnd, 2, "", kNothing);
  CHECK(flows_of(*read(bytes)) == Strings{"from to"});
}

TEST_CASE("asynchronous events of the older kind are paired by what they know each other by", "[perfetto]") {
  std::string bytes;
  put_process(bytes, 10, 1, "one");
  put_process(bytes, 20, 2, "two");
  put_thread(bytes, 11, 1, 1, "a");
  put_thread(bytes, 21, 2, 2, "b");
  put_legacy(bytes, 500, 11, "late", {.phase = 'e', .id = 4});  // before its begin in the file
  put_legacy(bytes, 100, 11, "late", {.phase = 'b', .id = 4});
  put_legacy(bytes, 110, 11, "x", {.phase = 'S', .id = 5});
  put_legacy(bytes, 120, 11, "y", {.phase = 'S', .id = 5});
  put_legacy(bytes, 130, 11, "x", {.phase = 'F', .id = 5});
  put_legacy(bytes, 140, 11, "y", {.phase = 'F', .id = 5});
  put_legacy(bytes, 150, 11, "local", {.phase = 'b', .id = 6, .is_local = true});
  put_legacy(bytes, 160, 21, "local", {.phase = 'e', .id = 6, .is_local = true});  // of another process
  put_legacy(bytes, 170, 11, "moment", {.phase = 'n', .id = 4});
  const auto read_one = read(bytes);
  const Capture& capture = *read_one;
  CHECK(events_of(capture) ==
        Strings{"one/a/asynchronous asynchronous late 100+400", "one/a/asynchronous asynchronous x 110+20",
                "one/a/asynchronous asynchronous y 120+20", "one/a/asynchronous instant moment 170+0",
                "one/a/asynchronous unfinished local 150+350"});
  CHECK(capture.skipped.at("ends of asynchronous events that had not begun") == 1);
}

TEST_CASE("flows of the older kind are told by their ends, or by bind_id", "[perfetto]") {
  std::string bytes;
  put_legacy(bytes, 1000, 1, "start", {.phase = 'X', .dur_us = 5});
  put_legacy(bytes, 2000, 1, "flow", {.phase = 's', .id = 7});
  put_legacy(bytes, 20'000, 2, "step", {.phase = 'X', .dur_us = 5});
  put_legacy(bytes, 21'000, 2, "flow", {.phase = 't', .id = 7});
  put_legacy(bytes, 29'000, 3, "flow", {.phase = 'f', .id = 7});  // of the slice that comes next
  put_legacy(bytes, 30'000, 3, "finish", {.phase = 'X', .dur_us = 5});
  put_legacy(bytes, 40'000, 1, "out", {.phase = 'X', .dur_us = 1, .bind_id = 7, .direction = 2});
  put_legacy(bytes, 50'000, 2, "through", {.phase = 'X', .dur_us = 1, .bind_id = 7, .direction = 3});
  put_legacy(bytes, 60'000, 3, "in", {.phase = 'X', .dur_us = 1, .bind_id = 7, .direction = 1});
  CHECK(flows_of(*read(bytes)) == Strings{"out through", "start step", "step finish", "through in"});
}

TEST_CASE("a thread is of the process that had its number when it was described", "[perfetto]") {
  std::string bytes;
  put_process(bytes, 1, 40, "first", 1);
  put_thread(bytes, 2, 40, 41, "main", 1);
  put_process(bytes, 3, 40, "second", 2);
  put_thread(bytes, 4, 40, 41, "main", 2);
  put_thread(bytes, 5, 40, 42, "late", 1);  // its own sequence tells more than the order of the file
  put_thread(bytes, 6, 99, 99, "alone", 1);
  for (const std::uint64_t uuid : {2u, 4u, 5u, 6u})
    put_event(bytes, 10 * uuid, f::event::kInstant, uuid, "run", kNothing);
  CHECK(events_of(*read(bytes)) == Strings{"first/late instant run 50+0", "first/main instant run 20+0",
                                           "process 99/alone instant run 60+0", "second/main instant run 40+0"});
}

TEST_CASE("values of other counters and nested values come with an event", "[perfetto]") {
  std::string bytes;
  put_event(bytes, 10, f::event::kInstant, 1, "here", [](pbf_writer& event) {
    event.add_uint64(f::event::kExtraCounterTracks, 5);
    event.add_int64(f::event::kExtraCounterValues, -3);
    event.add_uint64(f::event::kExtraDoubleCounterTracks, 6);
    event.add_double(f::event::kExtraDoubleCounterValues, 0.5);
    pbf_writer annotation(event, f::event::kAnnotation);
    annotation.add_string(f::annotation::kName, "size");
    pbf_writer nested(annotation, f::annotation::kNested);
    nested.add_string(f::nested::kKeys, "of");
    pbf_writer value(nested, f::nested::kValues);
    for (const std::int64_t number : {3, 4}) {
      pbf_writer element(value, f::nested::kElements);
      element.add_int64(f::nested::kInt, number);
    }
  });
  const auto read_one = read(bytes);
  const Capture& capture = *read_one;
  Strings texts;
  for (const Track& track : capture.profile.tracks) {
    for (const Counter& counter : track.counters) texts.push_back(fmt::format("counter {}", counter.value[0]));
    for (const ArgumentColumn& column : track.arguments)
      texts.push_back(fmt::format("{} {}", capture.strings.get(column.name), column.integer(0)));
  }
  std::ranges::sort(texts);
  CHECK(texts == Strings{"counter -3", "counter 0.5", "size.of[0] 3", "size.of[1] 4"});
}

TEST_CASE("packets of the tracing service are no loss, and others are told by their names", "[perfetto]") {
  std::string bytes;
  put_event(bytes, 10, f::event::kInstant, 1, "here", kNothing);
  for (const perfetto::Field part : {33u, 35u, 36u, 45u, 69u, 89u, 126u})
    put(bytes, 0, 9, [&](pbf_writer& packet) { packet.add_string(part, ""); });
  CHECK(read(bytes)->skipped.empty());
  put(bytes, 0, 9, [](pbf_writer& packet) { packet.add_string(63, ""); });
  CHECK(read(bytes)->skipped.at("packets that vizd does not draw: gpu_log") == 1);
  CHECK(perfetto::packet_name(777) == "newer than vizd knows (777)");
}

}  // namespace
}  // namespace vizd::perfetto_events_test
