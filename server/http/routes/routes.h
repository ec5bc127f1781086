// The routes: what vizd answers under /api/v1/ (API.md) and under the reference's own paths (tinygrad serve.py). Each
// add_ function is one file. Handlers run on many threads at once; what they need lives as long as the server.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "derived/derived.h"
#include "derived/program_codes.h"
#include "derived/replayed_pass.h"
#include "disasm/source_lines.h"
#include "http/transport/assets.h"
#include "http/transport/counters.h"
#include "http/transport/heavy_work.h"
#include "http/transport/router.h"
#include "http/transport/waiting_room.h"
#include "session/session.h"

namespace vizd {

// How the stores of Services run.
inline constexpr Derived::Options kPasses{.threads = 2, .most_bytes = std::size_t{512} << 20};
inline constexpr Derived::Options kAnswers{.threads = 2, .most_bytes = std::size_t{256} << 20, .finishes = true};
// As large as what they are made of: 400 MB of ten million kernels.
inline constexpr Derived::Options kAnalyses{.threads = 2, .most_bytes = std::size_t{1} << 30, .finishes = true};
// At a low priority: what somebody waits for comes first.
inline constexpr Derived::Options kTables{
    .threads = 1, .most_bytes = std::size_t{256} << 20, .finishes = true, .niceness = 10};

class DevicePeaks;
namespace store {
class Store;
}
class SharedNotes;
class Uploads;

struct Services {
  Session& session;
  SourceLines& sources;
  Derived& passes;    // what somebody looks at and may leave again: replayed passes, events that a search finds
  Derived& analyses;  // what many answers are made of: what the devices did
  Derived& answers;   // what is there soon: whole answers; their making may wait for an analysis
  Derived& tables;    // what takes long and serves all: tables of rules
  ProgramCodes& programs;
  const std::optional<Assets>& assets;
  const Counters& counters;
  HeavyWork& heavy;
  bool announces_assets = false;        // --dev: open pages hear of new assets
  Uploads* uploads = nullptr;           // null: no captures are taken
  std::string no_uploads = {};          // then why, for people
  SharedNotes* shared = nullptr;        // null: nothing is shared
  const DevicePeaks* peaks = nullptr;   // null: vizd's own
  const store::Store* store = nullptr;  // null: none was named
  std::string job = {};                 // of the store, to be shown first; "": none
  // For the requests that wait for a capture, or for one of the above to make an answer; and for those at the store.
  std::shared_ptr<WaitingRoom> waiting = std::make_shared<WaitingRoom>(WaitingRoom::kPlaces);
  std::shared_ptr<WaitingRoom> waiting_for_store = std::make_shared<WaitingRoom>(WaitingRoom::kStorePlaces);
  // Bounds large answers of the store, which may be slow; kept apart so that it keeps none of heavy's clients waiting.
  std::shared_ptr<HeavyWork> from_store = std::make_shared<HeavyWork>();
};

// A capture as a request has it: it lives as long as its answer is made, whatever comes in its place.
using Loaded = std::shared_ptr<const LoadedCapture>;

// How long an answer is waited for that is still being made.
inline constexpr std::chrono::seconds kAnswerPatience{60};

Router make_routes(const Services& services);

void add_session_routes(Router& router, const Services& services);          // session, events
void add_context_routes(Router& router, const Services& services);          // contexts
void add_rewrite_routes(Router& router, const Services& services);          // rewrites
void add_match_routes(Router& router, const Services& services);            // text, match
void add_search_routes(Router& router, const Services& services);           // search
void add_rule_routes(Router& router, const Services& services);             // rules, matches
void add_node_routes(Router& router, const Services& services);             // node, measures
void add_diff_routes(Router& router, const Services& services);             // diff
void add_focus_routes(Router& router, const Services& services);            // focus
void add_tile_routes(Router& router, const Services& services);             // lanes, names, tiles
void add_event_routes(Router& router, const Services& services);            // event, at, search, range, flows
void add_stack_routes(Router& router, const Services& services);            // stacks
void add_device_routes(Router& router, const Services& services);           // devices, kernels
void add_compare_routes(Router& router, const Services& services);          // compare
void add_compared_kernel_routes(Router& router, const Services& services);  // compare/kernel, compare-rewrites
void add_compared_place_routes(Router& router, const Services& services);   // compare/places
void add_idle_routes(Router& router, const Services& services);             // idle
void add_work_routes(Router& router, const Services& services);       // call-tree, collectives, critical-path, …
void add_operator_routes(Router& router, const Services& services);   // operators
void add_compile_routes(Router& router, const Services& services);    // compiles
void add_replay_routes(Router& router, const Services& services);     // graph-replays, graph-nodes, server-steps, …
void add_trace_routes(Router& router, const Services& services);      // trace
void add_kernel_routes(Router& router, const Services& services);     // kernel-graph
void add_summary_routes(Router& router, const Services& services);    // summary
void add_memory_routes(Router& router, const Services& services);     // memory, allocation
void add_reference_routes(Router& router, const Services& services);  // ctxs, get_profile
void add_program_routes(Router& router, const Services& services);    // program, code, analysis, executions, disasm
void add_value_routes(Router& router, const Services& services);      // values
void add_hardware_routes(Router& router, const Services& services);   // counters, samples
void add_counter_routes(Router& router, const Services& services);    // metrics
void add_sql_routes(Router& router, const Services& services);        // sql
void add_fleet_routes(Router& router, const Services& services);      // fleet/…
void add_fleet_sql_routes(Router& router, const Services& services);  // fleet/sql, fleet/schema; of a store alone
void add_upload_routes(Router& router, const Services& services);     // captures, by POST
void add_allocation_life_routes(Router& router, const Services& services);  // allocator/…/lives, life
void add_event_memory_routes(Router& router, const Services& services);     // event/…/memory
void add_allocator_routes(Router& router, const Services& services);        // allocator, and what belongs to it
void add_compared_memory_routes(Router& router, const Services& services);  // compare/memory
void add_diagnosis_routes(Router& router, const Services& services);        // diagnosis
void add_place_routes(Router& router, const Services& services);            // place
void add_shared_routes(Router& router, const Services& services);           // marks, where
void add_recorded_routes(Router& router, const Services& services);         // recorded

// A pass of a capture.
struct PassPlace {
  std::shared_ptr<const LoadedCapture> loaded;
  std::uint32_t index = 0;  // into its rewrites.passes

