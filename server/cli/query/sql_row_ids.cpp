#include "cli/query/sql_row_ids.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnosis/page_place.h"

namespace vizd {

RowId SqlRowIds::of(const std::optional<sql::RowLink>& link) const {
  if (!link || link->id < 0) return {};
  const auto id = static_cast<std::uint64_t>(link->id);
  switch (link->kind) {
    case sql::LinkKind::kSlice:
      return of_slice(id);
    case sql::LinkKind::kMatch:
      return of_place("match", catalog_.matches(), id);
    case sql::LinkKind::kNode:
      return of_place("pass", catalog_.passes(), id >> 32u);
    case sql::LinkKind::kPass:
      return of_place("pass", catalog_.passes(), id);
    case sql::LinkKind::kContext:
      return of_place("context", catalog_.contexts(), id);
    case sql::LinkKind::kRule:
      return of_rule(id);
    case sql::LinkKind::kProgram:
      return of_program(id);
    case sql::LinkKind::kTime:
      break;
  }
  return of_time(*link);
}

RowId SqlRowIds::of_place(std::string_view kind, const sql::Numbering& numbering, std::uint64_t id) const {
  if (id >= numbering.size()) return {};
  const sql::Place place = numbering.place(id);
  return ids_[place.source].of(fmt::format("{}:{}", kind, place.at));
}

RowId SqlRowIds::of_slice(std::uint64_t id) const {
  if (id >= catalog_.slice_count()) return {};
  const std::size_t source = catalog_.slice_tracks()[catalog_.slice_track_of(id)].source;
  return ids_[source].of(fmt::format("slice:{}", id - catalog_.slice_number(source, 0, 0)));
}

RowId SqlRowIds::of_rule(std::uint64_t id) const {
  for (std::size_t source = 0; source < ids_.size(); ++source) {
    const auto& locations = catalog_.rules(source).locations;
    if (id >= locations.size()) {
      id -= locations.size();
      continue;
    }
    const Capture& capture = catalog_.capture(source);
    const Location& at = capture.rewrites.locations[index(locations[id])];
    return ids_[source].of(fmt::format("rule:{}:{}", capture.strings.get(at.file), at.line));
  }
  return {};
}

// The context that made it.
RowId SqlRowIds::of_program(std::uint64_t id) const {
  if (id >= catalog_.programs().size()) return {};
  const sql::Place place = catalog_.programs().place(id);
  const auto& contexts = catalog_.capture(place.source).rewrites.contexts;
  const auto made = std::ranges::find(contexts, to_id<ProgramId>(place.at), &Context::program);
  if (made == contexts.end()) return ids_[place.source].of("view:program");
  return ids_[place.source].of(fmt::format("context:{}", made - contexts.begin()));
}

RowId SqlRowIds::of_time(const sql::RowLink& link) const {
  std::size_t source = 0;
  if (link.capture) {
    if (*link.capture < 0 || static_cast<std::uint64_t>(*link.capture) >= ids_.size()) return {};
    source = static_cast<std::size_t>(*link.capture);
  } else if (ids_.size() > 1) {
    const bool is_told =
        link.track && *link.track >= 0 && static_cast<std::uint64_t>(*link.track) < catalog_.tracks().size();
    if (!is_told) return {};
    source = catalog_.tracks().place(static_cast<std::uint64_t>(*link.track)).source;
  }
  const Profile& profile = catalog_.capture(source).profile;
  if (link.ts < profile.start_ns || link.ts > profile.end_ns) return {};
  return ids_[source].of(time_id(profile, link.ts, link.ts + std::min(link.dur, profile.end_ns - link.ts)));
}

}  // namespace vizd
