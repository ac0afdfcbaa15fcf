# Finds a compiler that offloads OpenACC to NVIDIA GPUs: GCC with its nvptx back end, or NVIDIA's nvc++.
#
#   WARPBOOK_OPENACC_COMPILER    the compiler (cache); empty: this project's C++ compiler is tried
#   WARPBOOK_OPENACC_FLAGS       its flags, for compiling and linking; empty if there is no compiler
#   WARPBOOK_OPENACC_LINK_FLAGS  further flags of a link
#   WARPBOOK_OPENACC_PROBLEM     why there is no compiler
#   warpbook_compile_openacc()   object files from .cpp files
#   warpbook_link_openacc()      sets the libraries and the linker of a program with such objects

include_guard(GLOBAL)

set(WARPBOOK_OPENACC_COMPILER "" CACHE FILEPATH "Compiler for OpenACC: a g++ that offloads to nvptx, or nvc++")
set(WARPBOOK_OPENACC_FLAGS "")
set(WARPBOOK_OPENACC_LINK_FLAGS "")
set(WARPBOOK_OPENACC_PROBLEM "")

# Tests whether a compiler can offload a parallel loop. The result is cached for the same compiler and flags.
function(_warpbook_try_openacc compiler flags result)
  set(${result} FALSE PARENT_SCOPE)
  if("-fopenacc" IN_LIST flags)
    execute_process(COMMAND ${compiler} -print-file-name=libgomp-plugin-nvptx.so.1
                    OUTPUT_VARIABLE plugin ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT IS_ABSOLUTE "${plugin}")
      set(WARPBOOK_OPENACC_PROBLEM "${compiler} has no libgomp-plugin-nvptx.so.1 (Debian: libgomp-plugin-nvptx1)"
          PARENT_SCOPE)
      return()
    endif()
  endif()
  set(key "${compiler} ${flags}")
  if("${_WARPBOOK_OPENACC_TRIED}" STREQUAL "${key}")
    set(${result} TRUE PARENT_SCOPE)
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/openacc_try)
  file(WRITE ${folder}/try.cpp "int main() {\n  int sum = 0;\n#pragma acc parallel loop reduction(+ : sum)\n"
                               "  for (int i = 0; i < 9; ++i) sum += i;\n  return sum != 36;\n}\n")
  execute_process(COMMAND ${compiler} ${flags} -o ${folder}/try ${folder}/try.cpp
                  RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE errors)
  if(code STREQUAL "0")
    set(_WARPBOOK_OPENACC_TRIED "${key}" CACHE INTERNAL "Compiler and flags that were found to work")
    set(${result} TRUE PARENT_SCOPE)
  else()
    string(REGEX MATCH "[^\n]*(error|fatal)[^\n]*" line "${errors}")
    set(WARPBOOK_OPENACC_PROBLEM "${compiler} does not offload: ${line}" PARENT_SCOPE)
  endif()
endfunction()

set(_compiler ${WARPBOOK_OPENACC_COMPILER})
if(NOT _compiler)
  set(_compiler ${CMAKE_CXX_COMPILER})
endif()
get_filename_component(_name ${_compiler} NAME)
if(_name MATCHES "^nvc\\+\\+")
  set(_flags -O2 -gopt -acc=gpu -gpu=cc90)
else()
  # The driver makes machine code from PTX: -foffload-options names the oldest architecture that nvcc 13's ptxas,
  # which GCC's assembler runs to check the PTX, still supports among those of GCC 12.
  set(_flags -O2 -g -fopenacc -foffload=nvptx-none "-foffload-options=nvptx-none=-misa=sm_80")
endif()
_warpbook_try_openacc(${_compiler} "${_flags}" _works)
if(_works)
  set(WARPBOOK_OPENACC_COMPILER ${_compiler})
  set(WARPBOOK_OPENACC_FLAGS ${_flags})
  if(NOT _name MATCHES "^nvc\\+\\+")
    # GCC's table of offloaded functions is not position-independent.
    set(WARPBOOK_OPENACC_LINK_FLAGS -foffload-options=-lm -no-pie)
  endif()
  message(STATUS "OpenACC: ${_compiler}")
else()
  message(STATUS "OpenACC: none. ${WARPBOOK_OPENACC_PROBLEM}")
endif()

# warpbook_compile_openacc(<list of objects> SOURCES a.cpp b.cpp INCLUDES dir... FOLDER dir)
#
# Like warpbook_compile_cuda(); objects of both from the same sources may be in the same folder.
function(warpbook_compile_openacc objects_variable)
  cmake_parse_arguments(PARSE_ARGV 1 acc "" "FOLDER" "SOURCES;INCLUDES")
  warpbook_compile_by(${objects_variable}
                      COMMAND ${WARPBOOK_OPENACC_COMPILER} -std=c++20 -Wall -Wno-unused-variable ${WARPBOOK_OPENACC_FLAGS}
                      SOURCES ${acc_SOURCES} INCLUDES ${acc_INCLUDES} FOLDER ${acc_FOLDER}
                      SUFFIX .acc.o COMMENT " for OpenACC")
  set(${objects_variable} ${${objects_variable}} PARENT_SCOPE)
endfunction()

# The device code of an OpenACC program is made at link time, so the OpenACC compiler must link it.
function(warpbook_link_openacc target)
  target_link_options(${target} PRIVATE ${WARPBOOK_OPENACC_FLAGS} ${WARPBOOK_OPENACC_LINK_FLAGS})
  if(NOT WARPBOOK_OPENACC_COMPILER STREQUAL CMAKE_CXX_COMPILER)
    set_target_properties(${target} PROPERTIES RULE_LAUNCH_LINK
      "${PROJECT_SOURCE_DIR}/common/cmake/link_with.sh ${WARPBOOK_OPENACC_COMPILER}")
  endif()
  if(WARPBOOK_BACKEND STREQUAL virtual)
    # libgomp loads the driver by its name, and so gets the one that is already loaded.
    target_link_libraries(${target} PRIVATE -Wl,--no-as-needed cuda_front)
  endif()
endfunction()
