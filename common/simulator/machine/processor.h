// What this machine's processor supports, by the names of the instruction sets that operations are compiled for.
//
// Included by the virtual GPU, which chooses among the instruction sets that were built, and by
// widest_instruction_set.cpp, which says what to build: a name must mean the same in both.
#pragma once

namespace warpbook::simulator {

#if defined(__x86_64__)
inline bool has_avx2() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
inline bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
}
#else
inline bool has_avx2() { return false; }
inline bool has_avx512() { return false; }
#endif

struct InstructionSet {
  const char* name;
  bool (*is_there)();  ///< The processor supports it.
};

/// All names, from narrow to wide. "baseline" is what every processor of the architecture supports: SSE2 on x86-64,
/// NEON on 64-bit ARM.
inline constexpr InstructionSet kInstructionSets[] = {
    {"baseline", [] { return true; }}, {"avx2", has_avx2}, {"avx512", has_avx512}};

}  // namespace warpbook::simulator
