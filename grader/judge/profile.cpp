// Reading a profile file.
#include "grader/judge/profile.h"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

namespace warpbook::grader {

namespace {

// RapidJSON, because profiles are long: thousands of grids if kernels launch kernels.
using Json = rapidjson::Value;

const Json* find(const Json& object, const char* key) {
  if (!object.IsObject()) throw ProfileError(std::string("the parent of '") + key + "' is not an object");
  const auto found = object.FindMember(key);
  return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
}

/// @throws ProfileError if it is not of this type, named by its key
template <class T>
T as(const Json& value, const char* key) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (value.IsString()) return {value.GetString(), value.GetStringLength()};
  } else if constexpr (std::is_same_v<T, double>) {
    if (value.IsNumber()) return value.GetDouble();
  } else if constexpr (std::is_same_v<T, std::vector<int>>) {
    if (value.IsArray()) {
      T numbers;
      for (const Json& one : value.GetArray()) numbers.push_back(as<int>(one, key));
      return numbers;
    }
  } else {
    if (value.Is<T>()) return value.Get<T>();
  }
  throw ProfileError(std::string("'") + key + "' has the wrong type");
}

/// A member, or the fallback if it is absent or null.
template <class T>
T get(const Json& object, const char* key, T fallback) {
  const Json* const found = find(object, key);
  return found == nullptr ? fallback : as<T>(*found, key);
}

/// A required member.
template <class T>
T required(const Json& object, const char* key) {
  const Json* const found = find(object, key);
  if (found == nullptr) throw ProfileError(std::string("'") + key + "' is missing");
  return as<T>(*found, key);
}

/// A member that is a list; a missing one counts as empty.
Json::ConstArray list(const Json& object, const char* key) {
  static const Json none(rapidjson::kArrayType);
  const Json* const found = find(object, key);
  if (found != nullptr && !found->IsArray()) throw ProfileError(std::string("'") + key + "' is not a list");
  return found == nullptr ? none.GetArray() : found->GetArray();
}

std::array<int, 3> triple(const Json& object, const char* key) {
  const auto values = get<std::vector<int>>(object, key, {});
  std::array<int, 3> result{};
  for (std::size_t i = 0; i < values.size() && i < 3; ++i) result[i] = values[i];
  return result;
}

AccessCounters read_access(const Json& json) {
  AccessCounters access;
  access.op = required<std::string>(json, "op");
  access.space = required<std::string>(json, "space");
  access.bytes_per_lane = get(json, "bytes_per_lane", 0.0);
  access.requests = required<double>(json, "requests");
  access.sectors = get(json, "sectors", 0.0);
  access.sectors_ideal = get(json, "sectors_ideal", 0.0);
  access.sectors_hit = get(json, "sectors_hit", 0.0);
  access.lines = get(json, "lines", 0.0);
  access.bytes = get(json, "bytes", 0.0);
  access.wavefronts = get(json, "wavefronts", 0.0);
  access.wavefronts_ideal = get(json, "wavefronts_ideal", 0.0);
  access.conflicts = get(json, "conflicts", 0.0);
  if (const Json* const stride = find(json, "stride")) access.stride = as<double>(*stride, "stride");
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
  for (const Json& access : list(json, "accesses")) line.accesses.push_back(read_access(access));
  return line;
}

std::map<std::string, double> read_numbers(const Json& object, const char* key) {
  std::map<std::string, double> result;
  const Json* const found = find(object, key);
  if (found == nullptr || !found->IsObject()) return result;
  for (const auto& member : found->GetObject())
    if (member.value.IsNumber()) result.emplace_hint(result.end(), member.name.GetString(), member.value.GetDouble());
  return result;
}

UnifiedMemory read_unified_memory(const Json& holder) {
  const Json* const found = find(holder, "unified_memory");
  if (found == nullptr) return {};
  return {get(*found, "gpu_page_faults", 0.0),      get(*found, "cpu_page_faults", 0.0),
          get(*found, "htod_migration_bytes", 0.0), get(*found, "dtoh_migration_bytes", 0.0),
          get(*found, "populated_bytes", 0.0),      get(*found, "remote_bytes", 0.0)};
}

