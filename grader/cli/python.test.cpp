// Subcommands in Python from outside: arguments, help and exit status pass through, and strange folders do no harm.
#include <fstream>

#include "common/testing/catch.h"
#include "grader/cli/tests/command.h"
#include "grader/runner/process.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

TEST_CASE("a command in Python gets its arguments, --help too, and gives its exit status") {
  const ProcessResult help = command({"grade", "--help"});
  CHECK(help.code == 0);
  CHECK(says(help, "usage: warpbook grade"));
  CHECK(says(help, "130 interrupted"));
  const ProcessResult none = command({"grade", "--out", "/no/such/folder"});
  CHECK(none.code == 2);
  CHECK(says(none, "SUBMISSIONS is missing"));
  const ProcessResult nothing = command({"export", "csv", "--out", "/no/such/folder"});
  CHECK(nothing.code == 2);
  CHECK(says(nothing, "there is no gradebook; `warpbook grade SUBMISSIONS --out /no/such/folder` makes it"));
}

TEST_CASE("the list of commands names those in Python") {
  const ProcessResult help = command({"--help"});
  CHECK(help.code == 0);
  CHECK(says(help, "grade"));
  CHECK(says(help, "Write a gradebook in the format of a course platform"));
}

TEST_CASE("a file among the submissions is not taken for a module of Python") {
  const TemporaryFolder folder;
  for (const char* module : {"json", "sqlite3", "argparse"}) {
    std::ofstream(folder.path() + "/" + module + ".py") << "raise SystemExit(99)\n";
  }
  CHECK(command({"export", "--help"}, folder.path()).code == 0);
}
