// Paths in texts for students.
#include "grader/judge/machine_free.h"

#include "common/testing/catch.h"

using namespace warpbook::grader;

TEST_CASE("paths of the machine are removed") {
  const std::vector<Root> roots = {{"/home/alice/warpbook", ""}, {"/home/alice/warpbook/build/sim", "build/sim"}};
  const std::pair<const char*, const char*> cases[] = {
      {"/home/alice/warpbook/labs/sum/sum.cu:3: error", "labs/sum/sum.cu:3: error"},
      {"in /home/alice/warpbook/build/sim/libw.a(x.o)", "in build/sim/libw.a(x.o)"},
      {"/home/alice/warpbook2/x.cu", "x.cu"},
      {"No such file: /home/alice/warpbook", "No such file: the project"},
      {"cannot open '/mnt/nfs/class/out/jobs/1/profile.json'", "cannot open 'profile.json'"},
      {"bind mount /run/user/1000/x on /newroot/run/user/1000/x failed", "bind mount x on x failed"},
      {"in /srv/class/ there", "in a folder there"},
      {"/usr/include/c++/12/bits/stl_algo.h:9", "/usr/include/c++/12/bits/stl_algo.h:9"},
      {"half of n/threads/blocks, see https://docs.nvidia.com/cuda/x.html",
       "half of n/threads/blocks, see https://docs.nvidia.com/cuda/x.html"},
      {"sum.cu:161    if (t % (2 * distance) == 0) // a / b", "sum.cu:161    if (t % (2 * distance) == 0) // a / b"},
      {"/", "/"},
      {"", ""}};
  for (const auto& [text, expected] : cases) CHECK(without_machine(text, roots) == expected);
}

TEST_CASE("replacing a folder by a text with its own path, as for a build folder outside the project, ends") {
  const std::vector<Root> roots = {{"/home/alice/warpbook", ""}, {"/scratch/build", "/scratch/build"}};
  CHECK(without_machine("ctest --test-dir /scratch/build -R x", roots) == "ctest --test-dir build -R x");
  CHECK(without_machine("in /scratch/build/lib/a.o, /scratch/build", roots) == "in a.o, build");
}
