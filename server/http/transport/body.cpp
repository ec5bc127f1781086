#include "http/transport/body.h"

namespace vizd {
namespace {

// Below this, headers outweigh what compression saves.
constexpr std::size_t kSmallestCompressedBytes = 512;

}  // namespace

const std::string& Body::copy(Encoding encoding, CompressionEffort effort) const {
  Copy& copy = copies_[static_cast<std::size_t>(encoding)];
  std::call_once(copy.once, [&] { copy.bytes = compress(encoding, bytes_, effort); });
  return copy.bytes;
}

Encoding Body::best(Encoding wanted) const {
  if (wanted == Encoding::kIdentity || bytes_.size() < kSmallestCompressedBytes) return Encoding::kIdentity;
  return copy(wanted, CompressionEffort::kQuick).size() < bytes_.size() ? wanted : Encoding::kIdentity;
}

std::string_view Body::encoded(Encoding encoding) const {
  return encoding == Encoding::kIdentity ? bytes() : copy(encoding, CompressionEffort::kQuick);
}

void Body::compress_hard() const {
  copy(Encoding::kZstd, CompressionEffort::kHard);
  copy(Encoding::kGzip, CompressionEffort::kHard);
}

}  // namespace vizd
