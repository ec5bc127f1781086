#include "formats/xplane/host_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "formats/xplane/line_reader.h"
#include "formats/xplane/links.h"
#include "formats/xplane/plane.h"
#include "model/device_number.h"

namespace vizd::xplane {
namespace {

// Lines that begin later count from 1970, all others from the profile's begin.
constexpr std::int64_t kLeastAbsolute_ns = 100'000'000'000'000'000;

// A track takes some kilobytes. The events of further lines are on one track, without their stats.
constexpr std::size_t kMostTracks = std::size_t{1} << 16;

// The file's top level: its planes, as far as they are whole.
struct Space {
  std::vector<Plane> planes;
  std::vector<std::string_view> hosts;
  std::uint64_t errors = 0, warnings = 0, unknown_fields = 0;
  std::optional<std::size_t> cut_at;  // the byte from which on nothing is whole
  std::vector<std::size_t> plane_ends;
};

Space read_space(std::string_view bytes, std::size_t most_planes, StringTable& strings) {
  Space space;
  ProtobufFields fields(bytes);
  std::size_t at = 0;
  for (; fields.next(); at = bytes.size() - fields.rest_bytes()) {
    if (fields.is(1, WireType::kBytes)) {
      auto plane = space.planes.size() < most_planes ? read_plane(fields.bytes(), strings) : std::nullopt;
      if (!plane) {
        space.cut_at = at;
        return space;
      }
      space.unknown_fields += plane->unknown_fields;
      space.planes.push_back(std::move(*plane));
      space.plane_ends.push_back(bytes.size() - fields.rest_bytes());
    } else if (fields.is(2, WireType::kBytes)) {
      ++space.errors;
    } else if (fields.is(3, WireType::kBytes)) {
      ++space.warnings;
    } else if (fields.is(4, WireType::kBytes)) {
      space.hosts.push_back(fields.bytes());
    } else {
      ++space.unknown_fields;
    }
  }
  if (fields.is_broken()) space.cut_at = at;
  return space;
}

class HostReader {
 public:
  HostReader(const FormatInput& input, Capture& capture, std::optional<std::int64_t>& first_unix_ns)
      : input_(input), capture_(capture), tracks_(capture.profile.tracks), first_unix_ns_(first_unix_ns) {}

  // Reads at most that many of the file's planes. Returns the place of one whose events are broken, none if all are
  // read.
  std::optional<std::size_t> read(Space& space) {
    host_ = {};
    host_.name = !space.hosts.empty() && !space.hosts[0].empty() ? std::string(space.hosts[0]) : host_name(input_.name);
    host_.errors = space.errors;
    host_.warnings = space.warnings;
    host_.unknown_fields = space.unknown_fields;
    host_.is_cut = space.cut_at.has_value();
    read_clock(space);
    add_root();
    Links links;
    LineReader lines(capture_, host_, links, shift_ns_);
    for (std::size_t i = 0; i < space.planes.size(); ++i) {
      if (!read_lines(space.planes[i], lines)) return i;
      if (input_.progress) input_.progress(space.plane_ends[i]);
    }
    for (const Plane& plane : space.planes) {
      if (plane.name == "/host:metadata") add_modules(plane, host_.modules);
    }
    join(links, host_, capture_.profile);
    for (std::size_t i = 0; i < host_.allocators.size(); ++i)
      add_allocator_track(std::move(lines.allocators()[i]), host_.allocators[i].name, host_.track, capture_);
    if (lines.impossible_times() > 0) capture_.skipped["events whose time cannot be"] += lines.impossible_times();
    return std::nullopt;
  }

  XlaHost& host() { return host_; }

