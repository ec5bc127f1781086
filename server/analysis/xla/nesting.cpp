#include "analysis/xla/nesting.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace vizd {
namespace {

class Nesting {
 public:
  explicit Nesting(std::span<const XlaSpan> ops) : ops_(ops), from_ps_(ops.size()) {}

  std::vector<XlaPiece> find() {
    std::vector<std::uint32_t> order(ops_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return ops_[a].start_ps != ops_[b].start_ps ? ops_[a].start_ps < ops_[b].start_ps
                                                  : ops_[a].end_ps > ops_[b].end_ps;
    });
    for (const std::uint32_t op : order) {
      close(ops_[op].start_ps);
      if (!open_.empty()) give(open_.back(), ops_[op].start_ps);
      open_.push_back(op);
      from_ps_[op] = ops_[op].start_ps;
    }
    close(std::numeric_limits<std::int64_t>::max());
    return std::move(pieces_);
  }

 private:
  // The op is the innermost from where it was so last until then.
  void give(std::uint32_t op, std::int64_t until_ps) {
    const std::int64_t end_ps = std::min(until_ps, ops_[op].end_ps);
    if (end_ps > from_ps_[op]) pieces_.push_back({{from_ps_[op], end_ps}, op});
  }

  // Ends the ops at the top that have ended by then.
  void close(std::int64_t until_ps) {
    while (!open_.empty() && ops_[open_.back()].end_ps <= until_ps) {
      const std::uint32_t op = open_.back();
      open_.pop_back();
      give(op, ops_[op].end_ps);
      if (open_.empty()) continue;
      std::int64_t& from_ps = from_ps_[open_.back()];
      from_ps = std::max({from_ps, from_ps_[op], ops_[op].end_ps});
    }
  }

  std::span<const XlaSpan> ops_;
  std::vector<std::int64_t> from_ps_;  // by op: since when it is the innermost, when nothing lies in it
  std::vector<std::uint32_t> open_;
  std::vector<XlaPiece> pieces_;
};

}  // namespace

std::vector<XlaPiece> innermost_pieces(std::span<const XlaSpan> ops) { return Nesting(ops).find(); }

}  // namespace vizd
