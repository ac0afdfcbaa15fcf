# add_lab(<chapter>/<lab>): adds a lab. grader/README.md says what a lab's files are.
#
# Builds the programs of all answers (the student's file, the solution, the skeleton derived from it, each rung, each right
# answer in another style, each wrong answer and each exploit: one process of such a program runs one case) and the lab's
# test program, and registers
#   <lab>.build                       rebuilds what changed; all the following depend on it
#   <lab>.<kind>.<sentence>           each test, on the student's file
#   project.<lab>.<what>              the checks of the lab itself

include_guard(GLOBAL)
include(WarpbookBuildRecipe)
include(WarpbookCuda)
include(WarpbookOpenacc)

# The runtime that programs of answers are linked with: the virtual GPU's or the real one.
function(_warpbook_link_answer target)
  target_link_libraries(${target} PRIVATE warpbook_worker ${WARPBOOK_CUDART})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/labs/${lab})
endfunction()

# A program of one answer, or of several that are compiled together.
function(_warpbook_add_program target)
  set(objects "")
  set(includes ${together} ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/labs/${path})
  set(objects_folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  warpbook_compile_cuda(objects SOURCES ${ARGN} INCLUDES ${includes} FOLDER ${objects_folder} ${flags} ${relocatable}
                        ${openmp})
  if(openacc)
    warpbook_compile_openacc(objects SOURCES ${ARGN} INCLUDES ${includes} FOLDER ${objects_folder})
  endif()
  set(device_code "")
  if(relocatable)
    warpbook_device_link(device_code OBJECTS ${objects} ${registered} FOLDER ${objects_folder})
  endif()
  add_executable(${target} ${objects} ${registered} ${device_code})
  if(relocatable)
    target_link_libraries(${target} PRIVATE ${WARPBOOK_TOOLKIT_CUDADEVRT})
  endif()
  if(openacc)
    warpbook_link_openacc(${target})
  endif()
  if(openmp)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  endif()
  add_dependencies(${target} ${lab}_functions warpbook_calls)
  _warpbook_link_answer(${target})
endfunction()

# An answer with a program of its own.
function(_warpbook_add_answer target source)
  # If the answer shared a program before, there is a link, and the linker would write through it.
  if(IS_SYMLINK ${CMAKE_BINARY_DIR}/labs/${lab}/${target})
    file(REMOVE ${CMAKE_BINARY_DIR}/labs/${lab}/${target})
  endif()
  set(registered ${functions_object} ${machine_object} ${calls_objects})
  set(together "")
  set(flags "")
  if(target MATCHES "_student$")
    set(flags ANSWER)
  endif()
  _warpbook_add_program(${target} ${source})
endfunction()

# Answers that share a program: each is a link to it, and the link's name selects the answer.
function(_warpbook_add_answers target source links)
  set(registered ${machine_object} ${calls_objects})
  set(together ${folder}/together)
  set(flags FLAGS ${WARPBOOK_QUICK_HOST})
  _warpbook_add_program(${target} ${source})
  foreach(link IN LISTS links)
    file(CREATE_LINK ${target} ${CMAKE_BINARY_DIR}/labs/${lab}/${link} SYMBOLIC)
  endforeach()
endfunction()

# Kind, points and sentence of each WB_LAB_TEST in the lab's test file, as lists.
function(_warpbook_list_tests file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(space "[ \t\r\n]*")
  string(REGEX MATCHALL "WB_LAB_TEST\\(${space}[a-z]+,${space}[0-9.]+,${space}\"[^\"]*\"${space}\\)" found "${text}")
  set(kinds "")
  set(points "")
  set(sentences "")
  foreach(test IN LISTS found)
    string(REGEX MATCH "\\(${space}([a-z]+),${space}([0-9.]+),${space}\"([^\"]*)\"" ignored "${test}")
    set(kind ${CMAKE_MATCH_1})
    set(value ${CMAKE_MATCH_2})
    set(sentence "${CMAKE_MATCH_3}")
    if(NOT kind MATCHES "^(correctness|counters|time)$")
      message(FATAL_ERROR "${file}: '${kind}' is not a kind of test; the kinds are correctness, counters and time.")
    endif()
    if(NOT sentence MATCHES "^[A-Za-z0-9 ,'-]+$")
      message(FATAL_ERROR "${file}: the sentence '${sentence}' may contain only letters, digits, spaces, commas, apostrophes "
                          "and hyphens: it becomes the name of a test.")
    endif()
    list(APPEND kinds ${kind})
    list(APPEND points ${value})
    list(APPEND sentences "${sentence}")
  endforeach()
  if(NOT kinds)
    message(FATAL_ERROR "${file} has no WB_LAB_TEST(kind, points, \"sentence\"). A lab has tests.")
  endif()
  set(kinds "${kinds}" PARENT_SCOPE)
  set(points "${points}" PARENT_SCOPE)
  set(sentences "${sentences}" PARENT_SCOPE)
endfunction()

# Calls a command at the end of the project's own CMakeLists.txt: tests added there are no tests of this folder. A student's
# ctest reads only those of this folder, in a tenth of the time.
function(_warpbook_at_top command)
  set(arguments "")
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE 1 ${last})
    string(APPEND arguments " [==[${ARGV${i}}]==]")
  endforeach()
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [==[${PROJECT_SOURCE_DIR}]==] CALL ${command}${arguments})")
endfunction()

