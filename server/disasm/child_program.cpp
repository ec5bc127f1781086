#include "disasm/child_program.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/lines.h"
#include "base/own_folder.h"
#include "system/descriptors.h"
#include "system/process.h"
#include "system/sandbox.h"

namespace vizd {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int kCannotStart = 127;
constexpr std::chrono::milliseconds kLooksAgain{50};  // whether somebody still waits

// Closed with the object.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void set(int fd) { close(), fd_ = fd; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// A file without a name that holds the text, to be read from its start: a program that never reads it blocks nobody.
bool make_input(std::string_view text, Descriptor& input) {
  input.set(make_nameless_file("vizd-input"));
  while (!text.empty()) {
    const ssize_t written = ::write(input.get(), text.data(), text.size());
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return input.get() >= 0 && ::lseek(input.get(), 0, SEEK_SET) == 0;
}

bool open_pipe(Descriptor& reading, Descriptor& writing) {
  std::array<int, 2> ends{};
  if (!make_pipe(ends)) return false;
  reading.set(ends[0]);
  writing.set(ends[1]);
  return true;
}

void limit(int resource, std::uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

// All that the child needs, made before the fork: after it only system calls are safe.
struct ChildStart {
  std::vector<char*> argv;
  std::vector<char*> environment;
  const char* folder;
  int input, output, errors;
  const ChildOptions& options;
  const Sandbox* sandbox;  // or none
};

// In the child. Never returns.
[[noreturn]] void become(const ChildStart& start) {
  ::setpgid(0, 0);
  end_with_parent();
  if (::dup2(start.input, 0) < 0 || ::dup2(start.output, 1) < 0 || ::dup2(start.errors, 2) < 0) ::_exit(kCannotStart);
  if (::chdir(start.folder) != 0) ::_exit(kCannotStart);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, start.options.cpu_s);
  limit(RLIMIT_AS, start.options.memory_bytes);
  limit(RLIMIT_FSIZE, start.options.output_bytes);
  limit(RLIMIT_NOFILE, 64);
  if (!start.options.may_start_programs) limit(RLIMIT_NPROC, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
  if (start.sandbox && !start.sandbox->enter()) ::_exit(kCannotStart);
  keep_descriptors_from_programs();  // what other threads opened meanwhile
  ::execve(start.argv[0], start.argv.data(), start.environment.data());
  ::_exit(kCannotStart);
}

// Reads both outputs until the child closed them, it wrote too much, time is up or nobody waits any more.
void collect(ChildRun& run, Descriptor& output, Descriptor& errors, const ChildOptions& options) {
  const auto deadline = SteadyClock::now() + options.wall_time;
  std::vector<char> buffer(65536);
  while (output.get() >= 0 || errors.get() >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    std::array<pollfd, 2> ready{{{output.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}}};
    if (left.count() <= 0 || options.left.stop_requested()) {
      run.timed_out = left.count() <= 0;
      run.was_left = !run.timed_out;
      return;
    }
    const auto wait = options.left.stop_possible() ? std::min(left, kLooksAgain) : left;
    if (::poll(ready.data(), ready.size(), static_cast<int>(wait.count())) == 0) continue;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (ready[i].revents == 0) continue;
      Descriptor& from = i == 0 ? output : errors;
      std::string& text = i == 0 ? run.output : run.errors;
      const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
      if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) from.close();
      if (text.size() > options.output_bytes) {
        run.too_much_output = true;
        return;
      }
    }
  }
}

// "" where it is no regular file: the child may have made anything of it. Its size is limited by RLIMIT_FSIZE.
std::string read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return "";
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  const ssize_t count = ::read(file.get(), text.data(), text.size());
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// Waits for the child; kills its group where it is not through with its outputs.
void finish(ChildRun& run, pid_t child, bool kill_first) {
  if (kill_first) ::kill(-child, SIGKILL);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  ::kill(-child, SIGKILL);  // what it left behind; the group is still its own, as it was not taken from the list yet
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (WIFSIGNALED(status)) {
    run.timed_out = run.timed_out || WTERMSIG(status) == SIGXCPU;
    run.too_much_output = run.too_much_output || WTERMSIG(status) == SIGXFSZ;
  }
}

// The dynamic loader lists: "libc.so.6 => /lib/libc.so.6 (0x…)", "/lib64/ld-linux.so.2 (0x…)".
std::vector<std::string> listed_libraries(std::string_view text) {
  std::vector<std::string> libraries;
  for (const std::string_view line : split_lines(text)) {
    const auto from = line.find('/');
    const auto to = line.find(" (", std::min(from, line.size()));
    if (to != std::string_view::npos) libraries.emplace_back(line.substr(from, to - from));
  }
  return libraries;
}

}  // namespace

