#include "diagnosis/page_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/clean_text.h"
#include "base/percent_text.h"
#include "base/whole_number.h"

namespace vizd {
namespace {

// Kinds of ids, by what stands behind their colon.
constexpr std::array<std::string_view, 6> kNumbered{"slice", "match", "pass", "context", "memory", "track"};
constexpr std::array<std::string_view, 4> kNamed{"time", "kernel", "rule", "view"};

constexpr std::int64_t kLeastRoom_ns = 10;  // around an event that takes no time

std::string named_number(std::uint32_t number, std::string_view name) {
  return fmt::format("{}:{}", number, one_line(name, false));
}

std::string range_text(std::int64_t from_ns, std::int64_t to_ns) { return fmt::format("{}..{}", from_ns, to_ns); }

Error no_such(std::string_view kind, std::string_view id) {
  return {ErrorKind::kNotFound, fmt::format("the capture has no {} with that id", kind), std::string(id)};
}

PagePlace place_of_event(const Capture& capture, std::uint32_t track, std::uint32_t event) {
  const Profile& profile = capture.profile;
  const EventColumns& events = profile.tracks[track].events;
  const std::int64_t start_ns = events.start_ns(event) - profile.start_ns, dur_ns = events.length_ns(event);
  const std::int64_t room_ns = 4 * std::max(dur_ns, kLeastRoom_ns);
  const std::string lane = track_paths(profile.tracks, capture.strings)[track];
  const std::string name = one_line(capture.strings.get(events.name(event)), false);
  return {"timeline",
          {{"event", fmt::format("{}|@{}.{}|{}", lane, event, start_ns, name)},
           {"time", range_text(start_ns - room_ns, start_ns + dur_ns + room_ns)}}};
}

Result<PagePlace> place_of_slice(const Capture& capture, std::uint64_t number, std::string_view id) {
  for (std::uint32_t track = 0; track < capture.profile.tracks.size(); ++track) {
    const std::size_t events = capture.profile.tracks[track].events.size();
    if (number < events) return place_of_event(capture, track, static_cast<std::uint32_t>(number));
    number -= events;
  }
  return no_such("event", id);
}

// match: of the pass, from 0; none: its first state.
PagePlace place_of_pass(const Capture& capture, std::uint32_t pass, std::uint32_t state) {
  const Rewrites& rewrites = capture.rewrites;
  std::uint32_t context = 0;
  for (std::uint32_t c = 0; c < rewrites.contexts.size(); ++c) {
    const Context& of = rewrites.contexts[c];
    if (pass >= of.first_pass && pass < of.first_pass + of.pass_count) context = c;
  }
  const Context& of = rewrites.contexts[context];
  PagePlace place{"rewrites",
                  {{"context", named_number(context, capture.strings.get(of.name))},
                   {"pass", named_number(pass - of.first_pass, capture.strings.get(rewrites.passes[pass].name))}}};
  if (state > 0) place.keys.emplace_back("match", std::to_string(state));
  return place;
}

Result<PagePlace> place_of_match(const Capture& capture, std::uint64_t match, std::string_view id) {
  const auto& passes = capture.rewrites.passes;
  for (std::uint32_t pass = 0; pass < passes.size(); ++pass) {
    if (match < passes[pass].first_match || match - passes[pass].first_match >= passes[pass].match_count) continue;
    return place_of_pass(capture, pass, static_cast<std::uint32_t>(match) - passes[pass].first_match + 1);
  }
  return no_such("match", id);
}

Result<PagePlace> place_of_time(std::string_view text, std::string_view id) {
  const std::size_t dots = text.find("..");
  const auto from_ns = whole_number(text.substr(0, dots));
  const auto to_ns = dots == std::string_view::npos ? std::nullopt : whole_number(text.substr(dots + 2));
  if (!from_ns || !to_ns || *from_ns > *to_ns || *from_ns < -kTimeBound_ns || *to_ns > kTimeBound_ns)
    return Error{ErrorKind::kBadInput, "a time range is time:FROM..TO, in nanoseconds", std::string(id)};
  const std::int64_t room_ns = std::max<std::int64_t>((*to_ns - *from_ns) / 4, 500);
  return PagePlace{"timeline", {{"time", range_text(*from_ns - room_ns, *to_ns + room_ns)}}};
}

// Letters, digits and dashes: what views are called by.
bool is_view(std::string_view name) {
  return !name.empty() && name.size() < 40 &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

Result<PagePlace> place_of_number(const Capture& capture, std::string_view kind, std::uint64_t number,
                                  std::string_view id) {
  const Rewrites& rewrites = capture.rewrites;
  const auto at = static_cast<std::uint32_t>(number);
  if (kind == "slice") return place_of_slice(capture, number, id);
  if (kind == "match") return place_of_match(capture, number, id);
  if (kind == "pass" && number < rewrites.passes.size()) return place_of_pass(capture, at, 0);
  if (kind == "context" && number < rewrites.contexts.size())
    return PagePlace{"rewrites", {{"context", named_number(at, capture.strings.get(rewrites.contexts[at].name))}}};
  if (kind == "memory" && number < capture.profile.tracks.size())
    return PagePlace{"memory", {{"mem.lane", track_paths(capture.profile.tracks, capture.strings)[at]}}};
  if (kind == "track" && number < capture.profile.tracks.size())
    return capture.profile.tracks[at].events.empty() ? PagePlace{"timeline", {}} : place_of_event(capture, at, 0);
  return no_such(kind, id);
}

}  // namespace

void PagePlace::write(JsonWriter& json) const {
  json.begin_object().key("view").text(view).key("keys").begin_object();
  for (const auto& [key, value] : keys) json.key(key).text(value);
  json.end_object().end_object();
}

std::string PagePlace::fragment(std::string_view capture_name) const {
  std::string text = view.empty() ? "" : "view=" + view;
  const auto add = [&](std::string_view key, std::string_view value) {
    text.append(text.empty() ? "" : "&").append(key).append("=").append(percent_encoded(value, "-._~:,*"));
  };
  if (!capture_name.empty()) add("capture", capture_name);
  for (const auto& [key, value] : keys) add(key, value);
  return text;
}

std::string slice_id(const Profile& profile, std::uint32_t track, std::uint32_t event) {
  std::uint64_t number = event;
  for (std::uint32_t before = 0; before < track; ++before) number += profile.tracks[before].events.size();
  return fmt::format("slice:{}", number);
}

std::string time_id(const Profile& profile, std::int64_t from_ns, std::int64_t to_ns) {
  return "time:" + range_text(from_ns - profile.start_ns, to_ns - profile.start_ns);
}

bool is_id(std::string_view word) {
  const std::string_view kind = word.substr(0, word.find(':'));
  return kind.size() < word.size() &&
         (std::ranges::find(kNumbered, kind) != kNumbered.end() || std::ranges::find(kNamed, kind) != kNamed.end());
}

Result<PagePlace> page_place(const Capture& capture, std::string_view id) {
  const std::size_t colon = id.find(':');
  const std::string_view kind = id.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : id.substr(colon + 1);
  if (kind == "time") return place_of_time(rest, id);
  if (kind == "kernel" && !rest.empty()) return PagePlace{"kernels", {{"kernels", one_line(rest, false)}}};
  if (kind == "rule" && rest.rfind(':') != std::string_view::npos)
    return PagePlace{"rules", {{"rule", one_line(rest, false)}}};
  if (kind == "view" && is_view(rest)) return PagePlace{std::string(rest), {}};
  if (std::ranges::find(kNumbered, kind) != kNumbered.end()) {
    const auto number = whole_number(rest);
    if (number && *number >= 0) return place_of_number(capture, kind, static_cast<std::uint64_t>(*number), id);
  }
  return Error{ErrorKind::kBadInput,
               "not an id: ids are slice:N, match:N, pass:N, context:N, memory:N, track:N, time:FROM..TO, kernel:NAME, "
               "rule:FILE:LINE and view:ID",
               std::string(id)};
}

}  // namespace vizd
