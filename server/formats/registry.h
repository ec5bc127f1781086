// The formats vizd reads and writes. A new one is a folder here, which defines it as kFormat, and its name in
// registry.cpp. Formats know each other by nothing else.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/byte_stream.h"
#include "formats/input_set.h"
#include "formats/open_set.h"
#include "formats/writer.h"
#include "model/capture.h"

namespace vizd {

// The words for people about a format; "" where there is nothing to say.
struct FormatHint {
  std::string_view files = "";        // what to give vizd: "the rewrites.pkl or profile.pkl that …"
  std::string_view how_to_make = "";  // the line above the command that makes a capture
  std::string_view command = "";
  std::string_view default_files = "";  // what default_set names
};

// An option of the command line that names a file of a set and its role, where names and content need not tell.
struct FileOption {
  std::string_view name;  // without its dashes
  std::string_view role;
  std::string_view about;
};

// An option of the command line that says how captures of a format are read.
struct SettingOption {
  std::string_view name;   // without its dashes
  std::string_view value;  // as the help shows it: "MHZ"; "": it has none, and is on where it is given
  std::string_view about;
};

// Called once the capture's rewrites were read; what it makes keeps a reference to it.
using MakeDialect = std::unique_ptr<Dialect> (*)(Capture& capture);

// How a file begins, by which a format knows it.
struct FileBeginning {
  std::span<const std::byte> bytes;  // unpacked, kSniffedBytes or less
  std::string_view name = "";        // the file's, without .gz and .zst: a hint, which may be wrong; "": it has none

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// Null stands for an ability that a format lacks.
struct Format {
  std::string_view name;
  std::string_view suffix = "";  // of its files as a rule: left out of captures' names
  FormatHint hint = {};
  std::span<const FileOption> file_options = {};
  std::span<const SettingOption> setting_options = {};
  // Small captures that are whole: of each, what its files' paths in tests/ begin with and no others'. The tests that
  // hold for every format loop over them (tests/support/examples.h). Each format that reads has one at least.
  std::span<const std::string_view> examples = {};
  // Whether a file that begins so looks like this format.
  bool (*sniff)(const FileBeginning& beginning) = nullptr;
  // Whether a file is of this format whose beginning no format knows: looks as far into it as it must. Null: its
  // beginning always tells.
  bool (*sniff_further)(std::span<const std::byte> first_part, ByteStream& rest) = nullptr;
  // The sets that files of the listing make, in any order; it may take along files that no format knows, but none of
  // another's. Null: each file of this format is a capture by itself.
  std::vector<InputSet> (*claim)(std::span<const ListedFile> listing) = nullptr;
  // Whether a folder, by what it is called or by a file in it, is one of this format's: where such a folder lies in one
  // that is listed, its files are too. Null: folders of this format are listed only where they are named.
  bool (*knows_folder)(const std::string& path) = nullptr;
  // Whether a file of a folder's listing was made of others in it and holds nothing of its own, so that it is left out,
  // whichever format it is of. Null: none is.
  bool (*is_made_of_others)(const ListedFile& file, std::span<const ListedFile> listing) = nullptr;
  // The files that are shown where the user names none, there already or yet to come.
  InputSet (*default_set)() = nullptr;
  // Whether its records have times, so that a file whose second half is its first again is damaged.
  bool never_repeats = false;
  // Adds what the files hold to the capture, and sets
  //   format, the word for what was read: `name`, or with a version of it;
  //   has_profile, where it tells what ran, even if nothing did; then also the profile's start_ns and end_ns, which all
  //   times lie between (extend_profile() finds them), and its clock, where the times count from a known moment;
  //   has_rewrites, where it tells of a compiler; then also the dialect.
  // A record that makes no sense is left out and counted in `skipped`, other damage told in `warnings`, and what people
  // need to know of a file that is whole in `notes`. Errors: as FILE:OFFSET, of the file that is blamed (open_set.h).
  ReadFiles read = nullptr;
  // Reads what can be shown of a large input before the rest is read: its lanes with about the first 1 / parts of their
  // events.
  Result<void> (*read_beginning)(OpenSet& set, unsigned parts, Capture& capture) = nullptr;
  const Writer* writer = nullptr;
  // How the dialect is made of captures whose Capture::format is this one's word for it; null where it is not. For
  // files of other formats that keep such a capture.
  MakeDialect (*find_dialect)(std::string_view capture_format) = nullptr;
};

// In the order in which they are asked for what they know.
std::span<const Format* const> formats();

inline constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;

// The format of a file that begins so, packed or not, and has this name (a path, or ""); null: none.
const Format* find_format(std::span<const std::byte> beginning, std::string_view path = "");

// The same for a file that find_format does not know, from all of its bytes: what tells its format may stand behind
// other things.
const Format* find_format_further(ByteStream& bytes);

// The formats that vizd reads, by their names: "vizd", "tinygrad", …
std::vector<std::string> readable_format_names();

// "is of no format that vizd reads; give it …", with the file as its place.
Error unknown_format(const std::string& path);

// Where a reading failed: for each file of the set why it cannot be read; none where it was read or is not there.
using FileErrors = std::vector<std::optional<Error>>;

// Reads into an empty capture the files of the set that are there and have no error yet. False where one of them cannot
// be read: its error is added, and the capture is to be thrown away, as it may hold half of that file. Nothing is
// thrown: a lack of memory is an error too. errors has a place for each file.
bool read_set(const InputSet& set, FileErrors& errors, Capture& capture, OpenSet::TellProgress tell = {});

// The same for what Format::read_beginning reads. False where the format has no way to, or a file is packed.
bool read_beginning(const InputSet& set, unsigned parts, Capture& capture);

// Reads one file's bytes, of whichever format they are and packed or not, into the capture. Errors: as read_set's.
Result<void> read_capture(const FormatInput& input, Capture& capture);

}  // namespace vizd
