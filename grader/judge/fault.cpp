// Faults of the virtual GPU, explained: what happened, at which line, and what usually causes it.
#include "grader/judge/fault.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <sstream>

namespace warpbook::grader {

namespace {

std::string triple(const std::vector<int>& values) {
  std::string result = "(";
  for (std::size_t i = 0; i < values.size(); ++i) result += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return result + ")";
}

/// A call of free() in a kernel with a pointer that malloc() did not return.
bool is_free(const FaultRecord& fault) { return fault.cause == "unknown_free"; }

/// An access beyond the block's shared memory.
bool is_shared(const FaultRecord& fault) { return fault.cause == "outside_shared"; }

/// A pointer to another grid's local or shared memory.
bool is_foreign(const FaultRecord& fault) { return fault.cause == "other_grids_memory"; }

/// An offset in a memory space that generic pointers do not reach.
bool is_offset(const FaultRecord& fault) {
  return is_shared(fault) || fault.cause == "no_shared" || fault.cause == "outside_local" ||
         fault.cause == "outside_parameters";
}

/// Host code that uses a pointer to device memory.
bool is_host_access(const FaultRecord& fault) { return fault.kind == "host_access"; }

/// Lanes that wait for others of their warp: a shuffle, a vote or __syncwarp() that some of them never reach.
bool waits_for_lanes(const FaultRecord& fault) { return fault.cause == "lanes"; }

/// Threads in a loop whose condition no thread changes: none of them waits at a barrier or for lanes.
bool is_endless_loop(const FaultRecord& fault) { return fault.kind == "deadlock" && fault.cause == "loop"; }

/// Threads that wait at a barrier in shared memory (cuda::barrier) for a phase that never ends.
bool waits_for_phase(const FaultRecord& fault) { return fault.kind == "deadlock" && fault.cause == "barrier"; }

/// What happened, without the place.
std::string what_happened(const FaultRecord& fault) {
  const std::string bytes = std::to_string(fault.bytes) + " byte" + (fault.bytes == 1 ? "" : "s");
  std::ostringstream at;
  at << "0x" << std::hex << fault.address;
  if (is_host_access(fault)) {
    return std::string("Host code ") + (fault.write ? "wrote to" : "read") + " device memory.";
  }
  if (is_free(fault)) {
    return "A thread called free() for " + at.str() + ", which malloc() did not return or which was freed before.";
  }
  if (is_shared(fault)) {
    return std::string("A thread ") + (fault.write ? "wrote " : "read ") + bytes + " beyond the block's shared memory.";
  }
  if (fault.kind == "out_of_bounds") {
    return std::string("A thread ") + (fault.write ? "wrote " : "read ") + bytes + " at " + at.str() +
           ", which lies in no allocation.";
  }
  if (fault.kind == "misaligned") {
    return std::string("A thread ") + (fault.write ? "wrote " : "read ") + bytes + " at " + at.str() +
           ", which is not a multiple of " + std::to_string(fault.bytes) + ".";
  }
  if (waits_for_lanes(fault)) return "Some lanes of a warp wait for others, which never come.";
  if (waits_for_phase(fault)) return "Threads wait at a barrier for a phase that never ends.";
  if (is_endless_loop(fault)) return "Threads go round a loop that never ends.";
  if (fault.kind == "deadlock") return "No thread could go on: all that are left wait for each other.";
  if (fault.kind == "divergent_barrier")
    return "Some threads of a block reached a barrier that the others never reach.";
  if (fault.kind == "step_limit") return "The kernel did not come to an end: is there a loop that cannot finish?";
  if (fault.kind == "assertion") return "A device-side assert() failed.";
  if (fault.kind == "trap") return "The kernel stopped itself with __trap().";
  if (fault.kind == "stack_overflow") return "A thread needs more stack than it has.";
  return fault.message.empty() ? "The kernel failed." : fault.message;
}

/// What to say about a pointer that was never set, or "": null or slightly more, or what the virtual GPU writes into
/// new and into freed memory.
std::string about_pointer(const FaultRecord& fault) {
  if (is_offset(fault)) return "";
  const auto filled_with = [&](std::uint64_t byte) { return fault.address >> 16 == byte * 0x010101010101; };
  if (fault.address < 4096) {
    return "The pointer is null: was it never set, or is it from a malloc() that found no memory? Compare it with "
           "nullptr before it is used.";
  }
  if (filled_with(0xcd))
    return "The pointer was read from memory that was never written: is it stored before this thread reads it?";
  if (filled_with(0xff))
    return "The pointer was read from memory that was freed before: free memory only after its last use.";
  return "";
}

/// " of <<<128, 4>>>" if only launches of one size have such a block and thread; "" if that is not known.
std::string size_of_launch(const FaultRecord& fault, const std::vector<KernelRecord>& kernels) {
  const auto holds = [](const std::array<int, 3>& size, const std::vector<int>& place) {
    for (std::size_t i = 0; i < place.size() && i < 3; ++i)
      if (place[i] >= size[i]) return false;
    return true;
  };
  const auto words = [](const std::array<int, 3>& size) {
    if (size[1] == 1 && size[2] == 1) return std::to_string(size[0]);
    return triple({size[0], size[1], size[2]});
  };
  std::string found;
  for (const KernelRecord& kernel : kernels) {
    if (kernel.name != fault.kernel || !holds(kernel.grid, fault.block) || !holds(kernel.block, fault.thread)) continue;
    const std::string size = " of <<<" + words(kernel.grid) + ", " + words(kernel.block) + ">>>";
    if (!found.empty() && found != size) return "";
    found = size;
  }
  return found;
}

/// What to ask if a kernel has launched itself, and its grandchildren too; "" if none has.
std::string about_recursion(const FaultRecord& fault, const std::vector<KernelRecord>& kernels) {
  int launches = 0, longest = 0;
  std::vector<int> chain(kernels.size(), 0);  // Launches in a row of the kernel by itself, up to this one.
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::optional<int>& parent = kernels[i].parent;
    if (!parent || *parent < 0 || static_cast<std::size_t>(*parent) >= i) continue;
    if (kernels[i].name != fault.kernel || kernels[*parent].name != fault.kernel) continue;
    chain[i] = chain[*parent] + 1;
    longest = std::max(longest, chain[i]);
    ++launches;
  }
  if (longest < 2) return "";
  return short_name(fault.kernel) + " launched itself " + std::to_string(launches) + " times before, up to " +
         std::to_string(longest) + " times in a row. Is that more than you expect? Then look at the condition under " +
         "which it returns without a launch: a recursion that does not stop soon finds no memory left.";
}

/// Whether the kernel was launched with rows of threads or of blocks.
bool has_rows(const FaultRecord& fault, const std::vector<KernelRecord>& kernels) {
  return std::ranges::any_of(kernels, [&](const KernelRecord& kernel) {
    return kernel.name == fault.kernel && (kernel.grid[1] > 1 || kernel.block[1] > 1);
  });
}

/// Whether the thread may be a surplus one, because the grid was rounded up: its block is the last one
/// of a row or column of blocks, or that is not known.
bool is_in_last_block(const FaultRecord& fault, const std::vector<KernelRecord>& kernels) {
  bool known = false;
  for (const KernelRecord& kernel : kernels) {
    if (kernel.name != fault.kernel || fault.block.size() != kernel.grid.size()) continue;
    known = true;
    const std::array<int, 3>& grid = kernel.grid;
    if (grid == std::array<int, 3>{1, 1, 1}) return true;
    for (std::size_t axis = 0; axis < grid.size(); ++axis)
      if (grid[axis] > 1 && fault.block[axis] == grid[axis] - 1) return true;
  }
  return !known;
}

/// What to look at after a wrong access; "" for other faults.
std::string what_to_do_about_memory(const FaultRecord& fault, const std::vector<KernelRecord>& kernels) {
  if (is_host_access(fault)) {
    return "A pointer to device memory can only be dereferenced in kernels. Do this in a kernel, or copy with "
           "cudaMemcpy: cudaMemcpyDeviceToHost before the host reads, cudaMemcpyHostToDevice after it has written.";
  }
  if (is_shared(fault)) {
    return "A __shared__ array of n elements has the indices 0 to n - 1. Which threads come here, and which indices do "
           "they have? All threads of the block share the array; threads without an element in it must not access one.";
  }
  if (is_foreign(fault)) {
    return "Give a kernel pointers to global memory only. A variable of a kernel, and its __shared__ arrays, are for "
           "the threads of that kernel alone.";
  }
  // OpenACC's kernels have a region's number in their name.
  if (fault.kind == "out_of_bounds" && fault.nearest_allocation.empty() &&
      fault.kernel.find("[region ") != std::string::npos) {
    return "The address lies in no array on the device. In a clause of OpenACC, copyin(a) copies the pointer "
           "alone; a section says how much it points to: copyin(a[:n]).";
  }
  if (is_free(fault) || fault.kind == "out_of_bounds") {
    if (const std::string about = about_pointer(fault); !about.empty()) return about;
  }
  if (is_free(fault)) {
    return "Each malloc() has one free(), by one thread, after the last thread has used the memory. Was the kernel "
           "that frees launched more than once?";
  }
  if (fault.cause == "freed_memory") {
    return "This memory was freed before this access. Free it after its last use: have all that use it ended, and "
           "is it freed once?";
  }
  if (fault.cause == "before_allocation") {
    return "The address lies before the array: the index is negative. Which thread has no element on that side (i - 1 "
           "is -1 in the first)? It must not make the access.";
  }
  if (fault.kind == "out_of_bounds" && fault.bytes == 16) {
    return "Compare the index with the number of elements before the access. 16 bytes at once are a float4 or the "
           "like: n floats hold n / 4 of them, rounded down, and an index counts whole ones.";
  }
  if (fault.kind == "out_of_bounds") {
    return std::string("Compare the index with the number of elements before the access") +
           (is_in_last_block(fault, kernels) ? ": the last block usually has threads that have nothing to do." : ".") +
           (has_rows(fault, kernels) ? " In a 2D array, check row and column separately." : "");
  }
  if (fault.kind == "misaligned") {
    return std::string("An access of ") + std::to_string(fault.bytes) +
           " bytes needs an address that is a multiple of " + std::to_string(fault.bytes) +
           ": an odd offset breaks that" + (has_rows(fault, kernels) ? ", and so does an odd length of a row." : ".");
  }
  if (fault.kind == "wrong_space") return "A pointer to one kind of memory was used as if it were another kind.";
  return "";
}

/// What to look at.
std::string what_to_do(const FaultRecord& fault, const std::vector<KernelRecord>& kernels, const Sources& sources) {
  if (const std::string about_memory = what_to_do_about_memory(fault, kernels); !about_memory.empty())
    return about_memory;
  if (fault.cause == "grid_barrier") {
    return "grid.sync() must be reached by all threads of all blocks, equally often: no block may return before it, "
           "and a loop around it must have the same number of iterations in every block.";
  }
  if (waits_for_lanes(fault) && fault.kind == "divergent_barrier") {
    return "A shuffle or a vote waits for all lanes that its mask names, __syncthreads() for all threads of the block: "
           "neither may be in a branch, or in a loop, that only some of them go through.";
  }
  if (waits_for_lanes(fault)) {
    return "A shuffle waits for all lanes that its mask names; 0xffffffff names all 32 of the warp. Call it outside of "
           "any if at which the lanes of a warp diverge; a lane that has nothing to give brings a value that changes "
           "nothing "
           "(0 for a sum).";
  }
  // The compiler may name the line after the call that it has inlined.
  const auto names_sync = [&](int line) { return sources.line(fault.file, line).find("sync") != std::string::npos; };
  if (fault.kind == "trap" && !fault.message.empty() && (names_sync(fault.line) || names_sync(fault.line - 1))) {
    return "grid.sync() needs a cooperative launch: cudaLaunchCooperativeKernel instead of <<<>>>.";
  }
  if (waits_for_phase(fault)) {
    return "A phase ends when as many threads have arrived as init() was told, and all bytes that were announced, "
           "too. Which thread does not arrive: one that has ended (arrive_and_drop() makes later phases expect one "
           "less), or one that waits for something else before?";
  }
  if (is_endless_loop(fault)) {
    return (fault.line > 0 ? "Line " + std::to_string(fault.line) : std::string("The loop")) +
           " loops forever: what changes its condition? If it waits for another thread, is that one able to go on, and "
           "is what it writes read anew in each pass (an atomic, volatile)?";
  }
  if (fault.kind == "deadlock" || fault.kind == "divergent_barrier") {
    return "__syncthreads() must be reached by all threads of the block: do not put it inside a branch, and do not "
           "return before it.";
  }
  if (fault.kind == "step_limit") return "Look at how the loop's variable changes in each pass.";
  return "";
}

}  // namespace

