// allocation and live_at_peak: lives of buffers, and those of them that are alive when most memory is in use.
#include <algorithm>

#include "query/memory_places.h"

namespace vizd::sql {
namespace {

constexpr auto kBytes = ColumnType::kInteger;
constexpr auto kTextual = ColumnType::kText;

std::shared_ptr<const MemoryPlaces> allocation_places(const Catalog& catalog) {
  return std::make_shared<MemoryPlaces>(catalog, [](const Track& track) { return track.allocations.size(); });
}

using WriteLife = void (*)(const Capture&, const AllocatorLog&, std::size_t life, Cell&);
using SiteText = StringId AllocationSite::*;

// A column that write fills, or else a text of the site that asked for the allocation.
struct LifeColumn {
  ColumnInfo info;
  WriteLife write = nullptr;
  SiteText site = nullptr;
};

constexpr LifeColumn site_column(std::string_view name, SiteText site, std::string_view meaning) {
  return {.info = {name, kTextual, meaning}, .site = site};
}

constexpr LifeColumn kLifeColumns[] = {
    {{"requested_bytes", kBytes,
      "The requested size; null, like all columns that follow, if no allocator was recorded"},
     [](const Capture&, const AllocatorLog& log, std::size_t life, Cell& cell) {
       write_bytes(log.lives.requested_bytes[life], cell);
     }},
    {{"born_event", kBytes, "The allocator's entry that made it, from 0; null if it was there before the first"},
     [](const Capture&, const AllocatorLog& log, std::size_t life, Cell& cell) {
       write_entry(log.lives.born[life], cell);
     }},
    {{"completed_event", kBytes, "The entry that freed its block"},
     [](const Capture&, const AllocatorLog& log, std::size_t life, Cell& cell) {
       write_entry(log.lives.completed[life], cell);
     }},
    {{"completed_ts", kBytes, "When no stream used it any more, so that its block was free"},
     [](const Capture&, const AllocatorLog& log, std::size_t life, Cell& cell) {
       write_moment_ts(log, log.lives.completed[life], cell);
     }},
    {{"is_lost", kBytes, "1 if it ended without an entry for its end"},
     [](const Capture&, const AllocatorLog& log, std::size_t life, Cell& cell) {
       cell.integer((log.lives.flags[life] & AllocatorLives::kLost) != 0 ? 1 : 0);
     }},
    {{"stream", ColumnType::kAny, "The stream that requested it, by CUDA's number"},
     [](const Capture&, const AllocatorLog& log, std::size_t life, Cell& cell) {
       write_stream(log.pools[log.lives.pool[life]], cell);
     }},
    {{"pool", kTextual, "The pool of its block; [0,0] is the default pool"},
     [](const Capture&, const AllocatorLog& log, std::size_t life, Cell& cell) {
       write_pool(log.pools[log.lives.pool[life]], cell);
     }},
    site_column("frame", &AllocationSite::frame,
                "The innermost line of the user's code that allocated it, FILE:LINE:FUNCTION"),
    site_column("file", &AllocationSite::file, "The file of that line"),
    site_column("forward_frame", &AllocationSite::forward_frame,
                "For allocations of a backward pass: the user's line in the forward pass, if recorded"),
    site_column("operator", &AllocationSite::operation, "The operator that allocated it"),
    site_column("phase", &AllocationSite::phase, "forward, backward, optimizer or other"),
    site_column("metadata", &AllocationSite::metadata, "What the program recorded about it"),
    site_column("compile_context", &AllocationSite::compile_context, "The compiled region that allocated it"),
};

// By text of the capture its place among those that its sites have there, in the order of their bytes; 0: "".
std::vector<std::uint32_t> rank_texts(const Capture& capture, SiteText site) {
  std::vector<StringId> texts{StringId{}};
  for (const Track& track : capture.profile.tracks) {
    if (track.allocator == nullptr) continue;
    for (const AllocationSite& of : track.allocator->sites) texts.push_back(of.*site);
  }
  std::ranges::sort(texts, {}, [&](StringId text) { return capture.strings.get(text); });
  texts.erase(std::ranges::unique(texts).begin(), texts.end());
  std::vector<std::uint32_t> ranks(capture.strings.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) ranks[index(texts[i])] = i;
  return ranks;
}

void add_life_columns(std::vector<RowColumn>& columns, Catalog& catalog,
                      const std::shared_ptr<const MemoryPlaces>& places) {
  for (const auto& [info, write, site] : kLifeColumns) {
    columns.push_back({info, [&catalog, places, write = write, site = site](const Place& p, Cell& cell) {
                         const AllocatorLog* const log = places->track(p).allocator.get();
                         if (log == nullptr || places->at(p) >= log->lives.size()) return cell.null();
                         const Capture& capture = catalog.capture(p.source);
                         if (site == nullptr) return write(capture, *log, places->at(p), cell);
                         cell.text_or_null(capture.strings.get(log->sites[log->lives.site[places->at(p)]].*site));
                       }});
    if (site == nullptr) continue;
    const auto ranks = std::make_shared<std::vector<std::uint32_t>>();  // by text, once somebody asks
    columns.back().rank = [&catalog, places, ranks, site = site](const Place& p) -> std::uint32_t {
      const AllocatorLog* const log = places->track(p).allocator.get();
      if (log == nullptr || places->at(p) >= log->lives.size()) return 0;
      if (ranks->empty()) *ranks = rank_texts(catalog.capture(p.source), site);
      return (*ranks)[index(log->sites[log->lives.site[places->at(p)]].*site)];
    };
  }
  const auto stacks = std::make_shared<Numbering>();
  for (const Source& source : catalog.sources()) stacks->add(source.capture->stacks.size());
  const auto add_stack = [&](std::string_view name, std::string_view meaning, StackId AllocationSite::*member) {
    columns.push_back({{name, kBytes, meaning}, [stacks, places, member](const Place& p, Cell& cell) {
                         const AllocatorLog* const log = places->track(p).allocator.get();
                         if (log == nullptr || places->at(p) >= log->lives.size()) return cell.null();
                         const StackId stack = log->sites[log->lives.site[places->at(p)]].*member;
                         write_id(*stacks, p.source, static_cast<std::uint32_t>(stack), cell);
                       }});
  };
  add_stack("stack_id", "stack.id of its innermost frame", &AllocationSite::stack);
  add_stack("forward_stack_id", "stack.id of the innermost frame of the forward of its backward pass, if recorded",
            &AllocationSite::forward);
}

// Columns of allocation.
std::vector<RowColumn> allocation_columns(Catalog& catalog, const std::shared_ptr<const MemoryPlaces>& places) {
  const auto allocation = [places](const Place& p) -> const Allocation& {
    return places->track(p).allocations[places->at(p)];
  };
  const auto strings = [&catalog](const Place& p) -> const StringTable& { return catalog.capture(p.source).strings; };
  const auto track_id = [=, &catalog](const Place& p) {
    return global_id(catalog.tracks(), p.source, places->track_number(p));
  };
  // Until the end of the capture where it was not freed.
  const auto end_ns = [=, &catalog](const Place& p) {
    const Allocation& of = allocation(p);
    return of.freed ? of.death_ns : std::max(of.birth_ns, catalog.capture(p.source).profile.end_ns);
  };
  const auto write_size = [=](const Place& p, Cell& cell) { write_bytes(allocation(p).size_bytes(), cell); };
  std::vector<RowColumn> columns{
      {{"track_id", kBytes, "track.id of the memory's owner"},
       [track_id](const Place& p, Cell& cell) { cell.integer(track_id(p)); },
       track_id},
      {{"ts", kBytes, "When it was made, in nanoseconds on the capture's clock"},
       [=](const Place& p, Cell& cell) { cell.integer(allocation(p).birth_ns); }},
      {{"dur", kBytes, "How long it lived: until it was freed, or the capture ended"},
       [=](const Place& p, Cell& cell) { cell.integer(end_ns(p) - allocation(p).birth_ns); }},
      {{"is_freed", kBytes, "0 if it outlives the capture"},
       [=](const Place& p, Cell& cell) { cell.integer(allocation(p).freed ? 1 : 0); }},
      {{"freed_ts", kBytes, "When the program freed it; null if it outlives the capture"},
       [=](const Place& p, Cell& cell) { allocation(p).freed ? cell.integer(allocation(p).death_ns) : cell.null(); }},
      {{"size", kBytes, "In bytes; for an allocator with blocks, the size of the block"}, write_size},
      {{"block_bytes", kBytes, "The same for the requested size, if the capture has both; else null"},
       [=](const Place& p, Cell& cell) { places->track(p).allocator == nullptr ? cell.null() : write_size(p, cell); }},
      {{"address", kBytes, "Address in its memory; null if the capture does not have it"},
       [=](const Place& p, Cell& cell) {
         const std::uint64_t at = allocation(p).address;
         at == Allocation::kNoAddress ? cell.null() : write_bytes(at, cell);
       }},
      {{"buffer", kBytes, "The capture's own number for it"},
       [=](const Place& p, Cell& cell) { write_bytes(allocation(p).key, cell); }},
      {{"dtype", kTextual, "The type of its elements"},
       [=](const Place& p, Cell& cell) { cell.text_or_null(strings(p).get(allocation(p).dtype)); }},
      {{"category", kTextual, "weights, activations, …; null if the capture has none"},
       [=](const Place& p, Cell& cell) { cell.text_or_null(strings(p).get(allocation(p).category)); }},
      {{"context_id", kBytes, "context.id of the rewrites that belong to it"},
       [=, &catalog](const Place& p, Cell& cell) {
         write_id(catalog.contexts(), p.source, static_cast<std::uint32_t>(allocation(p).context), cell);
       }},
  };
  add_life_columns(columns, catalog, places);
  return columns;
}

std::unique_ptr<Table> allocation_table(Catalog& catalog) {
  const auto places = allocation_places(catalog);
  return std::make_unique<RowTable>(RowTable::Description{.name = "allocation",
                                                          .about = "Lifetimes of buffers in the memory of a track.",
                                                          .id_about = "The allocation's number",
                                                          .count = [places](std::size_t s) { return places->count(s); },
                                                          .columns = allocation_columns(catalog, places)},
                                    catalog.sources().size());
}

// By capture the places of the allocations that are alive at their track's peak, as allocation counts them.
using AtPeak = std::vector<std::vector<std::uint64_t>>;

std::vector<std::uint64_t> alive_at_peaks(const Catalog& catalog, std::size_t source) {
  std::vector<std::uint64_t> places;
  const auto& tracks = catalog.capture(source).profile.tracks;
  const auto& lanes = catalog.timeline(source).lanes;
  std::uint64_t first = 0;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    if (t < lanes.size()) {
      std::vector<std::uint32_t> alive = lanes[t].memory.layout.at_peak;
      std::ranges::sort(alive);
      for (const std::uint32_t place : alive) places.push_back(first + place);
    }
    first += tracks[t].allocations.size();
  }
  return places;
}

std::unique_ptr<Table> live_at_peak_table(Catalog& catalog) {
  const auto places = allocation_places(catalog);
  const auto at_peak = std::make_shared<AtPeak>(catalog.sources().size());
  const auto first = std::make_shared<Numbering>();
  for (std::size_t s = 0; s < catalog.sources().size(); ++s) first->add(places->count(s));
  const auto allocation_of = [at_peak](const Place& p) { return Place{p.source, (*at_peak)[p.source][p.at]}; };
  std::vector<RowColumn> columns{{{"allocation_id", kBytes, "allocation.id"}, [=](const Place& p, Cell& cell) {
                                    cell.integer(global_id(*first, p.source, allocation_of(p).at));
                                  }}};
  for (RowColumn& of : allocation_columns(catalog, places)) {
    columns.push_back({of.info, [allocation_of, write = std::move(of.write)](const Place& p, Cell& cell) {
                         write(allocation_of(p), cell);
                       }});
  }
  return std::make_unique<RowTable>(
      RowTable::Description{.name = "live_at_peak",
                            .about = "The allocations that are alive when most memory of their track is in use.",
                            .id_about = "The row's number",
                            .count =
                                [&catalog, at_peak](std::size_t s) {
                                  (*at_peak)[s] = alive_at_peaks(catalog, s);
                                  return std::uint64_t{(*at_peak)[s].size()};
                                },
                            .columns = std::move(columns)},
      catalog.sources().size());
}

}  // namespace

void add_allocation_tables(TableList& tables, Catalog& catalog) {
  tables.push_back(allocation_table(catalog));
  tables.push_back(live_at_peak_table(catalog));
}

}  // namespace vizd::sql
