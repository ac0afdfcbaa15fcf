// libgomp reports an address and a size, in words only; the worker reports which arrays are where.
#include "grader/judge/libgomp.h"

#include <cstdint>
#include <sstream>

#include "grader/judge/pattern.h"

namespace warpbook::grader {

namespace {

constexpr const char* kSections =
    "In a clause, the second number of a section is its length and not its end: a[start:length]. All but the first of "
    "n "
    "elements are a[1:n-1].";

/// The bytes that libgomp's message is about.
struct Section {
  std::uint64_t address = 0, bytes = 0;
};

std::uint64_t hexadecimal(std::string_view text) { return std::stoull(std::string(text), nullptr, 16); }

/// Of "[0x7f00..0x7f40) object when", "[0x7f00,64] is not mapped" or "(0x7f00, 64 (0x40))".
std::optional<Section> section_in(const std::string& message) {
  static const Pattern kRange(R"(\[(0x[0-9a-f]{1,16})\.\.(0x[0-9a-f]{1,16})\))"),
      kSized("(0x[0-9a-f]{1,16}),[^0-9]{0,8}([0-9]{1,18})");
  if (const auto found = kRange.search(message); !found.empty())
    return Section{hexadecimal(found[1]), hexadecimal(found[2]) - hexadecimal(found[1])};
  if (const auto found = kSized.search(message); !found.empty())
    return Section{hexadecimal(found[1]), std::stoull(std::string(found[2]))};
  return std::nullopt;
}

/// The first message, without the library's name.
std::string message_in(const std::string& said) {
  const std::string name = "libgomp: ";
  std::istringstream in(said);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name)) return line.substr(name.size());
  return "";
}

std::string bytes_text(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

/// What to say about a section that begins in an array.
void add_array(Finding& finding, const ArrayPlace& array, const Section& section) {
  const std::uint64_t start = section.address - array.address, end = start + section.bytes;
  finding.subject = array.name;
  finding.evidence.push_back({"start", static_cast<double>(start), "bytes"});
  finding.evidence.push_back({"length", static_cast<double>(section.bytes), "bytes"});
  finding.facts.push_back(
      "The section is of the array '" + array.name + "', which has " + bytes_text(array.bytes) +
      ": it begins at byte " + std::to_string(start) + " and is " + bytes_text(section.bytes) + " long" +
      (end > array.bytes ? ", so it ends " + bytes_text(end - array.bytes) + " after the array." : "."));
  finding.what_to_try = end > array.bytes ? kSections
                                          : "Not all of it is on the device: a data region around this place, or enter "
                                            "data before it, must have brought "
                                            "it, and exit data must come later. " +
                                                std::string(kSections);
}

}  // namespace

std::optional<Finding> explain_libgomp(const std::string& said, const std::vector<ArrayPlace>& arrays) {
  const std::string message = message_in(said);
  if (message.empty()) return std::nullopt;
  Finding finding = finding_of(FindingKind::program_error,
                               "libgomp, GCC's OpenACC library, ended the program: a clause does "
                               "not agree with what is on the device, or a kernel failed.");
  finding.topic = "libgomp";
  const std::optional<Section> section = section_in(message);
  if (!section) {
    if (message.starts_with("invalid size")) {
      finding.facts.push_back("A copy goes past the end of what the device has of its array.");
      finding.what_to_try = kSections;
    }
    return finding;
  }
  for (const ArrayPlace& array : arrays) {
    if (section->address - array.address >= array.bytes) continue;  // Also where it begins before it: unsigned.
    add_array(finding, array, *section);
    return finding;
  }
  finding.facts.push_back("The " + bytes_text(section->bytes) + " that it is about are in no array of the case.");
  finding.what_to_try = section->bytes == sizeof(void*) ? "A clause that names a pointer alone, present(a), means the "
                                                          "pointer's own 8 bytes. The section says how much "
                                                          "it points to: present(a[:n])."
                                                        : kSections;
  return finding;
}

}  // namespace warpbook::grader
