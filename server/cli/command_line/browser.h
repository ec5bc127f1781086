// Opens the page in the user's browser (BROWSER in the environment, as tinygrad's viewer does).
#pragma once

#include <string>

namespace vizd {

// Starts the program that BROWSER names, or where it names none the desktop's own, and does not wait for it. A URL
// with a token never stands on a command line, where every user of the machine can read it: the browser is given a
// file in state_folder that only its owner may read and that leads to the URL.
void open_browser(const std::string& url, bool has_token, const std::string& state_folder);

}  // namespace vizd
