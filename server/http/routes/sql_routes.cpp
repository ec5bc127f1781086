// GET /api/v1/sql and /api/v1/sql/schema: questions in SQL, and what there is to ask about.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/exact_number.h"
#include "base/json_writer.h"
#include "derived/naming_sources.h"
#include "derived/recorded_rows.h"
#include "http/routes/capture_rules.h"
#include "http/routes/device_answer.h"
#include "http/routes/routes.h"
#include "http/transport/query.h"
#include "query/database.h"
#include "query/examples.h"
#include "query/functions.h"
#include "query/perfetto_names.h"
#include "query/result_text.h"
#include "query/row_links.h"
#include "query/unrecorded.h"

namespace vizd {
namespace {

constexpr std::int64_t kUsualRows = 1000, kMostRows = 100'000, kMostTextRows = 5'000'000;
constexpr std::size_t kMostCaptures = 256;
constexpr std::size_t kMostAnswerBytes = std::size_t{64} << 20;
// Waited for as long as the query may take.
template <typename Made>
Result<std::shared_ptr<const Made>> wait_within(const Derived::Ticket<Made>& ticket, const Budget& budget) {
  constexpr std::chrono::milliseconds kOneWait{100};
  while (!ticket.wait_for(kOneWait, budget.left())) {
    if (budget.is_over()) return budget.error();
  }
  return ticket.result();
}

// Decoded once a reading of the capture: each query would take as long again.
Derived::Ticket<RecordedRows> recorded_of(const Loaded& loaded, const Services& services) {
  const auto make = [loaded](const ReportProgress&, std::stop_token stop) {
    return recorded_rows(loaded->capture, Budget(std::move(stop)));
  };
  return services.analyses.get<RecordedRows>(loaded, "recorded rows", make);
}

sql::Source source_of(const Loaded& loaded, const Services& services) {
  return {
      .capture = &loaded->capture,
      .timeline = &loaded->timeline,
      .name = loaded->name,
      .rules = [loaded, services](const Budget& budget) { return wait_within(rules_of(loaded, services), budget); },
      .devices = [loaded, services](const Budget& budget) { return wait_within(devices_of(loaded, services), budget); },
      .replays = [loaded](auto devices) { return find_named_replays(*loaded, std::move(devices)); },
      .recorded = [loaded,
                   services](const Budget& budget) { return wait_within(recorded_of(loaded, services), budget); },
      .source_line = [loaded, services](const Location& at) { return services.sources.line(loaded->capture, at); }};
}

// A thing of a capture as links name it: [place, name].
void write_named(JsonWriter& json, std::uint64_t place, std::string_view name) {
  json.begin_array().number(place).text(sql::shown_text(name)).end_array();
}

// Writes where rows lead. What a row names and the captures do not have leads nowhere.
class LinkWriter {
 public:
  // ids: of the captures, in the catalog's order. Where there are several, links say which they lead into.
  LinkWriter(sql::Catalog& catalog, std::vector<std::string> ids) : catalog_(catalog), ids_(std::move(ids)) {}

  const sql::Catalog& catalog() const { return catalog_; }

  void write(JsonWriter& json, const std::optional<sql::RowLink>& link) {
    const auto id = link ? static_cast<std::uint64_t>(link->id) : 0;
    const bool is_written = link && write_to(json, *link, id);
    if (!is_written) json.null();
  }

 private:
  bool write_to(JsonWriter& json, const sql::RowLink& link, std::uint64_t id) {
    switch (link.kind) {
      case sql::LinkKind::kSlice:
        return write_slice(json, id);
      case sql::LinkKind::kMatch:
        return write_match(json, id);
      case sql::LinkKind::kNode:
        return write_node(json, id);
      case sql::LinkKind::kPass:
        return id < catalog_.passes().size() && write_pass(json, catalog_.passes().place(id), [] {});
      case sql::LinkKind::kRule:
        return write_rule(json, id);
      case sql::LinkKind::kContext:
        return id < catalog_.contexts().size() && write_context(json, catalog_.contexts().place(id));
      case sql::LinkKind::kProgram:
        return write_program(json, id);
      case sql::LinkKind::kTime:
        return write_time(json, link);
    }
    return false;
  }

