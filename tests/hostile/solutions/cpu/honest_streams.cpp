// Honest: C++ streams, static objects with constructors, and exceptions.
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "operators.h"

namespace {

struct Greeting {
  Greeting() { std::cout << "loaded\n"; }
  ~Greeting() { std::cout << "unloaded\n"; }
};
const Greeting greeting;

int Factor() {
  try {
    throw std::runtime_error("2");
  } catch (const std::runtime_error& error) {
    std::istringstream text(error.what());
    int factor = 0;
    text >> factor;
    return factor;
  }
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  const auto factor = static_cast<float>(Factor());
  for (int64_t i = 0; i < Count(x); ++i) Out(y)[i] = In(x)[i] * factor;
  return 0;
}
