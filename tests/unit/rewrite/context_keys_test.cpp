// What kernels are known by: equal where their graphs are, wherever they stand and whatever they are called.
#include "rewrite/context_keys.h"

#include <string_view>

#include "support/catch.h"

namespace vizd::context_keys_test {
namespace {

struct Recording {
  OpId op(std::uint16_t kind, std::vector<OpId> sources, ValueId arg) {
    return capture.ops.add(kind, capture.values.string("int"), sources, arg, kNoneValue);
  }
  // A graph of two ops.
  void add(std::string_view name, std::int64_t constant, bool makes_program = true) {
    const OpId leaf = op(7, {}, capture.values.integer(constant));
    const OpId sink = op(8, {leaf, leaf}, capture.values.string("sum"));
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

TEST_CASE("kernels have the keys of their graphs, in every recording") {
  Recording first, second;
  first.add("E", 1);
  first.add("E_n1", 2);
  second.add("schedule", 1, false);
  second.add("inserted", 3);
  second.add("E_renamed", 2);
  second.add("E", 1);
  const auto a = context_keys(first.capture), b = context_keys(second.capture);
  REQUIRE(a.size() == 2);
  REQUIRE(b.size() == 4);
  CHECK(a[0] != a[1]);
  CHECK(b[0] == 0);  // makes no program
  CHECK(b[1] != a[0]);
  CHECK(b[1] != a[1]);
  CHECK(b[2] == a[1]);
  CHECK(b[3] == a[0]);
}

}  // namespace
}  // namespace vizd::context_keys_test
