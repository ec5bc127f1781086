// What contexts and passes are known by: equal where their graphs are, wherever they stand and whatever they are
// called.
#include "rewrite/context_keys.h"

#include <array>
#include <string_view>

#include "support/catch.h"

namespace vizd::context_keys_test {
namespace {

struct Recording {
  OpId op(std::uint16_t kind, std::vector<OpId> sources, ValueId arg) {
    return capture.ops.add(kind, capture.values.string("int"), sources, arg, kNoneValue);
  }
  // A graph of two ops.
  OpId graph(std::int64_t constant) {
    const OpId leaf = op(7, {}, capture.values.integer(constant));
    return op(8, {leaf, leaf}, capture.values.string("sum"));
  }
  void add(std::string_view name, std::int64_t constant, bool makes_program = true) {
    add_graph(name, graph(constant), makes_program);
  }
  // Another pass of the last context.
  void add_pass(std::int64_t constant) {
    ++capture.rewrites.contexts.back().pass_count;
    capture.rewrites.passes.push_back({.sink = graph(constant)});
  }
  void add_graph(std::string_view name, OpId sink, bool makes_program) {
    Context& context = capture.rewrites.contexts.emplace_back();
    context.name = capture.strings.add(name);
    context.first_pass = static_cast<std::uint32_t>(capture.rewrites.passes.size());
    context.pass_count = 1;
    capture.rewrites.passes.push_back({.sink = sink});
    if (!makes_program) return;
    context.program = to_id<ProgramId>(capture.rewrites.programs.size());
    capture.rewrites.programs.emplace_back();
  }
  Capture capture;
};

TEST_CASE("contexts have the keys of their graphs, in every recording") {
  Recording first, second;
  first.add("E", 1);
  first.add("E_n1", 2);
  second.add("schedule", 4, false);
  second.add("inserted", 3);
  second.add("E_renamed", 2);
  second.add("E", 1);
  const auto a = content_keys(first.capture), b = content_keys(second.capture);
  REQUIRE(a.contexts.size() == 2);
  REQUIRE(b.contexts.size() == 4);
  CHECK(a.contexts[0] != a.contexts[1]);
  CHECK(b.contexts[1] != a.contexts[0]);
  CHECK(b.contexts[1] != a.contexts[1]);
  CHECK(b.contexts[2] == a.contexts[1]);
  CHECK(b.contexts[3] == a.contexts[0]);
  CHECK(b.contexts[0] != 0);
}

TEST_CASE("what made no program is known without the numbers that a recording gives to its buffers") {
  const auto key_of = [](std::int64_t slot, std::string_view dtype, bool makes_program) {
    Recording recording;
    ValueTable& values = recording.capture.values;
    const ValueId argument = values.object(
        "tinygrad.uop.ops.ParamArg",
        std::array{values.string("slot"), values.integer(slot), values.string("dtype"), values.string(dtype)});
    recording.add("before", slot);
    recording.add_graph("schedule", recording.op(7, {}, argument), makes_program);
    return content_keys(recording.capture).contexts[1];
  };
  CHECK(key_of(3, "int", false) == key_of(9, "int", false));
  CHECK(key_of(3, "int", false) != key_of(3, "float", false));
  CHECK(key_of(3, "int", true) != key_of(9, "int", true));  // of a kernel, its parameters
}

TEST_CASE("passes of one context are told apart by the graphs that they began with") {
  Recording first, second;
  first.add("E", 1);
  first.add_pass(2);
  first.add_pass(3);
  second.add("E", 1);
  second.add_pass(4);
  second.add_pass(2);
  const auto a = content_keys(first.capture).passes, b = content_keys(second.capture).passes;
  REQUIRE(a.size() == 3);
  REQUIRE(b.size() == 3);
  CHECK(a[0] == b[0]);
  CHECK(a[1] == b[2]);
  CHECK(a[1] != a[2]);
  CHECK(b[1] != a[1]);
}

TEST_CASE("a context without a pass has no key") {
  Recording recording;
  recording.capture.rewrites.contexts.emplace_back();
  CHECK(content_keys(recording.capture).contexts == std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace vizd::context_keys_test
