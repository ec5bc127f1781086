// ShapeTable: each shape once, known by an id. A size is an expression: a constant, or what it depends on. Belongs to
// one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/sequence_table.h"

namespace vizd::tinygrad {

// An expression of a graph.
enum class ExprId : std::uint32_t {};

inline constexpr ExprId kNoExpr{kNoId};

enum class ShapeId : std::uint32_t {
  kNone,    // an op without a shape
  kRaises,  // an op whose shape raises in tinygrad
  kFirst,   // ids of shapes begin here
};

inline bool is_shape(ShapeId id) { return id >= ShapeId::kFirst; }

class ShapeTable {
 public:
  static constexpr ShapeId kScalar = ShapeId::kFirst;  // ()

  ShapeId add(std::span<const ExprId> sizes) {
    words_.clear();
    for (const ExprId size : sizes) words_.push_back(static_cast<std::uint32_t>(size));
    return static_cast<ShapeId>(sequences_.add(words_) + static_cast<std::uint32_t>(ShapeId::kFirst));
  }
  // Returns the dimensions of a shape.
  std::vector<ExprId> get(ShapeId shape) const {
    std::vector<ExprId> sizes;
    const auto words = sequences_.get(static_cast<std::uint32_t>(shape) - static_cast<std::uint32_t>(ShapeId::kFirst));
    for (const std::uint32_t word : words) sizes.push_back(to_id<ExprId>(word));
    return sizes;
  }

 private:
  SequenceTable sequences_;
  std::vector<std::uint32_t> words_;
};

}  // namespace vizd::tinygrad
