// warpbook_replay_operations: runs the test rows on a real GPU and compares them with their goldens, or records new
// ones.
//
//   warpbook_replay_operations [--record] [--dump FOLDER] [--only TEXT] FILE.rows...
//
// It needs a driver (libcuda.so.1, opened at run time) and no toolkit. The golden of FILE.rows is FILE.golden. --record
// rewrites it and prints every line that changed; --dump writes all results of each row; --only takes the rows whose
// text contains TEXT. A row with a reference ("== { ... }") has a golden without values, which records that a GPU gave
// the same results as the reference: this program runs both.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>

#include "common/command_line/command_line.h"
#include "common/simulator/machine/operations/rows/rows.h"

namespace {

using namespace warpbook::simulator::rows;

/// The few driver calls that this program needs, with their documented signatures.
class Driver {
 public:
  Driver() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library_) throw std::runtime_error(std::string("no NVIDIA driver: ") + dlerror());
    load(init_, "cuInit");
    load(device_get_, "cuDeviceGet");
    load(retain_, "cuDevicePrimaryCtxRetain");
    load(set_current_, "cuCtxSetCurrent");
    load(attribute_, "cuDeviceGetAttribute");
    load(module_load_, "cuModuleLoadDataEx");
    load(module_unload_, "cuModuleUnload");
    load(get_function_, "cuModuleGetFunction");
    load(allocate_, "cuMemAlloc_v2");
    load(upload_, "cuMemcpyHtoD_v2");
    load(download_, "cuMemcpyDtoH_v2");
    load(launch_, "cuLaunchKernel");
    load(synchronize_, "cuCtxSynchronize");
    load(error_name_, "cuGetErrorName");
    check(init_(0), "cuInit");
    check(device_get_(&device_, 0), "cuDeviceGet");
    void* context = nullptr;
    check(retain_(&context, device_), "cuDevicePrimaryCtxRetain");
    check(set_current_(context), "cuCtxSetCurrent");
    check(allocate_(&inputs_, kCases * 8 * 8), "cuMemAlloc");
    check(allocate_(&outputs_, kCases * 8 * 8), "cuMemAlloc");
    check(allocate_(&scratch_, kCases * kScratchBytes), "cuMemAlloc");
  }

  /// True if the GPU can run PTX for @p target ("sm_90").
  bool has(const std::string& target) const {
    int major = 0, minor = 0;
    attribute_(&major, 75, device_);
    attribute_(&minor, 76, device_);
    return std::stoi(target.substr(3)) <= major * 10 + minor;
  }

  /// @param body the row's own statements, or its reference
  std::vector<std::uint64_t> run(const Row& row, const std::string& body) {
    const std::string text = module_text(row, body);
    char log[4096] = "";
    const int options[] = {5, 6};  // CU_JIT_ERROR_LOG_BUFFER and its size
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    void *module = nullptr, *function = nullptr;
    const int loaded = module_load_(&module, text.c_str(), 2, options, values);
    if (loaded) throw std::runtime_error("the driver rejects it: " + std::string(log));
    check(get_function_(&function, module, "row"), "cuModuleGetFunction");
    const std::vector<std::uint64_t> inputs = inputs_of(row);
    std::vector<std::uint64_t> results(kCases * row.outputs.size());
    std::vector<std::uint8_t> scratch(kCases * kScratchBytes);
    for (std::size_t k = 0; k < scratch.size(); ++k) scratch[k] = static_cast<std::uint8_t>(k % kScratchBytes);
    if (!inputs.empty()) check(upload_(inputs_, inputs.data(), inputs.size() * 8), "cuMemcpyHtoD");
    check(upload_(outputs_, results.data(), results.size() * 8), "cuMemcpyHtoD");
    check(upload_(scratch_, scratch.data(), scratch.size()), "cuMemcpyHtoD");
    void* arguments[] = {&inputs_, &outputs_, &scratch_};
    check(launch_(function, kCases / kBlock, 1, 1, kBlock, 1, 1, 0, nullptr, arguments, nullptr), "cuLaunchKernel");
    check(synchronize_(), "cuCtxSynchronize");
    check(download_(results.data(), outputs_, results.size() * 8), "cuMemcpyDtoH");
    check(module_unload_(module), "cuModuleUnload");
    return results;
  }

 private:
  template <class F>
  void load(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library_, name));
    if (!function) throw std::runtime_error(std::string("the driver has no ") + name);
  }
  void check(int error, const char* what) {
    if (!error) return;
    const char* name = "unknown error";
    error_name_(error, &name);
    throw std::runtime_error(std::string(what) + ": " + name);
  }

  using Address = unsigned long long;
  void* library_ = nullptr;
  int device_ = 0;
  Address inputs_ = 0, outputs_ = 0, scratch_ = 0;
  int (*init_)(unsigned) = nullptr;
  int (*device_get_)(int*, int) = nullptr;
  int (*retain_)(void**, int) = nullptr;
  int (*set_current_)(void*) = nullptr;
  int (*attribute_)(int*, int, int) = nullptr;
  int (*module_load_)(void**, const void*, unsigned, const int*, void**) = nullptr;
  int (*module_unload_)(void*) = nullptr;
  int (*get_function_)(void**, void*, const char*) = nullptr;
  int (*allocate_)(Address*, std::size_t) = nullptr;
  int (*upload_)(Address, const void*, std::size_t) = nullptr;
  int (*download_)(void*, Address, std::size_t) = nullptr;
  int (*launch_)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                 void**) = nullptr;
  int (*synchronize_)() = nullptr;
  int (*error_name_)(int, const char**) = nullptr;
};

