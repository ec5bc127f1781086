#include "formats/hlo/module_reader.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "formats/hlo/dot_flops.h"
#include "formats/hlo/message.h"
#include "formats/hlo/shape.h"
#include "formats/hlo/stack_frames.h"

namespace vizd::hlo {
namespace {

constexpr std::size_t kMostParts = 1'000'000;                    // instructions, and computations
constexpr std::size_t kMostModule_bytes = std::size_t{1} << 31;  // places of all its parts fit 32 bits then

struct TooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Places by id. The last of equal ones counts.
class PlacesById {
 public:
  template <typename Items>
  explicit PlacesById(const Items& items) {
    for (std::uint32_t i = 0; i < items.size(); ++i) places_.emplace_back(items[i].id, i);
    if (!std::ranges::is_sorted(places_)) std::ranges::sort(places_);
  }
  std::uint32_t find(std::int64_t id) const {
    const auto after = std::ranges::upper_bound(places_, id, {}, &std::pair<std::int64_t, std::uint32_t>::first);
    return after != places_.begin() && std::prev(after)->first == id ? std::prev(after)->second : kNoId;
  }

 private:
  std::vector<std::pair<std::int64_t, std::uint32_t>> places_;
};

class ModuleReader {
 public:
  Module read(std::string_view bytes) {
    constexpr std::uint64_t kModule = 1;
    if (bytes.size() > kMostModule_bytes) throw TooLarge("it has more than 2 GiB");
    std::string_view module;
    for (Message message(bytes); message.next();) message.take(kModule, module);
    module_.size_bytes = bytes.size();
    read_top(module);
    resolve();
    return std::move(module_);
  }

 private:
  // Facts about an instruction that need the whole module.
  struct Pending {
    std::string_view shape, dot;
    std::int64_t frame = 0;
  };

  void read_top(std::string_view bytes) {
    constexpr std::uint64_t kName = 1, kEntryName = 2, kComputations = 3, kId = 5, kEntryId = 6, kStackFrames = 17;
    std::string_view stack_frames;
    for (Message message(bytes); message.next();) {
      message.take(kName, module_.name);
      message.take(kEntryName, module_.entry);
      if (message.is_message(kComputations)) read_computation(message.bytes());
      message.take(kId, module_.id);
      message.take(kEntryId, entry_id_);
      message.take(kStackFrames, stack_frames);
    }
    frames_ = StackFrames(stack_frames);
    module_.stack_frames = frames_.size();
  }

  void read_computation(std::string_view bytes) {
    constexpr std::uint64_t kName = 1, kInstructions = 2, kId = 5, kRootId = 6;
    if (module_.computations.size() == kMostParts) throw TooLarge("it has more than a million computations");
    Computation computation;
    computation.instructions.first = static_cast<std::uint32_t>(module_.instructions.size());
    for (Message message(bytes); message.next();) {
      message.take(kName, computation.name);
      if (message.is_message(kInstructions)) read_instruction(message.bytes());
      message.take(kId, computation.id);
      message.take(kRootId, computation.root_id);
    }
    computation.instructions.count =
        static_cast<std::uint32_t>(module_.instructions.size()) - computation.instructions.first;
    module_.computations.push_back(computation);
  }