// An empty folder that only this user may enter. Removed with the object, with what is in it.
class ChildPrograms::WorkFolder {
 public:
  explicit WorkFolder(ChildPrograms& owner) : owner_(owner) {
    std::error_code failed;
    const auto temporary = std::filesystem::temp_directory_path(failed);
    if (failed) return;
    const std::scoped_lock lock(owner_.guard_);  // so that end() knows each folder that is there
    if (owner_.has_ended_) return;
    auto made = OwnFolder::make(temporary.string(), "vizd-work-");
    if (!made) return;
    own_ = std::move(*made);
    owner_.folders_.insert(own_.get());
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    const std::scoped_lock lock(owner_.guard_);
    owner_.folders_.erase(own_.get());
  }
  std::string path() const { return own_ ? own_->contents() : ""; }

 private:
  ChildPrograms& owner_;
  std::unique_ptr<OwnFolder> own_;
};

bool ChildPrograms::confines_files() const {
  return sandboxing_ == Sandboxing::kAsKernelCan && sandbox_support().confines_files;
}

std::vector<std::string> ChildPrograms::files_of(const std::string& program) {
  const std::scoped_lock lock(files_guard_);
  const auto [known, is_new] = files_.try_emplace(program);
  if (!is_new) return known->second;
  known->second = {program};
  // In place of running the program its loader lists what it would load. A program without one is run, on nothing.
  const auto run =
      this->run({program}, "", {.reads = ChildReads::kSystem, .environment = {"LD_TRACE_LOADED_OBJECTS=1"}});
  if (!run) return known->second;
  for (std::string& library : listed_libraries(run->output)) known->second.push_back(std::move(library));
  return known->second;
}

std::vector<std::string> ChildPrograms::readable(const std::string& program, const ChildOptions& options) {
  if (options.reads == ChildReads::kOwnFiles) {
    std::vector<std::string> files = files_of(program);
    files.insert(files.end(), options.files.begin(), options.files.end());
    return files;
  }
  std::vector<std::string> folders{"/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/lib", "/lib64", "/bin"};
  // A compiler of one's own: PREFIX/bin/clang with PREFIX/lib.
  std::error_code failed;
  const auto real = std::filesystem::canonical(program, failed);
  if (!failed) {
    folders.push_back(real.parent_path().string());
    folders.push_back((real.parent_path().parent_path() / "lib").string());
  }
  return folders;
}

Result<ChildRun> ChildPrograms::run(const std::vector<std::string>& argv, std::string_view input,
                                    const ChildOptions& options) {
  const auto fail = [&](const char* what) {
    return Error{ErrorKind::kInternal, fmt::format("{}: {}", what, std::strerror(errno)), argv.front()};
  };
  const WorkFolder work(*this);
  const std::string folder = work.path();
  if (folder.empty()) return fail("no folder to work in could be made");
  Descriptor given, output, output_end, errors, errors_end;
  if (!make_input(input, given) || !open_pipe(output, output_end) || !open_pipe(errors, errors_end))
    return fail("no pipes could be made");
  std::optional<Sandbox> sandbox;
  if (sandboxing_ == Sandboxing::kAsKernelCan)
    sandbox.emplace(readable(argv.front(), options), folder, options.may_start_programs);
  if (options.needs_confinement && !(sandbox && sandbox->confines_files()))
    return Error{ErrorKind::kForbidden, "nothing would keep the program from other files", argv.front()};
  std::vector<std::string> arguments = argv;
  std::vector<std::string> environment{"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + folder};
  environment.insert(environment.end(), options.environment.begin(), options.environment.end());
  const ChildStart start{pointers(arguments), pointers(environment), folder.c_str(), given.get(),
                         output_end.get(),    errors_end.get(),      options,        sandbox ? &*sandbox : nullptr};
  const pid_t child = ::fork();
  if (child < 0) return fail("no process could be started");
  if (child == 0) become(start);
  ::setpgid(child, child);  // whichever comes first, it or the child's own
  output_end.close();
  errors_end.close();
  ChildRun run;
  collect(run, output, errors, options);
  finish(run, child, run.timed_out || run.too_much_output || run.was_left);
  if (!options.output_file.empty()) run.output = read_file(folder + "/" + options.output_file);
  if (run.exit_code == kCannotStart && run.output.empty() && run.errors.empty())
    return Error{ErrorKind::kInternal, "the program could not be started", argv.front()};
  return run;
}

void ChildPrograms::end() {
  const std::scoped_lock lock(guard_);
  has_ended_ = true;
  for (OwnFolder* folder : folders_) folder->remove();
}

}  // namespace vizd
