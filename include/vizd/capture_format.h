// The parts of vizd's capture format, as FORMAT.md has them: the numbers of chunks, columns and codecs, and
// ChunkBuilder, which makes one chunk of columns. Used by the writer beside it and by vizd itself. C++17 and zstd.
// A builder belongs to one thread.
#pragma once

#include <zstd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

namespace vizd::capture {

inline constexpr char kMagic[8] = {'\x89', 'v', 'i', 'z', 'd', '\r', '\n', '\x1a'};
inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::uint32_t kOldestVersion = 1;         // that is still read
inline constexpr std::uint32_t kChunkMarker = 0x6B437A76;  // "vzCk"
inline constexpr std::size_t kFileHeaderBytes = 16;
inline constexpr std::uint32_t kEnds = 1;  // the file header's flags: what follows it ends with a chunk of type kEnd
inline constexpr std::size_t kChunkHeaderBytes = 40;
inline constexpr std::size_t kColumnHeaderBytes = 8;
inline constexpr std::uint32_t kMostRecords = 1u << 20;               // in a chunk
inline constexpr std::uint64_t kMostUnpackedBytes = 256ull << 20;     // of a chunk
inline constexpr std::size_t kWrittenRecords = std::size_t{1} << 16;  // as many as a writer puts into a chunk

enum class Codec : std::uint8_t { kStored = 0, kZstd = 1, kZlib = 2 };

enum class ChunkType : std::uint16_t {
  kStrings = 1,
  kFacts = 2,
  kLocations = 3,
  kKinds = 4,
  kValues = 5,
  kOps = 6,
  kContexts = 7,
  kLinks = 8,
  kPasses = 9,
  kMatches = 10,
  kPrograms = 11,
  kLanes = 20,
  kEvents = 21,
  kAllocations = 22,
  kFrees = 23,
  kCounters = 24,
  kSamples = 25,
  kMarkers = 26,
  kFlows = 27,
  kUses = 28,
  kTracks = 29,
  kArguments = 30,
  kRuns = 31,
  kCaptureFacts = 32,
  kMeasures = 33,
  kOpValues = 34,
  kStacks = 35,
  kStackSamples = 36,
  kFlowEnds = 37,
  kLaunches = 38,
  kLaunchUses = 39,
  kEnd = 40,
  kAllocators = 41,
  kAllocatorActions = 42,
  kAllocatorPools = 43,
  kAllocationSites = 44,
  kAllocatorEntries = 45,
  kAllocationLives = 46,
  kAllocatorSegments = 47,
};

enum class ColumnType : std::uint8_t {
  kU8 = 1,
  kU16 = 2,
  kU32 = 3,
  kU64 = 4,
  kI8 = 5,
  kI16 = 6,
  kI32 = 7,
  kI64 = 8,
  kF32 = 9,
  kF64 = 10,
};

enum class Coding : std::uint8_t { kPlain = 0, kDifferences = 1 };

// The columns of each type of chunk.
namespace column {
struct Strings {
  enum : std::uint16_t { kLength = 1, kBytes = 2 };
};
struct Facts {
  enum : std::uint16_t { kKey = 1, kText = 2, kNumber = 3 };
};
struct Locations {
  enum : std::uint16_t { kFile = 1, kLine = 2, kCode = 3 };
};
struct Kinds {
  enum : std::uint16_t { kName = 1, kColour = 2, kFlags = 3 };
};
struct Values {
  enum : std::uint16_t { kKind = 1, kNumber = 2, kReal = 3, kItemCount = 4, kItem = 5 };
};
struct Ops {
  enum : std::uint16_t {
    kNumber = 1,
    kKind = 2,
    kSourceCount = 3,
    kSource = 4,
    kDtype = 5,
    kArgument = 6,
    kTag = 7,
    kShape = 8,
    kLabel = 9,
    kText = 10,
    kIdentity = 11,
    kContext = 12,
    kFlags = 13,
    kDtypeValue = 14,
    kArgumentValue = 15,
    kTagValue = 16,
  };
};
struct Contexts {
  enum : std::uint16_t { kName = 1, kStack = 2 };
};
struct Links {
  enum : std::uint16_t { kContext = 1, kOp = 2, kName = 3 };
};
struct Passes {
  enum : std::uint16_t { kContext = 1, kName = 2, kLocation = 3, kGraph = 4, kDepth = 5, kFlags = 6 };
};
struct Matches {
  enum : std::uint16_t { kPass = 1, kBefore = 2, kAfter = 3, kRule = 4, kSeconds = 5 };
};
struct Programs {
  enum : std::uint16_t { kContext = 1, kName = 2, kSource = 3, kDevice = 4, kOrigin = 5, kBinary = 6, kFlags = 7 };
};
struct Lanes {
  enum : std::uint16_t { kName = 1, kRank = 2, kProcess = 3, kDevice = 4, kStream = 5, kHertz = 6 };
};
struct Events {
  enum : std::uint16_t {
    kLane = 1,
    kStart = 2,
    kDuration = 3,
    kName = 4,
    kContext = 5,
    kInfo = 6,
    kPicoseconds = 7,
    kOrder = 8,
    kArgsLength = 9,
    kArgs = 10,
    kKind = 11,
    kCategory = 12,
    kFlags = 13,
    kArgumentCount = 14,
    kArgument = 15,
    kInteger = 16,
    kReal = 17,
    kArgumentColumns = 18,
    // Two for each of those arguments.
    kFirstRecords = 256,
    kFirstValues = 257,
  };
};
struct Allocations {
  enum : std::uint16_t {
    kLane = 1,
    kKey = 2,
    kAt = 3,
    kCount = 4,
    kItemSize = 5,
    kDtype = 6,
    kFreedAt = 7,
    kBirthOrder = 8,
    kDeathOrder = 9,
    kFlags = 10,
    kCategory = 11,
    kContext = 12,
    kAddress = 13,
    kAskedBy = 14,
  };
};
struct Frees {
  enum : std::uint16_t { kLane = 1, kKey = 2, kAt = 3 };
};
struct Counters {
  enum : std::uint16_t { kName = 1, kUnit = 2, kLane = 3, kSeries = 4, kCategory = 5 };
};
struct Samples {
  enum : std::uint16_t { kCounter = 1, kAt = 2, kValue = 3 };
};
struct Markers {
  enum : std::uint16_t { kAt = 1, kName = 2, kColour = 3 };
};
struct Flows {
  enum : std::uint16_t { kFromLane = 1, kFrom = 2, kToLane = 3, kTo = 4, kFromEvent = 5, kToEvent = 6 };
};
struct FlowEnds {
  enum : std::uint16_t { kLane = 1, kAt = 2, kId = 3, kCategory = 4, kFlags = 5 };
};
struct Uses {
  enum : std::uint16_t { kMemoryLane = 1, kAllocation = 2, kLane = 3, kEvent = 4 };
};
struct Launches {
  enum : std::uint16_t { kTrack = 1, kNumber = 2, kAt = 3, kName = 4 };
};
struct LaunchUses {
  enum : std::uint16_t { kTrack = 1, kAllocation = 2, kLaunch = 3, kArgument = 4, kFlags = 5 };
};
struct Tracks {
  enum : std::uint16_t { kName = 1, kKind = 2, kParent = 3, kSort = 4, kHertz = 5, kNumberType = 6, kNumber = 7 };
};
struct Arguments {
  enum : std::uint16_t { kName = 1, kUnit = 2, kType = 3 };
};
struct Runs {
  enum : std::uint16_t { kTrack = 1, kKind = 2, kName = 3, kNumber = 4, kFrom = 5, kTo = 6 };
};
struct CaptureFacts {
  enum : std::uint16_t {
    kSubject = 1,
    kName = 2,
    kUnit = 3,
    kType = 4,
    kInteger = 5,
    kReal = 6,
    kTrack = 7,
    kMoreTimes = 8
  };
};
struct Measures {
  enum : std::uint16_t { kName = 1, kUnit = 2 };
};
struct OpValues {
  enum : std::uint16_t { kMeasure = 1, kOp = 2, kValue = 3 };
};
struct Stacks {
  enum : std::uint16_t { kFunction = 1, kFile = 2, kLine = 3, kCaller = 4, kCode = 5 };
};
struct StackSamples {
  enum : std::uint16_t { kTrack = 1, kAt = 2, kStack = 3, kWeight = 4 };
};
struct Allocators {
  enum : std::uint16_t { kTrack = 1, kDevice = 2, kFlags = 3, kMismatched = 4 };
};
struct AllocatorActions {
  enum : std::uint16_t { kAllocator = 1, kName = 2 };
};
struct AllocatorPools {
  enum : std::uint16_t { kAllocator = 1, kStream = 2, kFirst = 3, kSecond = 4, kFlags = 5 };
};
struct AllocationSites {
  enum : std::uint16_t {
    kAllocator = 1,
    kStack = 2,
    kDepth = 3,
    kFrame = 4,
    kFile = 5,
    kOperation = 6,
    kPhase = 7,
    kCompileContext = 8,
    kMetadata = 9,
    kCategory = 10,
    kForward = 11,
    kForwardFrame = 12
  };
};
struct AllocatorEntries {
  enum : std::uint16_t { kAllocator = 1, kAction = 2, kAt = 3, kAddress = 4, kSize = 5 };
};
struct AllocationLives {
  enum : std::uint16_t {
    kAllocator = 1,
    kRequested = 2,
    kBorn = 3,
    kFreed = 4,
    kCompleted = 5,
    kPool = 6,
    kSite = 7,
    kFlags = 8
  };
};
struct AllocatorSegments {
  enum : std::uint16_t { kAllocator = 1, kAddress = 2, kSize = 3, kFrom = 4, kTo = 5, kPool = 6, kFlags = 7 };
};
struct End {
  enum : std::uint16_t { kChunks = 1 };
};
}  // namespace column

inline constexpr std::uint32_t kKindInlined = 1;           // Kinds::kFlags
inline constexpr std::uint32_t kOpInlined = 1;             // Ops::kFlags
inline constexpr std::uint32_t kPassUnnamed = 1;           // Passes::kFlags
inline constexpr std::uint32_t kPassRestarts = 2;          //
inline constexpr std::uint32_t kPassWholeGraphs = 4;       //
inline constexpr std::uint32_t kPassWalksOnce = 8;         //
inline constexpr std::uint32_t kPassEntersCalls = 16;      //
inline constexpr std::uint32_t kPassMeetsCalls = 32;       //
inline constexpr std::uint32_t kProgramAlone = 1;          // Programs::kFlags: no context made it
inline constexpr std::uint32_t kEventError = 1;            // Events::kFlags
inline constexpr std::size_t kMostArgumentColumns = 4096;  // of a chunk of events
// FlowEnds::kFlags: in the lowest two bits 0 start, 1 step, 2 finish; in the next two 0 no id, 1 an integer, 2 a text
inline constexpr std::uint32_t kFlowEndOfEnclosing = 16;
inline constexpr std::uint32_t kUseReads = 1;  // LaunchUses::kFlags
inline constexpr std::uint32_t kUseWrites = 2;
inline constexpr std::uint32_t kAllocationFreed = 1;  // Allocations::kFlags
inline constexpr std::uint32_t kAllocationAddressed = 2;
inline constexpr std::uint32_t kAllocationEarlier = 4;
inline constexpr std::uint32_t kAllocatorTimed = 1;  // Allocators::kFlags
inline constexpr std::uint32_t kAllocatorExact = 2;
inline constexpr std::uint32_t kPoolStreamNegative = 1;  // AllocatorPools::kFlags
inline constexpr std::uint32_t kPoolKnown = 2;
inline constexpr std::uint32_t kLifeLost = 1;           // AllocationLives::kFlags
inline constexpr std::uint32_t kSegmentExpandable = 1;  // AllocatorSegments::kFlags
inline constexpr std::uint32_t kSegmentLargePages = 2;

// Events::kKind
enum class EventKind : std::uint8_t { kSpan = 0, kInstant = 1, kUnfinished = 2, kAsynchronous = 3 };

// Arguments::kType and CaptureFacts::kType
enum class ArgumentType : std::uint8_t { kInteger = 1, kReal = 2, kText = 3 };

// CRC-32 as zlib and Python's zlib.crc32 have it (polynomial 0xEDB88320), eight bytes a turn. crc: of what came before.
inline std::uint32_t crc32(const void* data, std::size_t size, std::uint32_t crc = 0) {
  using Tables = std::array<std::array<std::uint32_t, 256>, 8>;
  static const Tables tables = [] {
    Tables made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1) != 0 ? 0xEDB88320u : 0u);
      made[0][i] = c;
    }
    for (std::size_t t = 1; t < 8; ++t) {
      for (std::size_t i = 0; i < 256; ++i) made[t][i] = (made[t - 1][i] >> 8) ^ made[0][made[t - 1][i] & 0xFF];
    }
    return made;
  }();
  const auto* at = static_cast<const unsigned char*>(data);
  crc = ~crc;
  for (; size >= 8; size -= 8, at += 8) {
    std::uint32_t low = 0, high = 0;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + 4, 4);
    low ^= crc;
    crc = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^ tables[4][low >> 24] ^
          tables[3][high & 0xFF] ^ tables[2][high >> 8 & 0xFF] ^ tables[1][high >> 16 & 0xFF] ^ tables[0][high >> 24];
  }
  for (; size > 0; --size, ++at) crc = (crc >> 8) ^ tables[0][(crc ^ *at) & 0xFF];
  return ~crc;
}

