#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clean_text.h"
#include "base/json_writer.h"
#include "formats/perfetto/event_flows.h"
#include "formats/perfetto/fields.h"
#include "formats/perfetto/format.h"
#include "formats/perfetto/packet_writer.h"
#include "formats/perfetto/protozero.h"
#include "formats/perfetto/slice_lanes.h"
#include "formats/perfetto/stage_writer.h"
#include "formats/rewrite_spans.h"
#include "formats/trace_words.h"
#include "model/argument_json.h"
#include "model/track_numbers.h"

namespace vizd::perfetto {
namespace {

namespace f = field;
using protozero::pbf_writer;

// Tracks get these numbers in their order; those made beside them come after.
constexpr std::uint64_t kFirstUuid = 1;

class TraceEncoder {
 public:
  TraceEncoder(const Capture& capture, const ProfilePart& part, const WriteText& write)
      : capture_(capture),
        strings_(capture.strings),
        profile_(capture.profile),
        selection_(capture, part),
        is_dated_(is_dated(profile_)),
        shift_ns_(is_dated_ ? *profile_.clock.unix_offset_ns : -profile_.start_ns),
        packets_(strings_, shift_ns_, write),
        next_uuid_(kFirstUuid + profile_.tracks.size()),
        stages_(capture),
        stage_writer_(capture, selection_, packets_),
        flows_(profile_, stages_) {}

  void write_all() {
    put_beginning();
    put_facts();
    for (std::uint32_t t = 0; t < profile_.tracks.size(); ++t) put_track(t);
    for (std::uint32_t t = 0; t < profile_.tracks.size(); ++t) {
      if (!selection_.takes(profile_.tracks[t])) continue;
      put_events(t);
      put_counters(t);
    }
    put_flow_ends();
    put_markers();
    put_rewrites();
    packets_.finish();
  }

 private:
  std::string_view text(StringId id) const { return strings_.get(id); }
  std::string plain(StringId id) const { return many_lines(text(id), false); }
  // Writes the value of an argument's column or of a fact.
  template <typename Named>
  std::string written_name(const Named& named) const {
    return profile_.is_trace ? trace::written_name(text(named.name), named.is_hidden) : std::string(text(named.name));
  }
  static std::uint64_t uuid_of(std::uint32_t track) { return kFirstUuid + track; }

  static bool is_dated(const Profile& profile) {
    const auto unix_ns = profile.clock.unix_offset_ns;
    return unix_ns && *unix_ns + profile.start_ns > 0;
  }

  void put_beginning() {
    packets_.put(f::packet::kFlagStateCleared, [&](pbf_writer& packet) {
      if (!is_dated_) return;
      const auto now = static_cast<std::uint64_t>(profile_.start_ns + shift_ns_);
      pbf_writer snapshot(packet, f::packet::kClockSnapshot);
      for (const std::uint32_t id : {f::clock::kBoottime, f::clock::kRealtime}) {
        pbf_writer clock(snapshot, f::clock::kClocks);
        clock.add_uint32(f::clock::kId, id);
        clock.add_uint64(f::clock::kTimestamp, now);
      }
    });
  }

  void put_facts() {
    for (const Fact& fact : capture_.facts) {
      std::string value;
      JsonWriter json(value);
      const std::string fact_name = written_name(fact);
      json.begin_object().key("track").number(fact.track == kNoId ? 0 : uuid_of(fact.track));
      json.key("subject").text(text(fact.subject)).key("name").text(fact_name);
      json.key("value");
      if (fact_name == fact::kTimeOffset_ns && std::holds_alternative<std::int64_t>(fact.value)) {
        json.number(std::get<std::int64_t>(fact.value) - shift_ns_);
      } else {
        write_value(json, fact.value, strings_);
      }
      json.key("unit").text(text(fact.unit)).key("times").number(fact.times).end_object();
      const std::string name =
          fact.subject == StringId{} ? fact_name : fmt::format("{}.{}", text(fact.subject), fact_name);
      packets_.put(0, [&](pbf_writer& packet) {
        pbf_writer bundle(packet, f::packet::kChromeEvents);
        pbf_writer metadata(bundle, f::chrome::kMetadata);
        metadata.add_string(f::chrome::kName, name);
        metadata.add_string(f::chrome::kJson, value);
      });
    }
  }

  // Describes a track, beyond what the protocol has words for.
  std::string description_of(const Track& track) const {
    std::string description;
    JsonWriter json(description);
    json.begin_object().key("kind").text(track_kind_name(track.kind));
    if (track.number) write_value(json.key("number"), *track.number, strings_);
    if (track.sort != 0) json.key("sort").number(track.sort);
    json.end_object();
    return description;
  }

  static bool fits(const std::optional<ArgumentValue>& number) {
    const auto* const integer = number ? std::get_if<std::int64_t>(&*number) : nullptr;
    return integer != nullptr && *integer > 0 && *integer <= std::numeric_limits<std::int32_t>::max();
  }

