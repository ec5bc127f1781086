#include "rewrite/query.h"

#include <random>

#include "support/catch.h"
#include "unit/rewrite/toy_capture.h"

namespace vizd::query_test {
namespace {

class NamedToy : public toy::Toy {
 public:
  NamedToy(ValueTable& values) : Toy(values), values_(values) {}
  std::string_view kind_name(std::uint16_t kind) const override {
    static constexpr std::string_view kNames[] = {"SINK", "LEAF", "ADD", "MUL", "VIEW", "CONST", "ERROR"};
    return kNames[kind];
  }
  std::string value_text(ValueId value) const override {
    return value == kNoneValue                      ? "None"
           : values_.kind(value) == ValueKind::kInt ? std::to_string(values_.as_int(value))
                                                    : std::string(values_.text(value));
  }

 private:
  const ValueTable& values_;
};

// sink(add(leaf 1, leaf 2)) becomes sink(mul(leaf 1, const)) at state 1, and mul gets another label at state 2.
struct Fixture {
  toy::Builder builder;
  History history;

  Fixture() {
    auto& values = builder.capture.values;
    builder.capture.dialect = std::make_unique<NamedToy>(values);
    const OpId leaf = builder.op(toy::kLeaf, {}, 1);
    builder.match(leaf, leaf);
    builder.match(leaf, leaf);
    history.state_count = 3;
    history.labels = {"SINK", "ADD\nfloat.vec(4)", "LEAF\n1", "LEAF\n2", "MUL\nhalf", "CONST", "MUL\nhalf\nwide"};
    const ValueId half = values.string("dtypes.half"), wide = values.string("dtypes.float.vec(4)");
    add_node(0, kForever, {{.state = 0, .kind = toy::kSink, .label = 0}});
    add_node(0, 1, {{.state = 0, .kind = toy::kAdd, .dtype = wide, .label = 1}});
    add_node(0, kForever, {{.state = 0, .kind = toy::kLeaf, .arg = values.integer(1), .label = 2}});
    add_node(0, 1, {{.state = 0, .kind = toy::kLeaf, .arg = values.integer(2), .label = 3}});
    add_node(1, kForever,
             {{.state = 1, .kind = toy::kMul, .dtype = half, .label = 4},
              {.state = 2, .kind = toy::kMul, .dtype = half, .label = 6}});
    add_node(1, kForever, {{.state = 1, .kind = toy::kConst, .inlined = true, .label = 5}});
    history.edges = {{NodeId{1}, NodeId{0}, 0, 0, 1},        {NodeId{4}, NodeId{0}, 0, 1, kForever},
                     {NodeId{2}, NodeId{1}, 0, 0, 1},        {NodeId{3}, NodeId{1}, 1, 0, 1},
                     {NodeId{2}, NodeId{4}, 0, 1, kForever}, {NodeId{5}, NodeId{4}, 1, 1, kForever}};
    history.roots = {{0, NodeId{0}}};
  }

  void add_node(std::uint32_t born, std::uint32_t died, std::vector<NodeVersion> versions) {
    history.nodes.push_back({.born = born,
                             .died = died,
                             .first_version = static_cast<std::uint32_t>(history.versions.size()),
                             .version_count = static_cast<std::uint32_t>(versions.size())});
    history.versions.insert(history.versions.end(), versions.begin(), versions.end());
  }

