// What AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer do unless
// ASAN_OPTIONS, LSAN_OPTIONS and UBSAN_OPTIONS say otherwise.

extern "C" {

const char* __asan_default_options() {
  // An allocation that is too large fails, as it does without: tests ask for
  // one.
  return "allocator_may_return_null=1:"
         "detect_stack_use_after_return=1:"
         "check_initialization_order=1:strict_init_order=1";
}

const char* __ubsan_default_options() { return "print_stacktrace=1"; }

// Of libraries alone, each with its reason.
const char* __lsan_default_suppressions() {
  // The resolver of gRPC: the name of each "localhost" that it answers itself.
  return "leak:libcares.so\n";
}

}  // extern "C"
