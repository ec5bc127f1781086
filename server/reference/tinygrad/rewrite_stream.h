// ReferenceStream: a pass's states as tinygrad's own server sends them (serve.py get_details), one JSON object a state:
//   {"graph": {id: {"label", "src": [[port, id]…], "color", "ref", "tag"}}, "uop", "changed_nodes", "diff",
//    "upat": [[file, line], code]}
// A newer dialect's viewer sends hidden ops as well: "exclude" and "addrspace" on each node, "change" for
// "changed_nodes", the match's time before its code, and nothing after an error.
// for scripts and pages written for that server. Each holds the whole graph, so that a large pass is many gigabytes:
// a state is made when it is asked for, and nothing of it is kept. An op that lives on keeps its id. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/capture.h"
#include "rewrite/live_labels.h"
#include "rewrite/replay.h"

namespace vizd {

// The line of the compiler's source at a location of the capture, where it may be read.
using SourceLine = std::function<std::optional<std::string>(const Location& location)>;

class ReferenceStream {
 public:
  // The capture and the pass must outlive this.
  ReferenceStream(const Capture& capture, const Pass& pass, SourceLine source_line);

  // Appends the next state's JSON to out; false, and nothing, after the last.
  bool next(std::string& out);

 private:
  bool is_sent(OpId id) const { return sends_hidden_ || !labels_.is_inlined(id); }
  std::string_view changed_key() const { return is_newer_ ? "change" : "changed_nodes"; }
  void append_graph(std::string& out);
  void append_node(std::string& out, OpId id);
  void append_label(std::string& out, LabelId id);
  void append_match(std::string& out, const Match& match);

  const Capture& capture_;
  const Pass& pass_;
  SourceLine source_line_;
  Replay replay_;
  LiveLabels labels_;
  std::unique_ptr<OpAnalysis> capture_analysis_;  // for the texts of matched ops
  bool sends_hidden_;
  bool is_newer_;
  std::vector<std::string> label_json_;  // by LabelId; empty until asked
  bool begun_ = false;
};

}  // namespace vizd
