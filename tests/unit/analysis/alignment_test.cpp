// Alignments of replays with captures: against trying everything, and by the rules one by one.
#include "analysis/graph_replay/alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "analysis/graph_replay/interleaving.h"
#include "analysis/graph_replay/longest_subsequence.h"
#include "support/catch.h"

namespace vizd::alignment_test {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// All longest common subsequences, by trying everything.
void collect(std::string_view x, std::string_view y, std::size_t i, std::size_t j, Pairs& pairs, std::set<Pairs>& all) {
  if (i == x.size() || j == y.size()) {
    const std::size_t best = all.empty() ? 0 : all.begin()->size();
    if (pairs.size() > best) all.clear();
    if (pairs.size() >= best) all.insert(pairs);
    return;
  }
  if (x[i] == y[j]) {
    pairs.emplace_back(i, j);
    collect(x, y, i + 1, j + 1, pairs, all);
    pairs.pop_back();
  }
  collect(x, y, i + 1, j, pairs, all);
  collect(x, y, i, j + 1, pairs, all);
}

std::string drawn(std::mt19937& random, std::size_t most, char last) {
  std::string text(random() % (most + 1), 'a');
  for (char& c : text) c = static_cast<char>('a' + static_cast<int>(random() % static_cast<unsigned>(last - 'a' + 1)));
  return text;
}

// One comparison by itself.
Alignment align(const std::vector<ReplayedWork>& work, const std::vector<CapturedLaunch>& launches, bool is_ordered) {
  std::size_t steps = kMostAlignmentSteps;
  return vizd::align(work, launches, is_ordered, steps);
}

// Kernels by letters; "!" of unknown name, "c" a copy.
struct Made {
  StringTable strings;

  ReplayedWork work(char name, std::uint32_t stream = 0, std::int64_t start_ns = 0) {
    const EventRole kind = name == 'c' ? EventRole::kMemcpy : EventRole::kKernel;
    return {kind, strings.add(std::string(1, name)), kind, stream, start_ns};
  }
  std::vector<ReplayedWork> works(std::string_view names) {
    std::vector<ReplayedWork> all;
    for (const char name : names) all.push_back(work(name));
    return all;
  }
  std::vector<CapturedLaunch> launches(std::string_view names) {
    std::vector<CapturedLaunch> all;
    for (const char name : names) {
      const EventRole kind = name == 'c' ? EventRole::kMemcpy : EventRole::kKernel;
      all.push_back({.kind = kind, .name = name == '!' ? kNoText : strings.add(std::string(1, name))});
    }
    return all;
  }
};

// The launch of each piece of work and how it was found: "0o 1g -" is by order, guessed, none.
std::string text(const Alignment& aligned) {
  std::string all;
  for (std::size_t i = 0; i < aligned.launches.size(); ++i) {
    if (!all.empty()) all += ' ';
    if (aligned.launches[i] == kNoId)
      all += '-';
    else
      all += fmt::format("{}{}", aligned.launches[i], found_name(aligned.found[i])[0]);
  }
  return all;
}

}  // namespace

TEST_CASE("A pair is the only one exactly where every longest common subsequence has it") {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const std::string x = drawn(random, 7, 'c'), y = drawn(random, 7, 'c');
    INFO(x << " " << y);
    std::set<Pairs> all;
    Pairs pairs;
    collect(x, y, 0, 0, pairs, all);
    const auto common = common_subsequence(std::span<const char>(x), std::span<const char>(y), 1'000'000);
    REQUIRE(common);
    REQUIRE(common->length == all.begin()->size());
    Pairs taken;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (common->partners[i] == kNoId) continue;
      const std::pair<std::size_t, std::size_t> pair(i, common->partners[i]);
      taken.push_back(pair);
      const bool is_in_all =
          std::ranges::all_of(all, [&](const Pairs& of) { return std::ranges::find(of, pair) != of.end(); });
      CHECK(common->is_only[i] == is_in_all);
    }
    CHECK(all.contains(taken));
  }
}

