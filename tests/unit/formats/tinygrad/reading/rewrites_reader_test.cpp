#include "formats/tinygrad/reading/rewrites_reader.h"

#include <string>

#include "formats/pickle/machine.h"
#include "formats/pickle/visit_budget.h"
#include "formats/tinygrad/v2025_09/version.h"
#include "formats/tinygrad/v2026_08/version.h"
#include "support/catch.h"
#include "support/tiny_capture.h"

namespace vizd::tinygrad::rewrites_reader_test {
namespace {

Result<void> read(const std::string& bytes, Capture& capture) {
  const auto tree = pickle::read_pickle(as_bytes(bytes), "f");
  if (!tree) FAIL(tree.error().text());
  const Version* version = rewrites_version(*tree);
  REQUIRE(version == &tinygrad_2025_09::kVersion);
  return read_rewrites(*tree, *version, "f", capture);
}

std::uint64_t skipped(const Capture& capture) {
  std::uint64_t count = 0;
  for (const auto& [reason, times] : capture.skipped) count += times;
  return count;
}

std::string_view text(const Capture& capture, StringId id) { return capture.strings.get(id); }

TEST_CASE("rewrites: contexts, passes, matches and ops of a small capture", "[tinygrad]") {
  Capture capture;
  REQUIRE(read(TinyRewrites().pickle(), capture).has_value());
  CHECK(capture.skipped.empty());
  const Rewrites& r = capture.rewrites;
  REQUIRE(r.contexts.size() == 1);
  CHECK(text(capture, r.contexts[0].name) == "sum n1");
  REQUIRE(r.passes_of(r.contexts[0]).size() == 1);
  const Pass& pass = r.passes[0];
  CHECK(text(capture, pass.name) == "fold");
  CHECK_FALSE(pass.unnamed);
  CHECK_FALSE(pass.restarts_from_sink);
  CHECK(text(capture, r.locations[index(pass.location)].file) == "/passes.py");
  CHECK(r.locations[index(pass.location)].line == 12);
  REQUIRE(r.matches_of(pass).size() == 1);
  CHECK(r.matches[0].before == pass.sink);
  CHECK(r.locations[index(r.matches[0].rule)].line == 7);
  CHECK(r.matches[0].dur_s < 0);
  const Op add = capture.ops.op(pass.sink);
  CHECK(add.kind == 63);
  REQUIRE(add.src.size() == 2);
  CHECK(capture.ops.op(add.src[1]).arg == capture.values.integer(2));
  CHECK(capture.ops.op(r.matches[0].after).arg == capture.values.integer(3));
  CHECK(capture.values.text(capture.values.field(add.dtype, "name")) == "int");
  CHECK(r.context_by_name.at(capture.strings.find("sum n1")) == ContextId{0});
}

TEST_CASE("rewrites: members by number, as Python 3.12 writes them", "[tinygrad]") {
  const std::string by_number =
      opcodes(PickleWriter().global("tinygrad.uop", "Ops").mark().integer(88).reduce());  // CONST
  const auto constant = [&](int number, const std::string& op) {
    return opcodes(
        PickleWriter().integer(number).mark().raw(op).raw(int_dtype()).raw(")").raw(an_int(7)).none().tuple());
  };
  Capture capture;
  const std::string fields = constant(0, by_number) + constant(1, ops_member("CONST"));
  REQUIRE(read(TinyRewrites{.contexts = a_list(pass("s", 0, match(0, 1))), .uop_fields = fields}.pickle(), capture)
              .has_value());
  CHECK(capture.skipped.empty());
  CHECK(capture.ops.kind(capture.rewrites.matches[0].before) == 88);
  CHECK(capture.rewrites.matches[0].before == capture.rewrites.matches[0].after);  // equal ops are one
}

TEST_CASE("rewrites: lists that the file repeats beyond its own size are read as far as that goes", "[tinygrad]") {
  // A thousand references to one pass with two thousand references to one match.
  std::string matches = match(0, 1) + "\x94", passes;
  for (int i = 1; i < 2000; ++i) matches += std::string("h\0", 2);
  passes = pass("s", 0, matches) + "\x94";
  for (int i = 1; i < 1000; ++i) passes += "h\x01";
  const std::string bytes = TinyRewrites{.contexts = a_list(passes)}.pickle();
  Capture capture;
  REQUIRE(read(bytes, capture).has_value());
  const auto& left_out = capture.skipped.at("pass whose matches the file repeats beyond its own size");
  CHECK(left_out + capture.rewrites.passes.size() == 1000);
  CHECK(capture.rewrites.matches.size() == 2000 * capture.rewrites.passes.size());
  CHECK(capture.rewrites.matches.size() > pickle::VisitBudget::kMostShared / 2);
  CHECK(capture.rewrites.matches.size() < pickle::VisitBudget::kMostShared + bytes.size());
}

TEST_CASE("rewrites: ops may come in any order", "[tinygrad]") {
  Capture capture;
  const std::string fields = uop(2, "ADD", a_tuple(an_int(0) + an_int(1)), "N") + uop(3, "CONST", ")", an_int(3)) +
                             uop(1, "NEG", a_tuple(an_int(0)), "N") + uop(0, "CONST", ")", an_int(1));
  REQUIRE(read(TinyRewrites{.uop_fields = fields}.pickle(), capture).has_value());
  CHECK(capture.skipped.empty());
  CHECK(capture.ops.size() == 4);
  CHECK(toposort(capture.ops, capture.rewrites.passes[0].sink).size() == 3);
}

TEST_CASE("rewrites: a long chain of ops in the wrong order is no recursion", "[tinygrad]") {
  constexpr int kLength = 50'000;
  std::string fields;
  for (int i = kLength; i > 0; --i) {
    fields +=
        opcodes(PickleWriter().integer(i).mark().raw("h\x01h\x02").raw(a_tuple(an_int(i - 1))).none().none().tuple());
  }
  fields += opcodes(PickleWriter().integer(0).mark().raw("h\x01h\x02)").none().none().tuple());
  PickleWriter w;
  w.raw(ops_member("NEG"))
      .memoize()
      .raw("0")
      .raw(int_dtype())
      .raw(
          "\x94"
          "0");
  std::string bytes = w.finish();
  // The two shared values are memo entries 0 and 1: put one before them so that they are 1 and 2.
  bytes.replace(2, 0,
                "N\x94"
                "0");
  bytes.pop_back();
  const TinyRewrites tiny{.contexts = a_list(pass("s", kLength, match(kLength, 0))), .uop_fields = fields};
  bytes += tiny.pickle().substr(2);
  Capture capture;
  REQUIRE(read(bytes, capture).has_value());
  CHECK(capture.skipped.empty());
  CHECK(capture.ops.size() == kLength + 1);
}

TEST_CASE("rewrites: ops that lead back to themselves are an error", "[tinygrad]") {
  Capture capture;
  const std::string fields = uop(0, "NEG", a_tuple(an_int(1)), "N") + uop(1, "NEG", a_tuple(an_int(0)), "N");
  const auto result = read(TinyRewrites{.uop_fields = fields}.pickle(), capture);
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().text().find("leads back to itself") != std::string::npos);
}

TEST_CASE("rewrites: bad records are left out and counted", "[tinygrad]") {
  const auto counts = [](const TinyRewrites& tiny) {
    Capture capture;
    REQUIRE(read(tiny.pickle(), capture).has_value());
    for (const Pass& pass : capture.rewrites.passes) CHECK(index(pass.sink) < capture.ops.size());
    return skipped(capture);
  };
  const std::string good = uop(0, "CONST", ")", an_int(1));
  CHECK(counts({.contexts = a_list(pass("s", 0, match(0, 5) + match(0, 0) + "N" + match(0, -1))),
                .uop_fields = good}) == 3);
  CHECK(counts({.contexts = a_list(pass("s", 9, "") + "N" + pass("t", 0, "")), .uop_fields = good}) == 2);
  CHECK(counts({.contexts = "N", .uop_fields = good}) == 1);
  CHECK(counts({.keys = "N"}) == 1);
  CHECK(counts({.keys = tracing_key("a", an_int(1)) + tracing_key("b", "")}) == 2);  // an odd link, a key too many
  // Ops: no tuple; a kind that is not known; a source that is missing, and what is above it.
  CHECK(counts({.uop_fields = good + an_int(1) + "N"}) == 2);
  CHECK(counts({.contexts = a_list(pass("s", 0, "")), .uop_fields = good + uop(1, "SPARKLE", ")", "N")}) == 1);
  CHECK(counts({.contexts = a_list(pass("s", 0, "")),
                .uop_fields =
                    good + uop(1, "NEG", a_tuple(an_int(8)), "N") + uop(2, "NEG", a_tuple(an_int(1)), "N")}) == 2);
  CHECK(counts({.contexts = a_list(pass("s", 0, "")), .uop_fields = good + uop(2'000'000'000, "NEG", ")", "N")}) == 1);
  CHECK(counts({.contexts = a_list(pass("s", 0, "")), .uop_fields = good + good}) == 1);
}

TEST_CASE("rewrites: arguments that contain themselves or nest too deeply are refused", "[tinygrad]") {
  const std::string cycle = "]\x94" + std::string("h") + '\0' + "a";
  const std::string deep = "N" + std::string(200'000, '\x85');
  for (const std::string& arg : {cycle, deep}) {
    Capture capture;
    const TinyRewrites tiny{.keys = tracing_key("k", ""),
                            .contexts = a_list(pass("s", 1, "")),
                            .uop_fields = uop(0, "CONST", ")", arg) + uop(1, "CONST", ")", an_int(1))};
    // The list must be the first thing that the memo holds.
    REQUIRE(read(tiny.pickle(), capture).has_value());
    CHECK(skipped(capture) == 1);
    CHECK(capture.rewrites.passes.size() == 1);
  }
  // Twice itself a hundred times over: large if unfolded, small as it is.
  std::string bomb = "N";
  for (int i = 0; i < 99; ++i) bomb += "2\x86";
  Capture capture;
  REQUIRE(read(TinyRewrites{.contexts = a_list(pass("s", 0, "")), .uop_fields = uop(0, "CONST", ")", bomb)}.pickle(),
               capture)
              .has_value());
  CHECK(capture.skipped.empty());
  CHECK(capture.values.size() < 300);
}

TEST_CASE("rewrites: unknown classes are opaque values, whatever they would do", "[tinygrad]") {
  const std::string call = opcodes(PickleWriter().global("os", "system").mark().text("exit 1").reduce());
  Capture capture;
  REQUIRE(read(TinyRewrites{.contexts = a_list(pass("s", 0, "")), .uop_fields = uop(0, "CONST", ")", call)}.pickle(),
               capture)
              .has_value());
  const ValueId arg = capture.ops.op(capture.rewrites.passes[0].sink).arg;
  CHECK(capture.values.kind(arg) == ValueKind::kObject);
  CHECK(capture.values.type_name(arg) == "os.system");
}

TEST_CASE("rewrites: a kernel's syntax tree is an op, by number or as itself", "[tinygrad]") {
  const std::string kernel_of_zero = opcodes(PickleWriter()
                                                 .object("tinygrad.schedule.kernelize", "Kernel")
                                                 .mark()
                                                 .text("ast")
                                                 .integer(0)
                                                 .text("metadata")
                                                 .raw(")")
                                                 .built());
  const std::string tree = opcodes(PickleWriter()
                                       .global("tinygrad.uop.ops", "UOp")
                                       .mark()
                                       .raw(ops_member("SINK"))
                                       .raw(int_dtype())
                                       .raw(")NNN")
                                       .reduce());
  Capture capture;
  const std::string fields = uop(1, "KERNEL", ")", kernel_of_zero) + uop(0, "SINK", ")", "N");
  const TinyRewrites tiny{.keys = tracing_key("k", tree), .contexts = a_list(pass("s", 1, "")), .uop_fields = fields};
  REQUIRE(read(tiny.pickle(), capture).has_value());
  CHECK(capture.skipped.empty());
  const ValueId kernel = capture.ops.op(capture.rewrites.passes[0].sink).arg;
  const ValueId ast = capture.values.field(kernel, "ast");
  REQUIRE(capture.values.kind(ast) == ValueKind::kOp);
  // The key is the same op as the numbered one: this is how a kernel finds its code generation.
  CHECK(capture.rewrites.context_by_op.at(capture.values.as_op(ast)) == ContextId{0});
}

TEST_CASE("rewrites: a program and its context", "[tinygrad]") {
  const std::string program = opcodes(PickleWriter()
                                          .object("tinygrad.renderer", "ProgramSpec")
                                          .mark()
                                          .text("name")
                                          .text("E_4")
                                          .text("src")
                                          .text("void f();")
                                          .text("device")
                                          .text("CPU")
                                          .built());
  Capture capture;
  REQUIRE(read(TinyRewrites{.keys = tracing_key("k", "", program)}.pickle(), capture).has_value());
  REQUIRE(capture.rewrites.programs.size() == 1);
  CHECK(capture.rewrites.contexts[0].program == ProgramId{0});
  const Program& made = capture.rewrites.programs[0];
  CHECK(text(capture, made.name) == "E_4");
  CHECK(text(capture, made.source) == "void f();");
  CHECK(text(capture, made.device) == "CPU");
  CHECK(capture.values.type_name(made.origin) == "tinygrad.renderer.ProgramSpec");
}

TEST_CASE("rewrites: known by the top object", "[tinygrad]") {
  const auto version_of = [](const std::string& bytes) {
    const auto tree = pickle::read_pickle(as_bytes(bytes), "f");
    REQUIRE(tree.has_value());
    return rewrites_version(*tree);
  };
  CHECK(version_of(TinyRewrites().pickle()) == &tinygrad_2025_09::kVersion);
  const std::string newer = PickleWriter()
                                .object("tinygrad.uop.ops", "RewriteTrace")
                                .mark()
                                .text("keys")
                                .list()
                                .text("rewrites")
                                .list()
                                .text("uop_fields")
                                .dict()
                                .built()
                                .finish();
  CHECK(version_of(newer) == &tinygrad_2026_08::kVersion);
  for (const char* other : {"\x80\x04N.", "\x80\x04].", "\x80\x04]Na.",
                            "\x80\x04]NNN\x87"
                            "a.",
                            "\x80\x04}."}) {
    CHECK(version_of(other) == nullptr);
  }
}

}  // namespace
}  // namespace vizd::tinygrad::rewrites_reader_test
