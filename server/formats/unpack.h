// Unpacks gzip and zstd, known by their first bytes. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/growing_bytes.h"
#include "base/result.h"

namespace vizd {

enum class Packing { kNone, kGzip, kZstd };

Packing packing_of(std::span<const std::byte> bytes);

// Unpacking: packed bytes unpacked part by part, by one thread.
class Unpacking {
 public:
  enum class Round { kMore, kEndOfPart, kDamaged };

  virtual ~Unpacking() = default;
  // Reads from in and writes to out, moving both on. The end of a part may be that of the whole: another may follow.
  virtual Round unpack(std::span<const std::byte>& in, std::span<std::byte>& out) = 0;

  // Makes the unpacker for one kind of compression.
  static std::unique_ptr<Unpacking> make(Packing packing);
};

struct UnpackLimits {
  std::size_t max_bytes = std::size_t{4} << 30;
  // A few bytes can unpack to gigabytes. Traces shrink ten to fifty times; more than this is refused once it matters.
  std::size_t max_ratio = 400;
  std::size_t ratio_free_bytes = std::size_t{64} << 20;
};

// All members or frames of packed bytes, one after another; also those that zlib packs without gzip's head. Errors,
// with name as their place: damaged or cut-off data; more than the limits allow, which is found before the memory is
// taken. Takes no more memory at any time than what was unpacked by then.
Result<GrowingBytes> unpack(std::span<const std::byte> packed, const std::string& name,
                            const UnpackLimits& limits = {});

// The first of the packed bytes, unpacked, up to so many; as far as it goes where they are damaged.
GrowingBytes unpack_beginning(std::span<const std::byte> packed, std::size_t max_bytes);

}  // namespace vizd
