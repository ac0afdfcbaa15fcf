# The first step of ctest, before any test: names this run, so that its tests' records can be distinguished from older ones:
# cmake -DBUILD=.. -P begin_run.cmake
#
# Tests read the name from BUILD/ctest_run. If WARPBOOK_RUN names the run, they take it from there, and the file is left to
# another ctest. The time of BUILD/ctest_started is the run's start: a build failure belongs to this run if its log is newer.
if(NOT BUILD)
  message(FATAL_ERROR "begin_run.cmake: -DBUILD=... is missing")
endif()
file(TOUCH ${BUILD}/ctest_started)
if(NOT "$ENV{WARPBOOK_RUN}" STREQUAL "")
  return()
endif()
string(TIMESTAMP now "%Y-%m-%dT%H:%M:%SZ" UTC)
string(RANDOM LENGTH 8 chance)
file(WRITE ${BUILD}/ctest_run.${chance} "${now} ${chance}\n")
file(RENAME ${BUILD}/ctest_run.${chance} ${BUILD}/ctest_run)