# A check of the lab itself. Checks of right results run all tests: they take longest, and begin first (COST).
function(_warpbook_add_check what)
  _warpbook_at_top(add_test NAME "project.${lab}.${what}" COMMAND ${ARGN})
  _warpbook_at_top(set_tests_properties "project.${lab}.${what}" PROPERTIES LABELS "project;${lab}" SKIP_RETURN_CODE 77 TIMEOUT 300)
  if(what MATCHES "^(right|unseen)\\.")
    _warpbook_at_top(set_tests_properties "project.${lab}.${what}" PROPERTIES COST 20)
  endif()
endfunction()

# A lab that cannot be built here says so when it is configured and in every run of the tests.
function(_warpbook_leave_out_lab needs cure)
  message(WARNING "Lab ${lab} is left out. It needs ${needs}\n${cure}, and configure again.")
  add_test(NAME "${lab}.left out" COMMAND ${CMAKE_COMMAND} -E echo "Skipped: lab ${lab} needs ${needs}")
  set_tests_properties("${lab}.left out" PROPERTIES LABELS "${lab}" SKIP_REGULAR_EXPRESSION "Skipped:")
endfunction()

# The object of the chapter's machine.cu, which all labs of the chapter share.
function(_warpbook_compile_machine object_variable)
  get_property(object GLOBAL PROPERTY WARPBOOK_MACHINE_OF_${chapter})
  if(NOT object)
    warpbook_compile_cuda(object SOURCES ${PROJECT_SOURCE_DIR}/grader/labs/${chapter}/machine.cu
      INCLUDES ${PROJECT_SOURCE_DIR} FOLDER ${CMAKE_CURRENT_BINARY_DIR}/${chapter}_machine)
    add_custom_target(${chapter}_machine DEPENDS ${object})
    set_property(GLOBAL PROPERTY WARPBOOK_MACHINE_OF_${chapter} ${object})
  endif()
  set(${object_variable} ${object} PARENT_SCOPE)
endfunction()

