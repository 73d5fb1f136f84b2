# Target pi_sysroot: build/sysroot, what pi-compile links executables against. Made from
# the build machine's own files, so that a user's machine needs no compiler.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(PI_SYSROOT ${PROJECT_BINARY_DIR}/sysroot)
# Copied as they are: start-up objects and static libraries.
set(PI_SYSROOT_COPIED Scrt1.o crti.o crtn.o crtbeginS.o crtendS.o libstdc++.a libgcc.a
  libgcc_eh.a libc_nonshared.a)
# Only names and versions of their symbols: see tools/scripts/make_link_stub.py.
set(PI_SYSROOT_STUBS libc.so.6 libm.so.6 ld-linux-x86-64.so.2)

# pi_find_toolchain_file(variable name): where the C++ compiler finds a file.
function(pi_find_toolchain_file variable name)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${name}
    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT IS_ABSOLUTE "${path}" OR NOT EXISTS "${path}")
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} does not find ${name}; install g++ and libc6-dev")
  endif()
  set(${variable} "${path}" PARENT_SCOPE)
endfunction()

set(outs)
foreach(name ${PI_SYSROOT_COPIED})
  pi_find_toolchain_file(path ${name})
  add_custom_command(OUTPUT ${PI_SYSROOT}/${name} DEPENDS ${path}
    COMMAND ${CMAKE_COMMAND} -E copy ${path} ${PI_SYSROOT}/${name})
  list(APPEND outs ${PI_SYSROOT}/${name})
endforeach()
foreach(name ${PI_SYSROOT_STUBS})
  pi_find_toolchain_file(path ${name})
  set(script ${PROJECT_SOURCE_DIR}/tools/scripts/make_link_stub.py)
  add_custom_command(OUTPUT ${PI_SYSROOT}/${name} DEPENDS ${path} ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PI_SYSROOT}
    COMMAND ${Python3_EXECUTABLE} ${script} ${path} ${PI_SYSROOT}/${name})
  list(APPEND outs ${PI_SYSROOT}/${name})
endforeach()
add_custom_target(pi_sysroot ALL DEPENDS ${outs})
set_property(TARGET pi_sysroot PROPERTY PI_FILES ${outs}) # for tools/release
