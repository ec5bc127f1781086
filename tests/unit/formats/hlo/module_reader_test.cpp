// What becomes of an HloProto: its instructions and how they hang together, shapes, source lines, the arithmetic of
// dots; and that damaged ones are refused, whatever is wrong with them.
#include "formats/hlo/module_reader.h"

#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "support/catch.h"
#include "support/made_hlo.h"
#include "support/places.h"

namespace vizd::module_reader_test {
namespace {

using Strings = std::vector<std::string>;

struct ReadModule {
  explicit ReadModule(std::string of) : bytes(std::move(of)) {
    auto read = hlo::read_module(bytes);
    if (!read) FAIL(read.error().text());
    module = *std::move(read);
  }
  ReadModule(const ReadModule&) = delete;
  ReadModule& operator=(const ReadModule&) = delete;

  const hlo::Instruction& at(std::string_view name) const {
    for (const hlo::Instruction& instruction : module.instructions) {
      if (instruction.name == name) return instruction;
    }
    FAIL("no instruction " << name);
    throw 0;
  }
  Strings names(std::span<const std::uint32_t> places) const {
    Strings texts;
    for (const std::uint32_t place : places)
      texts.emplace_back(place == kNoId ? "?" : std::string(module.instructions[place].name));
    return texts;
  }
  Strings called(std::string_view name) const {
    Strings texts;
    for (const std::uint32_t place : module.calls_of(at(name)))
      texts.emplace_back(place == kNoId ? "?" : std::string(module.computations[place].name));
    return texts;
  }

