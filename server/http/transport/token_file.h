// The token that opens vizd: 128 random bits as hexadecimal text, kept per user in a file that only that user can
// read, so that open tabs still work after a restart.
#pragma once

#include <string>

#include "base/result.h"

namespace vizd {

// $XDG_STATE_HOME/vizd, by default ~/.local/state/vizd; empty where neither variable is set.
std::string default_state_folder();

std::string make_token();

// Reads the token from FOLDER/token, and makes folder and file where there are none. A file that others could read or
// that holds no token is replaced. Errors: the folder cannot be made or written.
Result<std::string> load_token(const std::string& folder);

}  // namespace vizd
