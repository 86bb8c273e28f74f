# SPDX-FileCopyrightText: 2026 The Lockkeeper authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# lockkeeper_module(NAME domain SOURCES … LINK …)
#   A static library lockkeeper_<name> with the alias Lockkeeper::<name>. It has warnings and strict Qt
#   definitions. The source root is on the include path ("shared/domain/lock_key.h").
# lockkeeper_group(agent)
#   Joins the modules of this folder and its subfolders in one library lockkeeper_agent. Each keeps its alias.
# lockkeeper_program(NAME lockkeeper-agent SOURCES … LINK …)
#   The same for an executable.
# lockkeeper_test_program(NAME agent_tests [WIDGETS])
# lockkeeper_tests(PROGRAM agent_tests UNIT tst_differ … INTEGRATION … GUI … SOURCES … LINK … NEEDS …)
#   The tests of one folder. Each is a Qt Test class that ctest runs in a separate process. Several folders
#   share a program. SOURCES are helpers, NEEDS are programs that the tests start.
#
# The files of a module are compiled together, and those of small modules with their neighbours'; of a module with more
# than 24 files, and of test programs, 16 at a time. LOCKKEEPER_UNITY=OFF compiles each by itself.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

set(CMAKE_UNITY_BUILD ${LOCKKEEPER_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)

find_program(LOCKKEEPER_CCACHE ccache)
if(LOCKKEEPER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LOCKKEEPER_CCACHE})
endif()
find_program(LOCKKEEPER_XVFB_RUN xvfb-run)
find_program(LOCKKEEPER_MOLD mold)
if(LOCKKEEPER_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()

function(lockkeeper_flags target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE
    QT_NO_FOREACH QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII
    QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
    QT_DISABLE_DEPRECATED_BEFORE=0x060400 QT_WARN_DEPRECATED_UP_TO=0x060400
    LOCKKEEPER_VERSION="${PROJECT_VERSION}"
    _FILE_OFFSET_BITS=64) # as hiredis asks: one value for all, or the precompiled header doesn't fit
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual)
  if(LOCKKEEPER_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage) # it takes every .cpp of a batch for a header
    # Collecting its garbage takes a twelfth of its time, and saves a tenth of its memory.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=1500000)
  endif()
  if(LOCKKEEPER_MOC)
    set_target_properties(${target} PROPERTIES AUTOMOC_EXECUTABLE ${LOCKKEEPER_MOC})
  endif()
  if(LOCKKEEPER_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(LOCKKEEPER_SANITIZE)
    # The checks `null` and `vptr` cost a third of the compile time, and AddressSanitizer finds the same faults.
    # GCC warns of uninitialized variables in the code that sanitizers add.
    target_compile_options(${target} PRIVATE -fsanitize=${LOCKKEEPER_SANITIZE} -fno-sanitize=null,vptr
      -fno-omit-frame-pointer -fno-sanitize-recover=all -Wno-maybe-uninitialized)
    target_link_options(${target} PRIVATE -fsanitize=${LOCKKEEPER_SANITIZE})
  endif()
  # The shared lock library links the modules. Qt asks for -fPIC on Debian 12, and no longer on Debian 13.
  target_compile_options(${target} PRIVATE -fPIC)
endfunction()

# One precompiled header for all that is compiled with the same flags (LOCKKEEPER_PRECOMPILED carries it): a header for
# each module would take longer than it saves.
set(LOCKKEEPER_PRECOMPILED lockkeeper_precompiled)
function(lockkeeper_pch target)
  if(NOT LOCKKEEPER_PCH)
    return()
  endif()
  if(NOT TARGET ${LOCKKEEPER_PRECOMPILED})
    file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cpp "// Carries the precompiled header.\n")
    add_library(${LOCKKEEPER_PRECOMPILED} STATIC ${CMAKE_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(${LOCKKEEPER_PRECOMPILED} PUBLIC Qt6::Core)
    lockkeeper_flags(${LOCKKEEPER_PRECOMPILED})
    set_target_properties(${LOCKKEEPER_PRECOMPILED} PROPERTIES AUTOMOC OFF)
    target_precompile_headers(${LOCKKEEPER_PRECOMPILED} PRIVATE <QtCore/QtCore>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${LOCKKEEPER_PRECOMPILED})
endfunction()

# One static library, as each costs a run of moc and a compilation of what moc wrote.
macro(lockkeeper_group name)
  set(LOCKKEEPER_GROUP lockkeeper_${name})
  add_library(${LOCKKEEPER_GROUP} STATIC)
  lockkeeper_flags(${LOCKKEEPER_GROUP})
  lockkeeper_pch(${LOCKKEEPER_GROUP})
  set_target_properties(${LOCKKEEPER_GROUP} PROPERTIES UNITY_BUILD_MODE GROUP UNITS 0 IN_UNIT 0)
endmacro()

# Says what is compiled together: by modules, so that a file that is added leaves most of the others' objects valid.
function(lockkeeper_units library)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  get_target_property(unit ${library} UNITS)
  get_target_property(in_unit ${library} IN_UNIT)
  set(most 24)
  math(EXPR then "${in_unit} + ${count}")
  if(then GREATER most)
    math(EXPR unit "${unit} + 1")
    set(in_unit 0)
  endif()
  if(count GREATER most)
    set(most 16)
  endif()
  foreach(source IN LISTS sources)
    if(in_unit EQUAL most)
      math(EXPR unit "${unit} + 1")
      set(in_unit 0)
    endif()
    math(EXPR in_unit "${in_unit} + 1")
    get_filename_component(source ${source} ABSOLUTE)
    set_source_files_properties(${source} TARGET_DIRECTORY ${library} PROPERTIES UNITY_GROUP unit_${unit})
  endforeach()
  set_target_properties(${library} PROPERTIES UNITS ${unit} IN_UNIT ${in_unit})
endfunction()

function(lockkeeper_module)
  cmake_parse_arguments(M "" "NAME" "SOURCES;LINK" ${ARGN})
  if(NOT LOCKKEEPER_GROUP)
    lockkeeper_group(${M_NAME})
  endif()
  add_library(Lockkeeper::${M_NAME} ALIAS ${LOCKKEEPER_GROUP})
  target_sources(${LOCKKEEPER_GROUP} PRIVATE ${M_SOURCES})
  lockkeeper_units(${LOCKKEEPER_GROUP} ${M_SOURCES})
  foreach(needed IN LISTS M_LINK)
    set(library)
    if(TARGET ${needed})
      get_target_property(library ${needed} ALIASED_TARGET)
    endif()
    if(NOT library STREQUAL LOCKKEEPER_GROUP) # not to itself
      target_link_libraries(${LOCKKEEPER_GROUP} PUBLIC ${needed})
    endif()
  endforeach()
endfunction()

# As qt_add_resources(); what it compiles them into holds nothing for moc.
function(lockkeeper_resources)
  set(CMAKE_AUTOMOC OFF)
  qt_add_resources(${ARGV})
endfunction()

# Compiles the catalogues of translations/, and embeds them in the target under :/i18n. Without Qt's linguist tools, which
# only the console requires, the programs speak English.
function(lockkeeper_catalogues target resource)
  if(NOT TARGET Qt6::lrelease)
    return()
  endif()
  set(compiled)
  foreach(name IN LISTS ARGN)
    set(ts ${PROJECT_SOURCE_DIR}/translations/${name}.ts)
    set(qm ${CMAKE_CURRENT_BINARY_DIR}/${name}.qm)
    add_custom_command(OUTPUT ${qm} COMMAND Qt6::lrelease -silent ${ts} -qm ${qm} DEPENDS ${ts} VERBATIM)
    list(APPEND compiled ${qm})
  endforeach()
  lockkeeper_resources(${target} ${resource} PREFIX "/i18n" BASE ${CMAKE_CURRENT_BINARY_DIR} FILES ${compiled})
endfunction()

function(lockkeeper_program)
  cmake_parse_arguments(M "" "NAME" "SOURCES;LINK" ${ARGN})
  set(CMAKE_AUTOMOC OFF) # objects with signals are made in modules
  add_executable(${M_NAME} ${M_SOURCES})
  target_link_libraries(${M_NAME} PRIVATE ${M_LINK})
  lockkeeper_flags(${M_NAME})
  lockkeeper_pch(${M_NAME})
endfunction()

# The program that folders of tests share; its sources come by lockkeeper_tests().
function(lockkeeper_test_program)
  cmake_parse_arguments(M "WIDGETS" "NAME" "" ${ARGN})
  set(main core_main.cpp)
  if(M_WIDGETS)
    set(main widgets_main.cpp)
  endif()
  add_executable(${M_NAME} ${PROJECT_SOURCE_DIR}/tests/support/${main}
    ${PROJECT_SOURCE_DIR}/tests/support/test_program.h ${PROJECT_SOURCE_DIR}/tests/support/test_program.cpp
    ${PROJECT_SOURCE_DIR}/tests/support/golden_file.h ${PROJECT_SOURCE_DIR}/tests/support/golden_file.cpp)
  target_link_libraries(${M_NAME} PRIVATE Qt6::Test)
  if(M_WIDGETS)
    target_link_libraries(${M_NAME} PRIVATE Qt6::Widgets)
  endif()
  lockkeeper_flags(${M_NAME})
  lockkeeper_pch(${M_NAME})
  set_target_properties(${M_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests ENABLE_EXPORTS ON)
endfunction()

function(lockkeeper_tests)
  cmake_parse_arguments(M "" "PROGRAM;TIMEOUT;RESOURCE_LOCK" "UNIT;INTEGRATION;GUI;SOURCES;LINK;NEEDS" ${ARGN})
  if(LOCKKEEPER_SANITIZE) # only unit tests run under sanitizers
    set(M_INTEGRATION)
    set(M_GUI)
  endif()
  set(tests ${M_UNIT} ${M_INTEGRATION} ${M_GUI})
  if(NOT tests)
    return()
  endif()
  list(TRANSFORM tests APPEND .cpp OUTPUT_VARIABLE sources)
  target_sources(${M_PROGRAM} PRIVATE ${sources} ${M_SOURCES})
  target_link_libraries(${M_PROGRAM} PRIVATE ${M_LINK})
  if(M_NEEDS)
    add_dependencies(${M_PROGRAM} ${M_NEEDS})
  endif()
  if(NOT M_TIMEOUT)
    set(M_TIMEOUT 120)
  endif()
  set(limit ${M_TIMEOUT})
  if(limit LESS 300) # beside busy programs, and sanitized
    set(limit 300)
  endif()
  # libmongoc keeps its counters in a file named after the process, which a killed one leaves: the next process of
  # that number warns of it.
  set(environment "MONGOC_DISABLE_SHM=1;LC_ALL=C.UTF-8;LOCKKEEPER_BIN=${CMAKE_BINARY_DIR}/bin;LOCKKEEPER_SOURCE=${PROJECT_SOURCE_DIR}")
  # COST: those that may take long begin first, lest one is still running when all others are done.
  foreach(test IN LISTS tests)
    set(label unit)
    if(test IN_LIST M_INTEGRATION)
      set(label integration)
    elseif(test IN_LIST M_GUI)
      set(label gui)
      # Widget tests also run in a real window, each on a separate display.
      if(LOCKKEEPER_XVFB_RUN)
        add_test(NAME ${test}@xvfb COMMAND ${LOCKKEEPER_XVFB_RUN} -a -s "-screen 0 1920x1080x24"
          $<TARGET_FILE:${M_PROGRAM}> ${test} -o -,txt)
        set_tests_properties(${test}@xvfb PROPERTIES LABELS xvfb TIMEOUT ${limit} COST ${M_TIMEOUT}
          ENVIRONMENT "QT_QPA_PLATFORM=xcb;${environment}")
      endif()
    endif()
    add_test(NAME ${test} COMMAND ${M_PROGRAM} ${test} -o -,txt)
    set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT ${limit} COST ${M_TIMEOUT}
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;${environment}")
    if(M_RESOURCE_LOCK)
      set_tests_properties(${test} PROPERTIES RESOURCE_LOCK ${M_RESOURCE_LOCK})
    endif()
  endforeach()
endfunction()
