// vizd push CAPTURE.. --store URL --job NAME: captures into a store, each as a rank of the job (store/push.h); with
// --remove the job, or a rank of it, out of the store.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <set>

#include "base/parallel.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/progress.h"
#include "cli/command_line/store_arguments.h"
#include "cli/query/push_watch.h"
#include "cli/query/rank_push.h"
#include "store/removal.h"

namespace vizd {
namespace {

struct PushArguments {
  StoreArguments store;
  InputArguments inputs;
  std::string job, cluster, kept_for, watched;
  std::chrono::seconds keep{0};  // kept_for; 0: for ever
  std::uint32_t rank = kRankNotGiven;
  bool replaces = false, removes = false, waits = false;
  std::uint32_t at_once = 2;
  std::int64_t patience_s = 60, settle_s = 5;
};

// "30d": days; h: hours; w: weeks.
std::optional<std::chrono::seconds> parse_keep(std::string_view text) {
  constexpr std::pair<char, std::int64_t> kUnits[] = {{'h', 3600}, {'d', 86'400}, {'w', 604'800}};
  constexpr std::int64_t kMost = 100'000;
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end + 1 != text.data() + text.size() || number <= 0 || number > kMost)
    return std::nullopt;
  const auto unit = std::ranges::find(kUnits, *end, [](const auto& u) { return u.first; });
  if (unit == std::end(kUnits)) return std::nullopt;
  return std::chrono::seconds(number * unit->second);
}

// The state that all ranks share while they are pushed.
class Pushes {
 public:
  Pushes(const PushArguments& arguments, const store::Store& store, std::size_t ranks)
      : arguments_(arguments), store_(store), slices_(ranks, 0), bar_(stderr, "pushing") {}

  void push(const RankInput& input, std::size_t place) {
    const auto pushed = push_one(input, place);
    const std::lock_guard lock(mutex_);
    ++done_;
    bar_.tell(done_, slices_.size(), "ranks");
    if (!pushed) {
      failed_ = true;
      if (!pushed.error().message.empty()) print_error("vizd push: rank {}: {}\n", input.rank, pushed.error().text());
      return;
    }
    all_.slices += pushed->slices;
    all_.rows += pushed->rows;
    all_.rows_before += pushed->rows_before;
    all_.sent_bytes += pushed->sent_bytes;
    were_there_ += pushed->was_there ? 1 : 0;
  }

  int finish(double took_s) const {
    if (failed_) return kExitFailure;
    print_answer("job {}: {} ranks, {} slices, {} rows", arguments_.job, slices_.size(), all_.slices, all_.rows);
    if (were_there_ > 0) print_answer("; {} of the ranks were already there", were_there_);
    if (all_.rows_before > 0) print_answer("; {} rows were already there", all_.rows_before);
    print_answer("; {:.1f} MB sent in {:.2f} s\n", static_cast<double>(all_.sent_bytes) / 1e6, took_s);
    return kExitOk;
  }

 private:
  Result<store::PushReport> push_one(const RankInput& input, std::size_t place) {
    const store::PushOptions options{.job = arguments_.job,
                                     .rank = input.rank,
                                     .replaces = arguments_.replaces,
                                     .patience = std::chrono::seconds(arguments_.patience_s),
                                     .keep = arguments_.keep};
    const auto capture = read_rank(input.set);
    if (!capture) return capture.error();
    return push_rank(store_, *capture, options, [&](std::uint64_t slices, std::string_view waiting_for) {
      tell(place, input.rank, slices, waiting_for);
    });
  }

  void tell(std::size_t place, std::uint32_t rank, std::uint64_t slices, std::string_view waiting_for) {
    const std::lock_guard lock(mutex_);
    slices_[place] = slices;
    bar_.tell(done_, slices_.size(), "ranks");
    if (waiting_for.empty() || waiting_for == told_) return;
    told_ = waiting_for;
    print_error("vizd push: rank {}: {}; retrying\n", rank, waiting_for);
  }

