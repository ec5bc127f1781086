// What a capture tells of its ops beside what they are made of, such as the line of the program that asked for each.
// Equal ops made by a replay have it too, where they equal one that was recorded.
#pragma once

#include "model/op_graph.h"

namespace vizd {

// Offered by an OpAnalysis (model/dialect.h) whose labels show it. As that, it belongs to one thread.
class ShowsRecordedOps {
 public:
  virtual ~ShowsRecordedOps() = default;

  // Whether the capture tells any.
  virtual bool shows_recorded_ops() const = 0;
  // Which op of the capture an op of a live graph equals, or kNoId; to be said before its label is asked for, and again
  // when it changes, with refresh() after. The capture's own ops need not be said.
  virtual void set_recorded(OpId id, OpId capture_op) = 0;
};

}  // namespace vizd
