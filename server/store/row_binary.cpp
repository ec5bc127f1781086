#include "store/row_binary.h"

#include <zstd.h>

#include "base/assert.h"

namespace vizd::store {

std::string framed(std::string_view bytes) {
  constexpr std::size_t kChecksumBytes = 16, kHeadBytes = 9;
  constexpr char kZstd = '\x90';
  constexpr int kLevel = 1;
  std::string frame(kChecksumBytes + kHeadBytes + ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t packed =
      ZSTD_compress(frame.data() + kChecksumBytes + kHeadBytes, frame.size() - kChecksumBytes - kHeadBytes,
                    bytes.data(), bytes.size(), kLevel);
  VIZD_ASSERT(ZSTD_isError(packed) == 0);
  frame.resize(kChecksumBytes + kHeadBytes + packed);
  // The checksum stays zero: the server is told not to look at it.
  std::string head;
  RowBinaryWriter writer(head);
  writer.unsigned8(static_cast<std::uint8_t>(kZstd));
  writer.unsigned32(static_cast<std::uint32_t>(kHeadBytes + packed));
  writer.unsigned32(static_cast<std::uint32_t>(bytes.size()));
  frame.replace(kChecksumBytes, kHeadBytes, head);
  return frame;
}

}  // namespace vizd::store