  const Pass& pass() const { return loaded->capture.rewrites.passes[index]; }
};
// The pass that two arguments name: CONTEXT and PASS within it.
Result<PassPlace> find_pass(const std::shared_ptr<const LoadedCapture>& loaded,
                            std::span<const std::string_view> arguments);
Result<PassPlace> find_pass(const Request& request, std::span<const std::string_view> arguments,
                            const Services& services);
// What a ticket stands for: waits for it as long as the client does, where there is still room to wait.
template <typename T>
Result<std::shared_ptr<const T>> wait_for(const Derived::Ticket<T>& ticket, const Request& request,
                                          const Services& services) {
  if (ticket.wait_for(std::chrono::milliseconds(0))) return ticket.result();
  const auto place = services.waiting->enter();
  return place ? ticket.wait(kAnswerPatience, request.left) : place.error();
}

// The same, replayed; waits a while for it, as long as the client does. kBusy where it takes longer: the making goes on
// only while someone asks.
Result<std::shared_ptr<const ReplayedPass>> find_replayed(const Request& request,
                                                          std::span<const std::string_view> arguments,
                                                          const Services& services);
Result<std::shared_ptr<const ReplayedPass>> replayed(const PassPlace& place, const Request& request,
                                                     const Services& services);

// An answer that is asked for again and again: made once a reading of the capture, from what make holds on to, and kept
// with its compressed copies while memory allows.
using MakeAnswer = std::function<Result<std::string>()>;
Result<std::shared_ptr<const Body>> kept_answer(const Request& request,
                                                const std::shared_ptr<const LoadedCapture>& loaded,
                                                std::string_view name, MakeAnswer make, const Services& services);
Response kept_json(const Request& request, const std::shared_ptr<const LoadedCapture>& loaded, std::string_view name,
                   MakeAnswer make, const Services& services);

// The capture of that id, or the first ("" or none). Waits a while where it is still being read, as long as the client
// does and where there is still room to wait.
Result<std::shared_ptr<const LoadedCapture>> capture_named(std::string_view id, const Request& request,
                                                           const Services& services,
                                                           std::chrono::seconds patience = kAnswerPatience);
// The one that ?capture= names.
Result<std::shared_ptr<const LoadedCapture>> capture_of(const Request& request, const Services& services);

}  // namespace vizd
