// Arithmetic and bytes of operators, by hand and from published figures.
#include "analysis/pytorch/operator_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/pytorch/python_literal.h"
#include "support/catch.h"

namespace vizd::operator_cost_test {
namespace {

struct Expected {
  double flop, bytes;
};

void check_cost(const OperatorInputs& inputs, const Expected& expected) {
  INFO(inputs.name);
  const auto cost = operator_cost(inputs);
  REQUIRE(cost);
  CHECK(cost->flop == expected.flop);
  REQUIRE(cost->bytes);
  CHECK(*cost->bytes == expected.bytes);
}

TEST_CASE("products of matrices cost two a multiply-add, each tensor moved once") {
  check_cost({"aten::mm", "[[5,128],[128,64]]", R"(["float","float"])", ""},
             {2.0 * 5 * 128 * 64, 4.0 * (5 * 128 + 128 * 64 + 5 * 64)});
  check_cost({"aten::addmm", "[[1000],[1,2048],[2048,1000],[],[]]",
              R"(["c10::Half","c10::Half","c10::Half","Scalar","Scalar"])", ""},
             {4096000, 2.0 * (1000 + 2048 + 2048 * 1000 + 1000)});
  check_cost({"aten::bmm", "[[3,4,5],[3,5,6]]", R"(["double","double"])", ""},
             {2.0 * 3 * 4 * 5 * 6, 8.0 * (3 * 20 + 3 * 30 + 3 * 24)});
  check_cost({"aten::baddbmm", "[[4,6],[3,4,5],[3,5,6]]", R"(["float","float","float"])", ""},
             {2.0 * 3 * 4 * 5 * 6, 4.0 * (24 + 3 * 20 + 3 * 30 + 3 * 24)});
}

TEST_CASE("a convolution's output follows from padding, stride and dilation") {
  const std::string types =
      R"(["float","float","","ScalarList","ScalarList","ScalarList","Scalar","ScalarList","Scalar"])";
  const std::string dims = "[[1,3,224,224],[64,3,7,7],[],[],[],[],[],[],[]]";
  check_cost({"aten::convolution", dims, types, R"(["","","","[2, 2]","[3, 3]","[1, 1]","False","[0, 0]","1"])"},
             {236027904, 4.0 * (3 * 224 * 224 + 64 * 3 * 49 + 64 * 112 * 112)});
  // One number stands for both directions; dilation widens the kernel to 13.
  check_cost({"aten::convolution", dims, types, R"(["","","","[1]","[0]","[2]","False","[0]","1"])"},
             {2.0 * 212 * 212 * 64 * 3 * 49, 4.0 * (3 * 224 * 224 + 64 * 3 * 49 + 64 * 212 * 212)});
  // Transposed: the input is what is walked over.
  check_cost({"aten::convolution", "[[2,8,4,4],[8,5,2,2],[],[],[],[],[],[],[]]", types,
              R"(["","","","[2, 2]","[0, 0]","[1, 1]","True","[0, 0]","1"])"},
             {2.0 * 2 * 16 * 8 * 5 * 4, 4.0 * (2 * 8 * 16 + 8 * 5 * 4 + 2 * 5 * 64)});
  CHECK_FALSE(operator_cost({"aten::convolution", dims, types, ""}));
  CHECK_FALSE(operator_cost({"aten::convolution", dims, types, R"(["","","","","","","","",""])"}));
  CHECK_FALSE(operator_cost(
      {"aten::convolution", dims, types, R"(["","","","[0, 0]","[3, 3]","[1, 1]","False","[0, 0]","1"])"}));
}

TEST_CASE("the backward of a convolution is one forward for each gradient that is wanted") {
  const std::string dims = "[[1,4,6,6],[1,3,8,8],[4,3,3,3],[],[],[],[],[],[],[],[]]";
  const std::string types = R"(["float","float","float","","","","","","","",""])";
  const auto with_mask = [&](const std::string& mask) {
    return operator_cost(
        {"aten::convolution_backward", dims, types, R"(["","","","","","","","False","","",")" + mask + "\"]"});
  };
  const double one = 2.0 * 36 * 4 * 3 * 9;
  CHECK(with_mask("[True, True, True]")->flop == 2 * one);
  CHECK(with_mask("[False, True, False]")->flop == one);
  CHECK(*with_mask("[False, True, False]")->bytes == 4.0 * (4 * 36 + 3 * 64 + 2 * 4 * 3 * 9));
}

TEST_CASE("attention is two products, in whichever order heads and sequence are recorded") {
  const std::string types = R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","","","","","",""])";
  const double flop = 2.0 * 2 * 8 * 100 * 50 * (64 + 32);
  const double bytes = 2.0 * 2 * 8 * (100 * 64 + 50 * 64 + 50 * 32 + 100 * 32);
  check_cost({"aten::_scaled_dot_product_flash_attention", "[[2,8,100,64],[2,8,50,64],[2,8,50,32],[],[]]", types, ""},
             {flop, bytes});
  check_cost({"aten::_flash_attention_forward", "[[2,100,8,64],[2,50,8,64],[2,50,8,32],[],[]]", types, ""},
             {flop, bytes});
  check_cost({"aten::_cudnn_attention_forward", "[[2,8,100,64],[2,8,50,64],[2,8,50,32],[],[]]", types, ""},
             {flop, bytes});
  // Sequences packed one after another: their lengths are not recorded.
  CHECK_FALSE(
      operator_cost({"aten::_flash_attention_forward", "[[200,8,64],[100,8,64],[100,8,64],[3],[3]]", types, ""}));
}

// The pairs of a query and a key that a causal mask leaves, one by one: the last query sees all keys that there are.
double causal_pairs(int queries, int keys) {
  double pairs = 0;
  for (int q = 0; q < queries; ++q) {
    for (int k = 0; k < keys; ++k) pairs += k <= q + std::max(keys - queries, 0) ? 1 : 0;
  }
  return pairs;
}

TEST_CASE("causal attention counts the pairs that it multiplies, and says so") {
  const std::string types = R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","","","",""])";
  for (const auto& [queries, keys] : {std::pair(100, 100), std::pair(40, 100), std::pair(100, 40)}) {
    const std::string dims = fmt::format("[[2,8,{0},64],[2,8,{1},64],[2,8,{1},32],[],[],[],[]]", queries, keys);
    const auto with = [&](std::string_view causal) {
      const std::string concrete = fmt::format(R"(["","","","0.","{}","False","0.125"])", causal);
      const auto cost = operator_cost(
          {"aten::_scaled_dot_product_flash_attention", dims, types, causal.empty() ? std::string_view() : concrete});
      REQUIRE(cost);
      return *cost;
    };
    const double each = 2.0 * 2 * 8 * (64 + 32), all = each * queries * keys;
    CHECK(with("False").flop == all);
    CHECK(with("False").mask == AttentionMask::kFull);
    CHECK(std::abs(with("True").flop - each * causal_pairs(queries, keys)) < 1e-3);
    CHECK(with("True").mask == AttentionMask::kCausal);
    CHECK(with("").flop == all);
    CHECK(with("").mask == AttentionMask::kNotTold);
    CHECK(std::abs(all * with("").causal_share - each * causal_pairs(queries, keys)) < 1e-3);
  }
  const auto backward = operator_cost({"aten::_scaled_dot_product_flash_attention_backward",
                                       "[[1,1,8,4],[1,1,8,4],[1,1,8,4],[1,1,8,4],[1,1,8,4],[1,1,8],[],[],[],[],[],[]]",
                                       R"(["float","float","float","float","float","float","","","","","",""])",
                                       R"(["","","","","","","","","8","8","0.","True"])"});
  REQUIRE(backward);
  CHECK(backward->flop == 2.0 * causal_pairs(8, 8) * (3 * 4 + 2 * 4));
  // PyTorch's inner operator of cuDNN's attention, which is what launches.
  const auto inner = operator_cost(
      {"aten::_cudnn_attention_forward", "[[2,16,256,64],[2,16,256,64],[2,16,256,64],[],[],[],[],[],[],[],[],[],[]]",
       R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","","","","","","","","","",""])",
       R"(["","","","","","","256","256","False","0.","True","False",""])"});
  REQUIRE(inner);
  CHECK(inner->mask == AttentionMask::kCausal);
  CHECK(inner->flop == 2.0 * 2 * 16 * causal_pairs(256, 256) * (64 + 64));
}

TEST_CASE("what is not known costs nothing that is told") {
  CHECK_FALSE(operator_cost({"aten::gelu", "[[4,4]]", R"(["float"])", ""}));
  CHECK_FALSE(operator_cost({"mylib::mm", "[[4,4],[4,4]]", R"(["float","float"])", ""}));
  CHECK_FALSE(operator_cost({"aten::mm", "", "", ""}));
  CHECK_FALSE(operator_cost({"aten::mm", "[[4,4],[5,4]]", R"(["float","float"])", ""}));
  CHECK_FALSE(operator_cost({"aten::mm", "[[4,4]]", R"(["float"])", ""}));
  CHECK_FALSE(operator_cost({"aten::mm", "[[[4,4],[4,4]],[4,4]]", R"(["TensorList","float"])", ""}));
  CHECK_FALSE(operator_cost({"aten::mm", "[[4,\"x\"],[4,4]]", R"(["float","float"])", ""}));
  CHECK_FALSE(operator_cost({"aten::mm", std::string(100'000, '['), "", ""}));
  const auto unknown_type = operator_cost({"aten::mm", "[[4,4],[4,4]]", R"(["quint4","quint4"])", ""});
  REQUIRE(unknown_type);
  CHECK(unknown_type->flop == 128);
  CHECK_FALSE(unknown_type->bytes);
}

TEST_CASE("values are read as Python prints them") {
  CHECK(python_literal("True").is_true());
  CHECK_FALSE(python_literal("False").is_true());
  CHECK_FALSE(python_literal("None").scalar);
  CHECK(python_literal(" 0.5 ").scalar == 0.5);
  CHECK(python_literal("[1, -2]").list == std::vector<double>{1, -2});
  CHECK(python_literal("[True, False]").list == std::vector<double>{1, 0});
  CHECK(python_literal("[]").list == std::vector<double>{});
  CHECK_FALSE(python_literal("[1, x]").list);
  CHECK(python_literal("[3]").spread(3) == std::vector<double>{3, 3, 3});
  CHECK(python_literal("7").spread(2) == std::vector<double>{7, 7});
}

}  // namespace
}  // namespace vizd::operator_cost_test
