// How fast an execution of a kernel was, by what code generation reckoned that the kernel has to do (KernelInfo's
// estimates). Pure functions, any thread.
#pragma once

#include <string>

#include "model/capture.h"

namespace vizd::tinygrad_2026_08 {

// As tinygrad's viewer words it (serve.py timeline_layout): '"FLOPS": 12, "B/s mem": 3, "B/s lds": 4'; "" where the
// context made no program, or one without estimates. var_vals: a dict of name to integer, or none.
std::string describe_work(const Capture& capture, ContextId context, ValueId var_vals, double dur_us);

}  // namespace vizd::tinygrad_2026_08
