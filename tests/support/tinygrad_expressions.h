// Expressions of tinygrad 2026-08 from text with the operator first: "(+ i (* j 2))". i, j, k, m, n, o, w, z and b are
// variables, each within bounds of its own, "(range 0 x)" and "(range 1 x)" loops that end at x, "(cast int x)" a cast,
// "(const int 7)" a number of that dtype.
#pragma once

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "formats/tinygrad/symbolic/simplifier.h"
#include "formats/tinygrad/v2026_08/dtype.h"

namespace vizd::tinygrad_2026_08 {

class ExpressionReader {
 public:
  // Takes the variables into the table, which is not to grow any more while a graph reads it.
  explicit ExpressionReader(ValueTable& values) {
    for (const auto& [name, range] : kVariables) {
      const ValueId bounds[] = {values.integer(range.first), values.integer(range.second)};
      const ValueId fields[] = {values.string("slot"),        values.integer(-1),
                                values.string("dtype"),       add_dtype(values, Scalar::kWeakint),
                                values.string("vmin_vmax"),   values.sequence(ValueKind::kTuple, bounds),
                                values.string("multiple_of"), values.integer(1),
                                values.string("name"),        values.string(name)};
      arguments_[name] = values.object("tinygrad.uop.ops.ParamArg", fields);
    }
    for (int i = 0; i < 2; ++i) {
      const ValueId items[] = {values.integer(i), values.member("tinygrad.uop.ops.AxisType", "LOOP", 12)};
      arguments_["range" + std::to_string(i)] = values.sequence(ValueKind::kTuple, items);
    }
    const ValueId in_order[] = {values.integer(0), values.integer(1)},
                  turned[] = {values.integer(1), values.integer(0)};
    arguments_["permute01"] = values.sequence(ValueKind::kTuple, in_order);
    arguments_["permute10"] = values.sequence(ValueKind::kTuple, turned);
  }

  ExprId read(ExprGraph& graph, const std::string& text) {
    g_ = &graph;
    std::string spaced;
    for (const char c : text) spaced += c == '(' || c == ')' ? std::string{' ', c, ' '} : std::string{c};
    in_ = std::istringstream(spaced);
    return term(next());
  }

 private:
  std::string next() {
    std::string token;
    in_ >> token;
    return token;
  }

  ExprId term(const std::string& token) {
    if (token == "(") return operation();
    if (token == "True" || token == "False") return g_->number_expr(Number::of_bool(token == "True"));
    if (token == "Invalid") return g_->number_expr(Number::invalid());
    if (kVariables.contains(token)) {
      const ExprId shape[] = {g_->node(Ops::kStack, Scalar::kVoid, {})};
      return g_->node(Ops::kParam, Scalar::kWeakint, shape, arguments_.at(token));
    }
    if (token.find('.') != std::string::npos)
      return g_->number_expr(Number::of_real(std::strtod(token.c_str(), nullptr)));
    return g_->number_expr(Number::of(std::stoll(token)));
  }

  ExprId operation() {
    const std::string name = next();
    const bool has_detail =
        name == "cast" || name == "bitcast" || name == "const" || name == "range" || name == "permute";
    const std::string detail = has_detail ? next() : "";
    std::vector<ExprId> src;
    for (std::string token = next(); token != ")"; token = next()) src.push_back(term(token));
    if (name == "const") return g_->constant(kDTypes.at(detail), g_->number(src[0]));
    if (name == "cast") return g_->node(Ops::kCast, kDTypes.at(detail), src);
    if (name == "bitcast") return g_->node(Ops::kBitcast, kDTypes.at(detail), src);
    if (name == "permute") return g_->node(Ops::kPermute, g_->scalar(src[0]), src, arguments_.at("permute" + detail));
    if (name == "range") return g_->node(Ops::kRange, g_->scalar(src[0]), src, arguments_.at("range" + detail));
    // A vector, and the sizes that it gets.
    if (name == "reshape") {
      return g_->make(Ops::kReshape, {src[0], g_->make(Ops::kStack, std::span(src).subspan(1))});
    }
    return g_->make(kOperators.at(name), src);
  }

  inline static const std::map<std::string, Ops> kOperators = {
      {"+", Ops::kAdd},         {"*", Ops::kMul},       {"//", Ops::kFloordiv}, {"%", Ops::kFloormod},
      {"max", Ops::kMax},       {"<", Ops::kCmplt},     {"!=", Ops::kCmpne},    {"&", Ops::kAnd},
      {"|", Ops::kOr},          {"^", Ops::kXor},       {"<<", Ops::kShl},      {">>", Ops::kShr},
      {"cdiv", Ops::kCdiv},     {"cmod", Ops::kCmod},   {"where", Ops::kWhere}, {"stack", Ops::kStack},
      {"1/", Ops::kReciprocal}, {"sin", Ops::kSin},     {"trunc", Ops::kTrunc}, {"index", Ops::kIndex},
      {"load", Ops::kLoad},     {"store", Ops::kStore}, {"after", Ops::kAfter}, {"end", Ops::kEnd},
      {"mulacc", Ops::kMulacc}};
  inline static const std::map<std::string, std::pair<int, int>> kVariables = {
      {"i", {1, 10}},  {"j", {1, 10}}, {"k", {2, 7}}, {"z", {0, 8}},  {"n", {-5, 5}},
      {"m", {-9, -1}}, {"b", {0, 1}},  {"o", {4, 4}}, {"w", {0, 100}}};
  inline static const std::map<std::string, Scalar> kDTypes = {
      {"int", Scalar::kInt32},       {"long", Scalar::kInt64},    {"bool", Scalar::kBool},
      {"weakint", Scalar::kWeakint}, {"uint", Scalar::kUint32},   {"ulong", Scalar::kUint64},
      {"short", Scalar::kInt16},     {"float", Scalar::kFloat32}, {"double", Scalar::kFloat64}};

  ExprGraph* g_ = nullptr;
  std::istringstream in_;
  std::map<std::string, ValueId> arguments_;
};

}  // namespace vizd::tinygrad_2026_08
