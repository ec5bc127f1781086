// Makes the parts that `vizd` needs to serve from its options: one function a part.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/command_line/options.h"
#include "cli/command_line/stop_signals.h"
#include "disasm/compile.h"
#include "disasm/source_lines.h"
#include "http/transport/assets.h"
#include "http/transport/guard.h"
#include "http/transport/http_server.h"
#include "http/transport/running_server.h"
#include "session/session.h"
#include "session/uploads.h"

namespace vizd {

// Where the system gives no thread or no memory that nobody can do without, the program ends with that word, not with a
// core. All of the process.
void say_what_lacks_at_the_end();
// Lets the threads share what memory the allocator holds back: dozens of them with a store of each hold much more than
// is in use. Before there is a second thread.
void share_memory_among_threads();
// Whether the system lets it have as many files and connections open as it cannot do without; says so where not.
bool may_open_enough_files();
// Where captures from the page go; an error says why none are taken.
Result<std::unique_ptr<Uploads>> begin_uploads(const Options& options);
SessionInputs session_inputs(const Options& options, const Uploads* uploads);
CompileOptions compile_options(const Options& options);
// Where programs are looked for: PATH of the environment.
std::string program_path();
SourceOptions source_options(const Options& options);
// The names to answer under, and the token: the user's own from the state folder, or where that cannot be written one
// for this run.
GuardPolicy guard_policy(const Options& options);
// The page: of the build's folder, for a vizd that lies in its own; everywhere else the one that it carries.
Assets find_assets(const Options& options);
HttpServerOptions server_options(const Options& options, const GuardPolicy& policy);
// Says where it serves, for the user's other commands to find it; null where that cannot be written, which is logged.
std::unique_ptr<OwnFolder> announce_server(const Options& options, int port, const std::string& token);
// The URL that the user opens. The token is in the fragment, which no server and no log gets to see.
std::string page_url(const Options& options, int port, const std::string& token);

// Calls end on a thread of its own, and returns when it has, or else after that time: what still works then is to end
// with the process. Nothing that end uses may go before.
void end_within(std::chrono::milliseconds time, std::function<void()> end);

// Waits for Ctrl-C or SIGTERM, and logs meanwhile how long after start all captures were read.
void wait_for_end(const StopSignals& signals, const Session& session, std::chrono::steady_clock::time_point start);

}  // namespace vizd
