#include "formats/registry.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>

#include "base/file_signature.h"
#include "formats/unpack.h"
#include "formats/unread.h"

// The formats, by their folders. The first whose sniff knows a file has it.
// clang-format off
#define VIZD_FORMATS(FORMAT) \
  FORMAT(native) \
  FORMAT(torch_memory) \
  FORMAT(tinygrad) \
  FORMAT(chrome_trace) \
  FORMAT(speedscope) \
  FORMAT(xplane) \
  FORMAT(perfetto) \
  FORMAT(bigtpu) \
  FORMAT(etdump) \
  FORMAT(sqlite_profiles) \
  FORMAT(xlsx)
// clang-format on

#define DECLARE(folder)        \
  namespace vizd::folder {     \
  extern const Format kFormat; \
  }
VIZD_FORMATS(DECLARE)
#undef DECLARE

namespace vizd {
namespace {

#define ADDRESS(folder) &folder::kFormat,
constexpr const Format* kFormats[] = {VIZD_FORMATS(ADDRESS)};
#undef ADDRESS

// The places of the files to be read.
std::vector<std::size_t> readable_files(const InputSet& set, const FileErrors& errors) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < set.files.size(); ++i) {
    if (!errors[i] && file_signature(set.files[i].path)) places.push_back(i);
  }
  return places;
}

Result<void> read_unknown(OpenSet& set, Capture&) {
  // Nobody would read what a packed file holds: so much is unpacked as tells whether it is damaged at its beginning.
  const auto stream = set.stream(0);
  if (!stream) return stream.error();
  const auto beginning = stream->bytes->next();
  if (stream->bytes->end() != ByteStream::End::kWhole) {
    if (const auto input = set.open(0); !input) return input.error();
  }
  const std::string_view kind = unknown_kind(beginning);
  return kind.empty() ? unknown_format(stream->name) : Error{ErrorKind::kBadInput, std::string(kind), stream->name};
}

// Whether a file's second half repeats its first half. It is read only up to the first difference: of most files, a
// block of each half.
bool is_written_twice(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t size_bytes = std::filesystem::file_size(path, failed);
  if (failed || size_bytes == 0 || size_bytes % 2 != 0) return false;
  const std::uintmax_t half_bytes = size_bytes / 2;
  std::ifstream first(path, std::ios::binary), second(path, std::ios::binary);
  second.seekg(static_cast<std::streamoff>(half_bytes));
  constexpr std::uintmax_t kBlockBytes = 4096;
  std::array<char, kBlockBytes> of_first{}, of_second{};
  for (std::uintmax_t done = 0; done < half_bytes; done += kBlockBytes) {
    const auto count = static_cast<std::streamsize>(std::min(kBlockBytes, half_bytes - done));
    if (!first.read(of_first.data(), count) || !second.read(of_second.data(), count)) return false;
    if (!std::equal(of_first.begin(), of_first.begin() + count, of_second.begin())) return false;
  }
  return true;
}

ReadFiles reader_of(const InputSet& set) {
  const auto asks = std::ranges::find_if(set.settings, [](const Setting& setting) { return setting.read != nullptr; });
  if (asks != set.settings.end()) return asks->read;
  return set.format != nullptr ? set.format->read : read_unknown;
}

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

const Format* find_format(std::span<const std::byte> beginning, std::string_view path) {
  GrowingBytes unpacked;
  if (packing_of(beginning) != Packing::kNone) {
    // The beginning shows what is inside: nothing is unpacked whole that no format would read.
    unpacked = unpack_beginning(beginning, kSniffedBytes);
    beginning = unpacked;
  }
  path.remove_prefix(path.rfind('/') + 1);
  for (const std::string_view suffix : {".gz", ".zst"}) {
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  }
  const FileBeginning file{beginning.first(std::min(beginning.size(), kSniffedBytes)), path};
  const auto found = std::ranges::find_if(
      kFormats, [&](const Format* format) { return format->sniff != nullptr && format->sniff(file); });
  return found == std::end(kFormats) ? nullptr : *found;
}

const Format* find_format_further(ByteStream& bytes) {
  const auto first = bytes.next();
  if (first.empty() || !unknown_kind(first).empty()) return nullptr;
  for (const Format* const format : kFormats) {
    // One format looks further: the bytes come once.
    if (format->sniff_further != nullptr) return format->sniff_further(first, bytes) ? format : nullptr;
  }
  return nullptr;
}

std::vector<std::string> readable_format_names() {
  std::vector<std::string> names;
  for (const Format* format : formats()) {
    if (format->read != nullptr) names.emplace_back(format->name);
  }
  return names;
}

Error unknown_format(const std::string& path) {
  std::string names;
  for (const std::string& name : readable_format_names()) names += (names.empty() ? "" : ", ") + name;
  return {ErrorKind::kBadInput,
          "is of no format that vizd reads; give it one of " + names + ", or name the format with --format NAME", path};
}

bool read_set(const InputSet& set, FileErrors& errors, Capture& capture, OpenSet::TellProgress tell) {
  const std::vector<std::size_t> places = readable_files(set, errors);
  if (places.empty()) return true;
  OpenSet files(set, places, std::move(tell));
  const auto fail = [&](Error error) {
    errors[files.blamed_place()] = std::move(error);
    return false;
  };
  const std::string& last = set.files[places.back()].path;
  try {
    if (auto read = reader_of(set)(files, capture); !read) return fail(std::move(read).error());
    for (const std::size_t place : places) {
      const std::string& path = set.files[place].path;
      if (set.format->never_repeats && is_written_twice(path))
        capture.warnings.push_back(fmt::format("{} contains the same bytes twice, one copy after the other",
                                               std::filesystem::path(path).filename().string()));
    }
    return true;
  } catch (const std::bad_alloc&) {
    return fail({ErrorKind::kTooLarge, "out of memory; read it on a machine with more", last});
  } catch (const std::exception& e) {
    return fail({ErrorKind::kInternal, std::string("cannot be read: ") + e.what(), last});
  }
}

bool read_beginning(const InputSet& set, unsigned parts, Capture& capture) {
  if (set.format == nullptr || set.format->read_beginning == nullptr) return false;
  OpenSet files(set, readable_files(set, FileErrors(set.files.size())));
  files.refuse_packed();
  try {
    return files.size() > 0 && set.format->read_beginning(files, parts, capture).has_value();
  } catch (const std::exception&) {
    return false;  // what is wrong shows when all of it is read
  }
}

Result<void> read_capture(const FormatInput& input, Capture& capture) {
  const Format* format = find_format(input.bytes, input.name);
  if (format == nullptr) format = find_format_further(*ByteStream::of(input.bytes));
  OpenSet set(input);
  if (format != nullptr) return format->read(set, capture);
  return read_unknown(set, capture);
}

}  // namespace vizd
