// StageWriter: the work of devices as Perfetto's own packets (gpu_render_stage_event), as PyTorch's encoder writes it.
// Refers to the capture. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/perfetto/packet_writer.h"
#include "formats/profile_part.h"
#include "model/capture.h"

namespace vizd::perfetto {

// Which events are written so, and the numbers that others know them by.
class StageNumbers {
 public:
  explicit StageNumbers(const Capture& capture);

  bool is_stage(std::uint32_t track, std::uint32_t event) const;
  std::uint64_t number(std::uint32_t track, std::uint32_t event) const { return first_[track] + event; }

 private:
  const Capture& capture_;
  std::vector<std::uint64_t> first_;  // by track; 0: it is no stream of a device
};

class StageWriter {
 public:
  // Writes with that writer. uuid_of(track) is the track's number in the file.
  StageWriter(const Capture& capture, const ProfileSelection& selection, PacketWriter& packets)
      : capture_(capture), strings_(capture.strings), selection_(selection), packets_(packets) {}

  // One event; the number of its track, and of several lanes that it needs which; put_waits(writer) adds what it waited
  // for.
  template <typename PutWaits>
  void put(std::uint32_t track, std::uint32_t i, const Event& event, std::uint64_t number, std::uint64_t uuid,
           std::size_t lane, PutWaits&& put_waits) {
    packets_.put_part(field::packet::kGpuStage, event.start_ns, [&](protozero::pbf_writer& stage) {
      put_stage(stage, track, event, number, uuid, lane);
      put_arguments(stage, track, i, event);
      put_waits(stage);
    });
  }

 private:
  void put_stage(protozero::pbf_writer& stage, std::uint32_t track, const Event& event, std::uint64_t number,
                 std::uint64_t uuid, std::size_t lane);
  void put_arguments(protozero::pbf_writer& stage, std::uint32_t track, std::uint32_t i, const Event& event);
  std::int64_t gpu_of(std::uint32_t track);

  const Capture& capture_;
  const StringTable& strings_;
  const ProfileSelection& selection_;
  PacketWriter& packets_;
  std::vector<std::uint32_t>
      devices_;  // tracks, by their number in the file where those of the capture are not different
};

}  // namespace vizd::perfetto