  JsonWriter& begin_link(JsonWriter& json, std::size_t source) const {
    json.begin_object();
    if (ids_.size() > 1) json.key("capture").text(ids_[source]);
    return json;
  }

  bool write_slice(JsonWriter& json, std::uint64_t id) {
    if (id >= catalog_.slice_count()) return false;
    const sql::SliceTrack& at = catalog_.slice_tracks()[catalog_.slice_track_of(id)];
    const Capture& capture = catalog_.capture(at.source);
    const EventColumns& events = capture.profile.tracks[at.track].events;
    const auto event = static_cast<std::uint32_t>(id - at.first_slice);
    begin_link(json, at.source).key("slice").begin_object();
    json.key("lane").text(catalog_.track_paths(at.source)[at.track]).key("index").number(event);
    json.key("start_ns").number(events.start_ns(event) - capture.profile.start_ns);
    json.key("dur_ns").number(events.length_ns(event));
    json.key("name").text(sql::shown_text(capture.strings.get(events.name(event))));
    json.end_object().end_object();
    return true;
  }

  // more: writes further members.
  template <typename More>
  bool write_pass(JsonWriter& json, const sql::Place& place, More&& more) {
    const Capture& capture = catalog_.capture(place.source);
    const std::uint32_t context = catalog_.context_of_pass(place.source, static_cast<std::uint32_t>(place.at));
    const Context& of = capture.rewrites.contexts[context];
    begin_link(json, place.source).key("context");
    write_named(json, context, capture.strings.get(of.name));
    json.key("pass");
    write_named(json, place.at - of.first_pass, capture.strings.get(capture.rewrites.passes[place.at].name));
    more();
    json.end_object();
    return true;
  }

  bool write_match(JsonWriter& json, std::uint64_t id) {
    if (id >= catalog_.matches().size()) return false;
    const sql::Place at = catalog_.matches().place(id);
    const std::uint32_t pass = catalog_.pass_of_match(at.source, static_cast<std::uint32_t>(at.at));
    const std::uint64_t state = at.at + 1 - catalog_.capture(at.source).rewrites.passes[pass].first_match;
    return write_pass(json, {at.source, pass}, [&] { json.key("match").number(state); });
  }

  bool write_node(JsonWriter& json, std::uint64_t id) {
    const std::uint64_t pass = id >> 32u;
    if (pass >= catalog_.passes().size()) return false;
    return write_pass(json, catalog_.passes().place(pass),
                      [&] { json.key("node").number(static_cast<std::uint32_t>(id)); });
  }

  bool write_context(JsonWriter& json, const sql::Place& place) {
    const Capture& capture = catalog_.capture(place.source);
    begin_link(json, place.source).key("context");
    write_named(json, place.at, capture.strings.get(capture.rewrites.contexts[place.at].name));
    json.end_object();
    return true;
  }

  bool write_rule(JsonWriter& json, std::uint64_t id) {
    std::size_t source = 0;
    for (; source < ids_.size() && id >= catalog_.rules(source).locations.size(); ++source)
      id -= catalog_.rules(source).locations.size();
    if (source == ids_.size()) return false;
    const Capture& capture = catalog_.capture(source);
    const Location& location = capture.rewrites.locations[index(catalog_.rules(source).locations[id])];
    begin_link(json, source).key("rule").begin_array().text(capture.strings.get(location.file));
    json.number(location.line).end_array().end_object();
    return true;
  }

  bool write_program(JsonWriter& json, std::uint64_t id) {
    if (id >= catalog_.programs().size()) return false;
    const sql::Place at = catalog_.programs().place(id);
    const Capture& capture = catalog_.capture(at.source);
    const auto& contexts = capture.rewrites.contexts;
    const auto made = std::ranges::find(contexts, to_id<ProgramId>(at.at), &Context::program);
    if (made != contexts.end()) {
      begin_link(json, at.source).key("program_of");
      write_named(json, static_cast<std::uint64_t>(made - contexts.begin()), capture.strings.get(made->name));
      json.end_object();
      return true;
    }
    begin_link(json, at.source).key("program");
    write_named(json, at.at, capture.strings.get(capture.rewrites.programs[at.at].name));
    json.end_object();
    return true;
  }

