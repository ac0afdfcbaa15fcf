# Finds nvcc 13 and compiles .cu files with it, whichever way CUDA was installed.
#
# CMake's own CUDA language is not used: 3.25 does not know CUDA 13, nor the layout of NVIDIA's Python wheels. A .cu file
# is compiled by one nvcc command with a dependency file; programs are linked by the C++ compiler.
#
#   WARPBOOK_NVCC               the compiler
#   warpbook::toolkit_cudart    the toolkit's own libcudart, shared
#   warpbook_compile_cuda()     object files from .cu files
#   warpbook_compile_worker()   object files from .cpp files that programs of answers share
#   warpbook_device_link()      what a program with relocatable device code needs besides its objects

include_guard(GLOBAL)

# The release of an nvcc ("13.0"), or nothing.
function(_warpbook_nvcc_release nvcc result)
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE output ERROR_QUIET)
  if(output MATCHES "release ([0-9]+\\.[0-9]+),")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()

function(_warpbook_find_nvcc)
  set(toolchain ${PROJECT_SOURCE_DIR}/.toolchain/cuda/bin/nvcc)
  if("$ENV{WARPBOOK_IGNORE_SYSTEM_CUDA}" STREQUAL "1")
    set(candidates ${toolchain})
  else()
    find_program(_warpbook_path_nvcc nvcc NO_CACHE)
    set(candidates ${CMAKE_CUDA_COMPILER} $ENV{CUDACXX} ${_warpbook_path_nvcc} /usr/local/cuda/bin/nvcc ${toolchain})
  endif()
  set(seen "")
  foreach(candidate IN LISTS candidates)
    if(NOT EXISTS ${candidate})
      continue()
    endif()
    _warpbook_nvcc_release(${candidate} release)
    if(release MATCHES "^13\\.")
      set(WARPBOOK_NVCC ${candidate} CACHE FILEPATH "NVIDIA's compiler, release 13")
      return()
    endif()
    string(APPEND seen "\n  ${candidate}: release '${release}'")
  endforeach()
  if(NOT seen)
    set(seen " none")
  endif()
  message(FATAL_ERROR "No nvcc 13 was found. Looked at:${seen}\nRun common/setup.sh, which installs one into .toolchain, "
                      "or set CUDACXX to the path of an nvcc 13.")
endfunction()

if(NOT WARPBOOK_NVCC OR NOT EXISTS ${WARPBOOK_NVCC})
  unset(WARPBOOK_NVCC CACHE)
  _warpbook_find_nvcc()
endif()
_warpbook_nvcc_release(${WARPBOOK_NVCC} WARPBOOK_NVCC_RELEASE)

# The root of nvcc's installation, as nvcc reports it; the wheels and the toolkit have different layouts. A toolchain file for
# another architecture sets its own, because nvcc's root is that of the compiler, not of the target's libraries.
set(WARPBOOK_TOOLKIT_ROOT "" CACHE PATH "Where the toolkit's libraries and headers are; empty: where nvcc says")
if(WARPBOOK_TOOLKIT_ROOT)
  set(_top ${WARPBOOK_TOOLKIT_ROOT})
else()
  execute_process(COMMAND ${WARPBOOK_NVCC} --dryrun -x cu -c /dev/null -o /dev/null ERROR_VARIABLE _dryrun OUTPUT_QUIET)
  if(NOT _dryrun MATCHES "#\\$ TOP=([^\n]+)")
    message(FATAL_ERROR "${WARPBOOK_NVCC} --dryrun does not say where its toolkit is. Is it NVIDIA's nvcc?")
  endif()
  get_filename_component(_top ${CMAKE_MATCH_1} REALPATH)
endif()
set(_target targets/x86_64-linux)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(_target targets/sbsa-linux)  # NVIDIA's name for 64-bit ARM servers.
endif()
find_file(WARPBOOK_TOOLKIT_CUDART libcudart.so.13 PATHS ${_top}/lib64 ${_top}/lib ${_top}/${_target}/lib
          NO_DEFAULT_PATH DOC "The toolkit's own CUDA runtime")
find_path(WARPBOOK_TOOLKIT_INCLUDE cuda_runtime.h PATHS ${_top}/include ${_top}/${_target}/include
          NO_DEFAULT_PATH DOC "The toolkit's headers")
if(NOT WARPBOOK_TOOLKIT_CUDART OR NOT WARPBOOK_TOOLKIT_INCLUDE)
  message(FATAL_ERROR "The toolkit in ${_top} lacks libcudart.so.13 or cuda_runtime.h. Run common/setup.sh with "
                      "WARPBOOK_IGNORE_SYSTEM_CUDA=1, which installs a complete one into .toolchain.")
