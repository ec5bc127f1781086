#include "formats/open_set.h"

#include <algorithm>
#include <utility>

#include "formats/unpack.h"

namespace vizd {

OpenSet::OpenSet(const InputSet& set, std::span<const std::size_t> places, TellProgress tell)
    : settings_(set.settings), tell_(std::move(tell)) {
  for (const std::size_t place : places) files_.push_back({.file = set.files[place], .place = place});
}

OpenSet::OpenSet(const InputSet& set) : settings_(set.settings) {
  for (std::size_t i = 0; i < set.files.size(); ++i) files_.push_back({.file = set.files[i], .place = i});
}

OpenSet::OpenSet(FormatInput input) : tell_(std::move(input.progress)) {
  files_.push_back({.file = {std::move(input.role), std::move(input.name)}});
  files_[0].bytes = input.bytes;
  files_[0].is_in_memory = true;
}

std::optional<std::string_view> OpenSet::setting(std::string_view name) const {
  const auto found = std::ranges::find(settings_, name, &Setting::name);
  return found == settings_.end() ? std::optional<std::string_view>() : found->value;
}

Result<void> OpenSet::load(OpenFile& file) {
  if (!file.is_in_memory) {
    auto mapped = MappedFile::open(file.file.path, mapped_from_bytes_.value_or(MappedFile::kCopyLimitBytes));
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
  if (!file.unpacked.empty() || (!tell_ && !mapped_from_bytes_)) return input;
  input.progress = [this, &file, before = done_bytes_](std::uint64_t done_bytes) {
    if (mapped_from_bytes_ && file.mapped) file.mapped->let_go(static_cast<std::size_t>(done_bytes));
    if (tell_) tell_(before + done_bytes);
  };
  return input;
}

Result<FormatStream> OpenSet::stream(std::size_t i) {
  OpenFile& file = files_[i];
  last_opened_ = i;
  FormatStream stream{.name = file.file.path, .bytes = nullptr};
  if (file.is_in_memory) {
    stream.bytes = ByteStream::of(file.bytes);
  } else {
    auto opened = ByteStream::open(file.file.path);
    if (!opened) return blame(i, std::move(opened).error());
    stream.bytes = std::move(*opened);
  }
  file.size_bytes = stream.bytes->all_stored_bytes();
  if (file.size_bytes == 0)
    return blame(i, {ErrorKind::kBadInput, "is empty; is it still being written?", file.file.path});
  if (tell_) stream.progress = [this, before = done_bytes_](std::uint64_t done_bytes) { tell_(before + done_bytes); };
  return stream;
}

void OpenSet::close(std::size_t i) {
  OpenFile& file = files_[i];
  done_bytes_ += file.size_bytes;
  file = {.file = std::move(file.file), .place = file.place};
  if (tell_) tell_(done_bytes_);
}

Result<void> OpenSet::check_whole(std::size_t i) {
  if (!files_[i].mapped || !files_[i].mapped->was_cut()) return {};
  return blame(
      i, {ErrorKind::kBadInput, "became shorter while it was read; is it still being written?", files_[i].file.path});
}

Error OpenSet::blame(std::size_t i, Error error) {
  blamed_ = i;
  return error;
}

Result<void> OpenSet::read_each(const std::function<Result<void>(const FormatInput&)>& read) {
  for (std::size_t i = 0; i < size(); ++i) {
    const auto input = open(i);
    if (!input) return input.error();
    auto done = read(*input);
    if (auto whole = check_whole(i); !whole) return whole;
    if (!done) return blame(i, std::move(done).error());
    close(i);
  }
  return {};
}

}  // namespace vizd
