// Passes that come by calls, whose bodies stay as they are: every state against the substitution itself.
#include "rewrite/replay.h"
#include "rewrite/substitute.h"
#include "support/catch.h"
#include "unit/rewrite/random_pass.h"

namespace vizd::calls_test {
namespace {

// Its views are calls: the first source is the body.
class ToyWithCalls final : public toy::Toy {
 public:
  using Toy::Toy;
  bool keeps_first_source(const OpGraph&, const Op& op) const override { return op.kind == toy::kView; }
};

// The states that were compared, up to the first that raises.
std::size_t check_states(const Capture& capture) {
  const Pass& pass = capture.rewrites.passes[0];
  Replay replay(capture, pass);
  OpGraph graph(&capture.ops);
  Replacements replacements;
  Substitution substitution(graph, replacements, *capture.dialect, {.enters_calls = pass.enters_calls});
  OpId root = pass.sink;
  for (const Match& match : capture.rewrites.matches_of(pass)) {
    replacements.set(match.before, match.after);
    const auto outcome = substitution.run(pass.restarts_from_sink ? pass.sink : root);
    replay.advance();
    const bool raises = std::holds_alternative<SubstituteError>(outcome);
    REQUIRE((replay.error() != nullptr) == raises);
    if (raises) break;
    root = std::get<OpId>(outcome);
    REQUIRE(copy_ops(replay.graph(), graph) == root);
  }
  return replay.state();
}

}  // namespace

TEST_CASE("a pass that comes by calls is replayed as it was, whether what it replaces stands in their bodies or not") {
  std::size_t states = 0, whole = 0, in_place = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    INFO("seed " << seed);
    toy::Builder b;
    toy::fill_with_random_pass(b, seed);
    b.capture.dialect = std::make_unique<ToyWithCalls>(b.capture.values);
    b.pass().meets_calls = true;
    b.pass().enters_calls = seed % 5 == 0;
    ++(WholeReplay::suits(b.capture, b.pass()) ? whole : in_place);
    states += check_states(b.capture);
  }
  CHECK(states > 2000);
  CHECK(whole > 100);
  CHECK(in_place > 100);
}

}  // namespace vizd::calls_test
