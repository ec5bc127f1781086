#include "session/loaded_capture.h"

#include <algorithm>
#include <new>

#include "analysis/figures/named_steps.h"
#include "base/file_signature.h"
#include "base/parallel.h"

namespace vizd {
namespace {

std::uint64_t events_of(const Profile& profile) {
  std::uint64_t events = 0;
  for (const Track& lane : profile.tracks) events += lane.events.size();
  return events;
}

// Prepares the capture's timeline.
Result<void> prepare(LoadedCapture& loaded, ReadProgress* progress) {
  const std::uint64_t events = events_of(loaded.capture.profile);
  if (progress != nullptr) progress->events = events;
  const auto report = [&](std::uint64_t done) {
    if (progress != nullptr) progress->prepared = done;
  };
  try {
    loaded.timeline = prepare_timeline(loaded.capture, core_count(), report);
    report(events);
    return {};
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::kTooLarge,
                 "its timeline needs more memory than this machine has; read it on a larger machine", ""};
  }
}

// Adds the size of the files to the progress.
void tell_size(const InputSet& set, ReadProgress* progress) {
  if (progress == nullptr) return;
  for (const InputFile& file : set.files) {
    if (const auto signature = file_signature(file.path)) progress->size_bytes += signature->size_bytes;
  }
}

// Null where there is nothing that can be taken.
std::unique_ptr<LoadedCapture> take_kept(const KeptPlace& place, ReadProgress* progress) {
  auto loaded = std::make_unique<LoadedCapture>();
  try {
    loaded->kept = load_kept(place, core_count(), loaded->capture, loaded->timeline);
  } catch (const std::bad_alloc&) {
    return nullptr;  // reading says what is wrong
  }
  if (!loaded->kept) return nullptr;
  if (progress != nullptr) {
    progress->read_bytes = progress->size_bytes.load();
    progress->events = events_of(loaded->capture.profile);
    progress->prepared = progress->events.load();
  }
  return loaded;
}

// The steps that its program names itself, or that the set's setting names.
void name_steps_of(const InputSet& set, Capture& capture) {
  const auto setting = std::ranges::find(set.settings, kStepNameSetting, &Setting::name);
  if (setting == set.settings.end()) return name_steps(capture, nullptr);
  if (const auto chosen = Regexp::compile(setting->value)) return name_steps(capture, &*chosen);
  capture.notes.push_back("--step-name: " + Regexp::compile(setting->value).error().text());
}

// Reads the capture, without its timeline.
Reading read(const InputSet& set, ReadProgress* progress) {
  Reading reading{.errors = FileErrors(set.files.size()), .loaded = nullptr, .keep_at = {}};
  OpenSet::TellProgress tell;
  if (progress != nullptr) tell = [progress](std::uint64_t done_bytes) { progress->read_bytes = done_bytes; };
  auto loaded = std::make_unique<LoadedCapture>();
  while (!read_set(set, reading.errors, loaded->capture, tell)) loaded = std::make_unique<LoadedCapture>();
  if (!loaded->capture.has_rewrites && !loaded->capture.has_profile) return reading;
  name_steps_of(set, loaded->capture);
  loaded->set = set;
  reading.loaded = std::move(loaded);
  return reading;
}

}  // namespace

Reading load(const InputSet& set, const CacheOptions& cache, ReadProgress* progress) {
  tell_size(set, progress);
  const auto place = kept_place(set, cache);
  if (place) {
    if (auto kept = take_kept(*place, progress)) {
      kept->set = set;
      return {.errors = FileErrors(set.files.size()), .loaded = std::move(kept), .keep_at = {}};
    }
  }
  Reading reading = read(set, progress);
  if (!reading.loaded) return reading;
  if (auto prepared = prepare(*reading.loaded, progress); !prepared) {
    prepared.error().where = set.files.back().path;
    reading.errors.back() = std::move(prepared).error();
    reading.loaded = nullptr;
    return reading;
  }
  const bool is_whole = std::ranges::none_of(reading.errors, [](const auto& error) { return error.has_value(); });
  // Only if the files are still those that were read.
  if (is_whole && is_worth_keeping(reading.loaded->capture, cache) && kept_place(set, cache) == place)
    reading.keep_at = place;
  return reading;
}

Reading load_recorded(const InputSet& set) {
  Reading reading = read(set, nullptr);
  if (!reading.loaded) return reading;
  std::vector<Track>& tracks = reading.loaded->capture.profile.tracks;
  // As preparing a timeline leaves them, but for the places of the events.
  for_each_index(tracks.size(), core_count(),
                 [&](std::size_t t) { renumber_arguments(tracks[t].arguments, {}, tracks[t].events.size()); });
  return reading;
}

std::unique_ptr<LoadedCapture> load_beginning(const InputSet& set, unsigned parts) {
  try {
    auto loaded = std::make_unique<LoadedCapture>();
    if (!read_beginning(set, parts, loaded->capture)) return nullptr;
    loaded->capture.warnings.clear();
    loaded->capture.notes.clear();
    if (!prepare(*loaded, nullptr)) return nullptr;
    return loaded;
  } catch (const std::bad_alloc&) {
    return nullptr;  // what is wrong shows when all of it is read
  }
}

}  // namespace vizd
