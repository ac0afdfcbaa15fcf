// Manifest: what the build knows about a lab; written by add_lab(), read by the tests and the command line.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpbook::grader {

/// A test as CMake read it from the source text.
struct ListedTest {
  std::string kind;  ///< correctness, counters, time
  std::string sentence;
  double points = 0;
};

/// A step of the ladder (lab.json).
struct Rung {
  std::string rung, title, source;
  bool library = false;  ///< A library function that does the same job, shown only for comparison.
};

/// What the project expects of one of its own answers (grader/workbook/answers.py).
struct KnownAnswer {
  std::string rejected_by;           ///< Of a wrong one: "counters.stores fill whole sectors".
  std::vector<std::string> because;  ///< Each says what must be in the failure's record (because.h).
  std::optional<double> earns;       ///< Of an exploit: what its honest part earns.
  std::optional<double> gets;        ///< What it gets today, if no way to prevent that is known.
};

/// One lab: lab.json and where its programs are.
struct Manifest {
  std::string lab, chapter, title;
  int order = 0;
  double points = 0;
  std::vector<Rung> rungs;
  bool openacc = false;              ///< Answers are for an OpenACC compiler, too.
  bool time_with_copies = false;     ///< Times count the copies too: the answer makes them itself.
  bool time_between_events = false;  ///< Times are those of measure(): time that the host waits counts too.
  /// Functions get arrays in host memory, and bring them to the device themselves.
  bool host_has_arrays() const { return time_with_copies || time_between_events; }
  bool device_heap = false;       ///< Its memory is the exercise, and may outlive a call: tests check what is left.
  bool copies_on_device = false;  ///< Answers may copy within the device; otherwise only kernels move data.
  bool copies_to_device =
      false;  ///< Moving data to the device is the exercise: from any memory, and as much as the tests allow.
  std::string project_root, build_folder;
  std::string suffix = ".cu";  ///< Of answers; ".cpp" where two compilers read them (OpenACC).
  std::string backend;         ///< "virtual" or "gpu"
  std::string device;          ///< "h200"
  std::string test_program;
  std::string results_folder;                  ///< Where tests write their records.
  std::string device_process;                  ///< The program that is the device of counted runs.
  std::string front_folder;                    ///< The libraries through which programs talk to it.
  bool sanitized = false;                      ///< Built with sanitizers, which need unlimited address space.
  std::string toolkit;                         ///< Where nvcc is: in bin.
  std::string copy_probe;                      ///< The worker that measures copies; empty without a real GPU.
  std::string reference;                       ///< Of a student edition: the reference's recorded figures; else empty.
  std::map<std::string, std::string> workers;  ///< Program of each answer, by its source's path from the root.
  std::map<std::string, KnownAnswer> known;    ///< By answer: "wrong:missing_barrier".
  std::vector<ListedTest> tests;

  /// The lab below labs/, solutions/ and grader/labs/: "memory/coalescing".
  std::string path() const { return chapter + '/' + lab; }
  /// Source of an answer: "student", "solution", "skeleton", "wrong:<name>", or a path from the root.
  std::string source_of(const std::string& answer) const;
  /// Program of an answer. @throws ManifestError if it has none
  const std::string& worker_of(const std::string& answer) const;
  /// @throws ManifestError if a wrong answer does not say which test rejects it and why, or an exploit what it earns
  const KnownAnswer& known_answer(const std::string& answer) const;
};

/// A manifest or lab.json that cannot be used; says where and why.
class ManifestError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a manifest and the lab.json that it names. In a student edition, which may lie anywhere, its paths begin with
/// {home}, the folder above the manifest's, or {project}, the one two above that. @throws ManifestError
Manifest read_manifest(const std::string& path);

/// The manifests of all labs of a build folder, in the order of lab.json. @throws ManifestError if there is none
std::vector<Manifest> read_manifests(const std::string& build_folder);

}  // namespace warpbook::grader
