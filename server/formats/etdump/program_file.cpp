// Reads an ExecuTorch program (.pte): a flatbuffer of schema ET12, with segments of constants and delegates' blobs
// behind it, which are only measured.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "formats/etdump/flat_buffer.h"
#include "formats/etdump/program_contents.h"

namespace vizd::etdump {
namespace {

// Slots of the schema's tables.
namespace program_slot {
enum Program : unsigned { kPlans = 1, kConstantBuffers = 2, kInlineBlobs = 3, kSegments = 4 };
enum Plan : unsigned {
  kName = 0,
  kValues = 2,
  kInputs = 3,
  kOutputs = 4,
  kChains = 5,
  kOperators = 6,
  kDelegates = 7,
  kBufferSizes = 8
};
enum Tensor : unsigned { kType = 0, kSizes = 2, kBuffer = 5, kAllocation = 6, kExtra = 9 };
}  // namespace program_slot

// A member of a union: which kind, and its table.
struct UnionMember {
  std::uint8_t kind = 0;
  FlatTable table;
};
UnionMember union_member(const FlatTable& table) { return {table.number<std::uint8_t>(0, 0), table.table(1)}; }

class PlanReader {
 public:
  PlanReader(const FlatTable& program, const FlatTable& plan, ProgramContents& out)
      : program_(program), plan_(plan), out_(out), method_(plan.text(program_slot::kName).value_or("")) {}

  void read() {
    PlanContents plan{.method = method_, .buffer_bytes = {}};
    plan.inputs = FlatVector(plan_, program_slot::kInputs, kOffsetBytes).size();
    plan.outputs = FlatVector(plan_, program_slot::kOutputs, kOffsetBytes).size();
    const FlatVector sizes(plan_, program_slot::kBufferSizes, sizeof(std::int64_t));
    for (std::size_t i = 0; i < sizes.size(); ++i) plan.buffer_bytes.push_back(sizes.number<std::int64_t>(i));
    read_constants();
    read_delegates();
    const FlatVector chains(plan_, program_slot::kChains, kOffsetBytes);
    for (std::size_t i = 0; i < chains.size(); ++i) {
      const FlatVector instructions(chains.table(i), 2, kOffsetBytes);
      plan.instructions += instructions.size();
      for (std::size_t j = 0; j < instructions.size(); ++j) read_instruction(union_member(instructions.table(j)));
    }
    for (auto& [name, op] : operators_) out_.operators.push_back(std::move(op));
    out_.plans.push_back(std::move(plan));
  }

 private:
  static constexpr std::uint8_t kTensorKind = 5, kKernelCall = 1, kDelegateCall = 2;

  // A constant has a buffer, and no place in planned memory.
  void read_constants() {
    const FlatVector values(plan_, program_slot::kValues, kOffsetBytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const UnionMember value = union_member(values.table(i));
      const bool is_external =
          value.kind == kTensorKind && value.table.table(program_slot::kExtra).number<std::int8_t>(2, 0) == 1;
      if (value.kind != kTensorKind || value.table.has(program_slot::kAllocation) ||
          (value.table.number<std::uint32_t>(program_slot::kBuffer, 0) == 0 && !is_external))
        continue;
      ConstantContents constant{.method = method_, .name = "", .type = "", .shape = {}, .bytes = {}};
      constant.name = value.table.table(program_slot::kExtra).text(1).value_or(fmt::format("value {}", i));
      const auto type = static_cast<ScalarType>(value.table.number<std::int8_t>(program_slot::kType, 0));
      constant.type = std::string(dtype_name(type));
      std::vector<std::int64_t> shape;
      const FlatVector sizes(value.table, program_slot::kSizes, sizeof(std::int32_t));
      for (std::size_t d = 0; d < sizes.size(); ++d) {
        shape.push_back(sizes.number<std::int32_t>(d));
        constant.shape.push_back(std::to_string(shape.back()));
      }
      const auto count = element_count_of(shape);
      if (count && !constant.type.empty()) constant.bytes = dense_bytes(type, *count);
      constants_[static_cast<std::int32_t>(i)] = constant.bytes.value_or(0);
      out_.constants.push_back(std::move(constant));
    }
  }

