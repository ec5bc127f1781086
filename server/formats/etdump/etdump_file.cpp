#include "formats/etdump/etdump_file.h"

#include <fmt/core.h>

#include <cstring>
#include <utility>

#include "formats/etdump/flat_buffer.h"

namespace vizd::etdump {
namespace {

constexpr std::size_t kMostDimensions = 64;
constexpr std::size_t kMostBytesHeld = std::size_t{32} << 20;  // of a mapped file, about
constexpr std::string_view kDumpIdentifier = "ED00";

// The schema's slots, by table.
namespace slot {
namespace dump {
constexpr unsigned kVersion = 0, kRuns = 1;
}
namespace run {
constexpr unsigned kName = 0, kBundledInput = 1, kAllocators = 2, kEvents = 3;
}
namespace event {
constexpr unsigned kProfile = 0, kAllocation = 1, kDebug = 2;
}
namespace profile {
constexpr unsigned kName = 0, kChain = 1, kInstruction = 2, kDelegateNumber = 3, kDelegateText = 4, kMetadata = 5,
                   kStart = 6, kEnd = 7;
}
namespace allocation {
constexpr unsigned kAllocator = 0, kSize = 1;
}
namespace debug {
constexpr unsigned kChain = 0, kInstruction = 1, kValue = 2, kDelegateNumber = 3, kDelegateText = 4, kName = 5;
}
namespace value {
constexpr unsigned kKind = 0, kTensor = 1, kTensors = 2, kInteger = 3, kFloat = 4, kDouble = 5, kBoolean = 6,
                   kOutput = 7;
}
namespace tensor {
constexpr unsigned kType = 0, kSizes = 1, kOffset = 3;
}
}  // namespace slot

bool has_identifier(std::span<const std::byte> bytes, std::size_t at) {
  return bytes.size() >= at + kDumpIdentifier.size() && std::memcmp(bytes.data() + at, kDumpIdentifier.data(), 4) == 0;
}

// Where the flatbuffer begins: after the size that the runtime writes before it, or with the file. None: it is no
// ETDump.
std::optional<std::size_t> find_buffer(std::span<const std::byte> bytes) {
  if (has_identifier(bytes, kOffsetBytes + 4)) return kOffsetBytes;
  if (has_identifier(bytes, 4)) return 0;
  return std::nullopt;
}

ProfileEvent read_profile_event(const FlatTable& table) {
  ProfileEvent event;
  event.of.name = table.text(slot::profile::kName);
  event.of.chain = table.number<std::int32_t>(slot::profile::kChain, 0);
  event.of.instruction = table.number<std::int32_t>(slot::profile::kInstruction, -1);
  event.of.is_none_written = event.of.instruction == -1 && table.has(slot::profile::kInstruction);
  event.of.delegate_number = table.number<std::int32_t>(slot::profile::kDelegateNumber, -1);
  event.of.delegate_text = table.text(slot::profile::kDelegateText);
  event.metadata = table.bytes(slot::profile::kMetadata);
  event.start = table.number<std::uint64_t>(slot::profile::kStart, 0);
  event.end = table.number<std::uint64_t>(slot::profile::kEnd, 0);
  return event;
}

LoggedTensor read_tensor(const FlatTable& table) {
  LoggedTensor tensor;
  tensor.scalar_type = table.number<std::int8_t>(slot::tensor::kType, 0);
  const FlatVector sizes(table, slot::tensor::kSizes, sizeof(std::int64_t));
  // One of more dimensions has no elements that anybody could count, and is refused where its values are looked for.
  for (std::size_t i = 0; i < std::min(sizes.size(), kMostDimensions + 1); ++i)
    tensor.sizes.push_back(sizes.number<std::int64_t>(i));
  tensor.offset = table.number<std::int64_t>(slot::tensor::kOffset, 0);
  return tensor;
}

LoggedValue read_value(const FlatTable& table) {
  using Kind = LoggedValue::Kind;
  LoggedValue value;
  const auto kind = table.number<std::int8_t>(slot::value::kKind, 0);
  // As the schema numbers them.
  constexpr Kind kKinds[] = {Kind::kNone,   Kind::kInteger, Kind::kBoolean,    Kind::kFloat,
                             Kind::kDouble, Kind::kTensor,  Kind::kTensorList, Kind::kText};
  if (kind >= 0 && static_cast<std::size_t>(kind) < std::size(kKinds)) value.kind = kKinds[kind];
  value.is_output = table.table(slot::value::kOutput).number<std::uint8_t>(0, 0) != 0;
  if (value.kind == Kind::kTensor) value.tensors.push_back(read_tensor(table.table(slot::value::kTensor)));
  if (value.kind == Kind::kTensorList) {
    const FlatVector tensors(table.table(slot::value::kTensors), 0, kOffsetBytes);
    for (std::size_t i = 0; i < tensors.size(); ++i) value.tensors.push_back(read_tensor(tensors.table(i)));
  }
  if (value.kind == Kind::kInteger) value.integer = table.table(slot::value::kInteger).number<std::int64_t>(0, 0);
  if (value.kind == Kind::kBoolean) value.boolean = table.table(slot::value::kBoolean).number<std::uint8_t>(0, 0) != 0;
  if (value.kind == Kind::kFloat)
    value.real = static_cast<double>(table.table(slot::value::kFloat).number<float>(0, 0));
  if (value.kind == Kind::kDouble) value.real = table.table(slot::value::kDouble).number<double>(0, 0);
  return value;
}

DebugEvent read_debug_event(const FlatTable& table) {
  DebugEvent event;
  event.of.name = table.text(slot::debug::kName);
  event.of.chain = static_cast<std::int64_t>(table.number<std::uint64_t>(slot::debug::kChain, 0));
  event.of.has_wide_chain = event.of.chain < 0;
  event.of.instruction = table.number<std::int32_t>(slot::debug::kInstruction, -1);
  event.of.is_none_written = event.of.instruction == -1 && table.has(slot::debug::kInstruction);
  event.of.delegate_number = table.number<std::int32_t>(slot::debug::kDelegateNumber, -1);
  event.of.delegate_text = table.text(slot::debug::kDelegateText);
  event.value = read_value(table.table(slot::debug::kValue));
  return event;
}

class RunReader {
 public:
  RunReader(FlatBuffer& buffer, std::map<std::string, std::uint64_t>& skipped) : buffer_(buffer), skipped_(skipped) {}