  void read_instruction(std::string_view bytes) {
    constexpr std::uint64_t kName = 1, kOpcode = 2, kShape = 3, kMetadata = 7, kFusionKind = 11, kDot = 30, kId = 35,
                            kOperands = 36, kControls = 37, kCalls = 38;
    if (module_.instructions.size() == kMostParts) throw TooLarge("it has more than a million instructions");
    Instruction& instruction = module_.instructions.emplace_back();
    Pending& pending = pending_.emplace_back();
    std::string_view metadata;
    const auto begin = [](const std::vector<std::int64_t>& ids) { return static_cast<std::uint32_t>(ids.size()); };
    instruction.operands.first = begin(operand_ids_);
    instruction.controls.first = begin(control_ids_);
    instruction.calls.first = begin(call_ids_);
    for (Message message(bytes); message.next();) {
      message.take(kName, instruction.name);
      message.take(kOpcode, instruction.opcode);
      message.take(kShape, pending.shape);
      message.take(kMetadata, metadata);
      message.take(kFusionKind, instruction.fusion_kind);
      message.take(kDot, pending.dot);
      message.take(kId, instruction.id);
      message.take(kOperands, operand_ids_);
      message.take(kControls, control_ids_);
      message.take(kCalls, call_ids_);
    }
    const auto end = [](Slice& slice, const std::vector<std::int64_t>& ids) {
      slice.count = static_cast<std::uint32_t>(ids.size()) - slice.first;
    };
    end(instruction.operands, operand_ids_);
    end(instruction.controls, control_ids_);
    end(instruction.calls, call_ids_);
    if (pending.shape.data() != nullptr) instruction.shape = shape_text(pending.shape);
    read_metadata(metadata, instruction, pending);
  }

  static void read_metadata(std::string_view bytes, Instruction& instruction, Pending& pending) {
    constexpr std::uint64_t kOpName = 2, kSourceFile = 3, kSourceLine = 4, kStackFrame = 15;
    for (Message message(bytes); message.next();) {
      message.take(kOpName, instruction.op_name);
      message.take(kSourceFile, instruction.source_file);
      message.take(kSourceLine, instruction.source_line);
      message.take(kStackFrame, pending.frame);
    }
    instruction.has_source = !instruction.source_file.empty();
  }

  // Ids become places, numbers of frames lines, and dots their arithmetic.
  void resolve() {
    const PlacesById instructions(module_.instructions), computations(module_.computations);
    const auto places_of = [](const std::vector<std::int64_t>& ids, const PlacesById& by_id) {
      std::vector<std::uint32_t> places;
      places.reserve(ids.size());
      for (const std::int64_t id : ids) places.push_back(by_id.find(id));
      return places;
    };
    module_.operands = places_of(operand_ids_, instructions);
    module_.controls = places_of(control_ids_, instructions);
    module_.calls = places_of(call_ids_, computations);
    const auto entry = std::ranges::find(module_.computations, entry_id_, &Computation::id);
    if (entry != module_.computations.end()) module_.entry = entry->name;
    for (std::size_t i = 0; i < module_.instructions.size(); ++i) {
      Instruction& instruction = module_.instructions[i];
      if (!instruction.has_source) frames_.find_source(pending_[i].frame, instruction);
      find_dot_flop(instruction, pending_[i]);
    }
    sum_fused_dots(module_);
  }

  void find_dot_flop(Instruction& instruction, const Pending& pending) {
    if (instruction.opcode != "dot" || pending.dot.data() == nullptr || instruction.operands.count == 0) return;
    const std::uint32_t left = module_.operands[instruction.operands.first];
    if (left == kNoId) return;
    const auto [sizes, is_new] = sizes_of_left_.try_emplace(left);
    if (is_new) sizes->second = shape_dimensions(pending_[left].shape);
    instruction.dot_flop = dot_flop(pending.dot, sizes->second, shape_dimensions(pending.shape));
  }

  Module module_;
  std::int64_t entry_id_ = 0;
  StackFrames frames_;
  std::vector<Pending> pending_;  // of each instruction
  std::vector<std::int64_t> operand_ids_, control_ids_, call_ids_;
  // By place: a shape is read once, however many dots have it on their left.
  std::unordered_map<std::uint32_t, std::vector<std::int64_t>> sizes_of_left_;
};

}  // namespace

Result<Module> read_module(std::string_view bytes) {
  try {
    return ModuleReader().read(bytes);
  } catch (const DamagedMessage& exception) {
    return Error{ErrorKind::kBadInput, std::string("the module is damaged: ") + exception.what(), ""};
  } catch (const TooLarge& exception) {
    return Error{ErrorKind::kTooLarge, std::string("the module is too large: ") + exception.what(), ""};
  }
}

}  // namespace vizd::hlo