  std::string bytes;
  hlo::Module module;
};

// The bytes of the modules of a profile, found by the numbers of the fields on the way to them.
void add_modules(std::string_view bytes, std::span<const std::uint32_t> path, Strings& modules) {
  protozero::pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    if (reader.tag() != path.front() || reader.wire_type() != protozero::pbf_wire_type::length_delimited) {
      reader.skip();
      continue;
    }
    const protozero::data_view view = reader.get_view();
    if (path.size() == 1) {
      modules.emplace_back(view.data(), view.size());
    } else {
      add_modules({view.data(), view.size()}, path.subspan(1), modules);
    }
  }
}

Strings sample_modules(const std::string& name) {
  std::ifstream file(shared_data("samples/xplane/" + name), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Strings modules;
  // Planes, their metadata of events, its value, its stats, the bytes of one.
  constexpr std::uint32_t kPath[] = {1, 4, 2, 5, 6};
  if (!bytes.empty()) add_modules(bytes, kPath, modules);
  return modules;
}

std::string tuple_of_depth(std::size_t depth) {
  // Each is around the one before; the lengths of all are known only from the innermost on.
  std::string bytes = MadeShape{.dimensions = {1}}.bytes();
  for (std::size_t i = 0; i < depth; ++i) {
    std::string outer;
    protozero::pbf_writer writer(outer);
    writer.add_uint64(2, 13);
    writer.add_message(4, bytes);
    bytes = std::move(outer);
  }
  return bytes;
}

// A module of one instruction with that shape.
std::string module_with_shape(const std::string& shape) {
  std::string instruction, computation, module, out;
  protozero::pbf_writer(instruction).add_message(3, shape);
  protozero::pbf_writer(computation).add_message(2, instruction);
  protozero::pbf_writer(module).add_message(3, computation);
  protozero::pbf_writer(out).add_message(1, module);
  return out;
}

TEST_CASE("hlo: computations, instructions and how they hang together", "[hlo]") {
  const ReadModule read(made_train_step().bytes());
  const hlo::Module& module = read.module;
  CHECK(module.name == "jit_step");
  CHECK(module.id == 7);
  CHECK(module.entry == "main");
  CHECK(module.computations.size() == 4);
  CHECK(module.instructions.size() == 9);
  CHECK(module.size_bytes == read.bytes.size());
  const hlo::Computation* const entry = module.find_entry();
  REQUIRE(entry != nullptr);
  CHECK(module.instructions_of(*entry).size() == 4);
  CHECK(entry->is_root(read.at("tuple.1")));
  CHECK_FALSE(entry->is_root(read.at("add.1")));
  CHECK(read.names(module.operands_of(read.at("while.1"))) == Strings{"fusion.1", "?"});
  CHECK(read.names(module.operands_of(read.at("add.1"))) == Strings{"fusion.1", "while.1"});
  CHECK(read.at("add.1").controls.count == 2);
  CHECK(read.called("fusion.1") == Strings{"outer", "inner"});
  CHECK(read.called("while.1") == Strings{"body", "?"});
  CHECK(module.fused_instructions(read.at("fusion.1")) == 4);
  CHECK(read.at("fusion.1").fusion_kind == "kOutput");
  CHECK(read.at("fusion.1").op_name == "jit(step)/dot_general");
}

TEST_CASE("hlo: an entry without a computation has its own name", "[hlo]") {
  MadeModule made = made_train_step();
  made.entry_id = 5;
  const ReadModule read(made.bytes());
  CHECK(read.module.entry == "named entry");
  CHECK(read.module.find_entry() == nullptr);
}

TEST_CASE("hlo: shapes are written as XLA prints them", "[hlo]") {
  const ReadModule read(made_train_step().bytes());
  CHECK(read.at("dot.1").shape == "f32[4,16]");
  CHECK(read.at("while.1").shape == "(f32[<=3], u32[])");
  CHECK(ReadModule(module_with_shape(MadeShape{.element_type = 17, .dimensions = {2}}.bytes())).at("").shape ==
        "token[]");
  CHECK(ReadModule(module_with_shape(MadeShape{.element_type = 99, .dimensions = {-1, 5}}.bytes())).at("").shape ==
        "99[-1,5]");
}

TEST_CASE("hlo: tuples nest as deep as the bytes have it", "[hlo][broken]") {
  constexpr std::size_t kDepth = 10'000;
  const ReadModule read(module_with_shape(tuple_of_depth(kDepth)));
  CHECK(read.at("").shape == std::string(kDepth, '(') + "f32[1]" + std::string(kDepth, ')'));
}

TEST_CASE("hlo: the source is the metadata's, or the innermost frame's", "[hlo]") {
  const ReadModule read(made_train_step().bytes());
  CHECK(read.at("fusion.1").source() == "train.py:11");
  CHECK(read.at("while.1").source() == "loop.py:70");  // its stack is a ring
  CHECK(read.at("add.1").source() == ":3");            // a file that the table does not have
  CHECK(read.at("tuple.1").source() == std::nullopt);  // a frame that it does not have
  CHECK(read.at("dot.1").source() == std::nullopt);
  CHECK(read.module.stack_frames == 3);
}

TEST_CASE("hlo: dots are summed through fusions", "[hlo]") {
  const ReadModule read(made_train_step().bytes());
  constexpr std::int64_t kDot = 2 * 4 * 16 * 8;
  CHECK(read.at("dot.1").dot_flop == kDot);
  CHECK(read.at("dot.1").flop == kDot);
  CHECK(read.at("fusion.2").dot_flop == std::nullopt);
  CHECK(read.at("fusion.2").flop == kDot);
  CHECK(read.at("fusion.1").flop == 2 * kDot);  // by way of outer, and inner itself
  CHECK(read.at("while.1").flop == std::nullopt);
}

TEST_CASE("hlo: fusions in a ring end, and sizes beyond 64 bits are the largest number", "[hlo][broken]") {
  MadeModule made = made_train_step();
  made.computations[0].instructions.push_back(
      {.id = 13, .name = "fusion.3", .opcode = "fusion", .calls = {2, 2, 1, 1}});
  made.computations[0].instructions[2].shape.dimensions = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  const ReadModule read(made.bytes());
  CHECK(read.at("dot.1").flop == std::numeric_limits<std::int64_t>::max());
  CHECK(read.at("fusion.3").flop == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("hlo: fields of another type are passed over, literals unread", "[hlo]") {
  std::string instruction, computation, module, bytes;
  protozero::pbf_writer writer(instruction);
  writer.add_string(1, "constant.1");
  writer.add_uint64(2, 5);           // the opcode is a text
  writer.add_string(8, "\xFF\xFF");  // a literal, which is no message
  writer.add_fixed64(35, 4);
  writer.add_string(1000, "unknown");
  protozero::pbf_writer(computation).add_message(2, instruction);
  protozero::pbf_writer(module).add_message(3, computation);
  protozero::pbf_writer(bytes).add_message(1, module);
  const ReadModule read(bytes);
  CHECK(read.at("constant.1").opcode.empty());
  CHECK(read.at("constant.1").id == 0);
  CHECK(read.at("constant.1").shape.empty());
}

TEST_CASE("hlo: no bytes are a module without anything", "[hlo]") {
  const ReadModule read("");
  CHECK(read.module.computations.empty());
  CHECK(read.module.find_entry() == nullptr);
}

TEST_CASE("hlo: a module of more than a million instructions is refused", "[hlo][broken]") {
  std::string computation, module, bytes;
  for (std::size_t i = 0; i < 1'000'001; ++i) computation += std::string("\x12\x00", 2);
  protozero::pbf_writer(module).add_message(3, computation);
  protozero::pbf_writer(bytes).add_message(1, module);
  const auto read = hlo::read_module(bytes);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().kind == ErrorKind::kTooLarge);
}

// Reads it, and looks at all that it has. Whether it could be read.
bool survives(std::string_view bytes) {
  const auto read = hlo::read_module(bytes);
  if (!read) {
    if (read.error().message.empty()) FAIL("an error without a reason");
    return false;
  }
  std::size_t seen = 0;
  for (const hlo::Computation& computation : read->computations) {
    for (const hlo::Instruction& instruction : read->instructions_of(computation)) {
      for (const std::uint32_t place : read->operands_of(instruction)) {
        if (place != kNoId && place >= read->instructions.size()) FAIL("an operand beyond the instructions");
      }
      for (const std::uint32_t place : read->calls_of(instruction)) {
        if (place != kNoId && place >= read->computations.size()) FAIL("a call beyond the computations");
      }
      seen += 1 + instruction.shape.size() + instruction.source().value_or("").size();
    }
  }
  return seen >= read->instructions.size();
}

// Every beginning of the bytes, and each bit of every byte flipped.
void check_broken(const std::string& whole) {
  REQUIRE(survives(whole));
  std::size_t refused = 0;
  for (std::size_t size = 1; size < whole.size(); ++size) refused += survives(whole.substr(0, size)) ? 0 : 1;
  CHECK(refused == whole.size() - 1);  // the module is one field, so no beginning of it is whole
  std::string flipped = whole;
  for (std::size_t i = 0; i < whole.size() * 8; ++i) {
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << i % 8));
    refused += survives(flipped) ? 0 : 1;
    flipped[i / 8] = whole[i / 8];
  }
  CHECK(refused > whole.size());  // flips are found too, though not all of them
}

TEST_CASE("hlo: every beginning of a module and every flipped bit end well", "[hlo][broken]") {
  check_broken(made_train_step().bytes());
}

TEST_CASE("hlo: the same of the modules of a profile", "[hlo][broken]") {
  const Strings small = sample_modules("gpu_streams.xplane.pb");
  if (small.empty()) {
    WARN("skipped: the samples are not here");
    return;
  }
  for (const std::string& module : small) check_broken(module);
}

TEST_CASE("hlo: all modules of the samples are read, but for the one that is cut", "[hlo]") {
  const Strings odd = sample_modules("odd.xplane.pb");
  if (odd.empty()) {
    WARN("skipped: the samples are not here");
    return;
  }
  std::size_t refused = 0, instructions = 0;
  for (const std::string& bytes : odd) {
    const auto read = hlo::read_module(bytes);
    refused += read ? 0 : 1;
    instructions += read ? read->instructions.size() : 0;
  }
  CHECK(refused == 1);
  CHECK(instructions == 33);
}

}  // namespace
}  // namespace vizd::module_reader_test
