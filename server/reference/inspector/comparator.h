// Comparator: a program of the user's own that says how far two values are apart. It is called with two files, the
// reference's value and the runtime's, each a .npy, and prints a number. Only a program that the command line names is
// run, and it is run as the user would: where it is not to be trusted, it is not to be named. One thread; waits.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/own_folder.h"
#include "base/result.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::inspector {

class Comparator {
 public:
  // One pair has so long, and all pairs together.
  struct Limits {
    std::chrono::milliseconds pair{60'000}, all{600'000};
  };

  // program: as a shell would find it. Errors: no folder can be made for the files.
  static Result<Comparator> make(std::string program, Limits limits);
  static Result<Comparator> make(std::string program) { return make(std::move(program), Limits()); }

  // The program's file name, which stands for the measure.
  std::string name() const;

  // Errors: the program could not be started, took too long, ended with another code than 0, or printed no number; once
  // all time is spent, each further pair.
  Result<double> gap(const etdump::Tensor& reference, const etdump::Tensor& runtime);

 private:
  Comparator(std::string program, Limits limits, std::unique_ptr<OwnFolder> folder)
      : program_(std::move(program)), limits_(limits), folder_(std::move(folder)) {}

  std::string program_;
  Limits limits_;
  std::unique_ptr<OwnFolder> folder_;
  std::chrono::steady_clock::duration spent_{};
};

// The one of a command's option; none where it names no program.
Result<std::optional<Comparator>> make_comparator(const std::string& program);

}  // namespace vizd::inspector
