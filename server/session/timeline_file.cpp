#include "session/timeline_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>

#include "base/content_hash.h"
#include "base/log.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> kMagic{'v', 'i', 'z', 'd', 't', 'i', 'm', 'e'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kAlignment = 64;
constexpr std::string_view kSuffix = ".timeline";

struct FileHeader {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t lanes = 0;
  std::uint64_t key = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t sections = 0;
  std::uint64_t table_hash = 0;
};

struct Section {
  std::uint64_t offset = 0, size_bytes = 0, hash = 0;
};

struct LaneSums {
  std::int64_t busy_ns = 0, first_ns = 0, last_ns = 0;
  std::uint64_t relaned = 0;
};

std::size_t aligned(std::size_t at) { return (at + kAlignment - 1) / kAlignment * kAlignment; }

std::uint64_t hash_of(std::string_view bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.value();
}

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Calls visit(column) for all columns of a lane, always in the same order.
template <typename Events, typename Track, typename Visit>
void for_each_column(Events& events, Track& lane, Visit&& visit) {
  events.for_each_column(visit);
  visit(lane.row_begin), visit(lane.node_begin), visit(lane.nodes), visit(lane.link_context), visit(lane.link_pass);
}

bool write_all(int fd, std::string_view bytes) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// A file of the system's, mapped for reading. Whoever replaces it renames another into its place: it never shrinks.
class Mapping {
 public:
  static std::shared_ptr<const Mapping> open(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return nullptr;
    struct stat info {};
    void* memory = MAP_FAILED;
    if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
      memory = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    // The file longest not used is the first to go.
    if (memory != MAP_FAILED) ::futimens(fd, nullptr);
    ::close(fd);
    if (memory == MAP_FAILED) return nullptr;
    return std::shared_ptr<const Mapping>(new Mapping(memory, static_cast<std::size_t>(info.st_size)));
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(memory_, size_bytes_); }

  std::string_view bytes() const { return {static_cast<const char*>(memory_), size_bytes_}; }

 private:
  Mapping(void* memory, std::size_t size_bytes) : memory_(memory), size_bytes_(size_bytes) {}
  void* memory_;
  std::size_t size_bytes_;
};

// The sections of a file that is what it says.
class SectionReader {
 public:
  explicit SectionReader(std::shared_ptr<const Mapping> file) : file_(std::move(file)) {}

  // False where the file is of another version, key or number of lanes, or damaged anywhere.
  bool check(std::uint64_t key, std::size_t lanes) {
    const std::string_view bytes = file_->bytes();
    FileHeader header;
    if (bytes.size() < sizeof header) return false;
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != kMagic || header.version != kVersion || header.key != key || header.lanes != lanes ||
        header.size_bytes != bytes.size())
      return false;
    if (header.sections > (bytes.size() - sizeof header) / sizeof(Section)) return false;
    const std::string_view table = bytes.substr(sizeof header, header.sections * sizeof(Section));
    if (hash_of(table) != header.table_hash) return false;
    sections_.resize(header.sections);
    if (!table.empty()) std::memcpy(sections_.data(), table.data(), table.size());
    return std::ranges::all_of(sections_, [&](const Section& s) {
      return s.offset % kAlignment == 0 && s.offset <= bytes.size() && s.size_bytes <= bytes.size() - s.offset &&
             hash_of(bytes.substr(s.offset, s.size_bytes)) == s.hash;
    });
  }

  template <typename T>
  void take(Column<T>& column) {
    column = next<T>();
  }
  template <typename T, T kUsual>
  void take(SparseColumn<T, kUsual>& column) {
    column = SparseColumn<T, kUsual>(next<T>());
  }

  // Whether every section was taken, and each held what it should.
  bool is_good() const { return !failed_ && place_ == sections_.size(); }

 private:
  template <typename T>
  Column<T> next() {
    if (place_ >= sections_.size() || sections_[place_].size_bytes % sizeof(T) != 0) {
      failed_ = true;
      return {};
    }
    const Section& section = sections_[place_++];
    const char* const begin = file_->bytes().data() + section.offset;
    return {std::span(reinterpret_cast<const T*>(begin), section.size_bytes / sizeof(T)), file_};
  }

  std::shared_ptr<const Mapping> file_;
  std::vector<Section> sections_;
  std::size_t place_ = 0;
  bool failed_ = false;
};

// Whether rows and nodes are those of that many events.
bool is_sound(const EventColumns& events, const LaneIndex& lane, std::size_t count) {
  if (events.size() != count || events.short_durs().size() != count || events.names().size() != count) return false;
  const std::uint32_t rows = lane.row_count();
  if (lane.row_begin.empty() || lane.row_begin[0] != 0 || lane.row_begin[rows] != count) return false;
  if (lane.node_begin.size() != lane.row_begin.size() || lane.node_begin[0] != 0) return false;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (lane.row_begin[row + 1] < lane.row_begin[row]) return false;
    const std::size_t nodes = row_node_count(lane.row_begin[row + 1] - lane.row_begin[row]);
    if (lane.node_begin[row + 1] != lane.node_begin[row] + nodes) return false;
  }
  return lane.node_begin[rows] == lane.nodes.size();
}

