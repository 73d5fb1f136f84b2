//===- Clock.h - Elapsed time ---------------------------------------------===//

#ifndef PI_RUNTIME_MAIN_CLOCK_H
#define PI_RUNTIME_MAIN_CLOCK_H

#include <chrono>
#include <cstddef>

namespace pi {

/// Starts when it is made.
class Clock {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// 0 where no time has passed.
inline double perSecond(size_t count, double milliseconds) {
  return milliseconds > 0 ? static_cast<double>(count) * 1000 / milliseconds : 0;
}

} // namespace pi

#endif // PI_RUNTIME_MAIN_CLOCK_H
