// GET /api/v1/counters, /api/v1/counters/RUN and /api/v1/samples/SAMPLING: what GPUs counted while programs ran.
#include <fmt/core.h>

#include <algorithm>

#include "base/json_writer.h"
#include "derived/recorded_runs.h"
#include "http/routes/routes.h"

namespace vizd {
namespace {

using hardware::CounterRow;
using hardware::CounterTotal;
using hardware::DerivedRate;

// Names over all runs, in order of first appearance: runs may have other counters than others.
std::vector<std::string_view> all_counters(std::span<const RecordedRun> runs) {
  std::vector<std::string_view> names;
  for (const RecordedRun& run : runs) {
    if (!run.counters) continue;
    for (const CounterTotal& total : run.counters->totals) {
      if (std::ranges::find(names, total.name) == names.end()) names.push_back(total.name);
    }
  }
  return names;
}

std::vector<std::pair<std::string_view, std::string_view>> all_rates(std::span<const RecordedRun> runs) {
  std::vector<std::pair<std::string_view, std::string_view>> rates;
  for (const RecordedRun& run : runs) {
    for (const DerivedRate& rate : run.rates) {
      const auto is_it = [&](const auto& known) { return known.first == rate.name; };
      if (std::ranges::none_of(rates, is_it)) rates.emplace_back(rate.name, rate.formula);
    }
  }
  return rates;
}

void write_counter_values(JsonWriter& json, std::span<const RecordedRun> runs,
                          std::span<const std::string_view> names) {
  json.column("values", runs, [&](JsonWriter& j, const RecordedRun& run) {
    j.begin_array();
    for (const std::string_view name : names) {
      const CounterTotal* const total = run.counters ? run.counters->find(name) : nullptr;
      total == nullptr ? j.null() : j.number(total->sum);
    }
    j.end_array();
  });
}

void write_counter_rates(JsonWriter& json, std::span<const RecordedRun> runs) {
  const auto rates = all_rates(runs);
  json.column("rates", runs, [&](JsonWriter& j, const RecordedRun& run) {
    j.begin_array();
    for (const auto& [name, formula] : rates) {
      const auto found = std::ranges::find(run.rates, name, &DerivedRate::name);
      found == run.rates.end() ? j.null() : j.real(found->percent);
    }
    j.end_array();
  });
  json.end_object();
  json.column("rates", rates, [](JsonWriter& j, const auto& rate) {
    j.begin_object().key("name").text(rate.first).key("formula").text(rate.second).end_object();
  });
}

void write_number_or_null(JsonWriter& json, const std::optional<double>& number) {
  number ? json.real(*number) : json.null();
}

std::int64_t program_number(std::uint32_t program) { return program == kNoId ? -1 : std::int64_t{program}; }

void write_samplings(JsonWriter& json, std::span<const RecordedSampling> samplings) {
  json.column("samplings", samplings, [](JsonWriter& j, const RecordedSampling& sampling) {
    const hardware::SampleTable& table = sampling.samples;
    j.begin_object().key("kernel").text(sampling.name).key("program").number(program_number(sampling.program));
    j.key("samples").number(table.samples).key("active").number(table.active);
    j.column("stalls", table.stalls, [](JsonWriter& k, std::string_view name) { k.text(name); });
    j.column("counts", table.totals, [](JsonWriter& k, std::uint64_t count) { k.number(count); });
    j.end_object();
  });
}

std::string all_counters_json(const Capture& capture) {
  const auto runs = recorded_runs(capture);
  const auto names = all_counters(runs);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.column("counters", names, [](JsonWriter& j, std::string_view name) { j.text(name); });
  json.key("runs").begin_object();
  json.column("kernel", runs, [](JsonWriter& j, const RecordedRun& run) { j.text(run.name); });
  json.column("program", runs, [](JsonWriter& j, const RecordedRun& run) { j.number(program_number(run.program)); });
  json.column("run", runs, [](JsonWriter& j, const RecordedRun& run) { j.number(run.key.run); });
  json.column("dur_us", runs, [](JsonWriter& j, const RecordedRun& run) { write_number_or_null(j, run.dur_us); });
  json.column("occupancy", runs,
              [](JsonWriter& j, const RecordedRun& run) { write_number_or_null(j, run.occupancy_percent); });
  json.column("imbalance", runs, [](JsonWriter& j, const RecordedRun& run) { write_number_or_null(j, run.imbalance); });
  json.column("problem", runs, [](JsonWriter& j, const RecordedRun& run) { j.text(run.problem); });
  write_counter_values(json, runs, names);
  write_counter_rates(json, runs);
  write_samplings(json, recorded_samplings(capture));
  json.end_object();
  return text;
}

void write_counter(JsonWriter& json, const CounterTotal& total) {
  json.begin_object().key("name").text(total.name).key("sum").number(total.sum).key("groups").number(total.groups);
  json.column("xcc", total.rows, [](JsonWriter& j, const CounterRow& row) { j.number(row.xcc); });
  json.column("instance", total.rows, [](JsonWriter& j, const CounterRow& row) { j.number(row.instance); });
  json.column("engine", total.rows, [](JsonWriter& j, const CounterRow& row) { j.number(row.engine); });
  json.column("array", total.rows, [](JsonWriter& j, const CounterRow& row) { j.number(row.array); });
  json.column("values", total.rows, [](JsonWriter& j, const CounterRow& row) {
    j.begin_array();
    for (const std::uint64_t value : row.groups) j.number(value);
    j.end_array();
  });
  json.end_object();
}

void write_engine_columns(JsonWriter& json, std::span<const EngineOccupancy> engines) {
  const auto column = [&](std::string_view name, auto value) {
    json.column(name, engines, [&](JsonWriter& j, const EngineOccupancy& e) { j.number(value(e)); });
  };
  json.key("engines").begin_object();
  column("engine", [](const EngineOccupancy& e) { return e.engine; });
  column("waves", [](const EngineOccupancy& e) { return e.occupancy.waves; });
  column("most_at_once", [](const EngineOccupancy& e) { return e.occupancy.most_at_once; });
  column("span", [](const EngineOccupancy& e) { return e.occupancy.span_cycles; });
  column("wave_cycles", [](const EngineOccupancy& e) { return e.occupancy.wave_cycles; });
  column("tail", [](const EngineOccupancy& e) { return e.occupancy.tail_cycles; });
  column("units", [](const EngineOccupancy& e) { return e.occupancy.units.size(); });
  json.end_object();
}

std::string counted_run_json(const RecordedRun& run) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("kernel").text(run.name).key("run").number(run.key.run);
  const auto totals =
      run.counters ? std::span<const CounterTotal>(run.counters->totals) : std::span<const CounterTotal>();
  json.column("counters", totals, write_counter);
  json.column("rates", run.rates, [](JsonWriter& j, const DerivedRate& rate) {
    j.begin_object().key("name").text(rate.name).key("percent").real(rate.percent);
    j.key("formula").text(rate.formula).end_object();
  });
  json.key("occupancy");
  write_number_or_null(json, run.occupancy_percent);
  json.key("imbalance");
  write_number_or_null(json, run.imbalance);
  json.key("engine_waves").number(run.engine_waves);
  write_engine_columns(json, run.engines);
  json.end_object();
  return text;
}

std::string sampling_json(const RecordedSampling& sampling) {
  const hardware::SampleTable& table = sampling.samples;
  const std::uint64_t base = sampling.base.value_or(0);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("kernel").text(sampling.name).key("has_base").boolean(sampling.base.has_value());
  json.column("stalls", table.stalls, [](JsonWriter& j, std::string_view name) { j.text(name); });
  json.column("address", table.addresses, [&](JsonWriter& j, const auto& at) { j.number(at.address - base); });
  json.column("samples", table.addresses, [](JsonWriter& j, const auto& at) { j.number(at.samples); });
  json.column("active", table.addresses, [](JsonWriter& j, const auto& at) { j.number(at.active); });
  json.column("counts", table.addresses, [](JsonWriter& j, const auto& at) {
    j.begin_array();
    for (const std::uint64_t count : at.stalls) j.number(count);
    j.end_array();
  });
  json.end_object();
  return text;
}

// One of count(capture), made by make(capture, place), as JSON.
template <typename Count, typename Make, typename Write>
Response one_recorded_answer(const Request& request, std::string_view segment, std::string_view what,
                             const Services& services, Count count, Make make, Write write) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto place = parse_index(segment, count((*loaded)->capture), what);
  if (!place) return error_response(place.error());
  return kept_json(
      request, *loaded, fmt::format("{}/{}", what, *place),
      [of = *loaded, make, write, at = *place] { return write(make(of->capture, at)); }, services);
}

}  // namespace

void add_hardware_routes(Router& router, const Services& services) {
  router.add("/api/v1/counters", [services](const Request& request, auto) {
    const auto loaded = capture_of(request, services);
    if (!loaded) return error_response(loaded.error());
    return kept_json(
        request, *loaded, "counters", [of = *loaded] { return all_counters_json(of->capture); }, services);
  });
  router.add("/api/v1/counters/{}", [services](const Request& request, auto arguments) {
    return one_recorded_answer(request, arguments[0], "run", services, recorded_run_count, recorded_run,
                               counted_run_json);
  });
  router.add("/api/v1/samples/{}", [services](const Request& request, auto arguments) {
    return one_recorded_answer(request, arguments[0], "sampling", services, recorded_sampling_count, recorded_sampling,
                               sampling_json);
  });
}

}  // namespace vizd
