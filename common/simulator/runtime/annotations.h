// A program's NVTX annotations: ranges, marks and names, for the profile and its filters.
//
// Push/pop ranges nest, with a stack for each thread and domain; start/end ranges belong to the process and may
// overlap.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace warpbook::simulator::runtime {

/// A range or a mark.
struct Annotation {
  std::string domain;  ///< Empty: the default domain.
  std::string text;
  std::uint32_t category = 0;                                                 ///< 0: none
  std::optional<std::uint32_t> color;                                         ///< ARGB
  std::variant<std::monostate, std::uint64_t, std::int64_t, double> payload;  ///< A number chosen by the program.
};

struct AnnotatedRange {
  Annotation annotation;
  bool nests = true;                    ///< A push/pop range.
  std::uint32_t thread = 0, depth = 0;  ///< For a range that nests: numbers from 0.
  double start_us = 0;                  ///< On the host's clock.
  std::optional<double> end_us = {};    ///< Empty: it was never ended.
};

struct AnnotatedMark {
  Annotation annotation;
  std::uint32_t thread = 0;
  double time_us = 0;
};

class Annotations {
 public:
  using Clock = double (*)();
  /// @param now the host's clock, in microseconds
  explicit Annotations(Clock now) : now_(now) {}

  /// @returns the depth of the new range in this thread's stack for the domain, from 0
  int push(Annotation annotation);
  /// @returns the depth of the range that ended; -1 if there is none
  int pop(const std::string& domain);
  /// @returns the number with which to end it, from 1
  std::uint64_t start(Annotation annotation);
  void end(std::uint64_t id);
  void mark(Annotation annotation);
  void name_category(const std::string& domain, std::uint32_t category, std::string name);
  void name_stream(std::uint32_t stream, std::string name);
  void name_thread(std::uint32_t system_id, std::string name);

  /// Number of this thread, in the order of first use.
  std::uint32_t this_thread();
  /// The ranges around what this thread does now, as indices into ranges(): its own stacks, then the process's.
  std::vector<std::uint32_t> open() const;

  const std::vector<AnnotatedRange>& ranges() const { return ranges_; }
  const std::vector<AnnotatedMark>& marks() const { return marks_; }
  const std::map<std::pair<std::string, std::uint32_t>, std::string>& categories() const { return categories_; }
  const std::map<std::uint32_t, std::string>& streams() const { return streams_; }
  const std::map<std::uint32_t, std::string>& threads() const { return threads_; }
  bool empty() const {
    return ranges_.empty() && marks_.empty() && categories_.empty() && streams_.empty() && threads_.empty();
  }

 private:
  std::uint32_t add(AnnotatedRange range);

  Clock now_;
  std::vector<AnnotatedRange> ranges_;
  std::vector<AnnotatedMark> marks_;
  std::map<std::thread::id, std::uint32_t> numbers_;
  std::map<std::thread::id, std::map<std::string, std::vector<std::uint32_t>>> stacks_;
  std::map<std::uint64_t, std::uint32_t> started_;
  std::map<std::pair<std::string, std::uint32_t>, std::string> categories_;
  std::map<std::uint32_t, std::string> streams_, threads_;
};

/// The process's annotations. Guarded by runtime_lock(); they exist before the device does.
Annotations& annotations();

}  // namespace warpbook::simulator::runtime
