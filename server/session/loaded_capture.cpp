#include "session/loaded_capture.h"

#include <sys/stat.h>

#include <new>

#include "base/mapped_file.h"
#include "base/parallel.h"
#include "formats/registry.h"

namespace vizd {
namespace {

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

// Adds one file to the capture. progress may be null.
Result<void> read_file(const std::string& path, Capture& capture, ReadProgress* progress) {
  try {
    auto file = MappedFile::open(path);
    if (!file) return std::move(file).error();
    if (file->bytes().empty()) return Error{ErrorKind::kBadInput, "is empty; is it still being written?", path};
    FormatInput input{path, file->bytes()};
    if (progress != nullptr) {
      const std::uint64_t before = progress->read_bytes;
      input.progress = [=](std::uint64_t done_bytes) { progress->read_bytes = before + done_bytes; };
    }
    auto read = read_capture(input, capture);
    if (input.progress) input.progress(file->bytes().size());
    return read;
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::kTooLarge, "needs more memory than there is; read it on a larger machine", path};
  } catch (const std::exception& e) {
    return Error{ErrorKind::kInternal, std::string("cannot be read: ") + e.what(), path};
  }
}

// Prepares the capture's timeline.
Result<void> prepare(LoadedCapture& loaded, const TimelineCacheOptions& cache, ReadProgress* progress) {
  std::uint64_t events = 0;
  for (const Lane& lane : loaded.capture.profile.lanes) events += lane.events.size();
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

std::optional<FileSignature> file_signature(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileSignature{info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size), nanoseconds(info.st_mtim),
                       nanoseconds(info.st_ctim)};
}

Reading read_files(const CaptureFiles& files, const TimelineCacheOptions& cache, ReadProgress* progress) {
  Reading reading;
  reading.errors.resize(files.files.size());
  // A file that fails may have left half of its records: the others are then read again without it.
  bool again = true;
  if (progress != nullptr) {
    for (const CaptureFile& file : files.files) {
      if (const auto signature = file_signature(file.path)) progress->size_bytes += signature->size_bytes;
    }
  }
  while (again) {
    again = false;
    if (progress != nullptr) progress->read_bytes = 0;
    auto loaded = std::make_unique<LoadedCapture>();
    for (std::size_t i = 0; i < files.files.size() && !again; ++i) {
      const std::string& path = files.files[i].path;
      if (reading.errors[i] || !file_signature(path)) continue;
      if (auto read = read_file(path, loaded->capture, progress); !read) {
        reading.errors[i] = std::move(read).error();
        again = true;
      }
    }
    if (again || !(loaded->capture.has_rewrites || loaded->capture.has_profile)) continue;
    if (auto prepared = prepare(*loaded, cache, progress); !prepared) {
      prepared.error().where = files.files.back().path;
      reading.errors.back() = std::move(prepared).error();
      continue;
    }
    reading.loaded = std::move(loaded);
  }
  return reading;
}

std::unique_ptr<LoadedCapture> read_file_beginning(const std::string& path, unsigned parts) {
  try {
    const auto file = MappedFile::open(path);
    auto loaded = std::make_unique<LoadedCapture>();
    if (!file || !read_beginning({path, file->bytes()}, parts, loaded->capture)) return nullptr;
    loaded->capture.warnings.clear();
    if (!prepare(*loaded, {}, nullptr)) return nullptr;
    return loaded;
  } catch (const std::exception&) {
    return nullptr;  // what is wrong shows when all of it is read
  }
}

}  // namespace vizd
