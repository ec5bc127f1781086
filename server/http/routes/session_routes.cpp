// GET /api/v1/session and /api/v1/events.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "analysis/allocator/memory_part.h"
#include "analysis/allocator/same_run.h"
#include "base/json_writer.h"
#include "base/version.h"
#include "derived/recorded_runs.h"
#include "http/routes/contexts_json.h"
#include "http/routes/routes.h"
#include "http/transport/event_stream.h"
#include "reference/logged_values.h"
#include "session/hints.h"
#include "session/shared_notes.h"
#include "session/uploads.h"
#include "store/store.h"

namespace vizd {
namespace {

constexpr std::chrono::seconds kHeartbeat{15};
// How often an event stream looks whether its client is still there.
constexpr std::chrono::milliseconds kListenInterval{100};
constexpr std::chrono::milliseconds kAssetsInterval{500};

std::string_view state_name(FileState state) {
  switch (state) {
    case FileState::kLoading:
      return "loading";
    case FileState::kReady:
      return "ready";
    case FileState::kBroken:
      return "broken";
    case FileState::kMissing:
      break;
  }
  return "missing";
}

void write_file(JsonWriter& json, const FileStatus& file) {
  json.begin_object().key("role").text(file.file.role).key("path").text(file.file.path);
  json.key("size_bytes").number(file.size_bytes).key("status").text(state_name(file.state)).key("error");
  if (file.error.empty()) {
    json.null();
  } else {
    json.text(file.error);
  }
  json.end_object();
}

// By capture; none where it is neither a memory snapshot nor a trace, or not yet read.
std::vector<std::optional<RunPart>> run_parts(const std::vector<CaptureStatus>& captures) {
  std::vector<std::optional<RunPart>> parts;
  for (const CaptureStatus& status : captures)
    parts.push_back(status.loaded ? run_part(status.loaded->capture, status.name) : std::nullopt);
  return parts;
}

// same_run: ids of the captures of its run.
void write_capture(JsonWriter& json, const CaptureStatus& status, const std::vector<std::string_view>& same_run) {
  static const Capture kNothing;
  const auto shown = status.loaded || status.beginnings.empty() ? status.loaded : status.beginnings.back();
  const Capture& capture = shown ? shown->capture : kNothing;
  std::size_t events = 0;
  std::size_t allocations = 0;
  std::size_t launch_uses = 0;
  std::size_t allocators = 0;
  for (const Track& lane : capture.profile.tracks) {
    events += lane.events.size();
    allocations += lane.allocations.size();
    launch_uses += lane.launch_uses.size();
    allocators += lane.allocator != nullptr;
  }
  json.begin_object().key("id").text(status.id).key("name").text(status.name).key("format").text(capture.format);
  json.key("revision").number(shown ? shown->revision : 0);
  json.column("files", status.files, write_file);
  json.key("has_rewrites")
      .boolean(status.loaded && capture.has_rewrites)
      .key("has_profile")
      .boolean(capture.has_profile)
      .key("is_beginning")
      .boolean(shown != nullptr && !status.loaded)
      .key("tells_values")
      .boolean(status.loaded && tells_values(*status.loaded))
      .key("tells_hardware")
      .boolean(status.loaded && tells_hardware(capture));
  json.key("contexts").number(capture.rewrites.contexts.size()).key("passes").number(capture.rewrites.passes.size());
  json.key("programs").number(capture.rewrites.programs.size());
  json.key("matches").number(capture.rewrites.matches.size());
  json.key("events").number(events).key("allocations").number(allocations).key("launch_uses").number(launch_uses);
  json.key("allocators").number(allocators);
  json.key("has_memory_parts").boolean(allocators > 0 && parts_to_compare(capture).has_value());
  json.column("same_run", same_run, [](JsonWriter& j, std::string_view id) { j.text(id); });
  json.key("skipped").begin_object();
  for (const auto& [reason, count] : capture.skipped) json.key(reason).number(count);
  json.end_object();
  json.key("warnings").begin_array();
  for (const auto* texts : {&capture.warnings, &capture.notes}) {
    for (const std::string& text : *texts) json.text(text);
  }
  json.end_array();
  json.end_object();
}

void write_captures(JsonWriter& json, const std::vector<CaptureStatus>& captures) {
  const auto parts = run_parts(captures);
  json.key("captures").begin_array();
  for (std::size_t i = 0; i < captures.size(); ++i) {
    std::vector<std::string_view> same_run;
    for (std::size_t k = 0; k < captures.size(); ++k) {
      if (parts[i] && parts[k] && are_of_one_run(*parts[i], *parts[k])) same_run.push_back(captures[k].id);
    }
    write_capture(json, captures[i], same_run);
  }
  json.end_array();
}

// Says how to make a capture, where there is none to show or to be mended.
void write_hint(JsonWriter& json, const std::vector<CaptureStatus>& captures) {
  std::vector<std::string> lines = how_to_make_captures();
  for (const CaptureStatus& capture : captures) {
    for (const FileStatus& file : capture.files) {
      if (capture.loaded || file.state != FileState::kMissing) {
        json.null();
        return;
      }
      lines.push_back("vizd waits for " + file.file.path + ", and shows it as soon as it appears.");
    }
  }
  lines.push_back("Or name captures when you start it:");
  lines.push_back("  vizd FILE|DIR ...");
  json.begin_object().key("title").text("There is no capture yet");
  json.column("lines", lines, [](JsonWriter& j, const std::string& line) { j.text(line); });
  json.end_object();
}

// Writes the contexts that are there now of the capture of that name, or of the first. A page that is opened asks for
// them with the session, which saves it a round trip.
void write_contexts(JsonWriter& json, const Request& request, const std::vector<CaptureStatus>& captures,
                    std::string_view name, const Services& services) {
  const auto named = std::ranges::find(captures, name, &CaptureStatus::name);
  const auto chosen = named == captures.end() ? captures.begin() : named;
  const bool is_there = chosen != captures.end() && chosen->loaded &&
                        (chosen->loaded->capture.has_rewrites || !chosen->loaded->capture.rewrites.programs.empty());
  if (!is_there) {
    json.null();
    return;
  }
  const auto body = contexts_body(request, chosen->loaded, services);
  json.raw(body ? (*body)->bytes() : "null");
}

// The store that jobs are shown of, and the job to begin with; null without one.
void write_store(JsonWriter& json, const Services& services) {
  if (services.store == nullptr) return void(json.null());
  json.begin_object().key("address").text(services.store->address().text()).key("job").text(services.job).end_object();
}

Response session_answer(const Request& request, const Services& services) {
  // Before the rest is looked at: whoever hears of a later change asks again, even if the answer has that already.
  const std::uint64_t change = services.session.last_change();
  const auto captures = services.session.captures();
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("version").text(kVersion).key("revision").number(services.session.revision());
  json.key("change").number(change);
  json.key("upload_bytes").number(services.uploads == nullptr ? 0 : kMostUploadBytes);
  json.key("no_uploads").text(services.no_uploads);
  json.key("shared").boolean(services.shared != nullptr);
  std::error_code failed;
  json.key("folder").text(std::filesystem::current_path(failed).string());
  json.key("store");
  write_store(json, services);
  write_captures(json, captures);
  json.key("hint");
  write_hint(json, captures);
  if (const auto name = request.parameter("contexts")) {
    json.key("contexts");
    write_contexts(json, request, captures, *name, services);
  }
  json.end_object();
  return Response::json(std::move(text));
}

bool send_change(EventStream& stream, const SessionChange& change) {
  std::string text;
  JsonWriter json(text);
  if (change.kind == SessionChange::Kind::kBroken) {
    json.begin_object().key("change").number(change.number).key("capture").text(change.capture_id);
    json.key("error").text(change.error).end_object();
    return stream.send("broken", text);
  }
  json.begin_object().key("change").number(change.number).key("revision").number(change.revision);
  json.key("capture").text(change.capture_id).end_object();
  return stream.send("changed", text);
}

// Tells where the stream begins: a page that asked for the session before the last change sees that it missed one.
bool send_opening(EventStream& stream, std::uint64_t last_change) {
  return stream.send("opened", fmt::format(R"({{"change":{}}})", last_change));
}

// Tells when the page's own files change (--dev).
class AssetsNews {
 public:
  explicit AssetsNews(const Services& services) : services_(services), revision_(current()) {}
  bool pass_on(EventStream& stream) {
    const auto now = std::chrono::steady_clock::now();
    if (!services_.announces_assets || now - looked_ < kAssetsInterval) return true;
    looked_ = now;
    const std::string revision = current();
    if (revision == revision_) return true;
    revision_ = revision;
    return stream.send("assets", "{}");
  }

