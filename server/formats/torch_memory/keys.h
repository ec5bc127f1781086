// The keys of a snapshot's dicts, known by what they mean. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace vizd::torch_memory {

enum class Key : std::uint8_t {
  kOther,
  // Keys of an entry.
  kAction,
  kAddr,
  kSize,
  kStream,
  kTimeUs,
  kCompileContext,
  kUserMetadata,
  kPoolId,
  kFrames,
  kForwardFrames,
  kDeviceFree,
  kCategory,
  kNotKept,  // of a snapshot, and of no use here yet
  // Keys of a segment or block.
  kDevice,
  kAddress,
  kTotalSize,
  kAllocatedSize,
  kActiveSize,
  kRequestedSize,
  kSegmentType,
  kSegmentPoolId,
  kIsExpandable,
  kBlocks,
  kState,
  kHistory,
  kRealSize,
  // Keys of a frame or an annotation.
  kName,
  kFilename,
  kLine,
  kStage,
};

constexpr std::uint64_t bit(Key key) { return std::uint64_t{1} << static_cast<unsigned>(key); }

// kOther for a text that is none of them.
Key key_of(std::string_view text);

}  // namespace vizd::torch_memory
