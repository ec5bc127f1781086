// Work and counters of GPUs in Perfetto's traces, as several programs write them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "analysis/devices/device_work.h"
#include "formats/perfetto/fields.h"
#include "formats/perfetto/format.h"
#include "formats/perfetto/gpu_stages.h"
#include "formats/perfetto/protozero.h"
#include "formats/perfetto/rocprof.h"
#include "formats/perfetto/typed_text.h"
#include "formats/registry.h"
#include "model/argument_json.h"
#include "support/catch.h"
#include "support/test_data.h"
#include "timeline/timeline.h"

namespace vizd::perfetto_gpu_test {
namespace {

namespace f = perfetto::field;
using protozero::pbf_writer;
using Strings = std::vector<std::string>;

// Packets of one sequence.
class Packets {
 public:
  template <typename Fill>
  void put(std::uint64_t at_ns, Fill&& fill, std::uint32_t sequence = 1) {
    std::string packet;
    pbf_writer writer(packet);
    writer.add_uint64(f::packet::kTimestamp, at_ns);
    if (sequence != 0) writer.add_uint32(f::packet::kSequence, sequence);
    fill(writer);
    pbf_writer(bytes).add_message(f::kPacket, packet);
  }
  void descriptor(std::uint64_t uuid, const std::string& name, std::uint32_t sequence = 1) {
    put(
        0,
        [&](pbf_writer& packet) {
          pbf_writer track(packet, f::packet::kTrackDescriptor);
          track.add_uint64(f::track::kUuid, uuid);
          track.add_string(f::track::kName, name);
        },
        sequence);
  }
  void event(std::uint64_t at_ns, std::uint32_t type, std::uint64_t uuid, const std::string& name,
             const std::string& category = "") {
    put(at_ns, [&](pbf_writer& packet) {
      pbf_writer event(packet, f::packet::kTrackEvent);
      event.add_uint32(f::event::kType, type);
      event.add_uint64(f::event::kTrack, uuid);
      if (!category.empty()) event.add_string(f::event::kCategories, category);
      if (!name.empty()) event.add_string(f::event::kName, name);
    });
  }