  bool write_time(JsonWriter& json, const sql::RowLink& link) {
    const auto source = source_of_time(link);
    if (!source) return false;
    const Profile& profile = catalog_.capture(*source).profile;
    if (link.ts < profile.start_ns || link.ts > profile.end_ns) return false;
    const std::int64_t from_ns = link.ts - profile.start_ns;
    const std::int64_t to_ns = from_ns + std::min(link.dur, profile.end_ns - link.ts);
    begin_link(json, *source).key("time").begin_array().number(from_ns).number(to_ns).end_array().end_object();
    return true;
  }

  // The capture whose clock the row's time is on; none where several captures were asked and the row does not say.
  std::optional<std::size_t> source_of_time(const sql::RowLink& link) const {
    if (link.capture) {
      const bool is_there = *link.capture >= 0 && static_cast<std::uint64_t>(*link.capture) < ids_.size();
      return is_there ? std::optional(static_cast<std::size_t>(*link.capture)) : std::nullopt;
    }
    if (ids_.size() == 1) return 0;
    if (!link.track || *link.track < 0 || static_cast<std::uint64_t>(*link.track) >= catalog_.tracks().size())
      return std::nullopt;
    return catalog_.tracks().place(static_cast<std::uint64_t>(*link.track)).source;
  }

  sql::Catalog& catalog_;
  std::vector<std::string> ids_;
};

// The answer that the page shows.
class TableSink : public sql::ResultSink {
 public:
  TableSink(LinkWriter links, std::uint64_t most_rows)
      : json_(text_), links_json_(links_), link_writer_(std::move(links)), most_rows_(most_rows) {}

  void begin(const std::vector<sql::ResultColumn>& columns) override {
    row_links_.emplace(columns);
    json_.begin_object().column("columns", columns,
                                [](JsonWriter& j, const sql::ResultColumn& column) { j.text(column.name); });
    json_.key("rows").begin_array();
    links_json_.begin_array();
  }

  bool add(const std::vector<sql::Value>& row) override {
    if (rows_ == most_rows_ || text_.size() + links_.size() > kMostAnswerBytes) return false;
    ++rows_;
    json_.begin_array();
    for (const sql::Value& value : row) write(value);
    json_.end_array();
    link_writer_.write(links_json_, row_links_->of(row));
    return true;
  }

  bool has_rows() const { return rows_ > 0; }

  std::string finish(bool is_whole, const std::vector<sql::Unrecorded>& unrecorded, std::int64_t took_us) {
    links_json_.end_array();
    json_.end_array().key("links").raw(links_).key("whole").boolean(is_whole);
    json_.column("unrecorded", unrecorded,
                 [&](JsonWriter& j, const sql::Unrecorded& each) { j.text(each.text(link_writer_.catalog())); });
    json_.key("took_us").number(took_us).end_object();
    return std::move(text_);
  }

 private:
  void write(const sql::Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      is_exact(*number) ? json_.number(*number) : json_.begin_array().text(std::to_string(*number)).end_array();
    } else if (const auto* real = std::get_if<double>(&value)) {
      json_.real(*real);
    } else if (const auto* text = std::get_if<std::string_view>(&value)) {
      json_.text(sql::shown_text(*text));
    } else {
      json_.null();
    }
  }