# Joins a list with commas.
function(_warpbook_join result)
  string(REPLACE ";" ",\n    " text "${ARGN}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# warpbook_plan_labs(<chapter>/<lab>...): derives the skeletons and plans the programs of labs that add_lab() will add. All at
# once: Python takes longer to start than to plan.
function(warpbook_plan_labs)
  set(planner ${PROJECT_SOURCE_DIR}/grader/workbook/programs.py)
  file(GLOB planners ${PROJECT_SOURCE_DIR}/grader/workbook/*.py)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${planners} ${PROJECT_SOURCE_DIR}/common/cmake/derive_skeleton.py)
  execute_process(COMMAND ${WARPBOOK_PYTHON3} ${planner} ${CMAKE_CURRENT_BINARY_DIR} ${ARGN} RESULT_VARIABLE failed ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR "${planner}: ${said}")
  endif()
endfunction()

function(add_lab path)
  get_filename_component(chapter ${path} DIRECTORY)
  get_filename_component(lab ${path} NAME)
  # "openacc": true in lab.json: an answer is one .cpp file that nvcc and the OpenACC compiler both compile.
  set(suffix .cu)
  set(openacc FALSE)
  if(EXISTS ${PROJECT_SOURCE_DIR}/solutions/${path}/${lab}.cpp)
    set(suffix .cpp)
  endif()
  set(student ${PROJECT_SOURCE_DIR}/labs/${path}/${lab}${suffix})
  set(contract ${PROJECT_SOURCE_DIR}/labs/${path}/${lab}.h)
  set(lab_json ${PROJECT_SOURCE_DIR}/labs/${path}/lab.json)
  set(solution ${PROJECT_SOURCE_DIR}/solutions/${path}/${lab}${suffix})
  set(test ${PROJECT_SOURCE_DIR}/grader/labs/${path}/${lab}.test.cpp)
  foreach(file student contract lab_json solution test)
    if(NOT EXISTS ${${file}})
      message(FATAL_ERROR "add_lab(${lab}): ${${file}} is missing. grader/README.md lists the files of a lab; "
                          "common/cmake/derive_skeleton.py makes the student's file from the solution.")
    endif()
  endforeach()

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lab_json})
  file(READ ${lab_json} json)
  string(JSON worked ERROR_VARIABLE none GET "${json}" worked_example)
  set(derive ${WARPBOOK_PYTHON3} ${PROJECT_SOURCE_DIR}/common/cmake/derive_skeleton.py)
  if(worked STREQUAL "ON" OR worked STREQUAL "true")
    set(worked TRUE)
    list(APPEND derive --worked-example)
  else()
    set(worked FALSE)
  endif()

  string(JSON openacc ERROR_VARIABLE none GET "${json}" openacc)
  if(openacc STREQUAL "ON" OR openacc STREQUAL "true")
    set(openacc TRUE)
  else()
    set(openacc FALSE)
  endif()
  if(openacc AND NOT WARPBOOK_OPENACC_FLAGS)
    _warpbook_leave_out_lab("a compiler that offloads OpenACC. ${WARPBOOK_OPENACC_PROBLEM}"
      "Install GCC's offload compiler (common/setup.sh; Debian: gcc-12-offload-nvptx libgomp-plugin-nvptx1), or \
set WARPBOOK_OPENACC_COMPILER to a compiler that offloads OpenACC")
    return()
  endif()

  # "openmp": true in lab.json: host code may use OpenMP.
  string(JSON openmp ERROR_VARIABLE none GET "${json}" openmp)
  if(openmp STREQUAL "ON" OR openmp STREQUAL "true")
    set(openmp OPENMP)
  else()
    set(openmp "")
  endif()
  if(openmp AND NOT OpenMP_CXX_FOUND)
    _warpbook_leave_out_lab("OpenMP, which ${CMAKE_CXX_COMPILER} lacks." "Install its library (GCC's is libgomp1, clang's libomp-dev)")
    return()
  endif()

  # "relocatable": true in lab.json: kernels may launch kernels.
  string(JSON relocatable ERROR_VARIABLE none GET "${json}" relocatable)
  if(relocatable STREQUAL "ON" OR relocatable STREQUAL "true")
    set(relocatable RELOCATABLE)
  else()
    set(relocatable "")
  endif()

  # The answers, as grader/workbook/programs.py plans them.
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${lab})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/labs/${lab})
  if(EXISTS ${folder}/problem.txt)
    file(READ ${folder}/problem.txt said)
    message(FATAL_ERROR "add_lab(${path}): ${said}")
  endif()
  include(${folder}/plan.cmake)
  foreach(kind right wrong exploits rungs)
    file(GLOB ignored CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/grader/labs/${path}/${kind}/*)
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
  if(NOT wrong)
    message(FATAL_ERROR "add_lab(${path}): grader/labs/${path}/wrong has no wrong answer, so nothing shows that the tests reject any.")
  endif()

  # The lab's part of every answer's program, and the part that is the same for all labs.
  set(functions_object "")
  set(compile warpbook_compile_cuda)
  if(functions MATCHES "\\.cpp$")
    set(compile warpbook_compile_worker)
  endif()
  cmake_language(CALL ${compile} functions_object SOURCES ${functions}
    INCLUDES ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/labs/${path} FOLDER ${CMAKE_CURRENT_BINARY_DIR}/${lab}_functions ${relocatable})
  add_custom_target(${lab}_functions DEPENDS ${functions_object})
  # "machine": true in lab.json: grader/labs/<chapter>/machine.cu answers questions about the machine.
  set(machine_object "")
  string(JSON machine ERROR_VARIABLE none GET "${json}" machine)
  if(machine STREQUAL "ON" OR machine STREQUAL "true")
    _warpbook_compile_machine(machine_object)
    add_dependencies(${lab}_functions ${chapter}_machine)
  endif()
  get_property(calls_objects GLOBAL PROPERTY WARPBOOK_CALLS_OBJECTS)
  set(workers "\"labs/${path}/${lab}${suffix}\": \"${CMAKE_BINARY_DIR}/labs/${lab}/${lab}_student\""
              "\"solutions/${path}/${lab}${suffix}\": \"${CMAKE_BINARY_DIR}/labs/${lab}/${lab}_solution\"")
  foreach(key target IN ZIP_LISTS keys targets)
    list(APPEND workers "\"${key}\": \"${CMAKE_BINARY_DIR}/labs/${lab}/${target}\"")
  endforeach()
  # Alone, as a student's file must compile. (As one of the answers below, the skeleton costs nothing.)
  _warpbook_add_answer(${lab}_student ${student})
  _warpbook_add_answer(${lab}_solution ${solution})
  foreach(target IN LISTS answers ladder)
    _warpbook_add_answers(${target} ${${target}_source} "${${target}_links}")
  endforeach()
  add_custom_target(${lab}_answers DEPENDS ${answers} ${alone})
  foreach(target IN LISTS alone)
    _warpbook_add_answer(${target} ${${target}_source})
  endforeach()
  file(READ ${folder}/answers.json answers_json)

  # The test program, and the manifest that tells it and the command line where all files are.
  set(manifest ${CMAKE_BINARY_DIR}/manifests/${lab}.json)
  set(manifest_source ${CMAKE_CURRENT_BINARY_DIR}/${lab}_manifest.cpp)
  file(GENERATE OUTPUT ${manifest_source} CONTENT
       "// Where the manifest of lab ${lab} is, from the folder of its test program. Generated.\nextern const char* const kWarpbookManifest;\nconst char* const kWarpbookManifest = \"../../manifests/${lab}.json\";\n")
  add_executable(${lab}_test ${test} ${manifest_source})
  target_link_libraries(${lab}_test PRIVATE warpbook_lab_test)
  warpbook_compile_quickly(${lab}_test)
  set_target_properties(${lab}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/labs/${lab})

  _warpbook_list_tests(${test})
  set(tests "")
  foreach(kind point sentence IN ZIP_LISTS kinds points sentences)
    list(APPEND tests "{\"kind\": \"${kind}\", \"points\": ${point}, \"sentence\": \"${sentence}\"}")
    set(name "${lab}.${kind}.${sentence}")
    add_test(NAME "${name}" COMMAND ${lab}_test --test "${kind}.${sentence}" --run-file ${CMAKE_BINARY_DIR}/ctest_run)
    # Tests of correctness tend to take longest, as they run under checkers and in other orders, and among them those with the
    # most points: they begin first (COST). ctest itself keeps no times of tests whose names contain spaces.
    set(cost ${point})
    if(NOT kind STREQUAL "correctness")
      set(cost ${point}e-3)
    endif()
    set_tests_properties("${name}" PROPERTIES LABELS "${lab};${kind}" FIXTURES_REQUIRED ${lab}_build SKIP_RETURN_CODE 77
                                              TIMEOUT 300 COST ${cost})
    if(WARPBOOK_BACKEND STREQUAL "gpu" AND NOT kind STREQUAL "counters")
      set_tests_properties("${name}" PROPERTIES RESOURCE_LOCK warpbook_gpu)  # A measured program must be alone on the GPU.
    endif()
  endforeach()
  set(results ${CMAKE_BINARY_DIR}/results/${lab})
  # A test's name may hold commas, never semicolons or quotes, so these joins are safe.
  _warpbook_join(workers_json "${workers}")
  _warpbook_join(tests_json "${tests}")
  set(probe "")
  if(TARGET warpbook_copy_probe)
    set(probe $<TARGET_FILE:warpbook_copy_probe>)
  endif()
  set(sanitized $<IF:$<BOOL:${WARPBOOK_SANITIZE}>,true,false>)
  set(recipe_options ${relocatable} ${openmp})
  if(openacc)
    list(APPEND recipe_options OPENACC)
  endif()
  warpbook_build_recipe(recipe LAB ${path} SUFFIX ${suffix} WORKER ${functions_object} ${machine_object} ${calls_objects} ${recipe_options})
  file(GENERATE OUTPUT ${manifest} CONTENT "{
  \"lab\": \"${lab}\",
  \"chapter\": \"${chapter}\",
  \"project_root\": \"${PROJECT_SOURCE_DIR}\",
  \"build_folder\": \"${CMAKE_BINARY_DIR}\",
  \"suffix\": \"${suffix}\",
  \"backend\": \"${WARPBOOK_BACKEND}\",
  \"device\": \"h200\",
  \"device_process\": \"$<TARGET_FILE:warpbook_device_process>\",
  \"front_folder\": \"$<TARGET_FILE_DIR:cudart_front>\",
  \"sanitized\": ${sanitized},
  \"copy_probe\": \"${probe}\",
  \"test_program\": \"$<TARGET_FILE:${lab}_test>\",
  \"results_folder\": \"${results}\",
  \"workers\": {
    ${workers_json}
  },
  \"answers\": ${answers_json},
  \"tests\": [
    ${tests_json}
  ],
  \"build\": ${recipe}
}
")

  # Rebuilding what changed is a test, so that ctest alone takes a student from an edit to a verdict.
  add_custom_target(${lab} DEPENDS ${lab}_student ${lab}_solution ${lab}_test warpbook warpbook_device)
  # For authors: all answers, too, so that ctest -R '(^|project\.)lab\.' has everything.
  add_custom_target(${lab}_author DEPENDS ${lab} ${lab}_answers)
  # For showing the place of an answer on the ladder: the rungs' times change only with their programs and the virtual GPU.
  set(rungs ${CMAKE_BINARY_DIR}/labs/${lab}/rungs)
  add_custom_command(OUTPUT ${rungs}/ladder.json COMMAND ${CMAKE_COMMAND} -E make_directory ${rungs}
    COMMAND ${lab}_test --answer solution --ladder ${rungs}
    DEPENDS ${ladder} ${lab}_solution ${lab}_test warpbook_device warpbook_device_process cudart_front cuda_front
    COMMENT "Running the ladder of ${lab}" VERBATIM)
  add_custom_target(${lab}_rungs DEPENDS ${rungs}/ladder.json)
  if(NOT "${ladder}" STREQUAL "")
    add_dependencies(ladders ${lab}_rungs)
  endif()
  # For grading submissions: everything except the student's own program, which is built in a sandbox.
  add_custom_target(${lab}_batch DEPENDS ${lab}_functions warpbook_calls ${lab}_solution ${lab}_test ${ladder} warpbook warpbook_device warpbook_worker
                                         warpbook_limited_run warpbook_sandbox_init)
  add_dependencies(warpbook_batch ${lab}_batch)
  if(WARPBOOK_BACKEND STREQUAL "gpu")
    add_dependencies(${lab} warpbook_copy_probe)
  endif()
  add_test(NAME ${lab}.build
           COMMAND ${CMAKE_COMMAND} -DLAB=${lab} -DANSWER=labs/${path}/${lab}${suffix} -DBUILD=${CMAKE_BINARY_DIR} -DRESULTS=${results}
                   -P ${PROJECT_SOURCE_DIR}/common/cmake/build_lab.cmake)
  set_tests_properties(${lab}.build PROPERTIES LABELS "${lab}" FIXTURES_SETUP ${lab}_build RESOURCE_LOCK warpbook_build
                                               TIMEOUT 600)

  # The checks of the lab itself.
  set(seeded "")
  set(whole "")
  _warpbook_add_check("skeleton is derived" ${derive} --check ${solution} ${student})
  _warpbook_add_check("tests and points agree with lab.json" ${lab}_test --expect listed)
  _warpbook_add_check("solution earns full points" ${lab}_test --answer solution --expect "full points")
  if(worked)
    _warpbook_add_check("worked example earns full points" ${lab}_test --answer skeleton --expect "full points")
  else()
    _warpbook_add_check("skeleton is not started" ${lab}_test --answer skeleton --expect "not started")
  endif()
  foreach(name IN LISTS right)
    _warpbook_add_check("right.${name}" ${lab}_test --answer right:${name} --expect "full points")
    list(APPEND whole "project.${lab}.right.${name}")
  endforeach()
  foreach(name IN LISTS exploit)
    _warpbook_add_check("exploit.${name}" ${lab}_test --answer exploit:${name} --expect "honest points")
    list(APPEND seeded "project.${lab}.exploit.${name}")
    list(APPEND whole "project.${lab}.exploit.${name}")
  endforeach()
  foreach(name IN LISTS wrong)
    if(name IN_LIST unseen)
      if(WARPBOOK_BACKEND STREQUAL "gpu")
        continue()  # Only the virtual GPU has checkers.
      endif()
      _warpbook_add_check("unseen.${name}" ${lab}_test --answer wrong:${name} --expect "right results")
      list(APPEND seeded "project.${lab}.unseen.${name}")
      list(APPEND whole "project.${lab}.unseen.${name}")
    endif()
    _warpbook_add_check("wrong.${name}" ${lab}_test --answer wrong:${name} --expect rejected)
    list(APPEND seeded "project.${lab}.wrong.${name}")
  endforeach()
  # A correct answer must be right for any seed; the message and points of a wrong one may depend on it (a cheat that
  # checks the size meets that size in one run and not in another). A fixed seed makes these checks repeatable.
  _warpbook_at_top(set_tests_properties ${seeded} PROPERTIES ENVIRONMENT "WARPBOOK_SEED=1")
  # Each of these takes as long as a whole verdict: the preset `check` runs every fifth, the preset `sim` all of them.
  set(place 0)
  foreach(name IN LISTS whole)
    math(EXPR remainder "${place} % 5")
    math(EXPR place "${place} + 1")
    if(remainder)
      _warpbook_at_top(set_property TEST "${name}" APPEND PROPERTY LABELS long)
    endif()
  endforeach()

  # What grading the solution needs. The preset demo shows the first lab of each chapter that has a ladder.
  set(graded ${lab}_solution ${lab}_test warpbook_device ${ladder})
  set_property(GLOBAL APPEND PROPERTY WARPBOOK_DEMO_TARGETS ${graded})
  string(JSON order GET "${json}" order)
  get_property(first GLOBAL PROPERTY WARPBOOK_FIRST_OF_${chapter})
  if(ladder AND (NOT first OR order LESS first))
    set_property(GLOBAL PROPERTY WARPBOOK_FIRST_OF_${chapter} ${order})
    set_property(GLOBAL PROPERTY WARPBOOK_SHOWN_LAB_OF_${chapter} ${lab})
    set_property(GLOBAL PROPERTY WARPBOOK_SHOWN_TARGETS_OF_${chapter} ${graded})
  endif()
  set_property(GLOBAL APPEND PROPERTY WARPBOOK_CHAPTERS ${chapter})
endfunction()
