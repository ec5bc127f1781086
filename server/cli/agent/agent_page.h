// The page for who asks vizd in a terminal, scripts and coding agents: how to ask, in which order, and what the words
// mean. Made from the tables of commands, so that it says what this vizd does. Any thread.
#pragma once

#include <string>

namespace vizd {

std::string agent_page();

// The same as a skill: with the head by which agents know when to read it.
std::string agent_skill();

}  // namespace vizd
