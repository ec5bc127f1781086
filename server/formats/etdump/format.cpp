#include "formats/etdump/format.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "formats/etdump/claim.h"
#include "formats/etdump/export_graphs.h"
#include "formats/etdump/opened_set.h"
#include "formats/etdump/program_contents.h"
#include "formats/etdump/tracks.h"

namespace vizd::etdump {
namespace {

constexpr std::string_view kExamples[] = {"golden/etdump/two_methods/input/"};
constexpr FileOption kFiles[] = {
    {"etrecord", kRecord, "The ETRecord of an ETDump's program"},
    {"debug-buffer", kDebugBuffer, "The debug buffer that belongs to an ETDump"},
};

}  // namespace

bool sniff(const FileBeginning& beginning) {
  const std::string_view text = beginning.text();
  return looks_like_etdump(beginning.bytes) || looks_like_program(beginning.bytes) ||
         (looks_like_zip(beginning.bytes) && text.substr(0, 1024).find("ETRECORD_V0") != text.npos);
}

namespace {

// What is known of a program without a run: its graphs, where an ETRecord has them, and what it is made of.
void read_program_alone(const OpenedSet& opened, Capture& capture) {
  DumpBlocks dump{.settings = opened.settings, .blocks = {}, .record = nullptr, .warnings = {}};
  if (opened.record) dump.record = &*opened.record;
  add_graphs(dump, {}, capture);
  if (!opened.record) return;
  for (const auto& [reason, count] : opened.record->left_out) capture.skipped["of the ETRecord: " + reason] += count;
}

}  // namespace

Result<void> read(OpenSet& set, const FindErrors& find_errors, Capture& capture) {
  const auto opened = open_all(set);
  if (!opened) return opened.error();
  if (opened->program) add_facts(*opened->program, capture);
  if (!opened->file && opened->program) {
    read_program_alone(*opened, capture);
    // A .pte has no graphs that vizd reads: what it has are facts, of a profile in which nothing ran.
    capture.has_profile = !capture.has_rewrites;
    capture.format = kFormat.name;
    return {};
  }
  if (!opened->file)
    return set.blame(0, {ErrorKind::kBadInput, "is not an ETDump; name the ETDump with it", set.file(0).path});
  VIZD_TRY(add_tracks(opened->sources(), opened->settings, find_errors, capture));
  VIZD_TRY(check_whole(set, *opened));
  capture.has_profile = true;
  capture.format = kFormat.name;
  return {};
}

constinit const Format kFormat{
    .name = "etdump",
    .suffix = ".etdp",
    .hint = {.files = "the ETDump that an ExecuTorch runtime writes, with its etrecord.bin and debug_output.bin; an "
                      "ETRecord or a program (.pte) on its own"},
    .file_options = kFiles,
    .setting_options = kSettingOptions,
    .examples = kExamples,
    .sniff = sniff,
    .claim = [](std::span<const ListedFile> listing) { return claim(kFormat, listing); },
    .read = [](OpenSet& set, Capture& capture) { return read(set, {}, capture); },
};

}  // namespace vizd::etdump