endif()
find_file(WARPBOOK_TOOLKIT_CUDADEVRT libcudadevrt.a
          PATHS ${_top}/lib64 ${_top}/lib ${_top}/${_target}/lib
          NO_DEFAULT_PATH DOC "The toolkit's device runtime, for kernels that launch kernels")
message(STATUS "nvcc ${WARPBOOK_NVCC_RELEASE}: ${WARPBOOK_NVCC}")

add_library(warpbook_toolkit_cudart SHARED IMPORTED GLOBAL)
add_library(warpbook::toolkit_cudart ALIAS warpbook_toolkit_cudart)
set_target_properties(warpbook_toolkit_cudart PROPERTIES
  IMPORTED_LOCATION ${WARPBOOK_TOOLKIT_CUDART} INTERFACE_INCLUDE_DIRECTORIES ${WARPBOOK_TOOLKIT_INCLUDE})

# As for all C++ here: the host compiler must not fuse a * b + c, so that host code computes the same everywhere.
set(_host_flags -fPIC,-fvisibility=hidden,-Wall)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  string(APPEND _host_flags ,-ffp-contract=off)
endif()
set(WARPBOOK_CUDA_FLAGS -std=c++20 -O2 -lineinfo -cudart shared
    "-gencode=arch=compute_90,code=[sm_90,compute_90]" -diag-suppress=111 -Xcompiler=${_host_flags}
    CACHE STRING "Flags of nvcc")
