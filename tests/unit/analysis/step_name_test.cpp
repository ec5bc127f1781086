// The names of servers' steps, in all their spellings, and names that are none.
#include "analysis/graph_replay/step_name.h"

#include <fmt/format.h>

#include <string>

#include "support/catch.h"

namespace vizd::step_name_test {
namespace {

std::string text(const StepCount& count) { return count ? fmt::format("{}", *count) : "-"; }

std::string text(const StepShare& share) {
  return fmt::format("{},{},{},{},{}", text(share.requests), text(share.tokens), text(share.kv), text(share.sqsq),
                     text(share.sqsk));
}

// "spelling phase requests/padded tokens draft context generation"; "": no step.
std::string read(std::string_view name) {
  const auto step = parse_step_name(name);
  if (!step) return "";
  return fmt::format("{} {} {}/{} {} {} {} {}", step->spelling, step->phase ? step_phase_name(*step->phase) : "-",
                     text(step->requests), text(step->padded), text(step->tokens), text(step->draft_tokens),
                     text(step->context), text(step->generation));
}

}  // namespace

TEST_CASE("A step of vLLM tells its requests and tokens, in three spellings") {
  CHECK(read("execute_context_2(300)_generation_3(3)") == "vllm mixed 5/- 303 - 2,300,-,-,- 3,3,-,-,-");
  CHECK(read("execute_8_context_0(sq0sk0sqsq0sqsk0)_generation_8(sq8sk5600sqsq8sqsk5600)") ==
        "vllm decode 8/- 8 - 0,0,0,0,0 8,8,5600,8,5600");
  CHECK(read("execute_new_2_cached_0") == "vllm prefill 2/- - - 2,-,-,-,- 0,-,-,-,-");
  CHECK(read("execute_context_0(0)_generation_0(0)") == "vllm idle 0/- 0 - 0,0,-,-,- 0,0,-,-,-");
}

TEST_CASE("A step of SGLang is of its mode, and an unknown mode is of no phase") {
  CHECK(read("step[EXTEND bs=2 toks=600]") == "sglang prefill 2/- 600 - 2,600,-,-,- -,-,-,-,-");
  CHECK(read("step[DECODE bs=32]") == "sglang decode 32/- 32 - -,-,-,-,- 32,32,-,-,-");
  CHECK(read("step[DECODE bs=4 g_sq=8 g_sk=900]") == "sglang decode 4/- 8 - -,-,-,-,- 4,8,900,-,-");
  CHECK(read("step[MIXED bs=5 c=1 g=4 c_sq=60 g_sq=4]") == "sglang mixed 5/- 64 - 1,60,-,-,- 4,4,-,-,-");
  CHECK(read("step[TARGET_VERIFY bs=3 c_sq=9]") == "sglang verify 3/- 9 - -,9,-,-,- -,-,-,-,-");
  CHECK(read("step[DRAFT_EXTEND_V2 bs=3]") == "sglang draft 3/- - - -,-,-,-,- -,-,-,-,-");
  CHECK(read("step[SOMETHING_NEW bs=3]") == "sglang - 3/- - - -,-,-,-,- -,-,-,-,-");
}

TEST_CASE("A step of ATOM tells the padded size, and prefills among its decodes make it mixed") {
  CHECK(read("decode[bs=117/128 tok=117 d=117 spec=1]") == "atom decode 117/128 117 1 -,-,-,-,- 117,117,-,-,-");
  CHECK(read("decode[bs=8 tok=16 p=1 d=7 spec=1]") == "atom mixed 8/- 16 1 1,-,-,-,- 7,16,-,-,-");
  CHECK(read("prefill[bs=2 tok=700 ctx=[300, 400] sqsq=250000 sqsk=250000 sk=700]") ==
        "atom prefill 2/- 700 - 2,700,700,250000,250000 -,-,-,-,-");
  CHECK(read("eager_decode[bs=3 tok=6 ctx=[301, 401, 12]...+4 sk=9]") == "atom decode 3/- 6 - -,-,-,-,- 3,6,9,-,-");
  CHECK(read("execute_diffusion_2_1024x768") == "diffusion diffusion 2/- - - -,-,-,-,- -,-,-,-,-");
}

TEST_CASE("Names that are nearly a step's are none") {
  for (const std::string_view name :
       {"", "execute_", "execute_context_2(300)_generation_3(3) ", "execute_context_2(300_generation_3(3)",
        "step[decode bs=2]", "step[DECODE bs=2", "step[DECODE  bs=2]", "decode bs=2", "encode[bs=2]",
        "execute_diffusion_2_1024", "execute_new_99999999999999999999_cached_1", "ProfilerStep#3"}) {
    INFO(name);
    CHECK(read(name).empty());
  }
}

TEST_CASE("What an outer step does not tell an inner one may") {
  StepName outer = *parse_step_name("step[DECODE bs=4]");
  outer.add(*parse_step_name("execute_8_context_0(sq0sk0sqsq0sqsk0)_generation_8(sq8sk5600sqsq8sqsk5600)"));
  CHECK(outer.spelling == "sglang");
  CHECK(outer.requests == 4);
  CHECK(outer.generation.kv == 5600);
}

}  // namespace vizd::step_name_test
