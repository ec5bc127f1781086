// vizd check-job --store URL --job NAME: whether a rank is slow and whether steps got slower, as an exit code and one
// line of JSON, for whatever alerts people.
#include <fmt/core.h>

#include <csignal>
#include <cstdlib>

#include "base/json_writer.h"
#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/records.h"
#include "cli/command_line/store_arguments.h"
#include "store/job_check.h"

namespace vizd {
namespace {

constexpr int kExitFound = 3;
constexpr std::size_t kMostRanksTold = 100;

struct CheckJobArguments {
  StoreArguments store;
  std::string job, against, slow_rank, regress;
};

// "5%" or "5": 5.
std::optional<double> limit_of(const std::string& text) {
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  const std::string_view rest(end);
  if (end == text.c_str() || (!rest.empty() && rest != "%") || !(percent >= 0)) return std::nullopt;
  return percent;
}

// What is found of one job, told as it is asked.
class JobCheck {
 public:
  JobCheck(const CheckJobArguments& arguments, const store::Store& store, std::string job)
      : arguments_(arguments), store_(store), job_(std::move(job)) {
    json_.begin_object().key("job").text(job_);
  }

  Result<void> tell_ranks() {
    const auto ranks = store::job_ranks(store_, job_);
    if (!ranks) return ranks.error();
    json_.key("ranks").number(ranks->ranks).key("whole_ranks").number(ranks->whole);
    return {};
  }

  Result<void> check_waits(double most_percent) {
    const auto waits = store::made_waits(store_, job_);
    if (!waits) return waits.error();
    json_.key("slow_rank_limit_percent").real(most_percent).key("slow_ranks").begin_array();
    std::size_t told = 0, slow = 0;
    for (const store::MadeWait& wait : *waits) {
      if (wait.percent() <= most_percent) continue;
      ++slow;
      if (told++ >= kMostRanksTold) continue;
      json_.begin_object().key("rank").number(wait.rank).key("made_wait_ns").number(wait.wait_ns);
      json_.key("percent").real(wait.percent()).key("collectives").number(wait.collectives).end_object();
    }
    json_.end_array().key("slow_rank_count").number(slow);
    has_found_ = has_found_ || slow > 0;
    return {};
  }

  Result<void> check_steps(double most_percent) {
    std::optional<std::string> before = arguments_.against;
    if (before->empty()) {
      auto found = store::step_before(store_, job_);
      if (!found) return found.error();
      before = *found;
    }
    const auto now = store::step_times(store_, job_);
    if (!now) return now.error();
    json_.key("regress_limit_percent").real(most_percent).key("step_ns");
    now->steps > 0 ? json_.number(now->median_ns) : json_.null();
    json_.key("against");
    if (!before) {
      json_.null().key("regress_percent").null();
      return {};
    }
    const auto then = store::step_times(store_, *before);
    if (!then) return then.error();
    if (then->steps == 0)
      return Error{ErrorKind::kNotFound, fmt::format("job {} has no steps to compare with", *before), ""};
    if (now->steps == 0) return Error{ErrorKind::kNotFound, fmt::format("job {} has no steps", job_), ""};
    const double percent = 100 * (static_cast<double>(now->median_ns) / static_cast<double>(then->median_ns) - 1);
    json_.text(*before).key("against_step_ns").number(then->median_ns).key("regress_percent").real(percent);
    has_found_ = has_found_ || percent > most_percent;
    return {};
  }

  int print() {
    json_.key("found").boolean(has_found_).end_object();
    print_answer("{}\n", text_);
    return has_found_ ? kExitFound : kExitOk;
  }

 private:
  const CheckJobArguments& arguments_;
  const store::Store& store_;
  const std::string job_;
  std::string text_;
  JsonWriter json_{text_};
  bool has_found_ = false;
};

Result<int> check_job(const CheckJobArguments& arguments, const store::Store& store) {
  const auto job = store::find_job(store, arguments.job);
  if (!job) return job.error();
  JobCheck check(arguments, store, *job);
  VIZD_TRY(check.tell_ranks());
  if (!arguments.slow_rank.empty()) VIZD_TRY(check.check_waits(*limit_of(arguments.slow_rank)));
  if (!arguments.regress.empty()) VIZD_TRY(check.check_steps(*limit_of(arguments.regress)));
  return check.print();
}

}  // namespace

int run_check_job(int argc, const char* const* argv) {
  CommandLine line("vizd check-job",
                   "Prints one line of JSON: whether a rank of a job in a store is slow and whether its steps got "
                   "slower. Exits with 3 if\na limit is exceeded, 0 if none is, 1 if it cannot be determined.");
  CheckJobArguments arguments;
  arguments.store.describe(line).required();
  line.option("--job NAME", arguments.job, "The job; for one pushed by --watch, the latest step").required();
  line.option("--slow-rank PERCENT", arguments.slow_rank,
              "A rank is slow if others waited for it in collectives for more than this share of its time: 5%");
  line.option("--regress PERCENT", arguments.regress, "Steps got slower if their median takes this much longer: 3%");
  line.option("--against JOB [the step before]", arguments.against, "The job that --regress compares with");
  line.check([&]() -> std::string {
    if (arguments.slow_rank.empty() && arguments.regress.empty()) return "--slow-rank or --regress is required";
    if (!arguments.against.empty() && arguments.regress.empty()) return "--against needs --regress";
    for (const auto& [name, text] : {std::pair("--slow-rank", arguments.slow_rank), {"--regress", arguments.regress}}) {
      if (!text.empty() && !limit_of(text)) return fmt::format("{}: '{}' is not a percentage", name, text);
    }
    return "";
  });
  describe_wide_tables(line);
  if (const auto code = line.parse(argc, argv)) return *code;
  std::signal(SIGPIPE, SIG_IGN);  // a store that leaves is an error to be told
  const auto store = arguments.store.open();
  if (!store) {
    print_error("vizd check-job: {}\n", store.error().text());
    return kExitUsage;
  }
  const auto code = check_job(arguments, *store);
  if (code) return *code;
  print_error("vizd check-job: {}\n", code.error().text());
  return kExitFailure;
}

}  // namespace vizd