  // None where the table is broken.
  std::optional<Run> read(const FlatTable& table) {
    const std::uint64_t damages = buffer_.damages();
    Run run;
    run.name = table.text(slot::run::kName).value_or("");
    run.bundled_input = table.number<std::int32_t>(slot::run::kBundledInput, -1);
    const FlatVector allocators(table, slot::run::kAllocators, kOffsetBytes);
    for (std::size_t i = 0; i < allocators.size(); ++i)
      run.allocators.push_back(allocators.table(i).text(0).value_or(""));
    const FlatVector events(table, slot::run::kEvents, kOffsetBytes);
    if (!table.exists() || buffer_.damages() != damages) return std::nullopt;
    run.has_events = events.is_present();
    for (std::size_t i = 0; i < events.size() && !buffer_.is_spent(); ++i) add_event(events.table(i), run);
    return run;
  }

 private:
  void add_event(const FlatTable& table, Run& run) {
    const std::uint64_t damages = buffer_.damages();
    const FlatTable profile = table.table(slot::event::kProfile), debug = table.table(slot::event::kDebug),
                    allocation = table.table(slot::event::kAllocation);
    const auto store = [&](Run::Kind kind, auto& list, auto event) {
      if (buffer_.damages() != damages) return;
      run.stored.push_back({kind, static_cast<std::uint32_t>(list.size())});
      list.push_back(std::move(event));
    };
    if (profile.exists()) {
      store(Run::Kind::kProfile, run.profile_events, read_profile_event(profile));
    } else if (debug.exists()) {
      store(Run::Kind::kDebug, run.debug_events, read_debug_event(debug));
    } else if (allocation.exists()) {
      store(Run::Kind::kAllocation, run.allocation_events,
            AllocationEvent{allocation.number<std::int32_t>(slot::allocation::kAllocator, 0),
                            allocation.number<std::uint64_t>(slot::allocation::kSize, 0)});
    } else if (buffer_.damages() == damages) {
      ++skipped_["events of a kind that vizd does not know"];
    }
    if (buffer_.damages() != damages) ++skipped_["events that lie outside of the file"];
  }

  FlatBuffer& buffer_;
  std::map<std::string, std::uint64_t>& skipped_;
};

}  // namespace

std::string EventIdentity::shown_name() const {
  if (!name.value_or("").empty()) return std::string(*name);
  if (!delegate_text.value_or("").empty()) return std::string(*delegate_text);
  return std::to_string(delegate_number);
}

bool looks_like_etdump(std::span<const std::byte> beginning) { return find_buffer(beginning).has_value(); }

Result<EtdumpFile> EtdumpFile::open(std::span<const std::byte> bytes, const std::string& name,
                                    std::shared_ptr<const SparseFile> mapped) {
  const auto at = find_buffer(bytes);
  if (!at) return Error{ErrorKind::kBadInput, "is not an ETDump: it lacks the identifier ED00", name};
  bool has_second = false;
  if (*at != 0) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    // Copies of a memory region have more bytes after the buffer.
    if (size > bytes.size() - *at)
      return Error{ErrorKind::kBadInput,
                   fmt::format("is cut off: {} bytes are missing; copy it again", size - (bytes.size() - *at)),
                   fmt::format("{}:{}", name, bytes.size())};
    has_second = find_buffer(bytes.subspan(*at + size)).has_value();
    bytes = bytes.first(*at + size);
  }
  EtdumpFile file(bytes.subspan(*at), *at, name, std::move(mapped));
  file.has_second_ = has_second;
  FlatBuffer buffer(file.buffer_);
  const FlatTable root = buffer.root();
  file.version_ = root.number<std::uint32_t>(slot::dump::kVersion, 0);
  const FlatVector runs(root, slot::dump::kRuns, kOffsetBytes);
  if (buffer.damages() != 0)
    return Error{ErrorKind::kBadInput, "is damaged: its list of runs is outside of the file; was writing interrupted?",
                 fmt::format("{}:{}", name, *at)};
  return file;
}

Result<void> EtdumpFile::for_each_run(const std::function<Result<void>(const Run& run)>& visit) const {
  skipped_.clear();
  if (has_second_) ++skipped_["ETDumps behind the first one of the file"];
  FlatBuffer buffer(buffer_);
  const FlatVector runs(buffer.root(), slot::dump::kRuns, kOffsetBytes);
  RunReader reader(buffer, skipped_);
  // The texts that name a run's events are read again and again, and are back at once.
  const std::size_t runs_at_once = runs.size() / (buffer_.size() / kMostBytesHeld + 1) + 1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (mapped_ != nullptr && i % runs_at_once == 0) mapped_->let_go();
    const auto run = reader.read(runs.table(i));
    if (buffer.is_spent())
      return Error{ErrorKind::kBadInput,
                   "is damaged: its runs would hold more than a file of its size can; was writing interrupted?",
                   fmt::format("{}:{}", name_, buffer_at_)};
    if (!run) {
      ++skipped_["runs that lie outside of the file"];
    } else {
      VIZD_TRY(visit(*run));
    }
  }
  return {};
}

}  // namespace vizd::etdump
