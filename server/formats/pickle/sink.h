// Sink: takes what a pickle holds while the machine reads it, for files of which a tree of all they hold would be too
// large. Texts, numbers and None come as nodes that point into the pickle's bytes; tuples, lists, sets and dicts as
// nodes with the numbers that the sink gave them. Nodes may share, and lists and dicts contain themselves. One thread.
#pragma once

#include <cstdint>
#include <span>

#include "formats/pickle/tree.h"

namespace vizd::pickle {

class Sink {
 public:
  virtual ~Sink() = default;

  // A tuple; a list, set or dict that is still empty. Returns what is to be Node::at of its node.
  virtual std::uint32_t tuple(std::span<const Node> items) = 0;
  virtual std::uint32_t container(Kind kind) = 0;
  // Items are appended to a list or set; or keys, each with its value behind it, to a dict.
  virtual void extend(Node container, std::span<const Node> items) = 0;
};

}  // namespace vizd::pickle