TEST_CASE("What would take too many steps is not searched") {
  const std::string x(3000, 'a'), y(3000, 'b');
  CHECK_FALSE(common_subsequence(std::span<const char>(x), std::span<const char>(y), 100'000));
  CHECK(common_subsequence(std::span<const char>(x), std::span<const char>(x), 100'000)->length == 3000);
}

TEST_CASE("A comparison takes the steps that it costs, and is by order alone where they are not there") {
  Made made;
  const auto launches = made.launches("abxdefghijklm");
  const auto work = made.works("abdefghijklm");
  std::size_t steps = 10'000;
  CHECK_FALSE(vizd::align(work, launches, false, steps).is_by_order);
  CHECK(steps < 10'000 - work.size() - launches.size());
  CHECK(steps > 9'000);
  std::size_t few = 30;
  CHECK(vizd::align(work, launches, false, few).is_by_order);
  CHECK(few < 30);
}

TEST_CASE("A replay with one kernel too many loses one name, and a lost record none of the others") {
  Made made;
  const auto launches = made.launches("abcdefghijklm");
  CHECK(text(align(made.works("abcdefghijklm"), launches, false)) == "0o 1o 2o 3o 4o 5o 6o 7o 8o 9o 10o 11o 12o");
  CHECK(text(align(made.works("abcxdefghijklm"), launches, false)) == "0o 1o 2o - 3o 4o 5o 6o 7o 8o 9o 10o 11o 12o");
  const Alignment lost = align(made.works("abcdefghijkl"), launches, false);
  CHECK(text(lost) == "0o 1o 2o 3o 4o 5o 6o 7o 8o 9o 10o 11o");
  CHECK(lost.fit == Fit{12, 13});
}

TEST_CASE("Of two equal kernels of which one record is lost neither is sure") {
  Made made;
  CHECK(text(align(made.works("abdefghijklm"), made.launches("abbdefghijklm"), false)) ==
        "0o 1g 3o 4o 5o 6o 7o 8o 9o 10o 11o 12o");
}

TEST_CASE("Between two pairs as many left over are guessed one for one, of their kind") {
  Made made;
  CHECK(text(align(made.works("abXdefghijklm"), made.launches("abYdefghijklm"), false)) ==
        "0o 1o 2g 3o 4o 5o 6o 7o 8o 9o 10o 11o 12o");
  CHECK(text(align(made.works("abXdefghijklm"), made.launches("abcdefghijklm"), false)) ==
        "0o 1o - 3o 4o 5o 6o 7o 8o 9o 10o 11o 12o");  // a copy is no kernel
}

TEST_CASE("A fit below nine tenths makes all a guess") {
  Made made;
  CHECK(text(align(made.works("abcdXY"), made.launches("abcd"), false)) == "0g 1g 2g 3g - -");
}

TEST_CASE("Launches without names are guessed where the numbers of each kind are equal, else nothing is") {
  Made made;
  CHECK(text(align(made.works("acb"), made.launches("!c!"), true)) == "0g 1o 2g");
  CHECK(text(align(made.works("acb"), made.launches("!!c"), true)) == "- - -");
  CHECK(text(align(made.works("acb"), made.launches("!c"), true)) == "- - -");
}

TEST_CASE("A driver's kernel for a copy may be a captured copy") {
  Made made;
  ReplayedWork copy = made.work('k');
  copy.or_kind = EventRole::kMemcpy;
  CHECK(text(align({made.work('a'), copy}, made.launches("ac"), false)) == "0o 1o");
}

TEST_CASE("Two streams without node ids are sure where one interleaving fits, and equal kernels beside are guessed") {
  Made made;
  const std::vector<ReplayedWork> work = {made.work('a', 0, 1), made.work('x', 1, 2), made.work('b', 0, 3),
                                          made.work('x', 0, 4)};
  CHECK(text(align(work, made.launches("axbx"), false)) == "0o 1o 2o 3o");
  const std::vector<ReplayedWork> twins = {made.work('a', 0, 1), made.work('x', 1, 3), made.work('x', 0, 2)};
  CHECK(text(align(twins, made.launches("axx"), false)) == "0o 2g 1g");
}

TEST_CASE("Interleavings are searched up to a number of states") {
  const std::vector<std::vector<std::uint32_t>> queues = {{0, 1, 2}, {3, 4, 5}};
  const auto any = [](std::uint32_t, std::size_t) { return true; };
  const auto start = [](std::uint32_t piece) { return piece; };
  CHECK(interleave(queues, any, 16, start));
  CHECK_FALSE(interleave(queues, any, 15, start));
}

}  // namespace vizd::alignment_test
