# Finds the libraries that warpbook uses: as packages or, on a machine without them, as plain headers.
#
# A machine with a GPU often has no network and no such packages. Then -DCMAKE_PREFIX_PATH=FOLDER names a folder with
#   FOLDER/include/catch2/catch.hpp        Catch2 2.13 (one header)
#   FOLDER/include/CLI/*.hpp               CLI11
#   FOLDER/include/nlohmann/*              nlohmann-json
#   FOLDER/include/rapidjson/*             RapidJSON, for long files: profiles
# copied from a machine that has them (docs/gpu.md says how). zstd and liblz4 may be missing, see below.
#
#   Catch2::Catch2, Catch2::Catch2WithMain, catch_discover_tests()
#   warpbook::catch_session     Catch2 for a program with a main function of its own (common/testing/catch_session.h)
#   CLI11::CLI11, nlohmann_json::nlohmann_json, warpbook::rapidjson
#   WARPBOOK_PYTHON3            the interpreter that derives and checks files
#   warpbook::compression       zstd and lz4, as far as available: WARPBOOK_HAVE_ZSTD and WARPBOOK_HAVE_LZ4

include_guard(GLOBAL)

# Debian's interpreter comes first: derived files must not depend on PATH.
find_program(WARPBOOK_PYTHON3 python3 PATHS /usr/bin NO_DEFAULT_PATH DOC "A Python 3")
find_program(WARPBOOK_PYTHON3 python3 REQUIRED)
mark_as_advanced(WARPBOOK_PYTHON3)

find_package(CLI11 QUIET)
find_package(nlohmann_json QUIET)
# Its library is only for this machine's architecture: for cross builds its header is used.
if(NOT CMAKE_CROSSCOMPILING)
  find_package(Catch2 QUIET)
endif()

# If there is no package: an interface target with its headers, or an error that says what to do.
function(_warpbook_use_headers package target header)
  if(TARGET ${target})
    return()
  endif()
  find_path(WARPBOOK_${package}_INCLUDE ${header} DOC "The folder that holds ${header}")
  mark_as_advanced(WARPBOOK_${package}_INCLUDE)
  if(NOT WARPBOOK_${package}_INCLUDE)
    message(FATAL_ERROR "${package} was found neither as a package nor as ${header} in an include folder. Run "
                        "common/setup.sh, which installs what warpbook needs or, without a network, name a folder with "
                        "its headers: -DCMAKE_PREFIX_PATH=FOLDER (docs/gpu.md says which).")
  endif()
  message(STATUS "${package}: headers in ${WARPBOOK_${package}_INCLUDE}")
  add_library(warpbook_${package} INTERFACE)
  add_library(${target} ALIAS warpbook_${package})
  target_include_directories(warpbook_${package} SYSTEM INTERFACE ${WARPBOOK_${package}_INCLUDE})
endfunction()

_warpbook_use_headers(CLI11 CLI11::CLI11 CLI/CLI.hpp)
_warpbook_use_headers(nlohmann_json nlohmann_json::nlohmann_json nlohmann/json.hpp)
_warpbook_use_headers(rapidjson warpbook::rapidjson rapidjson/document.h)
_warpbook_use_headers(Catch2 Catch2::Catch2 catch2/catch.hpp)
if(NOT TARGET Catch2::Catch2WithMain)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/catch2_main.cpp CONTENT
       "// The main function of test programs, from Catch2's header. Generated.\n#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
  add_library(warpbook_catch2_main STATIC ${CMAKE_BINARY_DIR}/catch2_main.cpp)
  target_link_libraries(warpbook_catch2_main PUBLIC Catch2::Catch2)
  add_library(Catch2::Catch2WithMain ALIAS warpbook_catch2_main)
endif()

# Optimising a program of unit tests takes longer than running it. (Not for tests of labs, which compute expected results
# of large cases.)
get_target_property(_warpbook_catch2_main Catch2::Catch2WithMain ALIASED_TARGET)
if(NOT _warpbook_catch2_main)
  set(_warpbook_catch2_main Catch2::Catch2WithMain)
