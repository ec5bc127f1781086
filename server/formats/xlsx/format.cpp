// Workbooks (.xlsx), which vizd writes and does not read: a sheet for each track that has events, or the sheets that
// people who know such captures expect, after those of the tables that they expect.
#include "formats/xlsx/format.h"

#include <fmt/core.h>

#include "base/log.h"
#include "base/workbook.h"
#include "formats/profile_part.h"
#include "formats/registry.h"

namespace vizd::xlsx {
namespace {

using Sheet = Workbook::Sheet;

void put_event(Sheet& sheet, std::uint32_t row, const StringTable& strings, const Event& event, std::int64_t start_ns) {
  sheet.put(row, 0, strings.get(event.name));
  sheet.put(row, 1, strings.get(event.category));
  sheet.put(row, 2, event_kind_name(event.kind));
  sheet.put(row, 3, event.start_ns - start_ns);
  sheet.put(row, 4, event.dur_ns);
}

void add_track(const Capture& capture, const ProfileSelection& selection, const Track& track, const std::string& name,
               Workbook& book) {
  constexpr std::string_view kColumns[] = {"name", "category", "kind", "start_ns", "duration_ns"};
  std::optional<Sheet> sheet;
  std::uint32_t row = Workbook::kMostRows;
  for (const Event event : track.events) {
    if (!selection.takes(event)) continue;
    if (row == Workbook::kMostRows) {
      sheet.emplace(book.add_sheet(name));
      row = 0;
      for (std::uint16_t i = 0; i < std::size(kColumns); ++i) sheet->put(0, i, kColumns[i], Workbook::Look::kHeading);
      sheet->freeze(1, 0);
      sheet->set_width(0, 1, 40);
      sheet->set_width(3, 4, 16);
      ++row;
    }
    put_event(*sheet, row++, capture.strings, event, capture.profile.start_ns);
  }
}

// Tables without rows are left out.
void add_own_tables(std::span<const OwnTable> tables, Workbook& book) {
  for (const OwnTable& table : tables) {
    if (table.rows.empty()) continue;
    Sheet sheet = book.add_sheet(table.name);
    fill_sheet(sheet, table.columns, table.rows);
  }
}

void write(const Capture& capture, const WriteOptions& options, const WriteText& write) {
  Workbook book;
  add_own_tables(options.own_tables, book);
  if (!options.add_sheets || !options.add_sheets(book)) {
    const ProfileSelection selection(capture, options.part);
    const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
    for (std::size_t t = 0; t < paths.size(); ++t) {
      const Track& track = capture.profile.tracks[t];
      if (selection.takes(track)) add_track(capture, selection, track, paths[t], book);
    }
  }
  if (const auto done = book.finish(write); !done) log(LogLevel::kError, "{}", done.error().text());
}

constexpr Writer kWriter{.about = "a workbook; of a TPU's profile with the sheets and columns of bigTpuProfile",
                         .needs_profile = true,
                         .takes_part = true,
                         .takes_own_tables = true,
                         .write = write};

}  // namespace

constinit const Format kFormat{.name = "xlsx", .suffix = ".xlsx", .writer = &kWriter};

}  // namespace vizd::xlsx
