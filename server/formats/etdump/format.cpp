#include "formats/etdump/format.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "formats/etdump/claim.h"
#include "formats/etdump/opened_set.h"
#include "formats/etdump/tracks.h"

namespace vizd::etdump {
namespace {

constexpr std::string_view kExamples[] = {"golden/etdump/two_methods/input/"};
constexpr FileOption kFiles[] = {
    {"etrecord", kRecord, "The ETRecord of an ETDump's program"},
    {"debug-buffer", kDebugBuffer, "The debug buffer that an ETDump was written with"},
};

}  // namespace

bool sniff(const FileBeginning& beginning) {
  const std::string_view text = beginning.text();
  return looks_like_etdump(beginning.bytes) ||
         (looks_like_zip(beginning.bytes) && text.substr(0, 1024).find("ETRECORD_V0") != text.npos);
}

Result<void> read(OpenSet& set, const FindErrors& find_errors, Capture& capture) {
  const auto opened = open_dump(set);
  if (!opened) return opened.error();
  VIZD_TRY(add_tracks(opened->sources(), opened->settings, find_errors, capture));
  VIZD_TRY(check_whole(set, *opened));
  capture.has_profile = true;
  capture.format = kFormat.name;
  return {};
}

constinit const Format kFormat{
    .name = "etdump",
    .suffix = ".etdp",
    .hint = {.files = "the ETDump that an ExecuTorch runtime writes, with its etrecord.bin and debug_output.bin"},
    .file_options = kFiles,
    .setting_options = kSettingOptions,
    .examples = kExamples,
    .sniff = sniff,
    .claim = [](std::span<const ListedFile> listing) { return claim(kFormat, listing); },
    .read = [](OpenSet& set, Capture& capture) { return read(set, {}, capture); },
};

}  // namespace vizd::etdump
