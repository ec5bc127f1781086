// Where what a compiler did in one capture parts from what it did in another.
#include "analysis/devices/first_difference.h"

#include "support/catch.h"
#include "unit/rewrite/toy_capture.h"

namespace vizd::first_difference_test {
namespace {

using namespace toy;

// A toy whose ops and values can be told apart across captures.
class Told : public Toy {
 public:
  explicit Told(ValueTable& values) : Toy(values), values_(values) {}
  std::string_view kind_name(std::uint16_t kind) const override {
    constexpr std::string_view kNames[] = {"SINK", "LEAF", "ADD", "MUL", "VIEW", "CONST", "ERROR"};
    return kNames[kind];
  }
  std::string value_text(ValueId value) const override {
    return values_.kind(value) == ValueKind::kInt ? std::to_string(values_.as_int(value)) : "";
  }

 private:
  const ValueTable& values_;
};

struct MadeStep {
  int before = 0, after = 0;
  std::uint32_t line = 7;
};

// One context: each pass begins with a sink over a leaf, and its matches turn one leaf into another.
struct Made {
  Builder builder;

  explicit Made(const std::vector<std::vector<MadeStep>>& passes, int input = 1, int unused_ops = 0) {
    Capture& capture = builder.capture;
    capture.dialect = std::make_unique<Told>(capture.values);
    // Ids of equal ops differ between captures.
    for (int i = 0; i < unused_ops; ++i) builder.op(kLeaf, {}, 1000 + i);
    Rewrites& rewrites = capture.rewrites;
    rewrites.passes.clear();
    rewrites.locations.clear();
    const StringId file = capture.strings.add(unused_ops == 0 ? "/home/a/rules.py" : "/home/b/rules.py");
    for (const auto& steps : passes) {
      Pass pass;
      pass.name = capture.strings.add("pass " + std::to_string(rewrites.passes.size()));
      pass.sink = builder.op(kSink, {leaf(input)});
      pass.first_match = static_cast<std::uint32_t>(rewrites.matches.size());
      pass.match_count = static_cast<std::uint32_t>(steps.size());
      for (const MadeStep& step : steps) {
        rewrites.locations.push_back({file, step.line});
        rewrites.matches.push_back(
            {leaf(step.before), leaf(step.after), to_id<LocationId>(rewrites.matches.size()), -1});
      }
      rewrites.passes.push_back(pass);
    }
    rewrites.contexts[0].pass_count = static_cast<std::uint32_t>(passes.size());
  }

  OpId leaf(int number) { return builder.op(kAdd, {builder.op(kLeaf, {}, number), builder.op(kConst, {}, 1)}); }
  const Capture& capture() const { return builder.capture; }
};

RewriteDifference between(const Made& a, const Made& b) {
  return find_first_difference(a.capture(), 0, b.capture(), 0);
}

void check_first(const RewriteDifference& found, DifferenceKind kind, std::uint32_t pass, std::uint32_t match) {
  REQUIRE(found.first);
  CHECK(found.first->kind == kind);
  CHECK(found.first->pass == pass);
  CHECK(found.first->match == match);
}

const std::vector<std::vector<MadeStep>> kPasses = {{{1, 2}, {2, 3}}, {{1, 5}, {5, 6}, {6, 7}}};

TEST_CASE("equal rewrites differ in nothing, wherever their ops and their compiler lie") {
  const auto found = between(Made(kPasses), Made(kPasses, 1, 9));
  CHECK_FALSE(found.inputs_differ);
  CHECK_FALSE(found.first);
}

TEST_CASE("the first match of another rule, or with another result, is found in its pass") {
  auto other_rule = kPasses, other_result = kPasses;
  other_rule[1][1].line = 8;
  other_result[1][2].after = 70;
  check_first(between(Made(kPasses), Made(other_rule, 1, 4)), DifferenceKind::kRule, 1, 2);
  check_first(between(Made(kPasses), Made(other_result, 1, 4)), DifferenceKind::kResult, 1, 3);
  CHECK_FALSE(between(Made(kPasses), Made(other_rule)).inputs_differ);
}

TEST_CASE("a pass that goes on longer, and one that the other lacks, are differences of their own") {
  auto longer = kPasses, more = kPasses;
  longer[0].push_back({3, 4});
  more.push_back({});
  check_first(between(Made(kPasses), Made(longer)), DifferenceKind::kLength, 0, 3);
  check_first(between(Made(longer), Made(kPasses)), DifferenceKind::kLength, 0, 3);
  check_first(between(Made(kPasses), Made(more)), DifferenceKind::kPass, 2, 0);
}

TEST_CASE("where the inputs differ all graphs do, so that rules alone are compared") {
  auto other_result = kPasses, other_rule = kPasses;
  other_result[0][0].after = 9;
  other_rule[1][0].line = 30;
  const auto same_rules = between(Made(kPasses), Made(other_result, 2));
  CHECK(same_rules.inputs_differ);
  CHECK_FALSE(same_rules.first);
  check_first(between(Made(kPasses), Made(other_rule, 2)), DifferenceKind::kRule, 1, 1);
}

TEST_CASE("a later pass that begins with another graph is told, though all matches before are the same") {
  Made a(kPasses), b(kPasses);
  Capture& capture = b.builder.capture;
  capture.rewrites.passes[1].sink = b.builder.op(kSink, {b.leaf(44)});
  check_first(between(a, b), DifferenceKind::kInput, 1, 0);
}

}  // namespace
}  // namespace vizd::first_difference_test