  const PushArguments& arguments_;
  const store::Store& store_;
  std::mutex mutex_;
  std::vector<std::uint64_t> slices_;
  std::size_t done_ = 0, were_there_ = 0;
  bool failed_ = false;
  store::PushReport all_;
  std::string told_;
  Progress bar_;
};

// Makes the tables where they are missing, and removes the jobs that were to be kept until now.
Result<void> prepare(const PushArguments& arguments, const store::Store& store) {
  VIZD_TRY(store.create(arguments.cluster));
  const auto removed = store::remove_what_is_over(store);
  if (!removed) print_error("vizd push: expired jobs are kept for now: {}\n", removed.error().text());
  for (std::size_t i = 0; removed && i < removed->size(); ++i)
    print_error("vizd push: removed the expired job {}\n", (*removed)[i]);
  return {};
}

int push_all(const PushArguments& arguments, const store::Store& store) {
  Sniffer sniffer;
  const std::vector<RankInput> ranks = ranks_of(arguments.inputs.all_sets(sniffer), arguments.rank);
  if (ranks.empty()) {
    print_error("vizd push: no capture found that vizd reads; name a file or a folder with one\n");
    return kExitFailure;
  }
  std::set<std::uint32_t> numbers;
  for (const RankInput& input : ranks) {
    if (numbers.insert(input.rank).second) continue;
    print_error("vizd push: two captures are rank {}; push them one at a time, with --rank\n", input.rank);
    return kExitFailure;
  }
  if (const auto made = prepare(arguments, store); !made) {
    print_error("vizd push: {}\n", made.error().text());
    return kExitFailure;
  }
  const auto began = std::chrono::steady_clock::now();
  Pushes pushes(arguments, store, ranks.size());
  for_each_index(ranks.size(), arguments.at_once, [&](std::size_t i) { pushes.push(ranks[i], i); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  return pushes.finish(took.count());
}

int watch(const PushArguments& arguments, const store::Store& store) {
  return push_watched(store,
                      {.folder = arguments.watched,
                       .read_as = arguments.inputs,
                       .rank = arguments.rank,
                       .settle = std::chrono::seconds(arguments.settle_s),
                       .options = {.job = arguments.job,
                                   .replaces = arguments.replaces,
                                   .patience = std::chrono::seconds(arguments.patience_s),
                                   .keep = arguments.keep}},
                      [&](const store::Store& for_now) { return prepare(arguments, for_now); });
}

int remove_from(const PushArguments& arguments, const store::Store& store) {
  auto ranks = store.ranks(arguments.job);
  if (ranks && arguments.rank != kRankNotGiven)
    std::erase_if(*ranks, [&](std::uint32_t r) { return r != arguments.rank; });
  if (ranks && ranks->empty()) {
    print_error("vizd push: nothing of that is in the store\n");
    return kExitFailure;
  }
  const auto deletion = arguments.waits ? store::Deletion::kAwaited : store::Deletion::kBegun;
  if (ranks) {
    const auto removed = arguments.rank == kRankNotGiven
                             ? store::remove_job(store, arguments.job)
                             : store::remove_rank(store, arguments.job, arguments.rank, deletion);
    if (!removed) ranks = removed.error();
  }
  if (!ranks) {
    print_error("vizd push: {}\n", ranks.error().text());
    return kExitFailure;
  }
  print_answer("job {}: removed {} rank{}\n", arguments.job, ranks->size(), ranks->size() == 1 ? "" : "s");
  return kExitOk;
}

}  // namespace

int run_push(int argc, const char* const* argv) {
  CommandLine line("vizd push",
                   "Puts captures into a store (ClickHouse), each as a rank of a job, for `vizd --store` to show and "
                   "for your own SQL\n(docs/store.md has the tables). What is there already is not sent again; an "
                   "interrupted push continues where it\nstopped.");
  PushArguments arguments;
  line.positional("files", "FILE|DIR ...", arguments.inputs.paths,
                  "The captures: files, or folders with them; - reads from a pipe");
  arguments.inputs.describe_options(line);
  arguments.store.describe(line).required();
  line.option("--job NAME", arguments.job, "The job that they belong to").required();
  line.option("--rank N [their own, or counted from 0]", arguments.rank, "The rank of the first");
  line.option("--cluster NAME", arguments.cluster,
              "Create Distributed tables, over the servers that the store's configuration has under this name");
  line.option("--at-once N [2]", arguments.at_once, "Push this many ranks at once").range(1, 64);
  line.time("--patience TIME [60s]", arguments.patience_s, "How long to wait for a store that cannot be reached",
            kSecond_ns)
      .range(0, 86'400);
  line.option(
      "--keep TIME [for ever]", arguments.kept_for,
      "Remove what is pushed after this time: 12h, 30d, 8w; a job is removed when all of its ranks have expired");
  line.flag("--replace", arguments.replaces, "Replace another capture that is there as the same rank");
  line.option("--watch DIR", arguments.watched,
              "Push each trace that programs leave in this folder, once, until Ctrl-C or SIGTERM; the trace of step N "
              "goes to the job NAME step N");
  line.time("--settle TIME [5s]", arguments.settle_s,
            "With --watch: how long a file must stay unchanged before it is read", kSecond_ns)
      .range(0, 86'400);
  line.flag("--remove", arguments.removes, "Remove the job, or its --rank, from the store");
  line.flag("--wait", arguments.waits,
            "With --remove: wait until the last row of the rank is gone; the store deletes rows in the background");
  line.check([&]() -> std::string {
    if (arguments.job.empty()) return "--job: the name of the job is empty";
    if (arguments.waits && !arguments.removes) return "--wait needs --remove and --rank";
    if (!arguments.kept_for.empty()) {
      const auto keep = parse_keep(arguments.kept_for);
      if (!keep) return "--keep: give a number with h, d or w, such as 30d";
      arguments.keep = *keep;
    }
    if (!arguments.watched.empty()) {
      if (arguments.removes || !arguments.inputs.is_empty()) return "--watch takes no captures and no --remove";
      return std::filesystem::is_directory(arguments.watched) ? "" : "--watch: no such folder";
    }
    if (arguments.removes) return arguments.inputs.is_empty() ? "" : "--remove takes no captures";
    return arguments.inputs.is_empty() ? "name a capture: a file or a folder" : "";
  });
  if (const auto code = line.parse(argc, argv)) return *code;
  std::signal(SIGPIPE, SIG_IGN);  // a store that leaves is an error to be told
  const auto store = arguments.store.open();
  if (!store) {
    print_error("vizd push: {}\n", store.error().text());
    return kExitUsage;
  }
  if (!arguments.watched.empty()) return watch(arguments, *store);
  return arguments.removes ? remove_from(arguments, *store) : push_all(arguments, *store);
}

}  // namespace vizd