struct ChunkHeader {
  std::uint32_t marker = kChunkMarker;
  std::uint32_t checksum = 0;  // CRC-32 of the rest of this header and of the stored bytes
  ChunkType type{};
  Codec codec{};
  std::uint8_t unused = 0;
  std::uint32_t count = 0;  // records
  std::uint64_t first = 0;  // the number of the first, where records are numbered
  std::uint64_t stored_bytes = 0;
  std::uint64_t unpacked_bytes = 0;
};
static_assert(sizeof(ChunkHeader) == kChunkHeaderBytes && std::is_trivially_copyable_v<ChunkHeader>);

inline constexpr std::size_t width_bytes(ColumnType type) {
  switch (type) {
    case ColumnType::kU8:
    case ColumnType::kI8:
      return 1;
    case ColumnType::kU16:
    case ColumnType::kI16:
      return 2;
    case ColumnType::kU32:
    case ColumnType::kI32:
    case ColumnType::kF32:
      return 4;
    default:
      return 8;
  }
}

inline std::string file_header(std::uint32_t flags = 0) {
  std::string header(kMagic, sizeof kMagic);
  header.resize(kFileHeaderBytes, '\0');
  std::memcpy(header.data() + sizeof kMagic, &kVersion, sizeof kVersion);
  std::memcpy(header.data() + sizeof kMagic + sizeof kVersion, &flags, sizeof flags);
  return header;
}

