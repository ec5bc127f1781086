// The programs that passes make: PROGRAM(SINK, LINEAR, SOURCE, BINARY), a source more with each match of the pass
// "linearize/render", and whole in "View Program". Pure but for add_programs().
#pragma once

#include <optional>

#include "model/capture.h"

namespace vizd::tinygrad_2026_08 {

// What the pass left of a stage (serve.py get_sink_at and get_render); nothing where it did not come so far.
std::optional<StageResult> find_stage(const Capture& capture, const Pass& pass, ProgramStage stage);

// A list of ops as render.py's print_uops prints it.
std::string op_list_text(const Capture& capture, OpId linear);

// Gives each context the program that it ended in.
void add_programs(Capture& capture);

}  // namespace vizd::tinygrad_2026_08