 private:
  void read_clock(const Space& space) {
    std::int64_t latest_ns = 0, first_absolute_ns = std::numeric_limits<std::int64_t>::max();
    for (const Plane& plane : space.planes) {
      for (const PlaneLine& line : plane.lines) {
        for (const LinePart& part : line.parts) {
          latest_ns = std::max(latest_ns, part.timestamp_ns);
          if (part.timestamp_ns >= kLeastAbsolute_ns)
            first_absolute_ns = std::min(first_absolute_ns, part.timestamp_ns);
        }
      }
    }
    const auto environment = std::ranges::find(space.planes, "Task Environment", &Plane::name);
    const auto integer = [&](std::string_view name) -> std::optional<std::int64_t> {
      const StatValue* const value = environment == space.planes.end() ? nullptr : environment->find_stat(name);
      return value == nullptr ? std::nullopt : value->integer();
    };
    const auto start_ns = integer("profile_start_time"), stop_ns = integer("profile_stop_time");
    const bool is_absolute = latest_ns >= kLeastAbsolute_ns;
    if (is_absolute) host_.origin_ns = first_absolute_ns;
    if (!is_absolute && start_ns) host_.base_time_ns = *start_ns;
    std::int64_t profile_ns = 0;
    if (start_ns && stop_ns && !__builtin_sub_overflow(*stop_ns, *start_ns, &profile_ns)) host_.profile_ns = profile_ns;
    const std::int64_t unix_ns = is_absolute ? host_.origin_ns : host_.base_time_ns;
    shift_ns_ = 0;
    if (unix_ns <= 0) return;
    if (!first_unix_ns_) first_unix_ns_ = unix_ns;
    // Files of one run begin within moments of each other: what lies further apart is no time.
    const std::int64_t apart_ns = unix_ns - *first_unix_ns_;
    if (apart_ns < kTimeBound_ns / 4 && apart_ns > -kTimeBound_ns / 4) shift_ns_ = apart_ns;
  }

  std::uint32_t add_track(std::uint32_t parent, TrackKind kind, std::string_view name) {
    Track& track = tracks_.emplace_back();
    track.name = capture_.strings.add(name);
    track.kind = kind;
    track.parent = parent;
    return static_cast<std::uint32_t>(tracks_.size() - 1);
  }

  void add_fact(std::string_view subject, std::string_view name, const ArgumentValue& value, bool is_hidden = false) {
    Fact fact{.value = value, .track = host_.track, .is_hidden = is_hidden};
    fact.subject = capture_.strings.add(subject);
    fact.name = capture_.strings.add(name);
    capture_.facts.push_back(fact);
  }

  void add_root() {
    host_.track = add_track(Track::kNoParent, TrackKind::kHost, host_.name);
    add_fact("", fact::kTimeOffset_ns, host_.origin_ns - shift_ns_, true);
  }

  bool read_lines(Plane& plane, LineReader& lines) {
    const std::string_view device = plane.device();
    const std::uint32_t place = device.empty() ? kNoId : device_of(device);
    if (place != kNoId && device != "CPU") {
      describe_device(plane, host_.devices[place]);
      tell_device(host_.devices[place]);
    }
    lines.begin_plane(plane, place);
    const bool is_device = plane.name.starts_with("/device:");
    const std::uint32_t track =
        add_track(host_.track, is_device ? TrackKind::kDevice : TrackKind::kProcess, plane.name);
    if (!device.empty()) tracks_[track].number = capture_.strings.add(device);
    for (const PlaneLine& line : plane.lines) {
      if (tracks_.size() >= kMostTracks) {
        if (further_lines_ == kNoId) further_lines_ = add_track(host_.track, TrackKind::kOther, "further lines");
        if (!lines.read(line, further_lines_, false)) return false;
        continue;
      }
      const bool is_work = line.name.starts_with("Stream #") || line.name == "XLA Ops" ||
                           line.name == "Sparse Core Ops" || line.name == "Async XLA Ops";
      const TrackKind kind = !is_device ? TrackKind::kThread : is_work ? TrackKind::kStream : TrackKind::kOther;
      const std::string name = line.name.empty() ? fmt::format("line {}", line.id) : std::string(line.name);
      const std::uint32_t lane = add_track(track, kind, name);
      tracks_[lane].number = number_of(line, name);
      if (!lines.read(line, lane, true)) return false;
      for (ArgumentColumn& column : tracks_[lane].arguments) column.shrink();
      if (tracks_[lane].events.empty()) tracks_.pop_back();
    }
    if (tracks_.size() == track + 1) tracks_.pop_back();
    return true;
  }