# For answers of students: line numbers of host code, to report where it dereferences device memory; and two of nvcc's steps
# at a time where it can, since a verdict waits for them.
set(WARPBOOK_ANSWER_FLAGS -Xcompiler=-g1 --threads=2)
# Put before nvcc, it runs more steps at a time than nvcc does.
set(WARPBOOK_NVCC_STEPS ${WARPBOOK_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/nvcc_steps.py)
# For host code with OpenMP. (Another compiler than nvcc's host compiler may link.)
set(WARPBOOK_OPENMP_FLAGS -Xcompiler=-fopenmp)
find_package(OpenMP QUIET COMPONENTS CXX)
# For answers of the project, whose host code is not performance-critical: the host compiler takes two thirds of the time.
set(WARPBOOK_QUICK_HOST "")
if(WARPBOOK_BACKEND STREQUAL "virtual")
  set(WARPBOOK_QUICK_HOST -Xcompiler=-O1)
endif()
mark_as_advanced(WARPBOOK_CUDA_FLAGS WARPBOOK_TOOLKIT_ROOT WARPBOOK_TOOLKIT_CUDADEVRT WARPBOOK_TOOLKIT_CUDART WARPBOOK_TOOLKIT_INCLUDE)

# warpbook_compile_by(<list of objects> COMMAND compiler flag... SOURCES a.cu b.cu [INCLUDES dir...] [FOLDER dir]
#                     [SUFFIX .o] [COMMENT "for what"])
#
# Compiles each source with the command to an object in FOLDER (default: the current build folder) and appends the objects
# to the list, to be given to add_executable(). Includes are tracked by dependency files.
function(warpbook_compile_by objects_variable)
  cmake_parse_arguments(PARSE_ARGV 1 by "" "FOLDER;SUFFIX;COMMENT" "COMMAND;SOURCES;INCLUDES")
  if(NOT by_FOLDER)
    set(by_FOLDER ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  if(NOT by_SUFFIX)
    set(by_SUFFIX .o)
  endif()
  file(MAKE_DIRECTORY ${by_FOLDER})
  list(TRANSFORM by_INCLUDES PREPEND -I)
  set(result ${${objects_variable}})
  foreach(source IN LISTS by_SOURCES)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(name ${source} NAME)
    set(object ${by_FOLDER}/${name}${by_SUFFIX})
    file(RELATIVE_PATH shown ${PROJECT_SOURCE_DIR} ${path})
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${by_COMMAND} ${by_INCLUDES} -MD -MF ${object}.d -c ${path} -o ${object}
      DEPENDS ${path}
      DEPFILE ${object}.d
      COMMENT "Compiling ${shown}${by_COMMENT}"
      VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    list(APPEND result ${object})
  endforeach()
  set(${objects_variable} ${result} PARENT_SCOPE)
endfunction()

# warpbook_compile_cuda(<list of objects> SOURCES a.cu b.cu [INCLUDES dir...] [FOLDER dir] [FLAGS flag...] [RELOCATABLE]
#                       [OPENMP] [ANSWER])
#
# Compiles each source with nvcc, by warpbook_compile_by(), through ccache without CCACHE_BASEDIR: -lineinfo keeps absolute
# paths. RELOCATABLE: kernels may launch kernels and use device code of other sources; the program then needs
# warpbook_device_link() too. OPENMP: host code uses OpenMP, and the program needs OpenMP::OpenMP_CXX. ANSWER: a student's, for
# which somebody waits, with WARPBOOK_ANSWER_FLAGS.
function(warpbook_compile_cuda objects_variable)
  cmake_parse_arguments(PARSE_ARGV 1 cuda "RELOCATABLE;OPENMP;ANSWER" "FOLDER" "SOURCES;INCLUDES;FLAGS")
  if(NOT cuda_SOURCES)
    message(FATAL_ERROR "warpbook_compile_cuda(${objects_variable}): no SOURCES")
  endif()
  set(flags ${WARPBOOK_CUDA_FLAGS} ${WARPBOOK_NVCC_COMPRESSION} ${cuda_FLAGS})
  if(cuda_RELOCATABLE)
    list(APPEND flags -rdc=true)
  endif()
  if(cuda_OPENMP)
    list(APPEND flags ${WARPBOOK_OPENMP_FLAGS})
  endif()
  set(compiler ${WARPBOOK_CCACHE} ${WARPBOOK_NVCC})
  if(cuda_ANSWER)
    list(APPEND flags ${WARPBOOK_ANSWER_FLAGS})
    if(NOT WARPBOOK_CCACHE)
      list(PREPEND compiler ${WARPBOOK_NVCC_STEPS})
    elseif(NOT PROJECT_SOURCE_DIR MATCHES " ")  # It separates prefixes.
      list(JOIN WARPBOOK_NVCC_STEPS " " steps)
      list(PREPEND compiler ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 "CCACHE_PREFIX=${steps}")
    endif()
  endif()
  warpbook_compile_by(${objects_variable} COMMAND ${compiler} ${flags} -x cu
                      SOURCES ${cuda_SOURCES} INCLUDES ${cuda_INCLUDES} FOLDER ${cuda_FOLDER})
  set(${objects_variable} ${${objects_variable}} PARENT_SCOPE)
endfunction()

# warpbook_compile_worker(<list of objects> SOURCES a.cpp b.cpp [INCLUDES dir...] [FOLDER dir])
#
# Like warpbook_compile_cuda(), for sources without device code: the C++ compiler takes a fifth of the time.
function(warpbook_compile_worker objects_variable)
  cmake_parse_arguments(PARSE_ARGV 1 worker "" "FOLDER" "SOURCES;INCLUDES")
  string(REPLACE "," ";" flags "${_host_flags}")
  warpbook_name_files_from_root(flags ${CMAKE_CURRENT_BINARY_DIR})
  warpbook_compile_by(${objects_variable}
                      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} -std=c++20 -O1 ${flags}
                              -isystem ${WARPBOOK_TOOLKIT_INCLUDE}
                      SOURCES ${worker_SOURCES} INCLUDES ${worker_INCLUDES} FOLDER ${worker_FOLDER})
  set(${objects_variable} ${${objects_variable}} PARENT_SCOPE)
endfunction()

# warpbook_device_link(<list> OBJECTS a.o b.o FOLDER dir)
#
# Links the device code of relocatable objects with the device runtime (nvcc -dlink) and appends the object that holds
# it to the list. The program needs it in addition to the others, and WARPBOOK_TOOLKIT_CUDADEVRT as a library.
function(warpbook_device_link list_variable)
  cmake_parse_arguments(PARSE_ARGV 1 link "" "FOLDER" "OBJECTS")
  if(NOT WARPBOOK_TOOLKIT_CUDADEVRT)
    message(FATAL_ERROR "The toolkit of ${WARPBOOK_NVCC} lacks libcudadevrt.a, which kernels that launch kernels need. "
                        "Run common/setup.sh with WARPBOOK_IGNORE_SYSTEM_CUDA=1, which installs a complete toolkit.")
  endif()
  set(linked ${link_FOLDER}/device_link.o)
  add_custom_command(
    OUTPUT ${linked}
    COMMAND ${WARPBOOK_NVCC} ${WARPBOOK_CUDA_FLAGS} ${WARPBOOK_NVCC_COMPRESSION} -dlink ${link_OBJECTS} ${WARPBOOK_TOOLKIT_CUDADEVRT} -o ${linked}
    DEPENDS ${link_OBJECTS}
    COMMENT "Linking device code in ${link_FOLDER}"
    VERBATIM)
  set_source_files_properties(${linked} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${list_variable} ${${list_variable}} ${linked} PARENT_SCOPE)
endfunction()
