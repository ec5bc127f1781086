// DeviceStreams: the devices and streams of a DeviceWork while it is found, told apart by their numbers. Adds to what
// it is given. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/devices/device_work.h"

namespace vizd {

// StreamOwner separates streams that have one number on one device.
struct StreamOwner {
  FileValue process = {}, context = {};
  std::uint32_t lane = kNoId;  // where each lane is a stream
};

class DeviceStreams {
 public:
  // has_facts: facts name the devices, as in a trace; else the lanes that they are do.
  DeviceStreams(const Capture& capture, DeviceWork& work, bool has_facts)
      : strings_(capture.strings), tracks_(capture.profile.tracks), work_(work), has_facts_(has_facts) {}

  // From now on what is found hangs on that track, of which facts tell.
  void begin_rank(const std::vector<Fact>& facts, std::uint32_t root);

  // Places in DeviceWork::streams: of a trace's thread, told by the file's numbers, and of a lane below a device.
  std::uint32_t of_thread(std::uint32_t track);
  std::uint32_t of_lane(std::uint32_t track);

  // Puts devices and streams in the order of their numbers, which they were not found in.
  void sort();

 private:
  // Sorts numbers before texts.
  using NumberKey = std::tuple<bool, bool, std::int64_t, std::string>;

  NumberKey key_of(const FileValue& value) const;
  FileValue stream_number(const FileValue& stream) const;
  // For a stream's track below a device that processes share: the process that it hangs on, and which of its contexts
  // it is of.
  StreamOwner owner_of(std::uint32_t track) const;
  // The name shared by all listed devices; "" if their names differ.
  std::string common_name() const;
  std::uint32_t stream_of(const FileValue& device, const FileValue& stream, const StreamOwner& owner = {});

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  DeviceWork& work_;
  const bool has_facts_;
  std::uint32_t root_ = kNoId;
  FileValue rank_;
  std::int64_t offset_ns_ = 0;
  std::map<NumberKey, std::string> names_;               // of the rank's devices
  std::map<std::uint32_t, ArgumentValue> told_numbers_;  // by track of a device, where facts tell them
  std::map<std::uint32_t, ArgumentValue> contexts_;      // by track of a stream, likewise
  std::vector<bool> is_named_;                           // by device
  std::map<std::pair<std::uint32_t, NumberKey>, std::uint32_t> devices_;
  std::map<std::tuple<std::uint32_t, NumberKey, NumberKey, NumberKey, std::uint32_t>, std::uint32_t> streams_;
};

}  // namespace vizd
