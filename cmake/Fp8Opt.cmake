# The three kinds of things this project builds: rooms, tools, the plugin.
# A room is a position-independent object library that links nothing; tools and the plugin are the only links.

# The headers that nearly every source file of a room above Numerics reads. Compiled once.
function(fp8opt_precompiled_headers)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/Precompiled.cpp CONTENT "// Carries the precompiled header.\n")
  add_library(fp8opt_precompiled OBJECT ${PROJECT_BINARY_DIR}/Precompiled.cpp)
  target_precompile_headers(fp8opt_precompiled PRIVATE
    $<$<NOT:$<CONFIG:Release>>:${PROJECT_SOURCE_DIR}/cmake/PackagedStatistic.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/Linalg/Utils/Utils.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Dialect/Utils/StructuredOpsUtils.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/DialectImplementation.h>
    <mlir/IR/PatternMatch.h>
    <mlir/Interfaces/FunctionInterfaces.h>
    <mlir/Pass/Pass.h>
    <mlir/Pass/PassManager.h>
    <mlir/Transforms/DialectConversion.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>
    <llvm/ADT/TypeSwitch.h>)
  # ccache compares content, not time stamps.
  target_compile_options(fp8opt_precompiled PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endfunction()

function(fp8opt_use_precompiled name)
  target_precompile_headers(${name} REUSE_FROM fp8opt_precompiled)
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  add_dependencies(${name} fp8opt-generated)
endfunction()

# fp8opt_room(NAME SOURCES... [DEPENDS TARGETS...] [PLAIN] [RUNTIME] [SEPARATE])
# PLAIN: no MLIR headers, so no precompiled header (Numerics).
# Every room is listed in the global property FP8OPT_ROOMS unless it is RUNTIME, that is, not part of the plugin, or SEPARATE,
# that is, part of the tools alone that name it under WITH: a back end of LLVM stays in a tool once something refers to it.
function(fp8opt_room name)
  cmake_parse_arguments(room "PLAIN;RUNTIME;SEPARATE" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${room_SOURCES})
  if(NOT room_PLAIN)
    fp8opt_use_precompiled(${name})
  endif()
  if(room_DEPENDS)
    add_dependencies(${name} ${room_DEPENDS})
  endif()
  if(room_SEPARATE)
    return()
  endif()
  if(room_RUNTIME)
    set_property(GLOBAL APPEND PROPERTY FP8OPT_RUNTIME_ROOMS ${name})
  else()
    set_property(GLOBAL APPEND PROPERTY FP8OPT_ROOMS ${name})
  endif()
endfunction()

# fp8opt_tool(NAME SOURCES... [RUNTIME] [WITH ROOMS...])
# A static executable that needs only libc, libm and libz. The packaged CMake targets of the static archives pull
# libMLIR.so and libLLVM.so into the same link (every type id twice), so the archives are named here.
function(fp8opt_tool name)
  cmake_parse_arguments(tool "RUNTIME" "" "SOURCES;WITH" ${ARGN})
  # Through an object library, as the precompiled header is for position-independent code, not for executables.
  add_library(${name}-main OBJECT ${tool_SOURCES})
  fp8opt_use_precompiled(${name}-main)
  add_executable(${name} $<TARGET_OBJECTS:${name}-main>)
  fp8opt_link_static(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  install(TARGETS ${name} RUNTIME DESTINATION bin)
  set_property(GLOBAL APPEND PROPERTY FP8OPT_TOOLS ${name})
endfunction()

function(fp8opt_link_static name)
  cmake_parse_arguments(tool "RUNTIME" "" "SOURCES;ROOMS;WITH" ${ARGN})
  get_property(rooms GLOBAL PROPERTY FP8OPT_ROOMS)
  list(APPEND rooms ${tool_WITH})
  if(tool_RUNTIME)
    get_property(runtime_rooms GLOBAL PROPERTY FP8OPT_RUNTIME_ROOMS)
    list(APPEND rooms ${runtime_rooms})
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_CXX_FLAGS_DEBUG MATCHES "fsanitize")
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools/SanitizerOptions.cpp)
  endif()
  file(GLOB mlir_archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a)
  list(FILTER mlir_archives EXCLUDE REGEX "libMLIR(CAPI|Python|[^/]*Test)[^/]*\\.a$")
  file(GLOB llvm_archives ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
  list(FILTER llvm_archives EXCLUDE REGEX "libLLVMTesting[^/]*\\.a$")
  target_link_options(${name} PRIVATE -fuse-ld=lld -static-libstdc++ -static-libgcc -Wl,--gc-sections)
  target_link_libraries(${name} PRIVATE ${rooms} -Wl,--start-group ${mlir_archives} ${llvm_archives} -Wl,--end-group
    ${ZLIB_LIBRARIES} libzstd.a ${CMAKE_DL_LIBS} Threads::Threads m)
endfunction()

# fp8opt_plugin(NAME SOURCES...): a module that links nothing and resolves everything in the tool that loads it.
function(fp8opt_plugin name)
  cmake_parse_arguments(plugin "" "" "SOURCES" ${ARGN})
  get_property(rooms GLOBAL PROPERTY FP8OPT_ROOMS)
  add_library(${name} MODULE ${plugin_SOURCES})
  fp8opt_use_precompiled(${name})
  target_link_libraries(${name} PRIVATE ${rooms})
  target_link_options(${name} PRIVATE -fuse-ld=lld)
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  install(TARGETS ${name} LIBRARY DESTINATION lib)
  set_property(GLOBAL APPEND PROPERTY FP8OPT_TOOLS ${name})
endfunction()

# fp8opt_unit_test(NAME SOURCES... [ROOMS ROOMS...] [RUNTIME] [WITH ROOMS...])
# A GoogleTest binary, whose name ends in Tests (lit finds it by that). With ROOMS it links those alone and no MLIR
# (Numerics); without, it links all rooms and the archives, as a tool does.
function(fp8opt_unit_test name)
  cmake_parse_arguments(unit "RUNTIME" "" "SOURCES;ROOMS;WITH" ${ARGN})
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "expected the name of a unit test to end in Tests, got ${name}")
  endif()
  if(unit_ROOMS)
    add_executable(${name} ${unit_SOURCES})
    target_link_libraries(${name} PRIVATE ${unit_ROOMS} GTest::gtest_main GTest::gtest)
    target_link_options(${name} PRIVATE -fuse-ld=lld)
  else()
    add_library(${name}-main OBJECT ${unit_SOURCES})
    fp8opt_use_precompiled(${name}-main)
    add_executable(${name} $<TARGET_OBJECTS:${name}-main>)
    # Before the archives, some of which hold a main of their own.
    target_link_libraries(${name} PRIVATE GTest::gtest_main GTest::gtest)
    fp8opt_link_static(${name} ${ARGN})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unit)
  set_property(GLOBAL APPEND PROPERTY FP8OPT_UNIT_TESTS ${name})
endfunction()

# fp8opt_tablegen(TD OUTPUT GENERATOR...): one generated header beside the description it comes from.
# A macro, as mlir_tablegen collects its outputs in the caller's scope.
macro(fp8opt_tablegen td output)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${output} ${ARGN})
endmacro()

# Makes one target of everything generated in this folder and hangs it under fp8opt-generated.
macro(fp8opt_generated name)
  add_public_tablegen_target(${name})
  add_dependencies(fp8opt-generated ${name})
endmacro()
