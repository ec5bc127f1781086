#include "analysis/recorded/device_like.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/ascii_case.h"

namespace vizd {
namespace {

constexpr std::string_view kWords[] = {"gpu",  "npu",         "tpu",   "xpu",    "hpu",    "mlu",
                                       "dcu",  "gcu",         "ipu",   "mtia",   "cuda",   "hip",
                                       "rocm", "ascend",      "gaudi", "neuron", "device", "musa",
                                       "sycl", "accelerator", "metal", "vulkan", "opencl", "privateuse"};

bool is_lower_letter(char c) { return c >= 'a' && c <= 'z'; }

// Whether one of the words stands in the name by itself: "gpu" in "gpu0" and "my-gpu", not in "gpustat".
bool is_device_like(std::string_view name) {
  const std::string text = ascii_lower(name);
  // A browser's process that draws is no device.
  if (text.find("cpu") != text.npos || text.find("host") != text.npos || text.find("gpu process") != text.npos)
    return false;
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const bool begins = at == 0 || !is_lower_letter(text[at - 1]);
      const bool ends = at + word.size() == text.size() || !is_lower_letter(text[at + word.size()]);
      if (begins && ends) return true;
    }
    return false;
  });
}

}  // namespace

std::string device_like_track(const Capture& capture) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  std::vector<bool> has_spans(tracks.size());
  for (std::size_t t = tracks.size(); t-- > 0;) {
    const EventColumns& events = tracks[t].events;
    for (std::size_t i = 0; i < events.size() && !has_spans[t]; ++i) has_spans[t] = events.kind(i) == EventKind::kSpan;
    if (has_spans[t] && tracks[t].parent < t) has_spans[tracks[t].parent] = true;
  }
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const TrackKind kind = tracks[t].kind;
    const bool is_named = kind != TrackKind::kRank && kind != TrackKind::kMemory && kind != TrackKind::kCounter;
    const std::string_view name = capture.strings.get(tracks[t].name);
    if (is_named && has_spans[t] && is_device_like(name)) return std::string(name);
  }
  return "";
}

}  // namespace vizd