  void put_track(std::uint32_t place) {
    const Track& track = profile_.tracks[place];
    const auto process = process_number(profile_.tracks, place);
    packets_.put(0, [&](pbf_writer& packet) {
      pbf_writer descriptor(packet, f::packet::kTrackDescriptor);
      descriptor.add_uint64(f::track::kUuid, uuid_of(place));
      if (track.parent != Track::kNoParent) descriptor.add_uint64(f::track::kParent, uuid_of(track.parent));
      const bool is_process = track.kind == TrackKind::kProcess && fits(track.number);
      const bool is_thread = track.kind == TrackKind::kThread && fits(track.number) && fits(process);
      const auto number = [](const std::optional<ArgumentValue>& value) {
        return static_cast<std::int32_t>(std::get<std::int64_t>(*value));
      };
      if (is_process) {
        pbf_writer of_process(descriptor, f::track::kProcess);
        of_process.add_int32(f::track::kProcessPid, number(track.number));
        of_process.add_string(f::track::kProcessName, plain(track.name));
      } else if (is_thread) {
        pbf_writer of_thread(descriptor, f::track::kThread);
        of_thread.add_int32(f::track::kThreadPid, number(process));
        of_thread.add_int32(f::track::kThreadTid, number(track.number));
        of_thread.add_string(f::track::kThreadName, plain(track.name));
      }
      descriptor.add_string(f::track::kName, plain(track.name));
      descriptor.add_int32(f::track::kChildOrdering, f::track::kExplicitOrder);
      descriptor.add_int32(f::track::kSiblingRank, track.sort);
      descriptor.add_string(f::track::kDescription, description_of(track));
    });
  }

  // A track beside those of the capture; returns its number.
  std::uint64_t put_track_of(std::uint64_t parent, const std::string& name, const std::string& description,
                             std::string_view counter_unit = {}, bool is_counter = false) {
    const std::uint64_t uuid = next_uuid_++;
    packets_.put(0, [&](pbf_writer& packet) {
      pbf_writer descriptor(packet, f::packet::kTrackDescriptor);
      descriptor.add_uint64(f::track::kUuid, uuid);
      if (parent != 0) descriptor.add_uint64(f::track::kParent, parent);
      descriptor.add_string(f::track::kName, name);
      if (is_counter) {
        pbf_writer counter(descriptor, f::track::kCounter);
        counter.add_string(f::track::kCounterUnitName, std::string(counter_unit));
      }
      if (!description.empty()) descriptor.add_string(f::track::kDescription, description);
    });
    return uuid;
  }

  void put_arguments(pbf_writer& event, std::uint32_t track, std::uint32_t i, const Event& of) {
    selection_.for_each_argument(track, i, [&](const ArgumentColumn& column, const ArgumentValue& value) {
      packets_.put_annotation(event, written_name(column), value, column.unit);
    });
    if (of.context != ContextId{kNoId}) {
      const std::string name = plain(capture_.rewrites.contexts[index(of.context)].name);
      pbf_writer annotation(event, f::event::kAnnotation);
      annotation.add_string(f::annotation::kName, "context");
      annotation.add_string(f::annotation::kText, name);
    }
    if (of.kind == EventKind::kAsynchronous) PacketWriter::put_flag(event, trace::kAsynchronous);
    if (of.is_error) PacketWriter::put_flag(event, trace::kError);
  }

  // In the order that they are written in.
  std::vector<std::uint32_t> order_of(const EventColumns& events) const {
    std::vector<std::uint32_t> order(events.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return is_written_before(events, a, b); });
    return order;
  }

  void put_events(std::uint32_t t) {
    const EventColumns& events = profile_.tracks[t].events;
    SliceLanes lanes, stage_lanes;
    std::vector<std::uint64_t> uuids{uuid_of(t)};  // of the lanes' tracks
    const auto close_until = [&](std::int64_t at_ns) {
      lanes.close_until(at_ns, [&](std::size_t lane, std::int64_t ended_ns) {
        packets_.put_event(f::event::kEnd, uuids[lane], ended_ns, [](pbf_writer&) {});
      });
      stage_lanes.close_until(at_ns, [](std::size_t, std::int64_t) {});
    };
    for (const std::uint32_t i : order_of(events)) {
      const Event event = events[i];
      if (!selection_.takes(event)) continue;
      close_until(event.start_ns);
      const std::int64_t end_ns = written_end_ns(events, i);
      if (stages_.is_stage(t, i)) {
        const std::size_t lane = stage_lanes.first_for(end_ns);
        stage_lanes.open(lane, end_ns);
        stage_writer_.put(t, i, event, stages_.number(t, i), uuid_of(t), lane,
                          [&](pbf_writer& stage) { flows_.put_waits(stage, t, i); });
        continue;
      }
      const bool is_instant = event.kind == EventKind::kInstant;
      const std::size_t lane = is_instant ? 0 : lanes.first_for(end_ns);
      if (lane == uuids.size())
        uuids.push_back(put_track_of(uuid_of(t), plain(profile_.tracks[t].name), R"({"kind":"overlapping"})"));
      if (!is_instant) lanes.open(lane, end_ns);
      put_slice(t, i, event, uuids[lane]);
    }
    close_until(SliceLanes::kNever_ns);
  }

