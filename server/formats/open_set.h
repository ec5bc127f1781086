// OpenSet: the files of an input set while their format reads them. Each is opened, and unpacked from gzip or zstd,
// when the format asks for it. A file that cannot be read is blamed: the others are then read again without it, so that
// one broken file does not take the rest of its capture down. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/growing_bytes.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/byte_stream.h"
#include "formats/input_set.h"

namespace vizd {

// One file as bytes, unpacked. name is for messages, and role as the format's claim worded it. progress, where there is
// one, is told now and then how many of the bytes are read.
struct FormatInput {
  std::string name;
  std::span<const std::byte> bytes;
  std::function<void(std::uint64_t done_bytes)> progress = {};
  std::string role = "";
};

// One file as a stream of its unpacked bytes. progress, where there is one, is told how many stored bytes are read.
struct FormatStream {
  std::string name;
  std::unique_ptr<ByteStream> bytes;
  std::function<void(std::uint64_t done_bytes)> progress = {};
};

class OpenSet {
 public:
  // Reports the bytes done of all files together.
  using TellProgress = std::function<void(std::uint64_t done_bytes)>;

  // Opens the files of the set at these places.
  OpenSet(const InputSet& set, std::span<const std::size_t> places, TellProgress tell = {});
  // All of them.
  explicit OpenSet(const InputSet& set);
  // Opens bytes in memory, which may still be packed.
  explicit OpenSet(FormatInput input);

  // From now on blames a packed file in place of unpacking it: for what is to be there at once.
  void refuse_packed() { takes_packed_ = false; }

  // From now on files of that size and more are mapped and not copied, and take no memory as far as their progress is
  // told: for a format that reads each of its files once, from its begin to its end.
  void map_from(std::size_t size_bytes) { mapped_from_bytes_ = size_bytes; }

  std::size_t size() const { return files_.size(); }
  // The value of the option of that name; none where it was not given.
  std::optional<std::string_view> setting(std::string_view name) const;
  const InputFile& file(std::size_t i) const { return files_[i].file; }

  // The file's bytes, which are there until close(). Blames a file that cannot be opened, is empty, or does not unpack.
  Result<FormatInput> open(std::size_t i);
  void close(std::size_t i);
  // The same, to be read part by part; also of packed files where refuse_packed() was called, since nothing is unpacked
  // that is not asked for.
  Result<FormatStream> stream(std::size_t i);
  // What a format returns from its read where this file is at fault.
  Error blame(std::size_t i, Error error);

  // Reads each file by itself, one after another; blames the one that cannot be read.
  Result<void> read_each(const std::function<Result<void>(const FormatInput&)>& read);

  // The place in the set of the file that was blamed, or else of the one that was opened last.
  std::size_t blamed_place() const { return files_.empty() ? 0 : files_[blamed_.value_or(last_opened_)].place; }

 private:
  // Blames the file where it was cut while it was read.
  Result<void> check_whole(std::size_t i);

  struct OpenFile {
    InputFile file;
    std::size_t place = 0;
    std::optional<MappedFile> mapped = {};
    GrowingBytes unpacked = {};
    std::span<const std::byte> bytes = {};
    std::uint64_t size_bytes = 0;  // as it is stored
    bool is_in_memory = false;
  };

  Result<void> load(OpenFile& file);

  std::vector<OpenFile> files_;
  std::vector<Setting> settings_;
  std::uint64_t done_bytes_ = 0;  // of the files that are closed
  std::size_t last_opened_ = 0;
  std::optional<std::size_t> blamed_;
  bool takes_packed_ = true;
  std::optional<std::size_t> mapped_from_bytes_;
  TellProgress tell_;
};

}  // namespace vizd