// Packs chunks' columns. One for many chunks: keeps zstd's memory.
class Packer {
 public:
  explicit Packer(int level = 3) : level_(level) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

  // The whole chunk: header, packed columns, padding. The checksum and the sizes are filled in.
  std::string pack(ChunkHeader header, std::string_view columns) {
    header.codec = Codec::kZstd;
    header.unpacked_bytes = columns.size();
    std::string chunk(kChunkHeaderBytes + ::ZSTD_compressBound(columns.size()), '\0');
    std::size_t size = ::ZSTD_compressCCtx(context_.get(), chunk.data() + kChunkHeaderBytes,
                                           chunk.size() - kChunkHeaderBytes, columns.data(), columns.size(), level_);
    if (::ZSTD_isError(size) != 0 || size >= columns.size()) {
      header.codec = Codec::kStored;
      size = columns.size();
      std::memcpy(chunk.data() + kChunkHeaderBytes, columns.data(), size);
    }
    header.stored_bytes = size;
    std::memcpy(chunk.data(), &header, sizeof header);
    header.checksum = crc32(chunk.data() + 8, kChunkHeaderBytes - 8 + size);
    std::memcpy(chunk.data(), &header, sizeof header);
    chunk.resize((kChunkHeaderBytes + size + 7) / 8 * 8, '\0');
    std::memset(chunk.data() + kChunkHeaderBytes + size, 0, chunk.size() - kChunkHeaderBytes - size);
    return chunk;
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ::ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> context_{::ZSTD_createCCtx()};
  int level_;
};

// Makes one chunk, column by column. A column of zeros is left out: that is what a reader takes a missing one for.
class ChunkBuilder {
 public:
  ChunkBuilder(ChunkType type, std::size_t count, std::uint64_t first = 0) {
    header_.type = type;
    header_.count = static_cast<std::uint32_t>(count);
    header_.first = first;
  }

