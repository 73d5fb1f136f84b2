# LLVM, MLIR and lld of Debian's 22 packages. Every program links the shared libraries but
# the released one, which links the archives (tools/release).

list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(PI_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})

add_library(pi_mlir INTERFACE)
target_include_directories(pi_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS}
  ${PROJECT_BINARY_DIR}) # generated .inc files are not held to our warnings
target_compile_definitions(pi_mlir INTERFACE ${PI_LLVM_DEFINITIONS})
target_link_libraries(pi_mlir INTERFACE pi_flags)

# Headers that nearly every file of the compiler includes, parsed once.
file(WRITE ${PROJECT_BINARY_DIR}/pi_pch.cpp "// Holds the precompiled header.\n")
add_library(pi_pch OBJECT ${PROJECT_BINARY_DIR}/pi_pch.cpp)
target_link_libraries(pi_pch PRIVATE pi_mlir)
target_precompile_headers(pi_pch PRIVATE
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/DialectImplementation.h>
  <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h>)

# pi_mlir_library(name SOURCES... [DEPENDS tablegen-targets...] [LINK libraries...])
function(pi_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC pi_mlir ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM pi_pch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# pi_mlir_tool(name SOURCES... [LINK libraries...]): an executable in build/bin.
function(pi_mlir_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM pi_pch)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} pi_mlir MLIR LLVM)
endfunction()

# pi_tablegen(target dir file generator out [generator out]...): files into the build
# tree at the same relative path, e.g. dialects/Pi/IR/PiOps.h.inc.
function(pi_tablegen target td)
  set(outs)
  set(args ${ARGN})
  get_filename_component(dir ${td} DIRECTORY)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${dir})
  file(GLOB_RECURSE deps ${PROJECT_SOURCE_DIR}/dialects/*.td)
  while(args)
    list(POP_FRONT args out)
    list(POP_FRONT args flags)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${dir}/${out}
      COMMAND ${MLIR_TABLEGEN_EXE} ${flags} -I ${PROJECT_SOURCE_DIR} -I ${MLIR_INCLUDE_DIRS}
              ${PROJECT_SOURCE_DIR}/${td} -o ${PROJECT_BINARY_DIR}/${dir}/${out}
      DEPENDS ${PROJECT_SOURCE_DIR}/${td} ${deps})
    list(APPEND outs ${PROJECT_BINARY_DIR}/${dir}/${out})
  endwhile()
  add_custom_target(${target} DEPENDS ${outs})
endfunction()

# pi_passes(target td Group): declarations of the passes in `td`, as
# <dir>/<stem>.h.inc; include it after GEN_PASS_DECL, GEN_PASS_DEF_X or
# GEN_PASS_REGISTRATION (register<Group>Passes()).
function(pi_passes target td group)
  get_filename_component(stem ${td} NAME_WE)
  pi_tablegen(${target} ${td} ${stem}.h.inc "-gen-pass-decls -name=${group}")
endfunction()
