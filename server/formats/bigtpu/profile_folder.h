// ProfileFolder: the files of one profile: global.profile, one file for each core and one for each CDMA port. Views of
// bytes that its caller keeps. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/bigtpu/blocks.h"
#include "formats/bigtpu/global_file.h"
#include "formats/open_set.h"

namespace vizd::bigtpu {

// Roles of a set's files.
inline constexpr std::string_view kGlobalRole = "global", kCoreRole = "core", kPortRole = "cdma",
                                  kHostRole = "host trace";

// The option that says how many of a folder's cores are read, the first ones.
inline constexpr std::string_view kCoresOption = "num-core";

struct CoreFile {
  std::string path;
  std::int64_t number = 0;  // as its name has it
  Blocks blocks;
};

struct PortFile {
  std::string path;
  std::int64_t number = 0;
  Blocks blocks;
};

struct ProfileFolder {
  std::string name;  // of the folder
  std::optional<GlobalFile> global;
  std::vector<CoreFile> cores;  // in the order of the numbers in their names: core 0, 1, …
  std::vector<PortFile> ports;
  bool has_all_cores = true;  // else the option asked for the first ones

  const Chip* chip = nullptr;  // the one that global.profile names; null where it names none that vizd reads
};

// The name of a profile, after the folder that it is in; "profile" where that has no name.
std::string folder_name(const std::string& folder);

// The integers of a name, by which files are ordered; a name without any comes first.
std::vector<std::int64_t> numbers_in(std::string_view name);

// Which of a profile's files this is by its name: one of the roles; "" where it is none of them.
std::string_view role_of_name(std::string_view file_name);

// The places in the set of each folder's files, in the order in which the folders come.
std::vector<std::vector<std::size_t>> files_by_folder(const OpenSet& set);

// The profile that these files of one folder are. The bytes are there until the set closes them. Errors: a file that
// cannot be opened, of that file; an option that makes no sense.
Result<ProfileFolder> open_folder(OpenSet& set, std::span<const std::size_t> files);
// All that the set holds.
Result<std::vector<ProfileFolder>> open_folders(OpenSet& set);

}  // namespace vizd::bigtpu
