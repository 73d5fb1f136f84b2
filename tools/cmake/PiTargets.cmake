# Flags and helpers shared by every target of the project.

add_library(pi_flags INTERFACE)
# g++ 12 reports false positives in its own headers: it warns, clang is the judge.
target_compile_options(pi_flags INTERFACE -Wall -Wextra $<$<CXX_COMPILER_ID:Clang>:-Werror>)
target_include_directories(pi_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(PI_SANITIZE)
  target_compile_options(pi_flags INTERFACE -fsanitize=${PI_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(pi_flags INTERFACE -fsanitize=${PI_SANITIZE})
endif()
find_program(PI_LLD ld.lld-22)
if(PI_LLD AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(--ld-path=${PI_LLD})
endif()
