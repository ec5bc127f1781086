// What is written for Perfetto holds all that its trace_processor asks of a file: read here by its rules, as strictly.
// It sorts packets by time, closes a track's slices from the innermost on, gives a flow to whichever event comes first
// with its number, and ends at a null in JSON. Its own answers: scripts/against-perfetto.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/chrome_trace/format.h"
#include "formats/perfetto/fields.h"
#include "formats/perfetto/format.h"
#include "formats/perfetto/protozero.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/test_data.h"
#include "timeline/timeline.h"

namespace vizd::perfetto_wire_test {
namespace {

namespace f = perfetto::field;
using protozero::pbf_reader;
using protozero::pbf_wire_type;
using Strings = std::vector<std::string>;

class StrictReader {
 public:
  Strings slices, flows, arguments, counters;  // sorted

  explicit StrictReader(const std::string& bytes) {
    pbf_reader trace(bytes);
    while (trace.next()) {
      REQUIRE(trace.tag() == f::kPacket);
      read_packet(trace.get_message());
    }
    std::ranges::stable_sort(events_, {}, &TrackEvent::timestamp);
    for (const TrackEvent& event : events_) play(event);
    for (const auto& [from, to] : launches_) flows.push_back(from + " -> " + stages_.at(to));
    for (const auto& [uuid, open] : open_) REQUIRE(open.empty());
    for (Strings* of : {&slices, &flows, &arguments, &counters}) std::ranges::sort(*of);
  }

 private:
  using Interned = std::unordered_map<std::uint64_t, std::string>;

  struct TrackEvent {
    std::uint64_t timestamp = 0, uuid = 0;
    std::uint32_t type = 0;
    std::string name = {};
    Strings arguments = {};
    std::vector<std::uint64_t> flows = {}, ends = {};
    std::optional<double> value = {};
  };

  static void read_interned(pbf_reader data, std::uint32_t field, Interned& table) {
    while (data.next()) {
      if (data.tag() != field) {
        data.skip();
        continue;
      }
      pbf_reader entry = data.get_message();
      std::uint64_t iid = 0;
      std::string text;
      while (entry.next())
        entry.tag() == f::interned::kIid ? void(iid = entry.get_uint64()) : void(text = entry.get_string());
      REQUIRE(iid != 0);
      table[iid] = text;
    }
  }

  void read_packet(pbf_reader packet) {
    std::optional<std::uint64_t> timestamp;
    std::optional<pbf_reader> event, stage;
    std::uint32_t sequence = 0, flags = 0;
    while (packet.next()) {
      if (packet.tag() == f::packet::kTimestamp) {
        timestamp = packet.get_uint64();
      } else if (packet.tag() == f::packet::kSequence) {
        sequence = packet.get_uint32();
      } else if (packet.tag() == f::packet::kSequenceFlags) {
        flags = packet.get_uint32();
      } else if (packet.tag() == f::packet::kInternedData) {
        const pbf_reader data = packet.get_message();
        read_interned(data, f::interned::kEventNames, names_);
        read_interned(data, f::interned::kCategories, categories_);
        read_interned(data, f::interned::kAnnotationNames, annotation_names_);
        read_interned(data, f::interned::kAnnotationTexts, annotation_texts_);
        read_specs(data);
      } else if (packet.tag() == f::packet::kTrackDescriptor) {
        read_descriptor(packet.get_message());
      } else if (packet.tag() == f::packet::kTrackEvent) {
        event = packet.get_message();
      } else if (packet.tag() == f::packet::kGpuStage) {
        stage = packet.get_message();
      } else {
        packet.skip();
      }
    }
    REQUIRE(sequence != 0);
    if ((flags & f::packet::kFlagStateCleared) != 0) has_state_ = true;
    if ((flags & f::packet::kFlagNeedsState) != 0) REQUIRE(has_state_);
    if (!event && !stage) return;
    REQUIRE(timestamp);
    if (stage) return read_stage(*stage);
    read_event(*event, *timestamp);
  }