  void read_delegates() {
    const FlatVector delegates(plan_, program_slot::kDelegates, kOffsetBytes);
    first_delegate_ = out_.delegates.size();
    for (std::size_t i = 0; i < delegates.size(); ++i) {
      const FlatTable delegate = delegates.table(i);
      out_.delegates.push_back({.method = method_,
                                .backend = std::string(delegate.text(0).value_or("")),
                                .blob_bytes = blob_bytes(delegate.table(1))});
    }
  }

  std::optional<std::uint64_t> blob_bytes(const FlatTable& reference) const {
    constexpr std::int8_t kSegment = 1;
    const bool is_segment = reference.number<std::int8_t>(0, 0) == kSegment;
    const auto index = reference.number<std::uint32_t>(1, 0);
    const FlatVector blobs(program_, is_segment ? program_slot::kSegments : program_slot::kInlineBlobs, kOffsetBytes);
    if (index >= blobs.size()) return std::nullopt;
    const FlatTable blob = blobs.table(index);
    return is_segment ? blob.number<std::uint64_t>(1, 0) : std::uint64_t{blob.bytes(0).size()};
  }

  void read_instruction(const UnionMember& instruction) {
    const auto index = instruction.table.number<std::int32_t>(0, 0);
    if (instruction.kind == kDelegateCall && index >= 0 &&
        first_delegate_ + static_cast<std::size_t>(index) < out_.delegates.size())
      ++out_.delegates[first_delegate_ + static_cast<std::size_t>(index)].calls;
    if (instruction.kind != kKernelCall) return;
    const FlatVector operators(plan_, program_slot::kOperators, kOffsetBytes);
    if (index < 0 || static_cast<std::size_t>(index) >= operators.size()) return;
    const FlatTable named = operators.table(static_cast<std::size_t>(index));
    const std::string overload(named.text(1).value_or(""));
    const std::string name = std::string(named.text(0).value_or("")) + (overload.empty() ? "" : "." + overload);
    OperatorContents& op = operators_[name];
    op.method = method_;
    op.op = name;
    ++op.calls;
    const FlatVector arguments(instruction.table, 1, kOffsetBytes);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto found = constants_.find(arguments.number<std::int32_t>(i));
      if (found == constants_.end()) continue;
      op.constant_bytes += found->second;
      constants_.erase(found);  // counted once
    }
  }

  const FlatTable& program_;
  const FlatTable& plan_;
  ProgramContents& out_;
  const std::string method_;
  std::map<std::int32_t, std::uint64_t> constants_;  // bytes, by the value's place
  std::map<std::string, OperatorContents> operators_;
  std::size_t first_delegate_ = 0;
};

}  // namespace

bool looks_like_program(std::span<const std::byte> beginning) {
  return beginning.size() >= 8 && std::memcmp(beginning.data() + 4, "ET12", 4) == 0;
}

Result<ProgramContents> read_program(std::span<const std::byte> bytes, const std::string& name) {
  if (!looks_like_program(bytes))
    return Error{ErrorKind::kBadInput, "is not an ExecuTorch program; give the .pte that the export wrote", name};
  FlatBuffer buffer(bytes);
  const FlatTable program = buffer.root();
  const FlatVector plans(program, program_slot::kPlans, kOffsetBytes);
  ProgramContents contents;
  for (std::size_t i = 0; i < plans.size() && !buffer.is_spent(); ++i) {
    const FlatTable plan = plans.table(i);
    PlanReader(program, plan, contents).read();
  }
  if (contents.plans.empty())
    return Error{ErrorKind::kBadInput, "has no execution plan for a method; is the file complete?", name};
  std::ranges::stable_sort(contents.constants, std::greater(), &ConstantContents::bytes);
  std::ranges::stable_sort(contents.operators, std::greater(), &OperatorContents::constant_bytes);
  std::ranges::stable_sort(contents.delegates, std::greater(), &DelegateContents::blob_bytes);
  return contents;
}

}  // namespace vizd::etdump
