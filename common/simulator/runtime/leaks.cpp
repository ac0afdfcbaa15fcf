// Groups live allocations and objects by the call that made them.
#include "common/simulator/runtime/leaks.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "common/simulator/runtime/heap_check.h"
#include "common/simulator/runtime/number_text.h"

namespace warpbook::simulator::runtime {
namespace {

/// A live allocation or object.
struct Alive {
  std::string kind, call, advice;
  std::uint64_t ordinal = 0, bytes = 0, address = 0;
  std::size_t host_place = 0;
};

/// All objects made by one call in the program's code.
struct Group {
  Alive first;
  std::uint64_t count = 0, bytes = 0;
};

bool is_driver(const std::string& call) { return call.rfind("cuda", 0) != 0; }

Alive alive_of(const AllocationRecord& record) {
  Alive alive{record.kind + "_memory", record.call,      "", record.ordinal, record.bytes,
              record.address,          record.host_place};
  const bool driver = is_driver(record.call);
  if (record.kind == "pinned") {
    alive.advice = driver ? "cuMemFreeHost" : "cudaFreeHost";
  } else if (record.kind == "registered") {
    alive.advice = driver ? "cuMemHostUnregister" : "cudaHostUnregister";
  } else if (record.call == "cuMemMap") {
    alive.advice = "cuMemUnmap";
  } else if (record.call.find("Array") != std::string::npos) {
    const bool mipmapped = record.call.find("Mipmapped") != std::string::npos;
    alive.advice = driver ? (mipmapped ? "cuMipmappedArrayDestroy" : "cuArrayDestroy")
                          : (mipmapped ? "cudaFreeMipmappedArray" : "cudaFreeArray");
  } else {
    alive.advice = driver ? "cuMemFree" : "cudaFree";
  }
  return alive;
}

Alive alive_of(const LiveObject& object) {
  Alive alive{object.kind, object.call, "", object.ordinal, 0, 0, object.host_place};
  alive.advice = object.kind == "stream"             ? "cudaStreamDestroy"
                 : object.kind == "event"            ? "cudaEventDestroy"
                 : object.kind == "graph"            ? "cudaGraphDestroy"
                 : object.kind == "executable graph" ? "cudaGraphExecDestroy"
                 : object.kind == "texture object"   ? "cudaDestroyTextureObject"
                 : object.kind == "surface object"   ? "cudaDestroySurfaceObject"
                                                     : "cudaMemPoolDestroy";
  return alive;
}

/// In the order of creation.
std::vector<Alive> all_alive(const Runtime& runtime) {
  std::vector<Alive> alive;
  for (const AllocationRecord& record : runtime.profile.allocations())
    if (!record.freed && !record.is_array && record.call != "__managed__") alive.push_back(alive_of(record));
  std::vector<LiveObject> objects;
  for (const auto& [handle, object] : runtime.objects.all()) objects.push_back(object);
  std::sort(objects.begin(), objects.end(), [](const auto& a, const auto& b) { return a.serial < b.serial; });
  for (const LiveObject& object : objects) alive.push_back(alive_of(object));
  return alive;
}

CheckFinding finding_of(const Group& group) {
  const Alive& first = group.first;
  const bool memory = first.bytes != 0;
  const std::string end = first.kind == "registered_memory" ? " never unregistered"
                          : memory                          ? " never freed"
                                                            : " never destroyed";
  CheckFinding finding;
  finding.check = Check::leak;
  finding.kind = first.kind;
  finding.count = group.count;
  finding.address = first.address;
  const std::string which = "the " + ordinal(first.ordinal) + " " + first.call;
  if (memory) finding.allocation = which + " (" + std::to_string(first.bytes) + " bytes)";
  if (first.kind == "device_memory" || first.kind == "managed_memory") finding.space = "global";
  if (group.count == 1) {
    finding.message = memory ? std::to_string(first.bytes) + " bytes of " + which + " are" + end
                             : "the " + first.kind + " of " + which + " is" + end;
  } else {
    finding.message = std::to_string(group.count) + (memory ? " allocations" : " " + first.kind + "s") + " of " +
                      first.call + (memory ? ", " + std::to_string(group.bytes) + " bytes in all, are" : " are") + end +
                      "; the first is of " + which;
  }
  finding.advice = "release it with " + first.advice + ", or everything with cudaDeviceReset at the end";
  CheckSite site;
  site.role = memory ? "allocation" : "creation";
  // Without a place, the number of the call distinguishes them.
  site.instruction = first.host_place == 0 ? which : first.call;
  site.host_place = first.host_place;
  finding.sites.push_back(std::move(site));
  return finding;
}

void add_heap_leaks(Runtime& runtime) {
  if (!runtime.here().heap) return;
  struct Pieces {
    HeapPiece first;
    std::uint64_t count = 0, bytes = 0;
  };
  std::map<std::uint32_t, Pieces> groups;  // By the call that made them.
  for (const HeapPiece& piece : runtime.here().heap->given_out()) {
    Pieces& group = groups[piece.made.source];
    if (group.count++ == 0) group.first = piece;
    group.bytes += piece.bytes;
  }
  for (const auto& [source, group] : groups) {
    CheckSite site = heap_site(runtime, group.first.made, "allocation");
    CheckFinding finding;
    finding.check = Check::leak;
    finding.kind = "device_heap";
    finding.count = group.count;
    finding.kernel = site.kernel;
    finding.space = "global";
    finding.address = group.first.address;
    finding.message = std::to_string(group.bytes) + " bytes that " + site.kernel + " got from malloc, in " +
                      std::to_string(group.count) + (group.count == 1 ? " piece" : " pieces") + ", are never freed";
    finding.advice = "free in a kernel what malloc in a kernel returned; cudaFree cannot";
    finding.sites.push_back(std::move(site));
    runtime.findings.add(std::move(finding));
  }
}

}  // namespace

std::set<std::size_t> places_of_alive(const Runtime& runtime) {
  std::set<std::size_t> places;
  for (const Alive& alive : all_alive(runtime)) places.insert(alive.host_place);
  return places;
}

void add_leaks(Runtime& runtime, const std::vector<HostLine>& lines) {
  std::map<std::tuple<std::string, std::string, std::string, std::uint64_t>, std::size_t> numbers;
  std::vector<Group> groups;
  for (const Alive& alive : all_alive(runtime)) {
    const HostLine line = alive.host_place < lines.size() ? lines[alive.host_place] : HostLine();
    const std::string place = line.line != 0 ? line.file : alive.host_place != 0 ? "place" : "call";
    const std::uint64_t number = line.line != 0 ? line.line : alive.host_place != 0 ? alive.host_place : alive.ordinal;
    const auto [group, fresh] = numbers.try_emplace({alive.kind, alive.call, place, number}, groups.size());
    if (fresh) groups.push_back({alive, 0, 0});
    ++groups[group->second].count;
    groups[group->second].bytes += alive.bytes;
  }
  for (const Group& group : groups) runtime.findings.add(finding_of(group));
  for (unsigned device = 0; device < runtime.device_count(); ++device) {
    const OnDevice there(device);
    add_heap_leaks(runtime);
  }
}

}  // namespace warpbook::simulator::runtime