  void read_specs(pbf_reader data) {
    while (data.next()) {
      if (data.tag() != f::interned::kGpuSpecs) {
        data.skip();
        continue;
      }
      pbf_reader entry = data.get_message();
      REQUIRE(entry.next(f::interned::kIid));
      REQUIRE(specs_.insert(entry.get_uint64()).second);
    }
  }

  // A GPU's work: its queue and its kind are described, and it has a name and a length.
  void read_stage(pbf_reader stage) {
    std::uint64_t number = 0;
    std::string name;
    bool has_queue = false, has_stage = false, has_length = false;
    while (stage.next()) {
      switch (stage.tag()) {
        case f::stage::kEvent:
          number = stage.get_uint64();
          break;
        case f::stage::kDuration:
          has_length = stage.get_uint64() < std::uint64_t{1} << 62;
          break;
        case f::stage::kQueueIid:
          has_queue = specs_.contains(stage.get_uint64());
          break;
        case f::stage::kStageIid:
          has_stage = specs_.contains(stage.get_uint64());
          break;
        case f::stage::kNameIid:
          name = names_.at(stage.get_uint64());
          break;
        default:
          stage.skip();
      }
    }
    REQUIRE((has_queue && has_stage && has_length));
    REQUIRE(stages_.emplace(number, name).second);
    slices.push_back(name);
  }

  void read_descriptor(pbf_reader descriptor) {
    std::uint64_t uuid = 0, parent = 0;
    while (descriptor.next()) {
      if (descriptor.tag() == f::track::kUuid) {
        uuid = descriptor.get_uint64();
      } else if (descriptor.tag() == f::track::kParent) {
        parent = descriptor.get_uint64();
      } else {
        if (descriptor.tag() == f::track::kCounter) counter_tracks_.insert(uuid);
        descriptor.skip();
      }
    }
    REQUIRE(uuid != 0);
    if (parent != 0) REQUIRE(tracks_.contains(parent));
    REQUIRE(tracks_.insert(uuid).second);
  }

  void read_event(pbf_reader event, std::uint64_t timestamp) {
    TrackEvent read{.timestamp = timestamp};
    while (event.next()) {
      switch (event.tag()) {
        case f::event::kType:
          read.type = event.get_uint32();
          break;
        case f::event::kTrack:
          read.uuid = event.get_uint64();
          break;
        case f::event::kNameIid:
          read.name = names_.at(event.get_uint64());
          break;
        case f::event::kCategoryIids:
          REQUIRE(categories_.contains(event.get_uint64()));
          break;
        case f::event::kDoubleCounterValue:
          read.value = event.get_double();
          break;
        case f::event::kFlowIds:
          REQUIRE(event.wire_type() == pbf_wire_type::fixed64);
          read.flows.push_back(event.get_fixed64());
          break;
        case f::event::kTerminatingFlowIds:
          REQUIRE(event.wire_type() == pbf_wire_type::fixed64);
          read.ends.push_back(event.get_fixed64());
          break;
        case f::event::kLaunches: {
          pbf_reader launches = event.get_message();
          while (launches.next(f::event::kLaunchedStages)) launches_.emplace_back(read.name, launches.get_uint64());
          break;
        }
        case f::event::kAnnotation:
          if (const auto argument = read_annotation(event.get_message())) read.arguments.push_back(*argument);
          break;
        default:
          FAIL("a field of track events that needs not be there: " << event.tag());
      }
    }
    REQUIRE(tracks_.contains(read.uuid));
    REQUIRE(read.type >= f::event::kBegin);
    REQUIRE(read.type <= f::event::kCounter);
    REQUIRE((read.type == f::event::kCounter) == counter_tracks_.contains(read.uuid));
    REQUIRE((read.type == f::event::kCounter) == read.value.has_value());
    events_.push_back(std::move(read));
  }