  std::string bytes;
};

std::unique_ptr<Capture> read(const std::string& bytes) {
  auto capture = std::make_unique<Capture>();
  REQUIRE(read_capture({"trace.pftrace", std::as_bytes(std::span(bytes))}, *capture));
  prepare_timeline(*capture, 1);
  return capture;
}

// "TRACK NAME [CATEGORY] START+DURATION" of each event.
Strings events_of(const Capture& capture) {
  Strings texts;
  const auto paths = track_paths(capture.profile.tracks, capture.strings);
  for (std::size_t t = 0; t < paths.size(); ++t) {
    for (const Event& event : capture.profile.tracks[t].events)
      texts.push_back(fmt::format("{} {} [{}] {}+{}", paths[t], capture.strings.get(event.name),
                                  capture.strings.get(event.category), event.start_ns, event.dur_ns));
  }
  std::ranges::sort(texts);
  return texts;
}

// "EVENT NAME=VALUE" of each argument, with its type.
Strings arguments_of(const Capture& capture) {
  Strings texts;
  for (const Track& track : capture.profile.tracks) {
    for (const ArgumentColumn& column : track.arguments) {
      for (std::size_t i = 0; i < column.size(); ++i)
        texts.push_back(fmt::format("{} {}{}={} {}", capture.strings.get(track.events.name(column.event(i))),
                                    capture.strings.get(column.name), column.is_hidden ? " (hidden)" : "",
                                    value_text(column.value(i), capture.strings), static_cast<int>(column.type)));
    }
  }
  std::ranges::sort(texts);
  return texts;
}

TEST_CASE("work of a GPU whose queues are numbered once for all is on lanes of its device", "[perfetto]") {
  Packets packets;
  packets.put(0, [](pbf_writer& packet) {
    pbf_writer stage(packet, f::packet::kGpuStage);
    pbf_writer specs(stage, f::stage::kOldSpecs);
    for (const auto& [field, name] : {std::pair(f::stage::kOldQueues, "graphics"),
                                      {f::stage::kOldQueues, "compute"},
                                      {f::stage::kOldStages, "Binning"},
                                      {f::stage::kOldStages, "Blit copy"}}) {
      pbf_writer description(specs, field);
      description.add_string(f::stage::kOldName, name);
    }
  });
  const auto put = [&](std::uint64_t at_ns, std::uint64_t queue, std::uint64_t stage_id) {
    packets.put(at_ns, [&](pbf_writer& packet) {
      pbf_writer stage(packet, f::packet::kGpuStage);
      stage.add_uint64(f::stage::kDuration, 50);
      stage.add_uint64(f::stage::kOldQueue, queue);
      stage.add_uint64(f::stage::kOldStage, stage_id);
      stage.add_int32(f::stage::kGpu, 1);
    });
  };
  put(100, 0, 0);
  put(120, 1, 1);
  const auto read_one = read(packets.bytes);
  const Capture& capture = *read_one;
  CHECK(events_of(capture) ==
        Strings{"GPU 1/compute Blit copy [gpu_memcpy] 120+50", "GPU 1/graphics Binning [kernel] 100+50"});
  CHECK(capture.skipped.empty());
  const DeviceWork work = find_device_work(capture);
  CHECK(work.items.size() == 2);
  CHECK(work.streams.size() == 2);
  CHECK(work.devices.size() == 1);
}

TEST_CASE("counters of several GPUs with one number each are kept apart", "[perfetto]") {
  Packets packets;
  packets.put(0, [](pbf_writer& packet) {
    packet.add_uint32(f::packet::kSequenceFlags, f::packet::kFlagStateCleared);
    pbf_writer interned(packet, f::packet::kInternedData);
    for (const std::uint64_t gpu : {0u, 1u}) {
      pbf_writer counters(interned, f::interned::kGpuCounterSets);
      counters.add_uint64(f::interned::kIid, gpu + 1);
      {
        pbf_writer set(counters, f::interned::kCounterSet);
        pbf_writer spec(set, f::gpu_counter::kSpecs);
        spec.add_string(f::gpu_counter::kSpecName, "power");
        spec.add_uint32(f::gpu_counter::kSpecNumerator, 29);
      }
      counters.add_uint64(f::interned::kCounterSetGpu, gpu);
    }
  });
  for (const std::uint64_t gpu : {0u, 1u}) {
    packets.put(10, [&](pbf_writer& packet) {
      pbf_writer event(packet, f::packet::kGpuCounters);
      event.add_uint64(f::gpu_counter::kDescriptorIid, gpu + 1);
      pbf_writer value(event, f::gpu_counter::kValues);
      value.add_int64(f::gpu_counter::kInt, gpu == 0 ? 70 : -5);
    });
  }
  const auto read_one = read(packets.bytes);
  const Capture& capture = *read_one;
  Strings texts;
  for (const Track& track : capture.profile.tracks) {
    for (const Counter& counter : track.counters)
      texts.push_back(fmt::format("{} {} {} {}", capture.strings.get(track.name), capture.strings.get(counter.name),
                                  counter.value[0], capture.strings.get(counter.unit)));
  }
  CHECK(texts == Strings{"GPU 0 power 70 W", "GPU 1 power -5 W"});
}

TEST_CASE("a copy to the host is the work of the only GPU", "[perfetto]") {
  Packets packets;
  packets.descriptor(1, "COMPUTE AGENT [2] QUEUE [0] (GPU)");
  packets.descriptor(2, "COPY to AGENT [0] THREAD [3] (CPU)");
  packets.event(10, f::event::kBegin, 1, "k", "kernel_dispatch");
  packets.event(30, f::event::kEnd, 1, "");
  packets.event(40, f::event::kBegin, 2, "MEMORY_COPY_DEVICE_TO_HOST", "memory_copy");
  packets.event(45, f::event::kEnd, 2, "");
  const auto capture = read(packets.bytes);
  const DeviceWork work = find_device_work(*capture);
  CHECK(work.items.size() == 2);
  CHECK(work.devices.size() == 1);
  CHECK(perfetto::parse_agent_track("COPY BYTES to AGENT [0] (CPU)") == std::nullopt);
}

TEST_CASE("rows of the scheduler are no device", "[perfetto]") {
  Packets packets;
  const auto put_switch = [&](std::uint64_t at_ns, std::int32_t pid) {
    packets.put(at_ns, [&](pbf_writer& packet) {
      pbf_writer bundle(packet, f::packet::kFtraceEvents);
      pbf_writer event(bundle, f::ftrace::kEvent);
      event.add_uint64(f::ftrace::kTimestamp, at_ns);
      pbf_writer of(event, f::ftrace::kSchedSwitch);
      of.add_string(f::ftrace::kNextCommand, "w");
      of.add_int32(f::ftrace::kNextPid, pid);
    });
  };
  put_switch(10, 7);
  put_switch(20, 0);
  const auto read_one = read(packets.bytes);
  const Capture& capture = *read_one;
  CHECK(events_of(capture) == Strings{"CPU 0 w [sched] 10+10"});
  CHECK(find_device_work(capture).items.empty());
}

TEST_CASE("slices of PyTorch's encoder are paired by their place, those of others by time", "[perfetto]") {
  for (const bool is_of_pytorch : {true, false}) {
    Packets packets;
    if (is_of_pytorch) {
      packets.put(100, [](pbf_writer& packet) {
        pbf_writer snapshot(packet, f::packet::kClockSnapshot);
        for (const std::uint32_t id : {f::clock::kBoottime, f::clock::kRealtime}) {
          pbf_writer clock(snapshot, f::clock::kClocks);
          clock.add_uint32(f::clock::kId, id);
          clock.add_uint64(f::clock::kTimestamp, 100);
        }
      });
    }
    packets.descriptor(1, "main", is_of_pytorch ? 0 : 1);
    packets.event(200, f::event::kBegin, 1, "frame");
    packets.event(250, f::event::kBegin, 1, "step");
    packets.event(260, f::event::kEnd, 1, "");
    packets.event(900, f::event::kEnd, 1, "");
    const Strings by_place{"main frame [] 200+60", "main step [] 250+650"};
    const Strings by_time{"main frame [] 200+700", "main step [] 250+10"};
    CHECK(events_of(*read(packets.bytes)) == (is_of_pytorch ? by_place : by_time));
  }
}

TEST_CASE("text that was a value is one again, and a text that looks like one stays a text", "[perfetto]") {
  StringTable strings;
  const auto again = [&](std::string_view text) {
    const perfetto::TypedText typed = perfetto::typed_text(text, strings);
    return perfetto::text_of_value(typed.value, typed.unit, strings);
  };
  for (const char* const text : {"12", "-3", "0.5", "1e+30", "2.0", "[1,[]]", "{\"a\":1}", "null", "true", "word",
                                 "007", "", "-", "1.", "[1", "\"12\"", "18446744073709551615"})
    CHECK(again(text) == text);
  for (const char* const text : {"12", "null", "[1]", "\"quoted\"", "plain"}) {
    const StringId id = strings.add(text);
    const perfetto::TypedText typed = perfetto::typed_text(perfetto::text_of_value(id, {}, strings), strings);
    CHECK(typed.value == ArgumentValue(id));
    CHECK(typed.unit == StringId{});
  }
}

TEST_CASE("names of queues tell their numbers", "[perfetto]") {
  const auto read_name = [](std::string_view text) {
    const perfetto::QueueName queue = perfetto::parse_queue(text);
    return fmt::format("{} {}", queue.number ? std::to_string(*queue.number) : "-", queue.name);
  };
  CHECK(read_name("[0007] stream 7") == "7 stream 7");
  CHECK(read_name("[100008] DP") == "100008 DP");
  CHECK(read_name("Stream 13") == "13 Stream 13");
  CHECK(read_name("[x] y") == "- [x] y");
  CHECK(read_name("compute") == "- compute");
}

TEST_CASE("work of devices is written as GPU packets and read back equal", "[perfetto]") {
  constexpr std::string_view kTrace =
      R"({"baseTimeNanoseconds":1700000000000000000,"traceEvents":[)"
      R"({"ph":"M","name":"process_labels","pid":0,"args":{"labels":"GPU 0"}},)"
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":12,"dur":5,"args":{"correlation":4}},)"
      R"({"ph":"X","cat":"kernel","name":"k1","pid":0,"tid":7,"ts":20,"dur":10,"args":{"correlation":4,"device":0,)"
      R"("stream":7,"grid":[4, 1, 1],"block":[32,1,1],"registers per thread":16,"text":"12","real":2.0,"list":[1,[]],)"
      R"("nothing":null,".own":"x"}},)"
      R"({"ph":"X","cat":"kernel","name":"overlaps","pid":0,"tid":7,"ts":25,"dur":10,"args":{"grid":[1, 2, 3],"block":[4, 5, 6]}},)"
      R"({"ph":"X","cat":"gpu_memcpy","name":"Memcpy","pid":0,"tid":8,"ts":25,"dur":0,"args":{"copy kind":"HtoD"}},)"
      R"({"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":8,"ts":26,"dur":3},)"
      R"({"ph":"s","cat":"ac2g","id":9,"pid":0,"tid":7,"ts":30},)"
      R"({"ph":"f","bp":"e","cat":"ac2g","id":9,"pid":0,"tid":8,"ts":26}]})";
  Capture first;
  REQUIRE(read_capture({"trace.json", std::as_bytes(std::span(kTrace))}, first));
  std::string bytes;
  perfetto::write(first, {}, [&](std::string_view part) { bytes += part; });
  prepare_timeline(first, 1);
  CHECK(bytes.find("[0007] stream 7") != std::string::npos);
  const auto second = read(bytes);
  CHECK(second->skipped.empty());
  CHECK(events_of(*second) == events_of(first));
  CHECK(arguments_of(*second) == arguments_of(first));
  CHECK(second->profile.flows.size() == 2);
  CHECK(first.profile.flows.size() == 2);
  CHECK(find_device_work(*second).items.size() == 3);
}

TEST_CASE("a file of PyTorch's that is cut or damaged anywhere gives records or one error", "[perfetto]") {
  // `VIZD_MUTATIONS=N` tries every prefix and N changed bytes.
  const char* const asked = std::getenv("VIZD_MUTATIONS");
  const std::size_t changes = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 300;
  const std::string bytes = read_test_data("../fuzz/corpus/perfetto/pytorch.pftrace");
  std::mt19937_64 random(48);
  const auto try_reading = [](const std::string& changed) {
    Capture capture;
    if (!read_capture({"trace.pftrace", std::as_bytes(std::span(changed))}, capture)) return;
    prepare_timeline(capture, 1);
    CHECK(capture.profile.start_ns <= capture.profile.end_ns);
  };
  for (std::size_t size = 0; size < bytes.size(); size += asked != nullptr ? 1 : 1 + random() % 400)
    try_reading(bytes.substr(0, size));
  for (std::size_t i = 0; i < changes; ++i) {
    std::string changed = bytes;
    char& byte = changed[random() % changed.size()];
    byte = static_cast<char>(byte ^ static_cast<char>(1 + random() % 255));
    try_reading(changed);
  }
}

}  // namespace
}  // namespace vizd::perfetto_gpu_test