  std::vector<unsigned> ask(std::string_view text, std::uint32_t state) {
    auto query = Query::parse(text);
    INFO(text);
    REQUIRE(query.has_value());
    const HistoryIndex index(history);
    std::vector<unsigned> ids;
    for (const NodeId node : QueryScan(builder.capture, builder.pass(), history, index, *query).matches_at(state)) {
      ids.push_back(static_cast<unsigned>(node));
    }
    return ids;
  }
  std::uint32_t first(std::string_view text, std::uint32_t from, bool wanted) {
    auto query = Query::parse(text);
    REQUIRE(query.has_value());
    const HistoryIndex index(history);
    return QueryScan(builder.capture, builder.pass(), history, index, *query).first_state(from, wanted);
  }
};

using Ids = std::vector<unsigned>;

}  // namespace

TEST_CASE("a query finds nodes by word, field, number and neighbour") {
  Fixture f;
  CHECK(f.ask("leaf", 0) == Ids{2, 3});
  CHECK(f.ask("leaf", 1) == Ids{2});
  CHECK(f.ask("op=ADD,mul", 0) == Ids{1});
  CHECK(f.ask("op!=leaf", 0) == Ids{0, 1});
  CHECK(f.ask("dtype=float.vec(4)", 0) == Ids{1});
  CHECK(f.ask("dtype=dtypes.float.vec(4)", 0) == Ids{1});  // as labels show it
  CHECK(f.ask("dtype~float", 0) == Ids{1});
  CHECK(f.ask("arg=2 or op=sink", 0) == Ids{0, 3});
  CHECK(f.ask("-leaf not op=sink", 0) == Ids{1});
  CHECK(f.ask("fanin>=2", 0) == Ids{1});
  CHECK(f.ask("fanout=0", 0) == Ids{0});
  CHECK(f.ask("src(arg=2)", 0) == Ids{1});
  CHECK(f.ask("src0(arg=2)", 0).empty());
  CHECK(f.ask("src1(arg=2)", 0) == Ids{1});
  CHECK(f.ask("user(op=MUL)", 1) == Ids{2});
  CHECK(f.ask("op=LEAF user(op=MUL user(op=SINK))", 2) == Ids{2});
  CHECK(f.ask("born=1", 1) == Ids{4});
  CHECK(f.ask("rule~rules.py", 1) == Ids{4});
  CHECK(f.ask("(op=add or op=mul) \"half\nwide\"", 2) == Ids{4});
}

TEST_CASE("constants drawn in their users' boxes are found only by their op") {
  Fixture f;
  CHECK(f.ask("const", 1).empty());
  CHECK(f.ask("op=CONST", 1) == Ids{5});
}

TEST_CASE("a query says at which state it first holds and first does not") {
  Fixture f;
  CHECK(f.first("op=MUL", 0, true) == 1);
  CHECK(f.first("op=ADD", 0, false) == 1);
  CHECK(f.first("wide", 0, true) == 2);
  CHECK(f.first("user(wide)", 0, true) == 2);
  CHECK(f.first("op=SINK", 0, true) == 0);
  CHECK(f.first("op=SINK", 0, false) == kNoId);
  CHECK(f.first("op=ERROR", 0, true) == kNoId);
  CHECK(f.first("op=MUL", 7, true) == kNoId);
}

TEST_CASE("a query that is not understood is refused with its place") {
  for (const auto* text : {"", "   ", "op=", "(op=ADD", "op=ADD)", "colour=red", "fanout~x", "fanout>many", "op<3",
                           "not", "\"open", "src(", "a or", "a ! b=!", ")"}) {
    INFO(text);
    const auto query = Query::parse(text);
    REQUIRE_FALSE(query.has_value());
    CHECK(query.error().where.starts_with("query:"));
    CHECK_FALSE(query.error().message.empty());
  }
  CHECK_FALSE(Query::parse(std::string(5000, 'a')).has_value());
  CHECK_FALSE(Query::parse(std::string(2000, '(')).has_value());
  std::string negations;
  for (int i = 0; i < 1000; ++i) negations += "not ";
  CHECK_FALSE(Query::parse(negations + "a").has_value());
}

TEST_CASE("any bytes parse or are refused") {
  std::mt19937 random(7);
  const std::string alphabet = "abop=<>!~()\"- ,src0user ";
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n) text += alphabet[random() % alphabet.size()];
    const auto query = Query::parse(text);
    if (!query) CHECK_FALSE(query.error().message.empty());
  }
}

}  // namespace vizd::query_test
