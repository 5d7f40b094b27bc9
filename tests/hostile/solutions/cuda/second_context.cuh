// A context of its own on the same GPU, whose work nobody waits for.

#pragma once

#include "driver.cuh"

using Context = void*;

class SecondContext {
 public:
  SecondContext()
      : create_(FromDriver<int (*)(Context*, unsigned, int)>("cuCtxCreate_v2")),
        set_(FromDriver<int (*)(Context)>("cuCtxSetCurrent")),
        get_(FromDriver<int (*)(Context*)>("cuCtxGetCurrent")) {
    get_(&first_);
    // cuCtxCreate makes it current.
    made_ = create_(&second_, 0, 0) == 0;
    set_(first_);
  }
  bool made() const { return made_; }
  void Enter() {
    get_(&first_);
    set_(second_);
  }
  void Leave() { set_(first_); }

 private:
  int (*create_)(Context*, unsigned, int);
  int (*set_)(Context);
  int (*get_)(Context*);
  Context first_ = nullptr;
  Context second_ = nullptr;
  bool made_ = false;
};
