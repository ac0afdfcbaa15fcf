# Rebuilds what a lab's tests need, as a test of its own: cmake -DLAB=.. -DANSWER=.. -DBUILD=.. -DRESULTS=.. -P build_lab.cmake
#
# A failure is stored in RESULTS/build_failed.log, so that the results say "build failed" instead of an older program's results;
# the compiler's warnings about an answer that compiles, in RESULTS/build_warnings.log.
foreach(name LAB ANSWER BUILD RESULTS)
  if(NOT ${name})
    message(FATAL_ERROR "build_lab.cmake: -D${name}=... is missing")
  endif()
endforeach()

execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${LAB}
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
set(log ${RESULTS}/build_failed.log)
get_filename_component(folder ${ANSWER} DIRECTORY)

# The compiler's messages, without the build tool's progress and command lines, and without CMake's if it runs again.
string(REGEX REPLACE "\n\\[[0-9]+/[0-9]+\\][^\n]*" "" text "\n${output}")
string(REGEX REPLACE "\n-- [^\n]*" "" text "${text}")
string(REGEX REPLACE "\n(FAILED|ninja|gmake|make|cmake)[^\n]*" "" text "${text}")
string(REGEX REPLACE "\n[^\n]*(/nvcc|c\\+\\+|g\\+\\+|ccache) [^\n]* -c [^\n]*" "" text "${text}")
string(REGEX REPLACE "\nRemark: The warnings can be suppressed[^\n]*" "" text "${text}")
string(STRIP "${text}" text)
if(result EQUAL 0)
  file(REMOVE ${log})
  if(text MATCHES "${folder}/[^\n]*warning")
    file(WRITE ${RESULTS}/build_warnings.log "${text}\n")
  elseif(output MATCHES "Compiling ${ANSWER}")
    file(REMOVE ${RESULTS}/build_warnings.log)  # Otherwise the answer was not compiled again, and its old warnings are still valid.
  endif()
  return()
endif()

if(text STREQUAL "")
  set(text "${output}")
endif()
string(LENGTH "${text}" length)
if(length GREATER 6000)
  string(SUBSTRING "${text}" 0 6000 text)
  string(APPEND text "\n... (the rest: cmake --build ${BUILD} --target ${LAB})")
endif()
if(text MATCHES "${folder}/")
  set(what "${ANSWER} does not compile")
else()
  set(what "The files that lab ${LAB} needs do not build; this is not the fault of ${ANSWER}")
endif()
file(WRITE ${log} "${what}:\n\n${text}\n")
message(FATAL_ERROR "${what}:\n\n${text}\n")
