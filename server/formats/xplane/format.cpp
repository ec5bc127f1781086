#include "formats/xplane/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "formats/claims.h"
#include "formats/protobuf_fields.h"
#include "formats/trace_steps.h"
#include "formats/xplane/host_reader.h"
#include "model/profile_extent.h"

namespace vizd::xplane {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".xplane.pb";
constexpr std::size_t kMappedFrom_bytes = std::size_t{16} << 20;

// The bytes of a field of that length, or as many of them as are seen; nothing where it is no such field.
std::optional<std::string_view> take_bytes(std::string_view& rest) {
  std::uint64_t size_bytes = 0;
  if (!take_protobuf_varint(rest, size_bytes)) return std::nullopt;
  const auto bytes = rest.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(size_bytes, rest.size())));
  rest.remove_prefix(bytes.size());
  return bytes;
}

enum class Looks : std::uint8_t { kPlane, kOpen, kOther };

// Whether a message begins as a plane does: a name of those that planes have, perhaps after a small number.
Looks looks_like_plane(std::string_view message) {
  constexpr std::string_view kBeginnings[] = {"/", "Task", "#Chip", "Host", "Syscalls"};
  constexpr std::uint64_t kMostId = 1'000'000;
  while (!message.empty()) {
    const char tag = message.front();
    message.remove_prefix(1);
    if (tag == 0x08) {
      std::uint64_t id = 0;
      if (!take_protobuf_varint(message, id) || id > kMostId) return Looks::kOther;
    } else if (tag == 0x12) {
      const auto name = take_bytes(message);
      const bool is_known = name && std::ranges::any_of(kBeginnings, [&](std::string_view beginning) {
                              return name->starts_with(beginning);
                            });
      return is_known ? Looks::kPlane : Looks::kOther;
    } else {
      return Looks::kOther;
    }
  }
  return Looks::kOpen;
}

// Skips a field that is no plane: a text (2 to 4), or one that newer writers may add. Returns whether it can be one.
bool skip_field(std::string_view& rest) {
  constexpr std::uint64_t kPlanes = 1, kLastText = 4, kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;
  std::uint64_t tag = 0, value = 0;
  if (!take_protobuf_varint(rest, tag)) return false;
  const std::uint64_t number = tag >> 3, type = tag & 7;
  if (number <= kPlanes || (number <= kLastText && type != kBytes)) return false;
  if (type == kVarint) return take_protobuf_varint(rest, value);
  if (type == kBytes) return take_bytes(rest).has_value();
  if (type != kFixed64 && type != kFixed32) return false;
  rest.remove_prefix(std::min<std::size_t>(rest.size(), type == kFixed64 ? 8 : 4));
  return true;
}

bool is_of_runs(const fs::path& folder) {
  return folder.filename() == "profile" && folder.parent_path().filename() == "plugins";
}

// The folders that lead from a log folder to its runs, DIR/plugins/profile/RUN, and the runs.
bool knows_folder(const std::string& path) {
  const fs::path folder(path);
  std::error_code unreadable;
  if (is_of_runs(folder) || is_of_runs(folder.parent_path())) return true;
  return folder.filename() == "plugins" && fs::is_directory(folder / "profile", unreadable);
}

// XProf leaves beside a profile what it made of it, and JAX a part of it as a Chrome trace.
bool is_made_of_others(const ListedFile& file, std::span<const ListedFile> listing) {
  if (file.format == &kFormat) return false;
  const fs::path path(file.path);
  const std::string name = path.filename().string();
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  if (!ends(".trace.json.gz") && !ends(".trace.json") && !ends("perfetto_trace.json.gz") && !ends(".pb")) return false;
  return std::ranges::any_of(listing, [&](const ListedFile& other) {
    return other.format == &kFormat && fs::path(other.path).parent_path() == path.parent_path();
  });
}

constexpr std::string_view kExamples[] = {"golden/xplane/two_devices/input/"};

}  // namespace

bool sniff(const FileBeginning& beginning) {
  // A file that was ruined by a copy as text is named as what it was, not as unknown.
  if (beginning.name.ends_with(kSuffix) && !beginning.bytes.empty() && beginning.bytes[0] == std::byte{0x0A})
    return true;
  std::string_view rest = beginning.text();
  constexpr int kMostFields = 64;
  for (int i = 0; i < kMostFields && !rest.empty(); ++i) {
    const char tag = rest.front();
    if (tag == 0x0A) {
      rest.remove_prefix(1);
      const auto message = take_bytes(rest);
      const Looks looks = message ? looks_like_plane(*message) : Looks::kOther;
      if (looks != Looks::kOpen) return looks == Looks::kPlane;
    } else if (!skip_field(rest)) {
      return false;
    }
  }
  return false;
}

std::vector<InputSet> claim(std::span<const ListedFile> listing) {
  std::map<std::string, InputSet> folders;
  std::vector<std::string> order;
  for (const ListedFile& file : listing) {
    if (file.format != &kFormat) continue;
    const std::string folder = fs::path(file.path).parent_path().string();
    const auto [place, is_new] = folders.try_emplace(folder);
    if (is_new) order.push_back(folder);
    place->second.files.push_back({"host", file.path});
  }
  std::vector<InputSet> sets;
  for (const std::string& folder : order) {
    InputSet& set = folders[folder];
    set.format = &kFormat;
    set.name = set_name(set.files.front().path);
    if (set.files.size() > 1) {
      const std::string run = fs::path(folder).filename().string();
      set.name = fmt::format("{} ({} hosts)", run.empty() ? set.name : run, set.files.size());
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

Result<void> read(OpenSet& set, Capture& capture) {
  const auto xla = std::make_shared<XlaProfile>();
  std::optional<std::int64_t> first_unix_ns;
  set.map_from(kMappedFrom_bytes);
  VIZD_TRY(set.read_each([&](const FormatInput& input) { return read_host(input, capture, *xla, first_unix_ns); }));
  for (const XlaHost& host : xla->hosts) trace::add_steps(capture, 0, host.track);
  extend_profile(capture.profile);
  if (first_unix_ns) capture.profile.clock.unix_offset_ns = first_unix_ns;
  capture.profile.xla = xla;
  capture.profile.is_trace = true;
  capture.has_profile = true;
  capture.format = kFormat.name;
  return {};
}

constinit const Format kFormat{
    .name = "xplane",
    .suffix = kSuffix,
    .hint = {.files = "an XPlane file of JAX, TensorFlow or PyTorch/XLA, its run's folder, or the folder above that",
             .how_to_make = "To profile a JAX program, run what is of interest under its profiler:",
             .command = "with jax.profiler.trace(DIR): step()"},
    .examples = kExamples,
    .sniff = sniff,
    .claim = claim,
    .knows_folder = knows_folder,
    .is_made_of_others = is_made_of_others,
    .never_repeats = true,
    .read = read,
};

}  // namespace vizd::xplane
