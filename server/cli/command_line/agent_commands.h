// The commands for who asks in a terminal, scripts and coding agents: what cost the most, whether a figure holds,
// links, tools. As those of command.h.
#pragma once

namespace vizd {

int run_assert(int argc, const char* const* argv);
int run_diagnose(int argc, const char* const* argv);
int run_mcp(int argc, const char* const* argv);
int run_open(int argc, const char* const* argv);
int run_skill(int argc, const char* const* argv);

}  // namespace vizd