  // "NAME=VALUE"; none of one without a value. Values lie in one field alone.
  std::optional<std::string> read_annotation(pbf_reader annotation) {
    std::string name;
    Strings values;
    while (annotation.next()) {
      switch (annotation.tag()) {
        case f::annotation::kNameIid:
          name = annotation_names_.at(annotation.get_uint64());
          break;
        case f::annotation::kName:
          name = annotation.get_string();
          break;
        case f::annotation::kBool:
          values.emplace_back(annotation.get_bool() ? "true" : "false");
          break;
        case f::annotation::kInt:
          values.push_back(fmt::format("{}", annotation.get_int64()));
          break;
        case f::annotation::kDouble:
          values.push_back(fmt::format("{}", annotation.get_double()));
          break;
        case f::annotation::kTextIid:
          values.push_back(annotation_texts_.at(annotation.get_uint64()));
          break;
        case f::annotation::kJson:
          values.push_back(annotation.get_string());
          REQUIRE(values.back() != "null");
          break;
        default:
          FAIL("a field of annotations that needs not be there: " << annotation.tag());
      }
    }
    REQUIRE_FALSE(name.empty());
    REQUIRE(values.size() <= 1);
    if (values.empty()) return std::nullopt;
    return name + "=" + values[0];
  }

  void play(const TrackEvent& event) {
    Strings& open = open_[event.uuid];
    if (event.type == f::event::kCounter) return counters.push_back(fmt::format("{}", *event.value));
    if (event.type == f::event::kEnd) {
      REQUIRE_FALSE(open.empty());
      REQUIRE(event.flows.empty());
      REQUIRE(event.ends.empty());
      return open.pop_back();
    }
    slices.push_back(event.name);
    for (const std::string& argument : event.arguments) arguments.push_back(event.name + ": " + argument);
    if (event.type == f::event::kBegin) open.push_back(event.name);
    for (const std::uint64_t number : event.flows) {
      const auto [active, is_new] = active_.try_emplace(number, event.name);
      if (is_new) continue;
      flows.push_back(active->second + " -> " + event.name);
      active->second = event.name;
    }
    for (const std::uint64_t number : event.ends) {
      const auto active = active_.find(number);
      REQUIRE(active != active_.end());  // else it would be dropped
      flows.push_back(active->second + " -> " + event.name);
      active_.erase(active);
    }
  }