KernelRecord read_kernel(const Json& json) {
  KernelRecord kernel;
  kernel.name = required<std::string>(json, "name");
  kernel.grid = triple(json, "grid");
  kernel.block = triple(json, "block");
  kernel.start_us = get(json, "start_us", 0.0);
  kernel.stream = get(json, "stream", 0);
  kernel.time_us = get(json, "time_us", 0.0);
  kernel.parameter_bytes = get(json, "parameter_bytes", 0.0);
  kernel.limiter = get<std::string>(json, "limiter", "");
  kernel.metrics = read_numbers(json, "metrics");
  kernel.model = read_numbers(json, "model");
  for (const Json& line : list(json, "lines")) kernel.lines.push_back(read_line(line));
  if (const Json* const parent = find(json, "parent")) kernel.parent = as<int>(*parent, "parent");
  kernel.unified_memory = read_unified_memory(json);
  kernel.depth = get(json, "depth", 0);
  kernel.queue = get<std::string>(json, "queue", "");
  kernel.waits_for = get<double>(json, "waits_for", 0);
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

/// How many bytes of an allocation host and device may have shared.
double shared_bytes(const Json& allocation) {
  const std::string kind = get<std::string>(allocation, "kind", "device");
  if (kind == "device" || get(allocation, "array", false)) return 0;
  const double bytes = get(allocation, "bytes", 0.0);
  if (kind != "managed") return bytes;
  // Managed variables are in every run of a program, used or not.
  const UnifiedMemory used = read_unified_memory(allocation);
  return std::min(bytes,
                  used.htod_migration_bytes + used.dtoh_migration_bytes + used.populated_bytes + used.remote_bytes);
}

/// Addresses may be numbers or "0x..." texts.
std::uint64_t read_address(const Json& json) {
  const Json* const found = find(json, "address");
  if (found == nullptr) return 0;
  return found->IsString() ? std::stoull(found->GetString(), nullptr, 0) : as<std::uint64_t>(*found, "address");
}

std::string text_or_dump(const Json& json, const char* key) {
  const Json* const found = find(json, key);
  if (found == nullptr) return "";
  if (found->IsString()) return found->GetString();
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  found->Accept(writer);
  return text.GetString();
}

FaultRecord read_fault(const Json& json) {
  FaultRecord fault;
  fault.code = get(json, "code", 0);
  fault.name = text_or_dump(json, "name");
  fault.kind = text_or_dump(json, "kind");
  fault.cause = text_or_dump(json, "cause");
  fault.message = text_or_dump(json, "message");
  fault.kernel = text_or_dump(json, "kernel");
  fault.block = get<std::vector<int>>(json, "block", {});
  fault.thread = get<std::vector<int>>(json, "thread", {});
  fault.address = read_address(json);
  fault.bytes = get(json, "bytes", std::uint64_t{0});
  fault.host_offset = get(json, "host_offset", std::uint64_t{0});
  fault.write = get(json, "write", false);
  fault.file = text_or_dump(json, "file");
  fault.line = get(json, "line", 0);
  fault.instruction = text_or_dump(json, "instruction");
  fault.nearest_allocation = text_or_dump(json, "nearest_allocation");
  return fault;
}

RefusedLaunch read_refused(const Json& json) {
  RefusedLaunch launch;
  launch.kernel = required<std::string>(json, "kernel");
  launch.error = get<std::string>(json, "error", "");
  launch.grid = triple(json, "grid");
  launch.block = triple(json, "block");
  launch.shared_bytes = get(json, "shared_bytes", 0.0);
  const Json* const limit = find(json, "limit");
  if (limit == nullptr) return launch;
  launch.what = get<std::string>(*limit, "what", "");
  launch.found = get(*limit, "found", 0.0);
  launch.allowed = get(*limit, "allowed", 0.0);
  launch.at_most = get(*limit, "at_most", true);
  return launch;
}

CheckRecord read_finding(const Json& json) {
  CheckRecord record;
  record.check = required<std::string>(json, "check");
  record.kind = get<std::string>(json, "kind", "");
  record.tier = get<std::string>(json, "tier", "error");
  record.kernel = text_or_dump(json, "kernel");
  record.space = get<std::string>(json, "space", "");
  record.message = text_or_dump(json, "message");
  record.missing = text_or_dump(json, "missing");
  record.advice = text_or_dump(json, "advice");
  record.count = get(json, "count", std::uint64_t{1});
  for (const Json& site : list(json, "sites"))
    record.sites.push_back({get<std::string>(site, "role", ""), text_or_dump(site, "file"),
                            text_or_dump(site, "kernel"), text_or_dump(site, "instruction"), get(site, "line", 0),
                            get<std::vector<int>>(site, "block", {}), get<std::vector<int>>(site, "thread", {}),
                            text_or_dump(site, "value_is"), text_or_dump(site, "value")});
  return record;
}

}  // namespace

std::string short_name(const std::string& kernel) {
  static const std::string kUnnamed = "(anonymous namespace)::";
  std::string name = kernel;
  for (auto at = name.find(kUnnamed); at != std::string::npos; at = name.find(kUnnamed))
    name.erase(at, kUnnamed.size());
  int depth = 0;  // Template arguments have parentheses, too: "sort<(Kind)0>(int *)".
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0) return name.substr(0, i);
  }
  return name;
}

Profile parse_profile(const std::string& text) {
  try {
    rapidjson::Document json;
    json.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag>(text.data(), text.size());
    if (json.HasParseError())
      throw ProfileError(std::string("the profile cannot be read: ") +
                         rapidjson::GetParseError_En(json.GetParseError()) + " At byte " +
                         std::to_string(json.GetErrorOffset()) + ".");
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
    for (const Json& kernel : list(json, "kernels")) profile.kernels.push_back(read_kernel(kernel));
    for (const Json& copy : list(json, "copies")) profile.copies.push_back(read_copy(copy));
    for (const Json& pages : list(json, "migrations")) profile.migrations.push_back(read_migration(pages));
    for (const Json& allocation : list(json, "allocations")) profile.shared_allocations += shared_bytes(allocation);
    if (const Json* const heap = find(json, "heap")) profile.heap = read_heap(*heap);
    for (const Json& fault : list(json, "errors")) profile.errors.push_back(read_fault(fault));
    for (const Json& launch : list(json, "refused_launches")) profile.refused_launches.push_back(read_refused(launch));
    for (const Json& finding : list(json, "findings")) profile.findings.push_back(read_finding(finding));
    for (const Json& line : list(json, "complaints")) profile.complaints.push_back(as<std::string>(line, "complaints"));
    profile.printed_bytes = get(json, "printed_bytes", 0.0);
    profile.unified_memory = read_unified_memory(json);
    for (const Json& event : list(json, "events")) profile.events_us.push_back(get(event, "time_us", 0.0));
    profile.text = text;
    return profile;
  } catch (const std::logic_error& error) {
    throw ProfileError(std::string("the profile holds a number that cannot be read: ") + error.what());
  }
}

}  // namespace warpbook::grader