Finding explain_fault(const FaultRecord& fault, const Sources& sources, const std::vector<KernelRecord>& kernels) {
  const std::optional<FindingKind> kind = is_free(fault) ? FindingKind::bad_free : finding_kind_of(fault.kind);
  if (!kind) throw ProfileError("it holds a fault of the kind '" + fault.kind + "', which this grader does not know");
  Finding finding;
  finding.kind = *kind;
  finding.topic = fault.cause;
  finding.headline = what_happened(fault);
  Place place;
  if (!fault.file.empty() && fault.line > 0) {
    place.label = "at ";
    place.file = sources.relative(fault.file);
    place.line = fault.line;
    place.text = sources.line(fault.file, fault.line);
  }
  if (!fault.kernel.empty()) {
    place.function = short_name(fault.kernel);
    std::string note = "in kernel " + place.function;
    if (!fault.block.empty()) note += ", block " + triple(fault.block);
    if (!fault.thread.empty()) note += ", thread " + triple(fault.thread);
    place.notes.push_back(note + size_of_launch(fault, kernels));
  }
  if (!fault.nearest_allocation.empty()) place.notes.push_back("nearest allocation: " + fault.nearest_allocation);
  const bool told = !fault.nearest_allocation.empty() && fault.kind == "out_of_bounds";
  if (!told && !fault.message.empty() && fault.message != finding.headline) place.notes.push_back(fault.message);
  if (fault.bytes > 0) finding.evidence.push_back({"access", static_cast<double>(fault.bytes), "bytes"});
  const bool endless = fault.kind == "out_of_bounds" || fault.kind == "step_limit";
  const std::string recursion = endless ? about_recursion(fault, kernels) : "",
                    advice = what_to_do(fault, kernels, sources);
  if (!recursion.empty()) {
    place.notes.push_back(recursion);
    finding.advice = "recursion";
  }
  if (!advice.empty()) finding.what_to_try = (recursion.empty() ? "" : "If it stops: ") + advice;
  finding.sites.push_back(std::move(place));
  return finding;
}

}  // namespace warpbook::grader