  Interned names_, categories_, annotation_names_, annotation_texts_;
  bool has_state_ = false;
  std::set<std::uint64_t> tracks_, counter_tracks_, specs_;
  std::map<std::uint64_t, std::string> stages_;                  // names by number
  std::vector<std::pair<std::string, std::uint64_t>> launches_;  // from the name of an event to a stage
  std::vector<TrackEvent> events_;
  std::map<std::uint64_t, Strings> open_;
  std::map<std::uint64_t, std::string> active_;  // the last event of each flow
};

struct ReadCapture {
  ReadCapture(const std::string& name, std::string_view bytes) {
    REQUIRE(read_capture({name, std::as_bytes(std::span(bytes))}, capture));
    prepare_timeline(capture, 1);
  }
  Capture capture;
};

std::string written(const Capture& capture) {
  std::string bytes;
  perfetto::write(capture, {}, [&](std::string_view part) { bytes += part; });
  return bytes;
}

Strings flows_of(const Capture& capture) {
  Strings flows;
  const auto name = [&](std::uint32_t track, std::uint32_t event) {
    return std::string(capture.strings.get(capture.profile.tracks[track].events.name(event)));
  };
  for (std::size_t i = 0; i < capture.profile.flows.size(); ++i) {
    const Flow flow = capture.profile.flows[i];
    flows.push_back(name(flow.from_track, flow.from_event) + " -> " + name(flow.to_track, flow.to_event));
  }
  std::ranges::sort(flows);
  return flows;
}

// The names of the flows' ends in a Chrome trace that is written of it, once each.
std::set<std::string> flow_names_of(const Capture& capture) {
  std::string text;
  chrome_trace::write(capture, {}, [&](std::string_view part) { text += part; });
  std::set<std::string> names;
  for (const std::string_view phase : {"s", "f"}) {
    const std::string begin = fmt::format(R"({{"ph":"{}")", phase);
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
      const std::size_t name = text.find(R"("name":")", at) + 8;
      names.insert(text.substr(name, text.find('"', name) - name));
    }
  }
  return names;
}

std::string written_as(std::string_view name, const Capture& capture) {
  std::string bytes;
  for (const Format* const format : formats()) {
    if (format->name == name) format->writer->write(capture, {}, [&](std::string_view part) { bytes += part; });
  }
  return bytes;
}

TEST_CASE("trace_processor's rules find every slice, flow and argument of what is written for it", "[perfetto]") {
  const ReadCapture json("flows.json", read_test_data("perfetto/flows.json"));
  const StrictReader read(written(json.capture));
  CHECK(read.slices == Strings{"Memcpy HtoD", "aten::mm", "backward", "beside", "cudaLaunchKernel", "cudaMemcpyAsync",
                               "gemm", "mark", "none", "train.py(3): step"});
  // The copy began before its launch, as its clock says: a launch names its work all the same.
  CHECK(read.flows == Strings{"aten::mm -> backward", "cudaLaunchKernel -> gemm", "cudaMemcpyAsync -> Memcpy HtoD"});
  CHECK(read.counters == Strings{"1", "2.5"});
  const auto has = [&](const char* argument) { return std::ranges::count(read.arguments, argument) == 1; };
  CHECK(has("aten::mm: Input Dims=[[4, 8], [8, 2], []]"));
  CHECK(has("cudaLaunchKernel: correlation=4"));
  CHECK(has("cudaLaunchKernel: finite=1.5"));
  CHECK(has("mark: note=here"));
  CHECK(has("train.py(3): step: Python id=1"));
  CHECK(
      std::ranges::none_of(read.arguments, [](const std::string& a) { return a.find("parent") != std::string::npos; }));
}

TEST_CASE("vizd reads its Perfetto traces with flows as they lead, and null arguments", "[perfetto]") {
  const ReadCapture json("flows.json", read_test_data("perfetto/flows.json"));
  const Capture& first = json.capture;
  const ReadCapture trace("flows.pftrace", written(first));
  const Capture& second = trace.capture;
  CHECK(second.skipped.empty());
  CHECK(flows_of(first) ==
        Strings{"aten::mm -> backward", "cudaLaunchKernel -> gemm", "cudaMemcpyAsync -> Memcpy HtoD"});
  CHECK(flows_of(second) == flows_of(first));
  const auto nulls = [](const Capture& capture) {
    std::size_t count = 0;
    for (const Track& track : capture.profile.tracks) {
      for (const ArgumentColumn& column : track.arguments) {
        for (std::size_t i = 0; i < column.size(); ++i)
          count += column.type == ArgumentType::kText && capture.strings.get(column.text(i)) == "null" ? 1 : 0;
      }
    }
    return count;
  };
  CHECK(nulls(first) == 1);
  CHECK(nulls(second) == 1);
}

TEST_CASE("the flows of a trace keep their names through files of vizd's and Perfetto's", "[chrome]") {
  const ReadCapture json("flows.json", read_test_data("perfetto/flows.json"));
  const Capture& first = json.capture;
  const std::set<std::string> names{"forward to backward", "ac2g"};
  CHECK(flow_names_of(first) == names);
  for (const std::string_view format : {"chrome", "vizd", "perfetto"}) {
    INFO(format);
    CHECK(flow_names_of(ReadCapture("again", written_as(format, first)).capture) == names);
  }
}

}  // namespace
}  // namespace vizd::perfetto_wire_test
