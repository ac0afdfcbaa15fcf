// Comparing arrays. The verdict is written so that a NaN on either side never passes.
#include "grader/judge/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <type_traits>

#include "grader/judge/mistakes.h"
#include "grader/judge/poison.h"

namespace warpbook::grader {

namespace {

constexpr std::size_t kShown = 5;

template <class T>
bool agrees(T found, T expected, const Tolerance& tolerance) {
  if (tolerance.relative == 0 && tolerance.absolute == 0) return found == expected;
  const double f = static_cast<double>(found), e = static_cast<double>(expected);
  if (std::isinf(e)) return f == e;
  return std::fabs(f - e) <= tolerance.absolute + tolerance.relative * std::fabs(e);
}

/// "out[3][5]"
std::string place_of(const std::string& name, std::size_t index, const Shape& shape) {
  if (shape.size() < 2) return name + "[" + std::to_string(index) + "]";
  std::vector<std::size_t> indices(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    indices[d] = index % shape[d];
    index /= shape[d];
  }
  std::string place = name;
  for (const std::size_t i : indices) place.append("[").append(std::to_string(i)).append("]");
  return place;
}

template <class T>
std::string number(T value) {
  std::ostringstream out;
  out.precision(std::numeric_limits<T>::max_digits10);
  if constexpr (sizeof(T) == 1) {
    out << static_cast<int>(value);
  } else if (std::isnan(value)) {
    out << "nan";  // The sign of a NaN means nothing.
  } else {
    out << value;
  }
  return out.str();
}

std::vector<bool> untouched_in(const Answer& answer, const std::string& name) {
  const Value& value = answer.reply.value(name);
  if (value.role != Value::Role::output_buffer || !answer.given.has(kPoisonSeed)) return {};
  const auto seed = static_cast<std::uint64_t>(answer.given.integer(kPoisonSeed));
  std::vector<std::byte> poison(value.bytes.size());
  fill_poison(std::span(poison), seed, name);
  const std::size_t size = size_of(value.element);
  std::vector<bool> untouched(value.count());
  for (std::size_t i = 0; i < untouched.size(); ++i) {
    const std::size_t at = value.guard_bytes + i * size;
    untouched[i] = std::memcmp(value.bytes.data() + at, poison.data() + at, size) == 0;
  }
  return untouched;
}

/// For a result that is wrong in device memory: says so if the host has corrected it, instead of guessing a
/// mistake in the kernel.
template <class T>
std::string explain_hosts_work(const Answer& answer, const std::string& name, const std::vector<T>& found,
                               const std::vector<T>& expected, const Tolerance& tolerance) {
  if (!answer.reply.has(name + kHostsView)) return "";
  const std::vector<T> seen = answer.output<T>(name + kHostsView);
  if (seen.size() != expected.size() || found.size() != expected.size()) return "";
  std::size_t right = 0;
  for (std::size_t i = 0; i < seen.size(); ++i)
    right += !agrees(found[i], expected[i], tolerance) && agrees(seen[i], expected[i], tolerance) ? 1 : 0;
  if (right == 0) return "";
  return "The host has written the right value into " + std::to_string(right) +
         " of them, but only what the device computes counts, however few elements there are. Does the answer do its "
         "work on the GPU? Is all of '" +
         name + "' written by a kernel, or by a copy from device memory?";
}

std::string headline_of(const std::string& name, const Comparison& result, const Tolerance& tolerance) {
  std::ostringstream headline;
  headline << "'" << name << "' is wrong in " << result.wrong << " of " << result.count
           << (result.count == 1 ? " element" : " elements");
  if (tolerance.relative != 0 || tolerance.absolute != 0)
    headline << " (allowed: " << number_text(tolerance.absolute) << " + " << number_text(tolerance.relative)
             << " of the value)";
  return headline.str() + ".";
}

Finding wrong_size(const std::string& name, std::size_t found, std::size_t expected) {
  Finding finding = finding_of(FindingKind::missing_output, "'" + name + "' has " + std::to_string(found) +
                                                                (found == 1 ? " element; " : " elements; ") +
                                                                std::to_string(expected) + " are expected.");
  finding.subject = name;
  return finding;
}

}  // namespace

template <class T>
Comparison compare(const std::string& name, const std::vector<T>& found, const std::vector<T>& expected,
                   const Tolerance& tolerance, const Shape& shape, const std::vector<bool>& untouched,
                   const std::string& known_cause) {
  Comparison result;
  result.count = expected.size();
  if (found.size() != expected.size()) {
    result.finding = wrong_size(name, found.size(), expected.size());
    return result;
  }
  Evidence evidence;
  evidence.wrong.resize(found.size());
  Finding& finding = result.finding;
  bool all_untouched = true, any_untouched = false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = std::fabs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
    if (!(error <= result.largest_error) && !agrees(found[i], expected[i], tolerance)) {
      result.largest_error = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    }
    if (agrees(found[i], expected[i], tolerance)) continue;
    evidence.wrong[i] = true;
    const bool never = !untouched.empty() && untouched[i];
    all_untouched = all_untouched && never;
    any_untouched = any_untouched || never;
    if (++result.wrong > kShown) continue;
    finding.examples.push_back(place_of(name, i, shape) + ": " +
                               (never ? "never written" : "found " + number(found[i])) + ", expected " +
                               number(expected[i]));
  }
  result.passed = result.wrong == 0;
  if (result.passed) return result;

