//===- TinyRuntime.cpp - Stands for libpi_runtime.a -===//
// Uses what the real one may: streams of the C library, libm, threads, exceptions.

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

extern "C" const int pi_program_v1;

thread_local int perThread = 1;

int main(int argc, char **argv) {
  int sum = 0;
  std::thread worker([&] { sum = perThread + pi_program_v1; });
  worker.join();
  std::string text;
  try {
    throw std::runtime_error("caught");
  } catch (const std::exception &error) {
    text = error.what();
  }
  std::printf("%s %d %.3f %d\n", text.c_str(), sum, std::exp(double(argc)), argv[0] != nullptr);
  return 0;
}