struct Options {
  bool record = false;
  std::string dump, only;
  std::vector<std::string> files;
};

/// One line of results for each case.
void dump(const std::string& folder, const std::string& family, const Row& row,
          const std::vector<std::uint64_t>& results) {
  std::ofstream out(folder + "/" + family + "." + std::to_string(row.line) + ".txt");
  out << row.text << '\n' << std::hex;
  for (unsigned c = 0; c < kCases; ++c)
    for (std::size_t k = 0; k < row.outputs.size(); ++k)
      out << results[c * row.outputs.size() + k] << (k + 1 < row.outputs.size() ? ' ' : '\n');
}

/// @returns the number of rows that differ or could not be run
unsigned replay(Driver& driver, const Options& options, const std::string& path) {
  const std::string stem = path.substr(0, path.rfind('.'));
  const std::string golden_path = stem + ".golden";
  std::map<std::string, Golden> goldens;
  for (auto& [text, golden] : read_goldens(golden_path)) goldens[text] = golden;
  std::vector<std::string> lines;
  unsigned bad = 0, agreed = 0, as_references = 0, skipped = 0;
  for (const Row& row : read_rows(path)) {
    if (row.text.find(options.only) == std::string::npos) continue;
    if (!driver.has(row.target)) {
      ++skipped;
      continue;
    }
    try {
      const std::vector<std::uint64_t> results = driver.run(row, row.body);
      if (!row.equivalent.empty()) {
        if (results == driver.run(row, row.equivalent)) {
          ++as_references;
          if (options.record) lines.push_back(golden_line(row, {}));
        } else {
          ++bad;
          std::printf("%s:%u: %s: this GPU answers differently from the reference\n", path.c_str(), row.line,
                      row.text.c_str());
        }
        continue;
      }
      const Golden golden = summarise(row, results);
      lines.push_back(golden_line(row, golden));
      if (!options.dump.empty()) dump(options.dump, stem.substr(stem.rfind('/') + 1), row, results);
      const auto old = goldens.find(row.text);
      const bool same = old != goldens.end() && golden_line(row, old->second) == lines.back();
      if (same) {
        ++agreed;
      } else if (options.record) {
        std::printf("%s: %s\n", old == goldens.end() ? "new" : "changed", row.text.c_str());
      } else {
        ++bad;
        std::printf(
            "%s:%u: %s: %s\n", path.c_str(), row.line, row.text.c_str(),
            old == goldens.end() ? "has no golden; use --record" : "this GPU answers differently from the golden");
      }
    } catch (const std::exception& error) {
      ++bad;
      std::printf("%s:%u: %s: %s\n", path.c_str(), row.line, row.text.c_str(), error.what());
    }
  }
  if (options.record) {
    std::ofstream out(golden_path);
    for (const std::string& line : lines) out << line << '\n';
  }
  std::printf("%s: %u as their goldens, %u as their references, %u wrong, %u for other targets\n", path.c_str(), agreed,
              as_references, bad, skipped);
  return bad;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  warpbook::CommandLine line(
      "Runs the test rows of operations on a real GPU and compares with FILE.golden beside them.");
  line.flag("--record", options.record, "Write the goldens anew, and print every line that changed");
  line.add("--dump", options.dump, "Write all results of each row to this folder");
  line.add("--only", options.only, "Take the rows whose text contains this");
  line.add("files", options.files, "FILE.rows").required();
  if (const std::optional<int> status = line.parse(argc, argv, 2)) return *status;
  Driver driver;
  unsigned bad = 0;
  for (const std::string& file : options.files) bad += replay(driver, options, file);
  return bad != 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "warpbook_replay_operations: %s\n", error.what());
  return 2;
}
