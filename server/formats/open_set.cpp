#include "formats/open_set.h"

#include <utility>

#include "formats/unpack.h"

namespace vizd {

OpenSet::OpenSet(const InputSet& set, std::span<const std::size_t> places, TellProgress tell) : tell_(std::move(tell)) {
  for (const std::size_t place : places) files_.push_back({.file = set.files[place], .place = place});
}

OpenSet::OpenSet(FormatInput input) : tell_(std::move(input.progress)) {
  files_.push_back({.file = {std::move(input.role), std::move(input.name)}});
  files_[0].bytes = input.bytes;
  files_[0].is_in_memory = true;
}

Result<void> OpenSet::load(OpenFile& file) {
  if (!file.is_in_memory) {
    auto mapped = MappedFile::open(file.file.path);
    if (!mapped) return std::move(mapped).error();
    file.mapped = std::move(*mapped);
    file.bytes = file.mapped->bytes();
  }
  if (file.bytes.empty()) return Error{ErrorKind::kBadInput, "is empty; is it still being written?", file.file.path};
  file.size_bytes = file.bytes.size();
  if (packing_of(file.bytes) == Packing::kNone) return {};
  if (!takes_packed_) return Error{ErrorKind::kNotFound, "is packed", file.file.path};
  auto unpacked = unpack(file.bytes, file.file.path);
  if (!unpacked) return std::move(unpacked).error();
  file.unpacked = std::move(*unpacked);
  file.bytes = file.unpacked;
  file.mapped.reset();
  return {};
}

Result<FormatInput> OpenSet::open(std::size_t i) {
  OpenFile& file = files_[i];
  last_opened_ = i;
  if (auto loaded = load(file); !loaded) return blame(i, std::move(loaded).error());
  FormatInput input{.name = file.file.path, .bytes = file.bytes, .role = file.file.role};
  // How far the packed bytes are would be a guess.
  if (tell_ && file.unpacked.empty())
    input.progress = [this, before = done_bytes_](std::uint64_t done_bytes) { tell_(before + done_bytes); };
  return input;
}

void OpenSet::close(std::size_t i) {
  OpenFile& file = files_[i];
  done_bytes_ += file.size_bytes;
  file = {.file = std::move(file.file), .place = file.place};
  if (tell_) tell_(done_bytes_);
}

Error OpenSet::blame(std::size_t i, Error error) {
  blamed_ = i;
  return error;
}

Result<void> OpenSet::read_each(const std::function<Result<void>(const FormatInput&)>& read) {
  for (std::size_t i = 0; i < size(); ++i) {
    const auto input = open(i);
    if (!input) return input.error();
    if (auto done = read(*input); !done) return blame(i, std::move(done).error());
    close(i);
  }
  return {};
}

}  // namespace vizd
