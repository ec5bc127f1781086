// The pickle machine's stack: values, and marks between them. An opcode reaches only the values above the last mark.
// Written for speed: a capture's pickle moves some seven million values over it. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.h"
#include "formats/pickle/tree.h"

namespace vizd::pickle {

class Stack {
 public:
  Stack(std::size_t max_size, std::size_t max_marks) : max_size_(max_size), max_marks_(max_marks) {}

  // False where the stack would grow beyond its limit.
  bool push(Node node) {
    if (end_ == limit_ && !grow()) return false;
    *end_++ = node;
    return true;
  }
  // False where the marks would become too many.
  bool push_mark() {
    if (marks_.size() >= max_marks_) return false;
    marks_.push_back(floor_ - nodes_.data());
    floor_ = end_;
    return true;
  }
  // Forgets the last mark and gives the values above it back into reach, and how many they are; needs a mark.
  std::size_t take_mark() {
    const std::size_t count = available();
    floor_ = nodes_.data() + marks_.back();
    marks_.pop_back();
    return count;
  }
  bool has_mark() const { return !marks_.empty(); }
  // None where nothing lies under the last mark; needs one.
  Node under_mark() const { return floor_ == nodes_.data() ? Node{} : floor_[-1]; }

  // How many values lie above the last mark. What follows needs that many.
  std::size_t available() const { return static_cast<std::size_t>(end_ - floor_); }
  Node top() const { return end_[-1]; }
  // The value under the last count.
  Node under(std::size_t count) const { return *(end_ - count - 1); }
  std::span<const Node> last(std::size_t count) const { return {end_ - count, count}; }
  void drop(std::size_t count) { end_ -= count; }
  Node pop() { return *--end_; }

  // For the machine's inner loop, which keeps the end in a register: one past the last value; where the room ends;
  // where the values above the last mark begin; and the end's new place.
  Node* end() const { return end_; }
  const Node* limit() const { return limit_; }
  const Node* floor() const { return floor_; }
  void set_end(Node* end) { end_ = end; }
  // Makes more room; false where there would be too much.
  [[gnu::cold, gnu::noinline]] bool grow() {
    const std::ptrdiff_t size = end_ - nodes_.data(), floor = floor_ - nodes_.data();
    if (nodes_.size() >= max_size_) return false;
    nodes_.resize(std::min(max_size_, std::max<std::size_t>(1024, nodes_.size() * 2)));
    end_ = nodes_.data() + size;
    floor_ = nodes_.data() + floor;
    limit_ = nodes_.data() + nodes_.size();
    return true;
  }

 private:
  const std::size_t max_size_;
  const std::size_t max_marks_;
  LargeVector<Node> nodes_;            // as many as there is room for
  Node* end_ = nullptr;                // one past the last value
  Node* floor_ = nullptr;              // the first value above the last mark
  Node* limit_ = nullptr;              // the end of the room
  std::vector<std::ptrdiff_t> marks_;  // the floors before, as places
};

}  // namespace vizd::pickle
