#include "formats/bigtpu/host_trace.h"

#include <algorithm>
#include <limits>

#include "base/mapped_file.h"
#include "formats/registry.h"

namespace vizd::bigtpu {
namespace {

constexpr std::string_view kOperators = "tpudnn", kDisable = "disable_profile";

}  // namespace

Result<HostTrace> read_host_trace(const std::string& path, Capture& capture) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  if (auto done = read_capture({path, file->bytes()}, capture); !done) return std::move(done).error();
  if (!capture.has_profile) return Error{ErrorKind::kBadInput, "has no times; a host's trace needs them", path};
  const StringId category = capture.strings.find(kOperators), disable = capture.strings.find(kDisable);
  HostTrace host{.start_ns = capture.profile.start_ns, .end_ns = capture.profile.end_ns};
  std::int64_t first_start_ns = std::numeric_limits<std::int64_t>::max();
  for (const Track& track : capture.profile.tracks) {
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      const EventColumns& events = track.events;
      if (events.category(i) != category || events.kind(i) != EventKind::kSpan) continue;
      const std::int64_t start_ns = events.start_ns(i), end_ns = events.end_ns(i);
      if (events.name(i) == disable) host.disabled_ns = std::max(host.disabled_ns.value_or(end_ns), end_ns);
      if (start_ns >= first_start_ns) continue;
      first_start_ns = start_ns;
      host.first_operator_ns = end_ns;
    }
  }
  return host;
}

HostBase base_of(const HostTrace& host, std::int64_t tail_ns, std::optional<std::int64_t> tail_offset_ns) {
  if (host.disabled_ns && tail_offset_ns)
    return {*host.disabled_ns - *tail_offset_ns - tail_ns, "the end of disable_profile and tail_offset_ns", true};
  if (host.first_operator_ns) return {*host.first_operator_ns, "the end of the first operator of tpudnn", true};
  return {host.start_ns, "nothing: placed at the beginning of the host's trace", false};
}

}  // namespace vizd::bigtpu