  // value(i): the i-th number, of any integer type; stored in the narrowest type that holds them all. 64-bit numbers
  // beyond int64 keep their bits.
  template <typename Value>
  void integers(std::uint16_t number, std::size_t count, Value&& value, Coding coding = Coding::kPlain) {
    const auto stored = [&](std::size_t i) {
      const auto now = static_cast<std::uint64_t>(value(i));
      if (coding == Coding::kPlain || i == 0) return static_cast<std::int64_t>(now);
      return static_cast<std::int64_t>(now - static_cast<std::uint64_t>(value(i - 1)));
    };
    std::int64_t least = 0, most = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t v = stored(i);
      if (v < least) least = v;
      if (v > most) most = v;
    }
    // The first column stays in any case: it says how many records there are.
    if (least == 0 && most == 0 && !columns_.empty()) return;
    const auto put_as = [&](auto type_of, ColumnType type) {
      using T = decltype(type_of);
      T* to = reinterpret_cast<T*>(begin_column(number, type, coding, count));
      for (std::size_t i = 0; i < count; ++i) {
        const T v = static_cast<T>(stored(i));
        std::memcpy(to + i, &v, sizeof v);
      }
    };
    if (least >= 0) {
      if (most <= 0xFF) return put_as(std::uint8_t{}, ColumnType::kU8);
      if (most <= 0xFFFF) return put_as(std::uint16_t{}, ColumnType::kU16);
      if (most <= 0xFFFFFFFF) return put_as(std::uint32_t{}, ColumnType::kU32);
      return put_as(std::uint64_t{}, ColumnType::kU64);
    }
    const auto fits = [&](auto type_of) {
      using T = decltype(type_of);
      return least >= std::numeric_limits<T>::min() && most <= std::numeric_limits<T>::max();
    };
    if (fits(std::int8_t{})) return put_as(std::int8_t{}, ColumnType::kI8);
    if (fits(std::int16_t{})) return put_as(std::int16_t{}, ColumnType::kI16);
    if (fits(std::int32_t{})) return put_as(std::int32_t{}, ColumnType::kI32);
    put_as(std::int64_t{}, ColumnType::kI64);
  }

