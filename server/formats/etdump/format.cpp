#include "formats/etdump/format.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "formats/etdump/claim.h"
#include "formats/etdump/opened_set.h"
#include "formats/etdump/own_tables.h"
#include "formats/etdump/summary.h"
#include "formats/etdump/table.h"
#include "formats/etdump/tracks.h"
#include "formats/etdump/value_answers.h"

namespace vizd::etdump {
namespace {

constexpr FileOption kFiles[] = {
    {"etrecord", kRecord, "The ETRecord of an ETDump's program"},
    {"debug-buffer", kDebugBuffer, "The debug buffer that an ETDump was written with"},
};

// An ETRecord alone, or what lies beside it in bytes that only look like one, has nothing to sum up.
Error no_dump() { return {ErrorKind::kBadInput, "is an ETRecord, which has no times; name the ETDump with it", ""}; }

Result<void> read(OpenSet& set, Capture& capture) {
  const auto opened = open_all(set);
  if (!opened) return opened.error();
  if (!opened->file) return set.blame(0, no_dump());
  VIZD_TRY(add_tracks(opened->sources(), opened->settings, capture));
  VIZD_TRY(check_whole(set, *opened));
  capture.has_profile = true;
  capture.format = kFormat.name;
  return {};
}

Result<void> summarize(OpenSet& set, const Capture&, const SummaryOptions& options, const WriteText& write) {
  const auto opened = open_all(set);
  if (!opened) return opened.error();
  if (!opened->file) return no_dump();
  if (options.lists_runs) {
    VIZD_TRY(write_runs(*opened->file, write));
    return check_whole(set, *opened);
  }
  const auto inspection = inspect(opened->sources(), opened->settings);
  if (!inspection) return inspection.error();
  write_summary(*inspection, write);
  return check_whole(set, *opened);
}

Result<void> tabulate(OpenSet& set, const Capture&, char separator, const WriteText& write) {
  const auto opened = open_all(set);
  if (!opened) return opened.error();
  if (!opened->file) return no_dump();
  const auto inspection = inspect(opened->sources(), opened->settings);
  if (!inspection) return inspection.error();
  write_table(*inspection, separator, write);
  return check_whole(set, *opened);
}

Result<std::vector<OwnTable>> own_tables(OpenSet& set, const Capture&) {
  auto opened = open_all(set);
  if (!opened) return std::move(opened).error();
  if (!opened->file) return no_dump();
  const auto inspection = inspect(opened->sources(), opened->settings);
  if (!inspection) return inspection.error();
  std::vector<OwnTable> tables = tables_of(*inspection);
  VIZD_TRY(check_whole(set, *opened));
  return tables;
}

}  // namespace

bool sniff(std::span<const std::byte> beginning) {
  if (looks_like_etdump(beginning)) return true;
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  return looks_like_zip(beginning) && text.substr(0, 1024).find("ETRECORD_V0") != text.npos;
}

constinit const Format kFormat{
    .name = "etdump",
    .suffix = ".etdp",
    .hint = {.files = "the ETDump that an ExecuTorch runtime writes, with its etrecord.bin and debug_output.bin"},
    .file_options = kFiles,
    .setting_options = kSettingOptions,
    .sniff = sniff,
    .claim = claim,
    .read = read,
    .summarize = summarize,
    .tabulate = tabulate,
    .own_tables = own_tables,
    .answer_values = answer_values,
};

}  // namespace vizd::etdump
