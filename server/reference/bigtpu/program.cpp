// bigTpuProfile, for TPUs' profiles: the figures that `vizd summary` asks for, by vizd's own reading or as one of its
// versions has them, and the sheets of its workbook. One thread.
#include <fmt/core.h>

#include "formats/bigtpu/format.h"
#include "formats/bigtpu/summary.h"
#include "formats/bigtpu/tracks.h"
#include "reference/bigtpu/original.h"
#include "reference/bigtpu/register_tables.h"
#include "reference/bigtpu/summary_tables.h"
#include "reference/bigtpu/workbook_sheets.h"
#include "reference/programs.h"

namespace vizd::reference::bigtpu {
namespace {

using namespace vizd::bigtpu;

constexpr std::string_view kVersions[] = {"0.3.0", "0.3.7"};

Result<void> summarize(OpenSet& set, const Capture&, const SummaryOptions& options, const WriteText& write) {
  const auto folders = open_folders(set);
  if (!folders) return folders.error();
  const auto mhz = tiu_mhz(set);
  if (!mhz) return mhz.error();
  for (const ProfileFolder& folder : *folders) {
    if (options.reference.empty()) {
      Device device(folder);
      write_summary(device, device_clock(folder, device.chip(), *mhz).mhz, folder.name, write);
      continue;
    }
    const Reader reader = options.reference == kVersions[0] ? Reader::kOriginal030 : Reader::kOriginal037;
    const auto ends_with = [&](const Error& error) {
      return Error{ErrorKind::kBadInput,
                   fmt::format("bigTpuProfile {} has no answer: it ends with \"{}\"", options.reference, error.message),
                   folder.name};
    };
    const auto original = read_as_original(folder, reader, *mhz);
    if (!original) return ends_with(original.error());
    if (auto written = write_original(*original, write); !written) return ends_with(written.error());
  }
  return {};
}

// A device's tables are made of what its records say, so that both tell the same figures.
Result<std::vector<std::vector<OwnTable>>> summary_tables(OpenSet& set, const Capture& capture,
                                                          const SummaryOptions& options) {
  std::string records;
  VIZD_TRY(summarize(set, capture, options, [&](std::string_view text) { records += text; }));
  return options.reference.empty() ? device_tables(records) : original_tables(records);
}

}  // namespace

extern const ReferenceProgram kProgram;
constinit const ReferenceProgram kProgram{
    .format = "bigtpu",
    .versions = kVersions,
    .summarize = summarize,
    .summary_tables = summary_tables,
    .own_tables =
        [](OpenSet&, const Capture& capture) {
          return Result<std::vector<OwnTable>>(register_tables(capture, engine_lanes(capture)));
        },
    .add_sheets =
        [](const Capture& capture, Workbook& book) {
          const auto lanes = engine_lanes(capture);
          if (!lanes.empty()) vizd::bigtpu::add_sheets(capture, lanes, book);
          return !lanes.empty();
        },
};

}  // namespace vizd::reference::bigtpu