  evidence.found.assign(found.begin(), found.end());
  evidence.expected.assign(expected.begin(), expected.end());
  evidence.untouched = untouched;
  evidence.shape = shape;
  evidence.whole_numbers = std::is_integral_v<T>;
  evidence.element_bytes = sizeof(T);
  finding.kind = all_untouched ? FindingKind::never_written : FindingKind::wrong_result;
  finding.subject = name;
  finding.evidence = {{"wrong_elements", static_cast<double>(result.wrong), "elements"},
                      {"elements", static_cast<double>(result.count), "elements"}};
  finding.headline = headline_of(name, result, tolerance);
  if (result.wrong > kShown) finding.examples.push_back("and " + std::to_string(result.wrong - kShown) + " more");
  // What was in memory before is not an error of a computation.
  if (std::isfinite(result.largest_error) && !any_untouched) {
    finding.facts.push_back("Largest error: " + number_text(result.largest_error) + ".");
    finding.evidence.push_back({"largest_error", result.largest_error, ""});
  }
  if (!known_cause.empty()) {
    finding.kind = FindingKind::host_did_the_work;
    finding.topic = "result";
    finding.why = known_cause;
  } else {
    const Mistake mistake = guess_mistake(evidence);
    finding.topic = mistake.pattern;
    finding.why = mistake.text;
  }
  return result;
}

template <class T>
Comparison compare_close(const Answer& answer, const std::string& name, const std::vector<T>& expected,
                         const Tolerance& tolerance, const Shape& shape) {
  if (!answer.reply.has(name)) {
    Comparison missing;
    missing.count = expected.size();
    missing.finding = finding_of(FindingKind::missing_output, "Nothing came back for '" + name + "'.");
    missing.finding.subject = name;
    return missing;
  }
  const std::vector<T> found = answer.output<T>(name);
  const auto agree = [&](T one, T other) { return agrees(one, other, tolerance); };
  if (std::equal(found.begin(), found.end(), expected.begin(), expected.end(), agree)) {
    // Most results are right: what is only needed to explain is not computed.
    Comparison right;
    right.passed = true;
    right.count = expected.size();
    return right;
  }
  return compare(name, found, expected, tolerance, shape, untouched_in(answer, name),
                 explain_hosts_work(answer, name, found, expected, tolerance));
}

template <class T>
Comparison compare_exact(const Answer& answer, const std::string& name, const std::vector<T>& expected,
                         const Shape& shape) {
  return compare_close(answer, name, expected, Tolerance{}, shape);
}

#define WB_INSTANTIATE(T)                                                                                            \
  template Comparison compare<T>(const std::string&, const std::vector<T>&, const std::vector<T>&, const Tolerance&, \
                                 const Shape&, const std::vector<bool>&, const std::string&);                        \
  template Comparison compare_exact<T>(const Answer&, const std::string&, const std::vector<T>&, const Shape&);      \
  template Comparison compare_close<T>(const Answer&, const std::string&, const std::vector<T>&, const Tolerance&,   \
                                       const Shape&);
WB_INSTANTIATE(std::int8_t)
WB_INSTANTIATE(std::uint8_t)
WB_INSTANTIATE(std::int16_t)
WB_INSTANTIATE(std::uint16_t)
WB_INSTANTIATE(std::int32_t)
WB_INSTANTIATE(std::uint32_t)
WB_INSTANTIATE(std::int64_t)
WB_INSTANTIATE(std::uint64_t)
WB_INSTANTIATE(float)
WB_INSTANTIATE(double)
#undef WB_INSTANTIATE

}  // namespace warpbook::grader
