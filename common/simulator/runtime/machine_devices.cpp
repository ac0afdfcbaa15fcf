// Parses lists of devices.
#include "common/simulator/runtime/machine_devices.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
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

constexpr const char* kIdentityPrefix = "GPU-";

bool is_identity(const std::string& entry) { return entry.rfind(kIdentityPrefix, 0) == 0; }

/// The device number at the start of @p entry: what follows it is ignored.
std::optional<unsigned> find_by_number(const std::vector<Device>& machine, const std::string& entry) {
  char* end = nullptr;
  const long number = std::strtol(entry.c_str(), &end, 10);
  if (end == entry.c_str() || number < 0 || number >= static_cast<long>(machine.size())) return std::nullopt;
  return static_cast<unsigned>(number);
}

/// The one device whose UUID begins with @p entry.
std::optional<unsigned> find_by_identity(const std::vector<Device>& machine, std::string entry) {
  if (!is_identity(entry) || entry == kIdentityPrefix) return std::nullopt;
  std::transform(entry.begin() + 4, entry.end(), entry.begin() + 4,
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
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

std::vector<Device> make_machine(const std::vector<std::string>& names, const DeviceChanges& changes) {
  std::vector<Device> machine;
  for (const std::string& name : names) {
    Device& made = machine.emplace_back(load_device(name));
    made.instance = static_cast<unsigned>(machine.size() - 1);
    const auto change = [&](auto& member, const char* attribute, unsigned value) {
      if (value != 0) made.attributes[attribute] = member = value;
    };
    change(made.multiprocessors, "multiprocessor_count", changes.multiprocessors);
    change(made.clock_khz, "clock_rate", changes.clock_khz);
  }
  return machine;
}

VisibleDevices visible_devices(const std::vector<Device>& machine, const char* value) {
  VisibleDevices visible;
  if (value == nullptr) {
    for (unsigned number = 0; number < machine.size(); ++number) visible.numbers.push_back(number);
    return visible;
  }
  const std::vector<std::string> entries = entries_of(value);
  const bool by_identity = !entries.empty() && is_identity(entries.front());
  for (const std::string& entry : entries) {
    const auto number = by_identity ? find_by_identity(machine, entry) : find_by_number(machine, entry);
    if (!number) break;
    if (std::find(visible.numbers.begin(), visible.numbers.end(), *number) != visible.numbers.end())
      return {{}, cudaErrorInvalidDevice};
    visible.numbers.push_back(*number);
  }
  return visible;
}

}  // namespace warpbook::simulator::runtime