 private:
  std::string current() const {
    return services_.announces_assets && services_.assets ? services_.assets->revision() : "";
  }

  const Services& services_;
  std::string revision_;
  std::chrono::steady_clock::time_point looked_{};
};

// Tells when the marks change (--shared), and at first where there are some already.
class MarksNews {
 public:
  explicit MarksNews(const SharedNotes* notes) : notes_(notes) {}
  bool pass_on(EventStream& stream) {
    const std::uint64_t now = notes_ == nullptr ? 0 : notes_->revision();
    if (now == told_) return true;
    told_ = now;
    return stream.send("marks", fmt::format(R"({{"revision":{}}})", now));
  }

 private:
  const SharedNotes* const notes_;
  std::uint64_t told_ = 0;
};

void send_changes(EventStream& stream, const Services& services, std::uint64_t last) {
  AssetsNews assets(services);
  MarksNews marks(services.shared);
  auto quiet_since = std::chrono::steady_clock::now();
  bool open = send_opening(stream, last);
  while (open && stream.is_open()) {
    const auto changes = services.session.changes_after(last, kListenInterval);
    for (const SessionChange& change : changes) {
      open = open && send_change(stream, change);
      last = change.number;
    }
    const auto now = std::chrono::steady_clock::now();
    if (!changes.empty()) quiet_since = now;
    if (now - quiet_since > kHeartbeat) {
      open = open && stream.heartbeat();
      quiet_since = now;
    }
    open = open && assets.pass_on(stream) && marks.pass_on(stream);
  }
}

}  // namespace

void add_session_routes(Router& router, const Services& services) {
  router.add("/api/v1/session", [services](const Request& request, auto) { return session_answer(request, services); });
  router.add("/api/v1/events", [services](const Request&, auto) {
    // From now on, not from when the stream's headers are out: nothing may fall between.
    const std::uint64_t last = services.session.last_change();
    return Response::event_stream([services, last](EventStream& stream) { send_changes(stream, services, last); });
  });
}

}  // namespace vizd
