#include "formats/chrome_trace/pairs.h"

#include <algorithm>
#include <span>

namespace vizd::chrome_trace {
namespace {

class TimePairing {
 public:
  // Marks of one moment.
  void take(std::span<const PairMark> marks) {
    late_.clear();
    for (const PairMark& mark : marks) {
      if (mark.is_end && !close(mark)) late_.push_back(&mark);
    }
    for (const PairMark& mark : marks) {
      if (!mark.is_end) open_.push(mark.name, mark.number);
    }
    for (const PairMark* const mark : late_) close(*mark);
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;

 private:
  bool close(const PairMark& end) {
    const std::uint32_t* const begun = open_.find(end.name);
    if (begun == nullptr) return false;
    pairs.emplace_back(*begun, end.number);
    open_.pop(end.name);
    return true;
  }

  NamedStack<std::uint32_t> open_;
  std::vector<const PairMark*> late_;
};

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> pair_by_time(std::vector<PairMark> marks) {
  std::ranges::stable_sort(marks, {}, &PairMark::at_ns);
  TimePairing pairing;
  for (std::size_t begin = 0, end = 0; begin < marks.size(); begin = end) {
    while (end < marks.size() && marks[end].at_ns == marks[begin].at_ns) ++end;
    pairing.take(std::span(marks).subspan(begin, end - begin));
  }
  return std::move(pairing.pairs);
}

}  // namespace vizd::chrome_trace
