// Attention of a server: its heads by recorded shapes, its work by what a step's name says of the requests.
#include "analysis/pytorch/attention_heads.h"

#include "analysis/graph_replay/step_name.h"
#include "support/catch.h"

namespace vizd::attention_heads_test {

TEST_CASE("Heads of attention are told by queries, keys and values, in order or in a cache") {
  const auto plain = attention_heads({.name = "vllm::unified_attention_with_output",
                                      .dims = "[[32, 32, 128], [32, 8, 128], [32, 8, 64], [32, 32, 64], []]",
                                      .types = R"(["c10::BFloat16"])",
                                      .concrete = ""});
  REQUIRE(plain);
  CHECK(plain->queries == 32);
  CHECK(plain->keys == 8);
  CHECK(plain->key_size == 128);
  CHECK(plain->value_size == 64);
  CHECK(plain->item_bytes == 2);
  const auto paged = attention_heads(
      {.name = "sglang_profiler::attention_paged_attention_ragged_100",
       .dims = "[[32, 32, 128], [10905190400], [32, 32, 128], [835874, 1, 8, 128], [835874, 1, 8, 128]]",
       .types = R"(["c10::BFloat16", "unsigned char", "c10::BFloat16", "c10::BFloat16", "c10::BFloat16"])",
       .concrete = ""});
  REQUIRE(paged);
  CHECK(paged->queries == 32);
  CHECK(paged->keys == 8);
}

TEST_CASE("No heads are made up where shapes do not tell them, or the operator is no attention") {
  const auto has_heads = [](std::string_view name, std::string_view dims) {
    return attention_heads({.name = name, .dims = dims, .types = "", .concrete = ""}).has_value();
  };
  CHECK(has_heads("flash_attn", "[[4, 8, 64], [4, 8, 64], [4, 8, 64]]"));
  CHECK_FALSE(has_heads("aten::bmm", "[[4, 8, 64], [4, 8, 64], [4, 8, 64]]"));
  CHECK_FALSE(has_heads("flash_attn", "[[4, 8, 64], [4, 8, 64]]"));
  CHECK_FALSE(has_heads("flash_attn", "[[4, 8, 64], [4, 3, 64], [4, 3, 64]]"));
  CHECK_FALSE(has_heads("mla_attention", "[[4, 8, 576], [4, 1, 512], [4, 1, 512]]"));
  CHECK_FALSE(has_heads("attention", "not a list"));
}

TEST_CASE("What attention does follows from the sums of a step's requests") {
  const AttentionHeads heads{.queries = 32, .keys = 8, .key_size = 128, .value_size = 128, .item_bytes = 2};
  const auto decode =
      parse_step_name("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk32785sqsq32sqsk32785)");
  REQUIRE(decode);
  const auto sums = decode->attention();
  REQUIRE(sums);
  CHECK(heads.cost(*sums).flop == 2.0 * 32 * 256 * 32785);
  CHECK(heads.cost(*sums).bytes == 2.0 * 256 * (32 * 32 + 32785 * 8));
  const auto mixed = parse_step_name("execute_7_context_1(sq4sk4sqsq16sqsk16)_generation_3(sq3sk30sqsq3sqsk30)");
  REQUIRE((mixed && mixed->attention()));
  CHECK(mixed->attention()->pairs == 16 - 8 + 30);
  CHECK(mixed->attention()->queries == 7);
  for (const char* const name : {"step[DECODE bs=32]", "execute_context_0(0)_generation_8(8)"})
    CHECK_FALSE(parse_step_name(name)->attention());
}

}  // namespace vizd::attention_heads_test
