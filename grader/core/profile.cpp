// Reading a profile file.
#include "grader/core/profile.h"

#include <nlohmann/json.hpp>

namespace warpbook::grader {

namespace {

using Json = nlohmann::json;

/// A member, or the fallback if it is absent or null.
template <class T>
T get(const Json& object, const char* key, T fallback) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? fallback : found->get<T>();
}

std::array<int, 3> triple(const Json& object, const char* key) {
  const auto values = get<std::vector<int>>(object, key, {});
  std::array<int, 3> result{};
  for (std::size_t i = 0; i < values.size() && i < 3; ++i) result[i] = values[i];
  return result;
}

AccessCounters read_access(const Json& json) {
  AccessCounters access;
  access.op = json.at("op").get<std::string>();
  access.space = json.at("space").get<std::string>();
  access.bytes_per_lane = get(json, "bytes_per_lane", 0.0);
  access.requests = json.at("requests").get<double>();
  access.sectors = get(json, "sectors", 0.0);
  access.sectors_ideal = get(json, "sectors_ideal", 0.0);
  access.sectors_hit = get(json, "sectors_hit", 0.0);
  access.lines = get(json, "lines", 0.0);
  access.bytes = get(json, "bytes", 0.0);
  access.wavefronts = get(json, "wavefronts", 0.0);
  access.wavefronts_ideal = get(json, "wavefronts_ideal", 0.0);
  access.conflicts = get(json, "conflicts", 0.0);
  const auto stride = json.find("stride");
  if (stride != json.end() && stride->is_number()) access.stride = stride->get<double>();
  return access;
}

LineCounters read_line(const Json& json) {
  LineCounters line;
  line.file = get<std::string>(json, "file", "");
  line.line = get(json, "line", 0);
  line.inst_executed = get(json, "inst_executed", 0.0);
  line.thread_inst_executed = get(json, "thread_inst_executed", 0.0);
  line.thread_inst_executed_true = get(json, "thread_inst_executed_true", 0.0);
  line.branches = get(json, "branches", 0.0);
  line.divergent_branches = get(json, "divergent_branches", 0.0);
  for (const Json& access : get(json, "accesses", Json::array())) line.accesses.push_back(read_access(access));
  return line;
}

std::map<std::string, double> read_numbers(const Json& object, const char* key) {
  std::map<std::string, double> result;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return result;
  for (const auto& [name, value] : found->items()) {
    if (value.is_number()) result[name] = value.get<double>();
  }
  return result;
}

UnifiedMemory read_unified_memory(const Json& holder) {
  const auto found = holder.find("unified_memory");
  if (found == holder.end() || !found->is_object()) return {};
  return {get(*found, "gpu_page_faults", 0.0),      get(*found, "cpu_page_faults", 0.0),
          get(*found, "htod_migration_bytes", 0.0), get(*found, "dtoh_migration_bytes", 0.0),
          get(*found, "populated_bytes", 0.0),      get(*found, "remote_bytes", 0.0)};
}

KernelRecord read_kernel(const Json& json) {
  KernelRecord kernel;
  kernel.name = json.at("name").get<std::string>();
  kernel.grid = triple(json, "grid");
  kernel.block = triple(json, "block");
  kernel.start_us = get(json, "start_us", 0.0);
  kernel.stream = get(json, "stream", 0);
  kernel.time_us = get(json, "time_us", 0.0);
  kernel.parameter_bytes = get(json, "parameter_bytes", 0.0);
  kernel.limiter = get<std::string>(json, "limiter", "");
  kernel.metrics = read_numbers(json, "metrics");
  kernel.model = read_numbers(json, "model");
  for (const Json& line : get(json, "lines", Json::array())) kernel.lines.push_back(read_line(line));
  if (const auto parent = json.find("parent"); parent != json.end() && parent->is_number())
    kernel.parent = parent->get<int>();
  kernel.unified_memory = read_unified_memory(json);
  kernel.depth = get(json, "depth", 0);
  kernel.queue = get<std::string>(json, "queue", "");
  return kernel;
}

MigrationRecord read_migration(const Json& json) {
  return {get<std::string>(json, "direction", ""),
          get<std::string>(json, "cause", ""),
          get(json, "bytes", 0.0),
          get(json, "stream", 0),
          get(json, "start_us", 0.0),
          get(json, "time_us", 0.0)};
}

CopyRecord read_copy(const Json& json) {
  return {get<std::string>(json, "kind", ""), get(json, "bytes", 0.0),   get(json, "stream", 0),
          get(json, "start_us", 0.0),         get(json, "time_us", 0.0), get<std::string>(json, "host_memory", "")};
}

HeapUse read_heap(const Json& json) {
  return {get(json, "allocations", 0.0), get(json, "bytes", 0.0), get(json, "refused", 0.0),
          get(json, "live_bytes", 0.0), get(json, "peak_bytes", 0.0)};
}

/// Addresses may be numbers or "0x..." texts.
std::uint64_t read_address(const Json& json) {
  const auto found = json.find("address");
  if (found == json.end() || found->is_null()) return 0;
  return found->is_string() ? std::stoull(found->get<std::string>(), nullptr, 0) : found->get<std::uint64_t>();
}

std::string text_or_dump(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

FaultRecord read_fault(const Json& json) {
  FaultRecord fault;
  fault.code = get(json, "code", 0);
  fault.name = text_or_dump(json, "name");
  fault.kind = text_or_dump(json, "kind");
  fault.message = text_or_dump(json, "message");
  fault.kernel = text_or_dump(json, "kernel");
  fault.block = get<std::vector<int>>(json, "block", {});
  fault.thread = get<std::vector<int>>(json, "thread", {});
  fault.address = read_address(json);
  fault.bytes = get<std::uint64_t>(json, "bytes", 0);
  fault.write = get(json, "write", false);
  fault.file = text_or_dump(json, "file");
  fault.line = get(json, "line", 0);
  fault.instruction = text_or_dump(json, "instruction");
  fault.nearest_allocation = text_or_dump(json, "nearest_allocation");
  return fault;
}

}  // namespace

std::string short_name(const std::string& kernel) { return kernel.substr(0, kernel.find('(')); }

Profile parse_profile(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    const auto format = get<std::string>(json, "format", "");
    const int version = get(json, "version", 0);
    if (format != "warpbook.profile") {
      throw ProfileError("the profile's format is '" + format + "', not 'warpbook.profile'");
    }
    if (version != 1) {
      throw ProfileError("the profile has version " + std::to_string(version) + "; this program reads version 1");
    }
    Profile profile;
    profile.device = get<std::string>(json, "device", "");
    for (const Json& kernel : get(json, "kernels", Json::array())) profile.kernels.push_back(read_kernel(kernel));
    for (const Json& copy : get(json, "copies", Json::array())) profile.copies.push_back(read_copy(copy));
    for (const Json& pages : get(json, "migrations", Json::array()))
      profile.migrations.push_back(read_migration(pages));
    for (const Json& allocation : get(json, "allocations", Json::array()))
      if (get<std::string>(allocation, "kind", "device") != "device" && !get(allocation, "array", false))
        profile.shared_allocations += get(allocation, "bytes", 0.0);
    if (const auto heap = json.find("heap"); heap != json.end() && heap->is_object()) profile.heap = read_heap(*heap);
    for (const Json& fault : get(json, "errors", Json::array())) profile.errors.push_back(read_fault(fault));
    profile.printed_bytes = get(json, "printed_bytes", 0.0);
    profile.unified_memory = read_unified_memory(json);
    for (const Json& event : get(json, "events", Json::array()))
      profile.events_us.push_back(get(event, "time_us", 0.0));
    profile.text = text;
    return profile;
  } catch (const nlohmann::json::exception& error) {
    throw ProfileError(std::string("the profile cannot be read: ") + error.what());
  } catch (const std::logic_error& error) {
    throw ProfileError(std::string("the profile holds a number that cannot be read: ") + error.what());
  }
}

}  // namespace warpbook::grader
