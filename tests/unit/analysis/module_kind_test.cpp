// What kind of module a part of a model is said to be, by the names of vLLM, SGLang and PyTorch.
#include "analysis/graph_replay/module_kind.h"

#include "support/catch.h"

namespace vizd::module_kind_test {

TEST_CASE("the innermost module that tells says what a part of a model does") {
  const auto name = [](std::string_view path) {
    const auto kind = module_kind_of(path);
    return kind ? module_kind_name(*kind) : std::string_view("not told");
  };
  CHECK(name("Qwen3ForCausalLM_0/Qwen3Model_0/Qwen3DecoderLayer_3/Qwen3Attention_3") == "attention");
  CHECK(name("Model_0/DecoderLayer_3/Attention_3/RMSNorm_7") == "norm");
  CHECK(name("Model_0/DecoderLayer_3/MLP_3/RowParallelLinear_6") == "mlp");
  CHECK(name("model.layers.3.self_attn.q_norm") == "norm");
  CHECK(name("model.layers.3.mlp.experts") == "mlp");
  CHECK(name("model.layers.3.mlp.router") == "routing");
  CHECK(name("_moe_C::topk_softmax") == "routing");
  CHECK(name("vllm::moe_forward") == "mlp");
  CHECK(name("aten::mm") == "not told");
  CHECK(name("") == "not told");
}

}  // namespace vizd::module_kind_test