endif()
target_compile_options(${_warpbook_catch2_main} INTERFACE $<$<CONFIG:Release>:-O1>)

# Catch2's main function does nothing but run a session: under another name it is a precompiled session.
# Compiling one takes 8 s. Version 3 has main in a library of its own, and plain headers have none.
set(_warpbook_catch2_type "")
if(NOT _warpbook_catch2_main STREQUAL "warpbook_catch2_main" AND Catch2_VERSION VERSION_LESS 3 AND CMAKE_OBJCOPY)
  get_target_property(_warpbook_catch2_type ${_warpbook_catch2_main} TYPE)
endif()
if(_warpbook_catch2_type STREQUAL "STATIC_LIBRARY")
  set(_session ${CMAKE_BINARY_DIR}/libcatch_session.a)
  add_custom_command(OUTPUT ${_session}
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym main=warpbook_run_catch2 $<TARGET_FILE:Catch2::Catch2WithMain> ${_session}
    DEPENDS $<TARGET_FILE:Catch2::Catch2WithMain>
    COMMENT "Taking the session out of Catch2's library"
    VERBATIM)
  add_custom_target(warpbook_catch_session_file DEPENDS ${_session})
  add_library(warpbook_catch_session INTERFACE)
  add_dependencies(warpbook_catch_session warpbook_catch_session_file)
  target_link_libraries(warpbook_catch_session INTERFACE ${_session} Catch2::Catch2)
else()
  add_library(warpbook_catch_session STATIC ${CMAKE_SOURCE_DIR}/common/testing/catch_session.cpp)
  target_include_directories(warpbook_catch_session PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(warpbook_catch_session PUBLIC Catch2::Catch2)
endif()
add_library(warpbook::catch_session ALIAS warpbook_catch_session)

# Catch2's own script gives each test case a ctest entry of its own; without it, a program is one entry.
include(Catch OPTIONAL RESULT_VARIABLE _warpbook_catch_script)
if(NOT _warpbook_catch_script)
  function(catch_discover_tests target)
    cmake_parse_arguments(PARSE_ARGV 1 test "" "TEST_PREFIX" "PROPERTIES;EXTRA_ARGS")
    add_test(NAME "${test_TEST_PREFIX}${target}" COMMAND ${target} ${test_EXTRA_ARGS})
    if(test_PROPERTIES)
      set_tests_properties("${test_TEST_PREFIX}${target}" PROPERTIES ${test_PROPERTIES})
    endif()
  endfunction()
endif()

# nvcc compresses the PTX that it embeds, and the virtual GPU decompresses it. If a library for that is missing, the labs'
# programs are built without compression, and other programs end with an error that says how to build them.
add_library(warpbook_compression INTERFACE)
add_library(warpbook::compression ALIAS warpbook_compression)
set(WARPBOOK_NVCC_COMPRESSION "")
foreach(library zstd lz4)
  string(TOUPPER ${library} _name)
  find_library(WARPBOOK_${_name} ${library})
  find_path(WARPBOOK_${_name}_INCLUDE ${library}.h)
  mark_as_advanced(WARPBOOK_${_name} WARPBOOK_${_name}_INCLUDE)
  if(WARPBOOK_${_name} AND WARPBOOK_${_name}_INCLUDE)
    target_link_libraries(warpbook_compression INTERFACE ${WARPBOOK_${_name}})
    target_include_directories(warpbook_compression SYSTEM INTERFACE ${WARPBOOK_${_name}_INCLUDE})
    target_compile_definitions(warpbook_compression INTERFACE WARPBOOK_HAVE_${_name}=1)
  else()
    message(STATUS "${library} was not found: programs are built without compressed PTX")
    target_compile_definitions(warpbook_compression INTERFACE WARPBOOK_HAVE_${_name}=0)
    set(WARPBOOK_NVCC_COMPRESSION --no-compress)
  endif()
endforeach()
