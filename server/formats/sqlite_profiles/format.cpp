// GPU profiles kept in SQLite: which of the formats a file is, by its tables. The file's first bytes say only that it
// is a SQLite file, and its schema may be anywhere in it.
#include "formats/sqlite_profiles/format.h"

#include <fmt/format.h>

#include <filesystem>

namespace vizd::sqlite_profiles {
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);

// Where a program still writes the file, or ended without closing it, its last rows are in a second file.
void report_open_log(const std::string& path, Capture& capture) {
  for (const std::string_view suffix : {"-wal", "-journal"}) {
    std::error_code failed;
    const auto size_bytes = std::filesystem::file_size(path + std::string(suffix), failed);
    if (failed || size_bytes == 0) continue;
    capture.warnings.push_back(
        fmt::format("{}{} is there: the profile is still being written, or was not closed; its last rows are missing",
                    path, suffix));
  }
}

constexpr std::string_view kExamples[] = {"fuzz/corpus/sqlite_profiles/nsight"};

}  // namespace

Result<void> read(const FormatInput& input, Capture& capture) {
  auto opened = ProfileDatabase::open(input.bytes, input.name);
  if (!opened) return std::move(opened).error();
  ProfileDatabase& database = **opened;
  if (is_rpd(database)) {
    read_rpd(database, capture);
  } else if (is_nsight_systems(database)) {
    read_nsight_systems(database, capture);
  } else {
    return Error{ErrorKind::kBadInput,
                 "is a SQLite file without the tables of a profile; vizd reads exports of Nsight Systems and rpd files",
                 input.name};
  }
  for (const std::string& damage : database.damage())
    capture.warnings.push_back(fmt::format("{}: {}", input.name, damage));
  if (database.tables_left_out() > 0) {
    capture.warnings.push_back(fmt::format("{}: {} tables are not looked at; vizd looks at {}", input.name,
                                           database.tables_left_out(), ProfileDatabase::kMostTables));
  }
  return {};
}

constinit const Format kFormat{
    .name = "sqlite",
    .hint = {.files = "a SQLite file that nsys export made of a profile of Nsight Systems, or an .rpd file",
             .how_to_make = "Nsight Systems' own files are closed; this makes one that vizd reads:",
             .command = "nsys export --type sqlite -o report.sqlite report.nsys-rep"},
    .examples = kExamples,
    .sniff = [](const FileBeginning& beginning) { return beginning.text().starts_with(kMagic); },
    .never_repeats = true,
    .read =
        [](OpenSet& set, Capture& capture) {
          return set.read_each([&](const FormatInput& input) -> Result<void> {
            VIZD_TRY(read(input, capture));
            report_open_log(input.name, capture);
            return {};
          });
        },
};

}  // namespace vizd::sqlite_profiles
