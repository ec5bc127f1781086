#include "formats/perfetto/stage_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "base/clean_text.h"
#include "formats/perfetto/fields.h"
#include "formats/perfetto/gpu_stages.h"
#include "formats/perfetto/typed_text.h"
#include "formats/trace_words.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_writer;

namespace {

using Sizes = std::array<std::uint32_t, 3>;

// The numbers of "[256, 1, 1]"; none of text in another form.
std::optional<Sizes> sizes_of(std::string_view json) {
  Sizes sizes{};
  std::string_view rest = json;
  for (std::size_t i = 0; i < 3; ++i) {
    if (rest.size() < 2) return std::nullopt;
    rest.remove_prefix(i == 0 ? 1 : 2);
    const auto [at, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), sizes[i]);
    if (failed != std::errc()) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
  }
  if (fmt::format("[{}, {}, {}]", sizes[0], sizes[1], sizes[2]) != json) return std::nullopt;
  return sizes;
}

void put_sizes(pbf_writer& launch, Field field, const Sizes& sizes) {
  pbf_writer xyz(launch, field);
  for (std::size_t i = 0; i < 3; ++i) xyz.add_uint32(static_cast<Field>(i + 1), sizes[i]);
}

void put_extra(pbf_writer& stage, std::string_view name, std::string_view value) {
  pbf_writer extra(stage, f::stage::kExtra);
  extra.add_string(f::stage::kExtraName, name.data(), name.size());
  extra.add_string(f::stage::kExtraValue, value.data(), value.size());
}

}  // namespace

StageNumbers::StageNumbers(const Capture& capture) : capture_(capture), first_(capture.profile.tracks.size()) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  std::uint64_t next = 1;
  for (std::size_t t = 0; capture.profile.is_trace && t < tracks.size(); ++t) {
    const bool is_stream = tracks[t].kind == TrackKind::kStream && tracks[t].parent != Track::kNoParent &&
                           tracks[tracks[t].parent].kind == TrackKind::kDevice;
    if (!is_stream) continue;
    first_[t] = next;
    next += tracks[t].events.size();
  }
}

bool StageNumbers::is_stage(std::uint32_t track, std::uint32_t event) const {
  if (first_[track] == 0) return false;
  const EventColumns& events = capture_.profile.tracks[track].events;
  return events.kind(event) == EventKind::kSpan && events.context(event) == ContextId{kNoId} &&
         !stage_of_category(capture_.strings.get(events.category(event))).empty();
}

// The device's own number, where no other device has it.
std::int64_t StageWriter::gpu_of(std::uint32_t track) {
  const std::vector<Track>& tracks = capture_.profile.tracks;
  if (devices_.empty()) {
    for (std::uint32_t t = 0; t < tracks.size(); ++t) {
      if (tracks[t].kind == TrackKind::kDevice) devices_.push_back(t);
    }
  }
  const std::uint32_t device = tracks[track].parent;
  const auto same =
      std::ranges::count_if(devices_, [&](std::uint32_t d) { return tracks[d].number == tracks[device].number; });
  const auto* const number = tracks[device].number ? std::get_if<std::int64_t>(&*tracks[device].number) : nullptr;
  if (same == 1 && number != nullptr && *number >= 0 && *number <= std::numeric_limits<std::int32_t>::max())
    return *number;
  return std::ranges::find(devices_, device) - devices_.begin();
}

void StageWriter::put_stage(pbf_writer& stage, std::uint32_t track, const Event& event, std::uint64_t number,
                            std::uint64_t uuid, std::size_t lane) {
  const Track& of = capture_.profile.tracks[track];
  const auto* const stream = of.number ? std::get_if<std::int64_t>(&*of.number) : nullptr;
  const std::string name = many_lines(strings_.get(of.name), false);
  const std::string queue = stream == nullptr ? name : fmt::format("[{:04}] {}", *stream, name);
  const std::string_view kind = stage_of_category(strings_.get(event.category));
  stage.add_uint64(f::stage::kEvent, number);
  stage.add_uint64(f::stage::kDuration, static_cast<std::uint64_t>(std::max<std::int64_t>(event.dur_ns, 0)));
  stage.add_int32(f::stage::kGpu, static_cast<std::int32_t>(gpu_of(track)));
  stage.add_uint64(f::stage::kQueueIid,
                   packets_.intern_spec(queue, fmt::format(R"({{"track":{},"lane":{}}})", uuid, lane)));
  stage.add_uint64(f::stage::kStageIid, packets_.intern_spec(kind, ""));
  stage.add_uint64(f::stage::kNameIid, packets_.intern_name(many_lines(strings_.get(event.name), false)));
}

void StageWriter::put_arguments(pbf_writer& stage, std::uint32_t track, std::uint32_t i, const Event& event) {
  std::optional<Sizes> grid, block;
  std::optional<std::int64_t> registers;
  // Sizes of a launch belong together; what is told but in part is told as it stands.
  selection_.for_each_argument(track, i, [&](const ArgumentColumn& column, const ArgumentValue& value) {
    const std::string_view name = strings_.get(column.name);
    const auto* const text = std::get_if<StringId>(&value);
    const auto* const integer = std::get_if<std::int64_t>(&value);
    if (name == "grid" && text != nullptr) grid = sizes_of(strings_.get(*text));
    if (name == "block" && text != nullptr) block = sizes_of(strings_.get(*text));
    if (name == "registers per thread" && integer != nullptr && *integer > 0) registers = *integer;
  });
  const bool has_launch = grid && block;
  if (has_launch) {
    pbf_writer launch(stage, f::stage::kLaunch);
    put_sizes(launch, f::stage::kGrid, *grid);
    put_sizes(launch, f::stage::kWorkgroup, *block);
    if (registers) {
      pbf_writer argument(launch, f::stage::kLaunchArguments);
      argument.add_string(f::stage::kArgumentName, "registers_per_thread");
      argument.add_uint64(f::stage::kArgumentUint, static_cast<std::uint64_t>(*registers));
    }
  }
  selection_.for_each_argument(track, i, [&](const ArgumentColumn& column, const ArgumentValue& value) {
    const std::string_view name = strings_.get(column.name);
    const bool is_of_launch = name == "grid" || name == "block" || (name == "registers per thread" && registers);
    if (has_launch && is_of_launch) return;
    const bool is_number = std::holds_alternative<std::int64_t>(value) && !column.is_hidden;
    const std::string_view plain = is_number ? stage_argument(name) : name;
    put_extra(stage, plain != name ? std::string(plain) : trace::written_name(name, column.is_hidden),
              text_of_value(value, column.unit, strings_));
  });
  if (event.is_error) put_extra(stage, trace::kError, "true");
}

}  // namespace vizd::perfetto