  // A stream's number; the name of any other line, since the ids of threads are hashes.
  ArgumentValue number_of(const PlaneLine& line, std::string_view name) {
    const auto number = stream_number(line.name);
    return number ? ArgumentValue(*number) : ArgumentValue(capture_.strings.add(name));
  }

  std::uint32_t device_of(std::string_view name) {
    const auto [place, is_new] = devices_.try_emplace(name, static_cast<std::uint32_t>(host_.devices.size()));
    if (is_new) host_.devices.push_back({.name = std::string(name)});
    return place->second;
  }

  // What devices are called and what they can do: as the traces of PyTorch's profiler tell it.
  void tell_device(const XlaDevice& device) {
    const std::string subject = fmt::format("deviceProperties[{}]", device.name);
    add_fact(subject, "id", capture_.strings.add(device.name));
    if (!device.type.empty()) add_fact(subject, "name", capture_.strings.add(device.type));
    const auto tell = [&](std::string_view name, const XlaNumber& number) {
      if (!number) return;
      add_fact(subject, name, std::visit([](auto value) { return ArgumentValue(value); }, *number));
    };
    tell("peak FLOP/s", device.peak_flops);
    tell("peak bytes/s", device.peak_bytes_per_s);
    tell("memory", device.memory_bytes);
    tell("cores", device.cores);
    tell("clock kHz", device.clock_khz);
  }

  const FormatInput& input_;
  Capture& capture_;
  std::vector<Track>& tracks_;
  std::optional<std::int64_t>& first_unix_ns_;
  XlaHost host_;
  std::unordered_map<std::string_view, std::uint32_t> devices_;  // places in XlaHost::devices
  std::uint32_t further_lines_ = kNoId;                          // the track of lines beyond kMostTracks
  std::int64_t shift_ns_ = 0;
};

}  // namespace

std::string host_name(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  for (const std::string_view suffix : {".gz", ".zst", ".pb", ".xplane"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  return name;
}

Result<void> read_host(const FormatInput& input, Capture& capture, XlaProfile& profile,
                       std::optional<std::int64_t>& first_unix_ns) {
  const std::string_view bytes(reinterpret_cast<const char*>(input.bytes.data()), input.bytes.size());
  const std::size_t first_track = capture.profile.tracks.size(), first_fact = capture.facts.size();
  std::size_t most_planes = std::numeric_limits<std::size_t>::max();
  while (true) {
    Space space = read_space(bytes, most_planes, capture.strings);
    if (space.planes.empty()) {
      return Error{ErrorKind::kBadInput,
                   "has no whole plane, as an XPlane file does; was it cut, or copied as if it were text?",
                   fmt::format("{}:{}", input.name, space.cut_at.value_or(0))};
    }
    HostReader reader(input, capture, first_unix_ns);
    if (const auto broken = reader.read(space)) {
      // A plane whose events are broken is none: the planes before it are read again by themselves.
      most_planes = *broken;
      capture.profile.tracks.resize(first_track);
      capture.facts.resize(first_fact);
      continue;
    }
    if (space.cut_at) {
      capture.warnings.push_back(fmt::format(
          "{}:{}: the file stops in the middle or is damaged from here on; the {} planes before that are shown",
          input.name, *space.cut_at, space.planes.size()));
    }
    profile.hosts.push_back(std::move(reader.host()));
    return {};
  }
}

}  // namespace vizd::xplane
