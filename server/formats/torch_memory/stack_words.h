// StackWords: each stack of a snapshot in a few words: the user's own line, the operator that asked for memory, and
// the phase of training. Made once for all stacks; read-only from then on, by any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/torch_memory/formatted_stack.h"
#include "formats/torch_memory/snapshot.h"

namespace vizd::torch_memory {

enum class Phase : std::uint8_t { kNone, kForward, kBackward, kOptimizer, kOther };
// "" of kNone.
std::string_view phase_name(Phase phase);

class StackWords {
 public:
  struct Words {
    std::uint32_t user_frame = kNoId;  // a place in Snapshot::frames
    std::string_view operator_name;    // "": none is known
    Phase phase = Phase::kNone;
  };

  // The snapshot must outlive it.
  explicit StackWords(const Snapshot& snapshot);

  const Words& of(std::uint32_t stack) const { return words_[stack]; }
  // The innermost frame of the user's own code, as "FILE:LINE:FUNCTION", and its file; none where there is no such.
  std::optional<std::string> user_frame(std::uint32_t stack) const;
  std::optional<std::string> user_file(std::uint32_t stack) const;
  std::string frame_text(std::uint32_t frame) const;
  // Returns the frames of a place in Snapshot::forward_stacks, the outermost first, with the user's own line among
  // them.
  std::vector<FormattedFrame> forward_frames(std::uint32_t forward) const;
  std::optional<std::string> forward_frame(std::uint32_t forward) const;

 private:
  enum Trait : std::uint8_t {
    kPython = 1,
    kUser = 2,
    kOptimizerFile = 4,
    kEngine = 8,
    kBackwardName = 16,
    kForwardName = 32,
  };
  std::uint8_t traits_of(const Frame& frame) const;
  Words words_of(std::uint32_t stack) const;

  const Snapshot& snapshot_;
  std::vector<std::uint8_t> traits_;              // by frame
  std::vector<std::string_view> operator_names_;  // likewise; "" where it is no operator's
  std::vector<Words> words_;                      // by stack
  std::vector<std::string> forward_frames_;       // by forward stack; "" where it has no line of the user's
};

}  // namespace vizd::torch_memory