// Removes the files longest not used until the rest are small enough together.
void keep_to_size(const std::string& folder, std::uint64_t most_bytes) {
  struct Kept {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t size_bytes;
  };
  std::vector<Kept> files;
  std::uint64_t total = 0;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() != kSuffix || !entry.is_regular_file(failed)) continue;
    files.push_back({entry.path(), entry.last_write_time(failed), entry.file_size(failed)});
    total += files.back().size_bytes;
  }
  std::ranges::sort(files, {}, &Kept::used);
  for (const Kept& file : files) {
    if (total <= most_bytes) break;
    if (fs::remove(file.path, failed)) total -= file.size_bytes;
  }
}

}  // namespace

std::string default_cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/vizd";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/vizd" : "";
}

bool load_prepared(const std::string& path, std::uint64_t key, Profile& profile, PreparedLanes& prepared) {
  auto file = Mapping::open(path);
  if (!file) return false;
  SectionReader sections(std::move(file));
  if (!sections.check(key, profile.tracks.size())) return false;
  std::vector<EventColumns> events(profile.tracks.size());
  PreparedLanes found{std::vector<LaneIndex>(profile.tracks.size()),
                      std::vector<Column<std::uint32_t>>(profile.tracks.size())};
  Column<LaneSums> sums;
  sections.take(sums);
  for (std::size_t i = 0; i < events.size(); ++i) {
    for_each_column(events[i], found.lanes[i], [&](auto& column) { sections.take(column); });
    sections.take(found.now_at[i]);
  }
  if (!sections.is_good() || sums.size() != events.size()) return false;
  for (std::size_t i = 0; i < events.size(); ++i) {
    LaneIndex& lane = found.lanes[i];
    if (!is_sound(events[i], lane, profile.tracks[i].events.size())) return false;
    if (!found.now_at[i].empty() && found.now_at[i].size() != events[i].size()) return false;
    lane.busy_ns = sums[i].busy_ns;
    lane.first_ns = sums[i].first_ns;
    lane.last_ns = sums[i].last_ns;
    lane.relaned = static_cast<std::uint32_t>(sums[i].relaned);
  }
  for (std::size_t i = 0; i < events.size(); ++i) profile.tracks[i].events = std::move(events[i]);
  prepared = std::move(found);
  return true;
}

Result<void> save_prepared(const std::string& path, std::uint64_t key, const Profile& profile,
                           const PreparedLanes& prepared) {
  std::vector<LaneSums> sums;
  std::vector<std::string_view> parts;
  for (const LaneIndex& lane : prepared.lanes)
    sums.push_back({lane.busy_ns, lane.first_ns, lane.last_ns, lane.relaned});
  parts.push_back(bytes_of(std::span<const LaneSums>(sums)));
  for (std::size_t i = 0; i < prepared.lanes.size(); ++i) {
    for_each_column(profile.tracks[i].events, prepared.lanes[i],
                    [&](const auto& column) { parts.push_back(bytes_of(column_values(column).span())); });
    parts.push_back(bytes_of(prepared.now_at[i].span()));
  }
  std::vector<Section> table;
  std::size_t at = aligned(sizeof(FileHeader) + parts.size() * sizeof(Section));
  for (const std::string_view part : parts) {
    table.push_back({at, part.size(), hash_of(part)});
    at = aligned(at + part.size());
  }
  FileHeader header;
  header.lanes = static_cast<std::uint32_t>(prepared.lanes.size());
  header.key = key;
  header.size_bytes = at;
  header.sections = table.size();
  header.table_hash = hash_of(bytes_of(std::span<const Section>(table)));

  const std::string unfinished = fmt::format("{}.{}.part", path, ::getpid());
  const auto failure = [&](std::string_view what) {
    const std::string reason = std::strerror(errno);
    ::unlink(unfinished.c_str());
    return Error{ErrorKind::kInternal, fmt::format("{}: {}", what, reason), path};
  };
  const int fd = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return failure("cannot be written");
  constexpr std::array<char, kAlignment> kZeros{};
  bool good = write_all(fd, {reinterpret_cast<const char*>(&header), sizeof header}) &&
              write_all(fd, bytes_of(std::span<const Section>(table)));
  std::size_t written = sizeof header + table.size() * sizeof(Section);
  for (const std::string_view part : parts) {
    good = good && write_all(fd, {kZeros.data(), aligned(written) - written}) && write_all(fd, part);
    written = aligned(written) + part.size();
  }
  good = good && write_all(fd, {kZeros.data(), aligned(written) - written});
  const bool closed = ::close(fd) == 0;
  if (!good || !closed) return failure("cannot be written");
  if (::rename(unfinished.c_str(), path.c_str()) != 0) return failure("cannot be put in its place");
  return {};
}

Timeline prepare_cached(Capture& capture, const TimelineCacheOptions& options, unsigned threads,
                        const TimelineProgress& progress) {
  std::uint64_t events = 0;
  for (const Track& lane : capture.profile.tracks) events += lane.events.size();
  if (options.folder.empty() || events < options.least_events) return prepare_timeline(capture, threads, progress);

  const std::uint64_t key = recorded_key(capture, threads);
  const std::string path = fmt::format("{}/{:016x}{}", options.folder, key, kSuffix);
  PreparedLanes prepared;
  if (!load_prepared(path, key, capture.profile, prepared)) {
    prepared = prepare_lanes(capture, threads, progress);
    std::error_code failed;
    fs::create_directories(options.folder, failed);
    if (const auto saved = save_prepared(path, key, capture.profile, prepared); !saved)
      log(LogLevel::kWarning, "the timeline cannot be kept for the next time: {}", saved.error().text());
    keep_to_size(options.folder, options.most_bytes);
  }
  return finish_timeline(capture, std::move(prepared), threads);
}

}  // namespace vizd
