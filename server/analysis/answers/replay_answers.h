// The rows of answers about graph replays, each field said once (device_answers.h has the others). Pure.
#pragma once

#include "analysis/answers/field.h"
#include "analysis/graph_replay/replay_rows.h"
#include "base/json_writer.h"

namespace vizd {

template <typename Row>
struct ReplayLine {
  const GraphReplays& replays;
  const Row& row;
};

Fields<ReplayLine<NamingRow>> naming_fields();
Fields<ReplayLine<GraphRow>> graph_fields();
Fields<ReplayLine<ReplayRow>> replay_fields();
// JSON has the captured operator's inputs too: write_captured_inputs().
Fields<ReplayLine<NodeRow>> node_fields();
// "input_dims": [[..], ..], "input_types": [..], as the profiler recorded them, or null.
void write_captured_inputs(JsonWriter& json, const ReplayLine<NodeRow>& line);
Fields<ReplayLine<StepRow>> step_fields();
Fields<ReplayLine<SteadyRow>> steady_fields();
Fields<ReplayLine<LayerRow>> layer_fields();
Fields<ReplayLine<LayerKindRow>> layer_kind_fields();

struct PlaceLine {
  const PlaceRow& row;
};
Fields<PlaceLine> place_fields();

}  // namespace vizd
