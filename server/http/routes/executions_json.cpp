#include "http/routes/executions_json.h"

#include <algorithm>
#include <span>

namespace vizd {

void write_figures(JsonWriter& json, const Figures& figures) {
  json.key("count").number(figures.count).key("total_ns").number(figures.total_ns);
  json.key("self_ns").number(figures.self_ns).key("covered_ns").number(figures.covered_ns);
  json.key("mean_ns").number(figures.mean_ns);
  json.key("median_ns").number(figures.median_ns).key("p90_ns").number(figures.p90_ns);
  json.key("max_ns").number(figures.max_ns);
}

void write_longest(JsonWriter& json, const Figures& figures, std::int64_t start_ns) {
  json.key("worst").begin_object().key("lane").number(figures.longest.lane);
  json.key("index").number(figures.longest.event);
  json.key("start_ns").number(figures.longest_start_ns - start_ns).end_object();
}

void write_executions(JsonWriter& json, const Capture& capture, const Executions& executions) {
  constexpr std::size_t kMostListed = 1000;
  if (executions.places.empty()) {
    json.null();
    return;
  }
  const std::span listed = std::span(executions.places).first(std::min(executions.places.size(), kMostListed));
  const std::vector<Track>& tracks = capture.profile.tracks;
  const std::vector<std::string> paths = track_paths(tracks, capture.strings);
  json.begin_object();
  write_figures(json, executions.figures);
  json.key("min_ns").number(executions.figures.least_ns);
  json.column("lane", listed, [&](JsonWriter& j, const EventPlace& place) { j.text(paths[place.lane]); });
  json.column("index", listed, [](JsonWriter& j, const EventPlace& place) { j.number(place.event); });
  json.column("start_ns", listed, [&](JsonWriter& j, const EventPlace& place) {
    j.number(tracks[place.lane].events.start_ns(place.event) - capture.profile.start_ns);
  });
  json.column("dur_ns", listed, [&](JsonWriter& j, const EventPlace& place) {
    j.number(tracks[place.lane].events.length_ns(place.event));
  });
  json.end_object();
}

}  // namespace vizd
