#include "session/loaded_capture.h"

#include <new>

#include "base/file_signature.h"
#include "base/parallel.h"
#include "reference/programs.h"

namespace vizd {
namespace {

// Prepares the capture's timeline.
Result<void> prepare(LoadedCapture& loaded, const TimelineCacheOptions& cache, ReadProgress* progress) {
  std::uint64_t events = 0;
  for (const Track& lane : loaded.capture.profile.tracks) events += lane.events.size();
  if (progress != nullptr) progress->events = events;
  const auto report = [&](std::uint64_t done) {
    if (progress != nullptr) progress->prepared = done;
  };
  try {
    loaded.timeline = prepare_cached(loaded.capture, cache, core_count(), report);
    report(events);
    return {};
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::kTooLarge, "its timeline needs more memory than there is; read it on a larger machine", ""};
  }
}

}  // namespace

Reading load(const InputSet& set, const TimelineCacheOptions& cache, ReadProgress* progress) {
  Reading reading{.errors = FileErrors(set.files.size()), .loaded = nullptr};
  OpenSet::TellProgress tell;
  if (progress != nullptr) {
    for (const InputFile& file : set.files) {
      if (const auto signature = file_signature(file.path)) progress->size_bytes += signature->size_bytes;
    }
    tell = [progress](std::uint64_t done_bytes) { progress->read_bytes = done_bytes; };
  }
  auto loaded = std::make_unique<LoadedCapture>();
  const ReadFiles read = reference_program(set.format).read;
  while (!read_set(set, reading.errors, loaded->capture, tell, read)) loaded = std::make_unique<LoadedCapture>();
  if (!loaded->capture.has_rewrites && !loaded->capture.has_profile) return reading;
  if (auto prepared = prepare(*loaded, cache, progress); !prepared) {
    prepared.error().where = set.files.back().path;
    reading.errors.back() = std::move(prepared).error();
    return reading;
  }
  loaded->set = set;
  reading.loaded = std::move(loaded);
  return reading;
}

std::unique_ptr<LoadedCapture> load_beginning(const InputSet& set, unsigned parts) {
  try {
    auto loaded = std::make_unique<LoadedCapture>();
    if (!read_beginning(set, parts, loaded->capture)) return nullptr;
    loaded->capture.warnings.clear();
    if (!prepare(*loaded, {}, nullptr)) return nullptr;
    return loaded;
  } catch (const std::bad_alloc&) {
    return nullptr;  // what is wrong shows when all of it is read
  }
}

}  // namespace vizd
