# The few CMake functions that every folder uses: a folder is a library, a
# library is one target.

# Flags for our sources only; headers of others come in as SYSTEM.
add_library(llmc_flags INTERFACE)
target_compile_options(llmc_flags INTERFACE -Wall -Wextra -Werror
                       -fno-exceptions -fvisibility-inlines-hidden)
target_include_directories(llmc_flags INTERFACE ${CMAKE_SOURCE_DIR})
# Generated files come from MLIR's generators, which our warnings do not suit.
target_include_directories(llmc_flags SYSTEM INTERFACE ${CMAKE_BINARY_DIR})
target_link_options(llmc_flags INTERFACE
                    -B${LLMC_LLVM_ROOT}/bin -fuse-ld=lld)

# Everything that sees MLIR, and the one precompiled header that they share.
add_library(llmc_mlir_flags INTERFACE)
target_link_libraries(llmc_mlir_flags INTERFACE llmc_flags)
target_include_directories(llmc_mlir_flags SYSTEM INTERFACE
                           ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(llmc_mlir_flags INTERFACE ${LLVM_DEFINITIONS_LIST})

file(WRITE ${CMAKE_BINARY_DIR}/LlmcPch.cpp "")
add_library(llmc_pch OBJECT ${CMAKE_BINARY_DIR}/LlmcPch.cpp)
target_link_libraries(llmc_pch PRIVATE llmc_mlir_flags)
target_precompile_headers(llmc_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/MlirPch.h)

function(llmc_add_subdirectory_if_present dir)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${dir}/CMakeLists.txt)
    add_subdirectory(${dir})
  endif()
endfunction()

# Adds every child folder that has a CMakeLists.txt.
function(llmc_add_subdirectories)
  file(GLOB children CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
       ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  list(SORT children)
  foreach(child ${children})
    get_filename_component(dir ${child} DIRECTORY)
    add_subdirectory(${dir})
  endforeach()
endfunction()

# llmc_add_library(NAME SOURCES ... LINK ...): C++ without MLIR.
function(llmc_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC llmc_flags ${ARG_LINK})
endfunction()

# llmc_add_mlir_library(NAME SOURCES ... LINK ... DEPENDS ...): with MLIR.
function(llmc_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC llmc_mlir_flags ${ARG_LINK} MLIR LLVM)
  target_precompile_headers(${name} REUSE_FROM llmc_pch)
  add_dependencies(${name} llmc_tablegen ${ARG_DEPENDS})
endfunction()

# All generated headers hang on this target, so that libraries need not name
# those of the dialects they include.
add_custom_target(llmc_tablegen)

# llmc_tablegen_file(FILE.td OUTPUT FLAGS...): one generated .inc file beside
# the binary directory's copy of the folder.
function(llmc_tablegen_file source)
  set(LLVM_TARGET_DEFINITIONS ${source})
  set(flags ${ARGN})
  list(POP_FRONT flags output)
  mlir_tablegen(${output} ${flags} EXTRA_INCLUDES ${CMAKE_SOURCE_DIR}
                ${MLIR_INCLUDE_DIRS})
  string(MAKE_C_IDENTIFIER "${CMAKE_CURRENT_SOURCE_DIR}_${output}" id)
  add_custom_target(${id} DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${output})
  add_dependencies(llmc_tablegen ${id})
endfunction()

# llmc_add_dialect(NAME ENUMS file.td ATTRS TYPES LINK ...): the dialect of the
# folder NAME, generated from NAMEOps.td, and every .cpp of the folder.
function(llmc_add_dialect name)
  cmake_parse_arguments(ARG "ATTRS;TYPES" "ENUMS" "LINK" ${ARGN})
  string(TOLOWER ${name} dialect)
  set(ops ${name}Ops.td)
  llmc_tablegen_pair(${ops} ${name}Dialect -gen-dialect -dialect=${dialect})
  llmc_tablegen_pair(${ops} ${name}Ops -gen-op)
  if(ARG_ENUMS)
    llmc_tablegen_pair(${ARG_ENUMS} ${name}Enums -gen-enum)
  endif()
  if(ARG_ATTRS)
    llmc_tablegen_pair(${ops} ${name}Attrs -gen-attrdef
                       -attrdefs-dialect=${dialect})
  endif()
  if(ARG_TYPES)
    llmc_tablegen_pair(${ops} ${name}Types -gen-typedef
                       -typedefs-dialect=${dialect})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  llmc_add_mlir_library(LLMC${name} SOURCES ${sources} LINK ${ARG_LINK})
endfunction()

# Declarations and definitions: STEM.h.inc and STEM.cpp.inc.
function(llmc_tablegen_pair source stem generator)
  llmc_tablegen_file(${source} ${stem}.h.inc ${generator}-decls ${ARGN})
  llmc_tablegen_file(${source} ${stem}.cpp.inc ${generator}-defs ${ARGN})
endfunction()

# llmc_add_tool(NAME SOURCES ... LINK ...): a thin main in build/bin.
function(llmc_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE llmc_mlir_flags ${ARG_LINK} MLIR LLVM)
  target_precompile_headers(${name} REUSE_FROM llmc_pch)
  # The header is compiled with -fPIC; CMake would say -fPIE here.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  add_dependencies(${name} llmc_tablegen)
endfunction()

# llmc_add_unit_test(NAME SOURCES ... LINK ...): a GoogleTest executable.
find_package(GTest REQUIRED)
add_custom_target(llmc-unit-tests)
function(llmc_add_unit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE llmc_flags ${ARG_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
                        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unit)
  add_dependencies(llmc-unit-tests ${name})
endfunction()