  // value(i): float or double, stored as it is.
  template <typename Value>
  void reals(std::uint16_t number, std::size_t count, Value&& value) {
    using T = std::decay_t<decltype(value(std::size_t{}))>;
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
    const ColumnType type = sizeof(T) == 4 ? ColumnType::kF32 : ColumnType::kF64;
    char* to = begin_column(number, type, Coding::kPlain, count);
    for (std::size_t i = 0; i < count; ++i) {
      const T v = value(i);
      std::memcpy(to + i * sizeof v, &v, sizeof v);
    }
  }

  void bytes(std::uint16_t number, std::string_view data) {
    std::memcpy(begin_column(number, ColumnType::kU8, Coding::kPlain, data.size()), data.data(), data.size());
  }

  std::string finish(Packer& packer) const { return packer.pack(header_, columns_); }

 private:
  // Room for the column's numbers, and zeros up to the next multiple of eight.
  char* begin_column(std::uint16_t number, ColumnType type, Coding coding, std::size_t count) {
    const auto count32 = static_cast<std::uint32_t>(count);
    const std::size_t at = columns_.size();
    columns_.resize(at + kColumnHeaderBytes + (count * width_bytes(type) + 7) / 8 * 8, '\0');
    std::memcpy(columns_.data() + at, &number, sizeof number);
    columns_[at + 2] = static_cast<char>(type);
    columns_[at + 3] = static_cast<char>(coding);
    std::memcpy(columns_.data() + at + 4, &count32, sizeof count32);
    return columns_.data() + at + kColumnHeaderBytes;
  }

  ChunkHeader header_;
  std::string columns_;
};

// The last chunk after a header whose flags are kEnds: how many there are before it.
inline ChunkBuilder end_chunk(std::uint64_t chunks) {
  ChunkBuilder end(ChunkType::kEnd, 1);
  end.integers(column::End::kChunks, 1, [&](std::size_t) { return chunks; });
  return end;
}

}  // namespace vizd::capture
