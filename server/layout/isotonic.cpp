#include "layout/isotonic.h"

#include <cstddef>

namespace vizd {

void isotonic_regression(std::span<const IsotonicPoint> points, std::span<double> values) {
  // Blocks of points that share one value, their weighted mean. A block that would lie below the one before it is
  // pooled with that one.
  struct Block {
    double sum;
    double weight;
    std::size_t end;
    double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  blocks.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    blocks.push_back({points[i].wanted * points[i].weight, points[i].weight, i + 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().end = last.end;
    }
  }
  std::size_t i = 0;
  for (const Block& block : blocks) {
    for (; i < block.end; ++i) values[i] = block.mean();
  }
}

}  // namespace vizd
