#include "formats/bigtpu/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>

#include "formats/bigtpu/tracks.h"

namespace vizd::bigtpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFrequencyOption = "tiu-freq", kHostOption = "host-trace";
constexpr std::string_view kFolderName = "cdm_profile_data_dev";

// A folder's name says which call of which device it is: "cdm_profile_data_dev1-3" is call 3 of device 1.
std::optional<std::int64_t> call_of(std::string_view folder_name) {
  if (!folder_name.starts_with(kFolderName)) return std::nullopt;
  const auto numbers = numbers_in(folder_name);
  return numbers.size() < 2 ? -1 : numbers[1];
}

Error not_of_a_chip_read(const ProfileFolder& folder, const std::string& path) {
  const std::string arch(folder.global->value("arch").value_or(""));
  return {ErrorKind::kBadInput,
          fmt::format("is of {} (arch {}), whose records have another layout; vizd reads profiles of {} and {}",
                      other_chip_name(arch), arch, kAks.product, kAksv.product),
          path};
}

// Brings one folder after another into a capture.
class FoldersReader {
 public:
  // host may be null: no host's trace lies beside them.
  FoldersReader(std::optional<double> mhz, const HostTrace* host, Capture& capture)
      : mhz_(mhz), host_(host), capture_(capture) {
    if (host != nullptr) start_ns_ = host->start_ns, end_ns_ = host->end_ns;
  }

  // Nothing of the folder is referred to afterwards.
  void add(const ProfileFolder& folder) {
    add_device(folder, mhz_, host_, capture_, start_ns_, end_ns_);
    ++count_;
  }

  void finish() {
    if (count_ > 1 && host_ == nullptr) {
      capture_.notes.push_back("devices have separate clocks: each device's times count from its first command");
    }
    capture_.profile.start_ns = start_ns_ <= end_ns_ ? start_ns_ : 0;
    capture_.profile.end_ns = start_ns_ <= end_ns_ ? end_ns_ : 0;
    capture_.has_profile = true;
    capture_.format = kFormat.name;
  }

 private:
  const std::optional<double> mhz_;
  const HostTrace* const host_;
  Capture& capture_;
  std::int64_t start_ns_ = std::numeric_limits<std::int64_t>::max(), end_ns_ = std::numeric_limits<std::int64_t>::min();
  std::size_t count_ = 0;
};

// Folder by folder, so that the bytes of one are there at a time.
Result<void> read(OpenSet& set, Capture& capture) {
  const auto mhz = tiu_mhz(set);
  if (!mhz) return mhz.error();
  std::optional<HostTrace> host;
  if (const auto path = set.setting(kHostOption)) {
    auto trace = read_host_trace(std::string(*path), capture);
    if (!trace) return std::move(trace).error();
    host = *trace;
  }
  FoldersReader reader(*mhz, host ? &*host : nullptr, capture);
  for (const std::vector<std::size_t>& files : files_by_folder(set)) {
    const auto folder = open_folder(set, files);
    if (!folder) return folder.error();
    const bool is_of_other_chip = folder->global && folder->chip == nullptr &&
                                  !other_chip_name(folder->global->value("arch").value_or("")).empty();
    for (const std::size_t i : files) {
      if (is_of_other_chip && set.file(i).role == kGlobalRole)
        return set.blame(i, not_of_a_chip_read(*folder, set.file(i).path));
    }
    reader.add(*folder);
    for (const std::size_t i : files) set.close(i);
  }
  reader.finish();
  return {};
}

constexpr SettingOption kSettings[] = {
    {kFrequencyOption, "MHZ", "The clock of a TPU's profile, if the profile has the wrong one"},
    {kCoresOption, "N", "Only the first N cores of a TPU's profile"},
    {kHostOption, "FILE", "The trace of the program that used a TPU, to place beside the TPU's profile"}};
constexpr Writer kWriter{.about = "the table of commands that bigTpuProfile makes of a TPU's profile, as CSV",
                         .needs_profile = true,
                         .takes_part = true,
                         .write = write_table};
constexpr std::string_view kExamples[] = {"golden/bigtpu/two_cores/input/"};

}  // namespace

Result<std::optional<double>> tiu_mhz(const OpenSet& set) {
  constexpr std::int64_t kMostMhz = 100'000;
  const auto text = set.setting(kFrequencyOption);
  if (!text) return std::optional<double>();
  const auto mhz = parse_number(*text);
  if (!mhz || *mhz < 1 || *mhz > kMostMhz)
    return Error{ErrorKind::kBadInput, fmt::format("--{} {}: must be a whole number of MHz", kFrequencyOption, *text),
                 ""};
  return std::optional<double>(static_cast<double>(*mhz));
}

bool sniff(const FileBeginning& beginning) {
  return looks_like_blocks(beginning.bytes) || looks_like_global_file(beginning.bytes);
}

std::vector<InputSet> claim(std::span<const ListedFile> listing) {
  std::vector<InputSet> sets;
  std::map<std::string, std::vector<InputFile>> folders;
  std::vector<std::string> profiles;  // of these folders those that hold one, in order
  for (const ListedFile& file : listing) {
    if (file.format != &kFormat && file.format != nullptr) continue;
    const fs::path path(file.path);
    const std::string folder = path.parent_path().string();
    const std::string_view role = role_of_name(path.filename().string());
    if (!role.empty()) {
      folders[folder].push_back({std::string(role), file.path});
      const bool is_known = std::ranges::find(profiles, folder) != profiles.end();
      if (file.format == &kFormat && !is_known) profiles.push_back(folder);
    } else if (file.format == &kFormat) {
      sets.push_back({&kFormat, path.filename().string(), {{std::string(kCoreRole), file.path}}});
    }
  }
  // By the folder that a profile's folder is in, and the call: the devices of one call are one capture.
  std::map<std::pair<std::string, std::int64_t>, InputSet> calls;
  for (const std::string& folder : profiles) {
    const std::string name = folder_name(folder);
    const auto call = call_of(name);
    if (!call) {
      sets.push_back({&kFormat, name, std::move(folders[folder])});
      continue;
    }
    InputSet& set = calls[{fs::path(folder).parent_path().string(), *call}];
    set.name = set.files.empty() ? name : *call < 0 ? "all devices" : fmt::format("call {}", *call);
    set.format = &kFormat;
    std::ranges::move(folders[folder], std::back_inserter(set.files));
  }
  for (auto& [place, set] : calls) sets.push_back(std::move(set));
  return sets;
}

Result<void> read_folders(const std::vector<ProfileFolder>& folders, std::optional<double> mhz, Capture& capture,
                          const HostTrace* host) {
  FoldersReader reader(mhz, host, capture);
  for (const ProfileFolder& folder : folders) reader.add(folder);
  reader.finish();
  return {};
}

constinit const Format kFormat{
    .name = "bigtpu",
    .hint = {.files = "the folder cdm_profile_data_dev*-* that a Sophgo TPU's runtime leaves"},
    .setting_options = kSettings,
    .examples = kExamples,
    .sniff = sniff,
    .claim = claim,
    .knows_folder =
        [](const std::string& path) {
          std::error_code unreadable;
          return fs::exists(fs::path(path) / "global.profile", unreadable);
        },
    .never_repeats = true,
    .read = read,
    .writer = &kWriter,
};

}  // namespace vizd::bigtpu
