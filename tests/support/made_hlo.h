// Bytes of HLO modules, as XLA writes them (HloProto), made part by part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/perfetto/protozero.h"

namespace vizd {

struct MadeShape {
  std::int64_t element_type = 11;  // f32
  std::vector<std::int64_t> dimensions;
  std::vector<MadeShape> elements = {};       // of a tuple, whose element type is 13
  std::vector<std::int64_t> is_dynamic = {};  // 0 and 1, by dimension

  std::string bytes() const {
    std::string out;
    protozero::pbf_writer writer(out);
    writer.add_uint64(2, static_cast<std::uint64_t>(element_type));
    writer.add_packed_int64(3, dimensions.begin(), dimensions.end());
    for (const MadeShape& element : elements) writer.add_message(4, element.bytes());
    writer.add_packed_int64(6, is_dynamic.begin(), is_dynamic.end());
    return out;
  }
};

struct MadeInstruction {
  std::int64_t id = 0;
  std::string name, opcode;
  MadeShape shape = {};
  std::vector<std::int64_t> operands = {}, controls = {}, calls = {}, contracted = {};
  std::string op_name = {}, source_file = {}, fusion_kind = {};
  std::int64_t source_line = 0, frame = 0;
  bool is_packed = true;  // how lists of numbers are written

  std::string bytes() const {
    std::string out, metadata, dot;
    protozero::pbf_writer writer(out), of_metadata(metadata), of_dot(dot);
    writer.add_string(1, name);
    writer.add_string(2, opcode);
    writer.add_message(3, shape.bytes());
    of_metadata.add_string(2, op_name);
    of_metadata.add_string(3, source_file);
    of_metadata.add_int64(4, source_line);
    of_metadata.add_int64(15, frame);
    writer.add_message(7, metadata);
    writer.add_string(11, fusion_kind);
    of_dot.add_packed_int64(1, contracted.begin(), contracted.end());
    if (opcode == "dot") writer.add_message(30, dot);
    writer.add_int64(35, id);
    add_numbers(writer, 36, operands);
    add_numbers(writer, 37, controls);
    add_numbers(writer, 38, calls);
    return out;
  }

 private:
  void add_numbers(protozero::pbf_writer& writer, std::uint32_t field, const std::vector<std::int64_t>& numbers) const {
    if (is_packed) return writer.add_packed_int64(field, numbers.begin(), numbers.end());
    for (const std::int64_t number : numbers) writer.add_int64(field, number);
  }
};

struct MadeComputation {
  std::int64_t id = 0;
  std::string name;
  std::int64_t root_id = 0;
  std::vector<MadeInstruction> instructions;

  std::string bytes() const {
    std::string out;
    protozero::pbf_writer writer(out);
    writer.add_string(1, name);
    for (const MadeInstruction& instruction : instructions) writer.add_message(2, instruction.bytes());
    writer.add_int64(5, id);
    writer.add_int64(6, root_id);
    return out;
  }
};

struct MadeLocation {
  std::int64_t file = 0, line = 0;
};

struct MadeModule {
  std::string name;
  std::int64_t entry_id = 0;
  std::vector<MadeComputation> computations;
  std::vector<std::string> files = {};
  std::vector<MadeLocation> locations = {};
  std::vector<std::pair<std::int64_t, std::int64_t>> frames = {};  // location and parent

  std::string bytes() const {
    std::string out, module, table;
    protozero::pbf_writer proto(out), writer(module), of_table(table);
    writer.add_string(1, name);
    writer.add_string(2, "named entry");
    for (const MadeComputation& computation : computations) writer.add_message(3, computation.bytes());
    writer.add_int64(5, 7);
    writer.add_int64(6, entry_id);
    for (const std::string& file : files) of_table.add_string(1, file);
    for (const auto& [file, line] : locations) add_pair(of_table, 3, 1, file, 3, line);
    for (const auto& [location, parent] : frames) add_pair(of_table, 4, 1, location, 2, parent);
    writer.add_message(17, table);
    proto.add_message(1, module);
    return out;
  }

 private:
  static void add_pair(protozero::pbf_writer& table, std::uint32_t field, std::uint32_t first, std::int64_t one,
                       std::uint32_t second, std::int64_t other) {
    std::string bytes;
    protozero::pbf_writer writer(bytes);
    writer.add_int64(first, one);
    writer.add_int64(second, other);
    table.add_message(field, bytes);
  }
};

// A step of training: a fusion that holds another one with a dot, a loop, a tuple with a dynamic size.
inline MadeModule made_train_step() {
  const MadeShape left{.dimensions = {4, 8}}, right{.dimensions = {8, 16}}, product{.dimensions = {4, 16}};
  const MadeShape state{.element_type = 13,
                        .dimensions = {},
                        .elements = {{.dimensions = {3}, .is_dynamic = {1}}, {.element_type = 8, .dimensions = {}}}};
  MadeModule module{.name = "jit_step", .entry_id = 4, .computations = {}};
  module.computations = {
      {1,
       "inner",
       12,
       {{10, "p.0", "parameter", left},
        {11, "p.1", "parameter", right},
        {.id = 12, .name = "dot.1", .opcode = "dot", .shape = product, .operands = {10, 11}, .contracted = {1}}}},
      {2, "outer", 21, {{.id = 21, .name = "fusion.2", .opcode = "fusion", .shape = product, .calls = {1}}}},
      {3, "body", 31, {{31, "state", "parameter", state}}},
      {4,
       "main",
       43,
       {{.id = 40,
         .name = "fusion.1",
         .opcode = "fusion",
         .shape = product,
         .calls = {2, 1},
         .op_name = "jit(step)/dot_general",
         .source_file = "train.py",
         .fusion_kind = "kOutput",
         .source_line = 11},
        {.id = 41,
         .name = "while.1",
         .opcode = "while",
         .shape = state,
         .operands = {40, 99},
         .calls = {3, 77},
         .frame = 2},
        {.id = 42,
         .name = "add.1",
         .opcode = "add",
         .shape = product,
         .operands = {40, 41},
         .controls = {41, 40},
         .frame = 3,
         .is_packed = false},
        {.id = 43, .name = "tuple.1", .opcode = "tuple", .shape = state, .operands = {42}, .frame = 9}}}};
  module.files = {"model.py", "loop.py"};
  module.locations = {{1, 5}, {2, 70}, {8, 3}};
  module.frames = {{1, 2}, {2, 1}, {3, 0}};
  return module;
}

}  // namespace vizd