  void put_slice(std::uint32_t t, std::uint32_t i, const Event& event, std::uint64_t uuid) {
    const std::string name = plain(event.name), category = plain(event.category);
    const auto type = event.kind == EventKind::kInstant ? f::event::kInstant : f::event::kBegin;
    packets_.put_event(type, uuid, event.start_ns, [&](pbf_writer& writer) {
      packets_.put_name(writer, name, category);
      put_arguments(writer, t, i, event);
      flows_.put(writer, t, i);
    });
  }

  void put_counters(std::uint32_t t) {
    for (const Counter& counter : profile_.tracks[t].counters) {
      std::string description;
      JsonWriter json(description);
      json.begin_object().key("counter").text(text(counter.name)).key("series").text(text(counter.series));
      json.key("category").text(text(counter.category)).end_object();
      std::string name = plain(counter.name);
      if (counter.series != StringId{}) name += " " + plain(counter.series);
      const std::uint64_t uuid = put_track_of(uuid_of(t), name, description, text(counter.unit), true);
      for (std::size_t i = 0; i < counter.at_ns.size(); ++i) {
        if (!selection_.takes(counter.at_ns[i], counter.at_ns[i])) continue;
        packets_.put_event(f::event::kCounter, uuid, counter.at_ns[i], [&](pbf_writer& event) {
          event.add_double(f::event::kDoubleCounterValue, counter.value[i]);
        });
      }
    }
  }

  // Perfetto has no words for ends of flows that lead nowhere, nor for their numbers in a Chrome trace.
  void put_flow_ends() {
    const FlowEnds& ends = profile_.flow_ends;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const FlowEnd end = ends[i];
      if (!selection_.takes(profile_.tracks[end.track]) || !selection_.takes(end.at_ns, end.at_ns)) continue;
      packets_.put_event_as(f::packet::kFlowEnd, 0, uuid_of(end.track), end.at_ns, [&](pbf_writer& event) {
        const std::string category = plain(end.category);
        packets_.put_name(event, category.empty() ? "flow" : category, category);
        if (end.id_type == FlowEnd::IdType::kText)
          packets_.put_annotation(event, trace::kId, to_id<StringId>(static_cast<std::size_t>(end.id)), StringId{});
        if (end.id_type == FlowEnd::IdType::kNone) PacketWriter::put_flag(event, trace::kWithoutId);
        pbf_writer legacy(event, f::event::kLegacy);
        constexpr char kPhases[] = {'s', 't', 'f'};
        legacy.add_int32(f::legacy::kPhase, kPhases[static_cast<std::size_t>(end.kind)]);
        if (end.id_type != FlowEnd::IdType::kNone)
          legacy.add_uint64(f::legacy::kUnscopedId, static_cast<std::uint64_t>(end.id));
        legacy.add_bool(f::legacy::kBindToEnclosing, end.is_of_enclosing);
      });
    }
  }

  void put_markers() {
    if (profile_.markers.empty()) return;
    const std::uint64_t uuid = put_track_of(0, "markers", R"({"kind":"markers"})");
    for (const Marker& marker : profile_.markers) {
      if (!selection_.takes(marker.at_ns, marker.at_ns)) continue;
      const std::string name = plain(marker.name);
      packets_.put_event(f::event::kInstant, uuid, marker.at_ns,
                         [&](pbf_writer& event) { packets_.put_name(event, name, ""); });
    }
  }

  void put_rewrites() {
    const std::vector<RewriteSpan> spans = rewrite_spans(capture_);
    if (spans.empty()) return;
    const std::uint64_t uuid = put_track_of(0, "rewrites", "");
    const auto end_at = [&](std::int64_t at_ns) {
      packets_.put_event(f::event::kEnd, uuid, at_ns + profile_.start_ns, [](pbf_writer&) {});
    };
    std::optional<std::int64_t> context_end_ns;
    for (const RewriteSpan& span : spans) {
      if (span.is_context && context_end_ns) end_at(*context_end_ns);
      const std::string name = plain(span.name);
      packets_.put_event(f::event::kBegin, uuid, span.start_ns + profile_.start_ns, [&](pbf_writer& event) {
        packets_.put_name(event, name, span.is_context ? "context" : "pass");
        packets_.put_annotation(event, "matches", span.matches, StringId{});
      });
      const std::int64_t end_ns = span.start_ns + span.dur_ns;
      if (span.is_context) {
        context_end_ns = end_ns;
      } else {
        end_at(end_ns);
      }
    }
    if (context_end_ns) end_at(*context_end_ns);
  }

  const Capture& capture_;
  const StringTable& strings_;
  const Profile& profile_;
  const ProfileSelection selection_;
  const bool is_dated_;          // its times are the world's
  const std::int64_t shift_ns_;  // from the profile's times to the trace's
  PacketWriter packets_;
  std::uint64_t next_uuid_ = 0;
  const StageNumbers stages_;
  StageWriter stage_writer_;
  const EventFlows flows_;
};

}  // namespace

void write(const Capture& capture, const WriteOptions& options, const WriteText& write) {
  TraceEncoder(capture, options.part, write).write_all();
}

}  // namespace vizd::perfetto
