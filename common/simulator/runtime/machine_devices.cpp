// Reads lists of devices.
#include "common/simulator/runtime/machine_devices.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/runtime/device_properties.h"

namespace warpbook::simulator::runtime {
namespace {

std::vector<std::string> entries_of(const std::string& list) {
  std::vector<std::string> entries;
  std::istringstream from(list);
  for (std::string entry; std::getline(from, entry, ',');) {
    const auto first = entry.find_first_not_of(" \t"), last = entry.find_last_not_of(" \t");
    entries.push_back(first == std::string::npos ? "" : entry.substr(first, last - first + 1));
  }
  return entries;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The number of the device that an entry of CUDA_VISIBLE_DEVICES names.
std::optional<unsigned> find(const std::vector<Device>& machine, const std::string& entry) {
  if (is_number(entry)) {
    const auto number = static_cast<unsigned>(std::stoul(entry));
    return number < machine.size() ? std::optional(number) : std::nullopt;
  }
  // The beginning of an identity, if only one device has it.
  constexpr const char* kPrefix = "GPU-";
  if (entry.rfind(kPrefix, 0) != 0) return std::nullopt;
  std::optional<unsigned> found;
  for (unsigned number = 0; number < machine.size(); ++number) {
    if (uuid_text(machine[number]).rfind(entry, 0) != 0) continue;
    if (found) return std::nullopt;
    found = number;
  }
  return found;
}

}  // namespace

std::vector<std::string> parse_devices(const std::string& text, const std::string& usual) {
  const std::string most = std::to_string(kMostDevices);
  if (text.empty()) return {usual};
  if (is_number(text)) {
    const auto count = std::stoul(text);
    if (count == 0 || count > kMostDevices)
      throw std::invalid_argument("'" + text + "' devices: a machine has 1 to " + most);
    return std::vector<std::string>(count, usual);
  }
  std::vector<std::string> names = entries_of(text);
  if (names.size() > kMostDevices)
    throw std::invalid_argument(std::to_string(names.size()) + " devices: a machine has 1 to " + most);
  if (std::find(names.begin(), names.end(), "") != names.end() || text.back() == ',')
    throw std::invalid_argument("'" + text + "' is neither a number of devices nor a list of their names (h200,h200)");
  return names;
}

std::vector<Device> make_machine(const std::vector<std::string>& names, unsigned multiprocessors) {
  std::vector<Device> machine;
  for (const std::string& name : names) {
    Device& made = machine.emplace_back(load_device(name));
    made.instance = static_cast<unsigned>(machine.size() - 1);
    if (multiprocessors == 0) continue;
    made.multiprocessors = multiprocessors;
    made.attributes["multiprocessor_count"] = multiprocessors;
  }
  return machine;
}

std::vector<unsigned> visible_devices(const std::vector<Device>& machine, const char* value) {
  std::vector<unsigned> visible;
  if (value == nullptr) {
    for (unsigned number = 0; number < machine.size(); ++number) visible.push_back(number);
    return visible;
  }
  for (const std::string& entry : entries_of(value)) {
    const auto number = find(machine, entry);
    if (!number || std::find(visible.begin(), visible.end(), *number) != visible.end()) break;
    visible.push_back(*number);
  }
  return visible;
}

}  // namespace warpbook::simulator::runtime