  std::string text_, links_;
  JsonWriter json_, links_json_;
  LinkWriter link_writer_;
  std::optional<sql::RowLinks> row_links_;
  std::uint64_t most_rows_, rows_ = 0;
};

Response text_answer(sql::Database& database, std::string_view query, sql::TextFormat format, std::uint64_t limit) {
  std::string text;
  bool is_full = false;
  sql::TextSink sink(format, limit, [&](std::string_view line) {
    is_full = is_full || text.size() + line.size() > kMostAnswerBytes;
    if (!is_full) text += line;
  });
  const auto ran = database.run(query, sink);
  if (!ran) return error_response(ran.error());
  if (is_full)
    return error_response({ErrorKind::kTooLarge,
                           fmt::format("the result is larger than {} MiB; ask for fewer rows or columns, or use `vizd "
                                       "sql`, which has no such limit",
                                       kMostAnswerBytes >> 20),
                           "sql"});
  sink.end();
  Response response;
  response.content_type = sql::content_type(format);
  response.body = std::make_shared<const Body>(std::move(text));
  return response;
}

// The captures that are asked, and their ids: the one that ?capture= names, and after it those of ?with=.
struct AskedCaptures {
  std::vector<Loaded> loaded;
  std::vector<std::string> ids;
};

Result<AskedCaptures> captures_of(const Request& request, const Services& services) {
  auto first = capture_of(request, services);
  if (!first) return std::move(first).error();
  AskedCaptures asked{.loaded = {*std::move(first)}, .ids = {std::string(request.parameter("capture").value_or(""))}};
  std::string_view more = request.parameter("with").value_or("");
  while (!more.empty()) {
    const std::string_view id = more.substr(0, more.find(','));
    more.remove_prefix(std::min(more.size(), id.size() + 1));
    if (id.empty() || std::ranges::find(asked.ids, id) != asked.ids.end()) continue;
    if (asked.ids.size() == kMostCaptures)
      return Error{ErrorKind::kBadInput, fmt::format("at most {} captures can be queried at once", kMostCaptures),
                   "with"};
    auto next = capture_named(id, request, services);
    if (!next) return std::move(next).error();
    asked.loaded.push_back(*std::move(next));
    asked.ids.emplace_back(id);
  }
  return asked;
}

Response sql_answer(const Request& request, const Services& services) {
  const auto asked = captures_of(request, services);
  if (!asked) return error_response(asked.error());
  const std::string_view query = request.parameter("q").value_or("");
  const std::string_view format_name = request.parameter("format").value_or("table");
  const auto format = sql::text_format(format_name);
  if (!format && format_name != "table")
    return error_response(
        {ErrorKind::kBadInput, "no such format; use table, csv, tsv or json", std::string(format_name.substr(0, 40))});
  const std::int64_t most = format ? kMostTextRows : kMostRows;
  const auto limit = parse_number(request, "limit", 1, most, format ? most : kUsualRows);
  if (!limit) return error_response(limit.error());
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  const auto began = std::chrono::steady_clock::now();
  std::vector<sql::Source> sources;
  for (const Loaded& loaded : asked->loaded) sources.push_back(source_of(loaded, services));
  sql::Catalog catalog(std::move(sources), turn->budget);
  sql::Database database(catalog);
  if (format) return text_answer(database, query, *format, static_cast<std::uint64_t>(*limit));
  TableSink sink(LinkWriter(catalog, asked->ids), static_cast<std::uint64_t>(*limit));
  const auto ran = database.run(query, sink);
  if (!ran) return error_response(ran.error());
  const auto took = std::chrono::steady_clock::now() - began;
  const auto unrecorded = sql::find_unrecorded(catalog, database.tables_read(), sink.has_rows());
  return Response::json(
      sink.finish(*ran, unrecorded, std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
}

std::string schema_json() {
  sql::Catalog nothing({}, {});
  const sql::Tables tables(nothing);
  std::string text;
  JsonWriter json(text);
  struct Listed {
    std::string_view name, about;
    std::span<const sql::ColumnInfo> columns;
  };
  std::vector<Listed> listed;
  for (const auto& table : tables.all) listed.push_back({table->name(), table->about(), table->columns()});
  for (const sql::PerfettoName& name : sql::perfetto_names()) {
    if (name.is_view()) listed.push_back({name.name, name.about, {}});
  }
  json.begin_object().column("tables", listed, [](JsonWriter& j, const Listed& table) {
    j.begin_object().key("name").text(table.name).key("about").text(table.about);
    j.column("columns", table.columns, [](JsonWriter& c, const sql::ColumnInfo& column) {
      c.begin_object().key("name").text(column.name).key("about").text(column.about).end_object();
    });
    j.end_object();
  });
  json.column("functions", sql::functions(), [](JsonWriter& j, const sql::FunctionInfo& function) {
    j.begin_object().key("call").text(function.call).key("about").text(function.about).end_object();
  });
  json.column("examples", sql::examples(), [](JsonWriter& j, const sql::Example& example) {
    j.begin_object().key("question").text(example.question).key("query").text(example.query).end_object();
  });
  json.end_object();
  return text;
}

}  // namespace

void add_sql_routes(Router& router, const Services& services) {
  router.add("/api/v1/sql", [services](const Request& request, auto) { return sql_answer(request, services); });
  router.add("/api/v1/sql/schema", [](const Request&, auto) { return Response::json(schema_json()); });
}

}  // namespace vizd
