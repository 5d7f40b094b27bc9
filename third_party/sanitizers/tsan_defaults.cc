// What ThreadSanitizer does unless TSAN_OPTIONS says otherwise.

extern "C" {

const char* __tsan_default_options() {
  // An allocation that is too large fails, as it does without: a test asks for
  // one.
  return "allocator_may_return_null=1:"
         "second_deadlock_stack=1:history_size=4";
}

// The system's libraries were compiled without it: of what orders their threads
// it sees calls of the C library alone, but no atomic variable. So what such a
// library itself frees, copies and locks is left out. What our functions do is
// not, where a library calls them neither. No other kind of suppression is
// wanted here: it would hide races of our own that have a frame in common.
const char* __tsan_default_suppressions() {
  // Requests, answers and calls, which go from thread to thread.
  return "called_from_lib:libgrpc.so\n"
         "called_from_lib:libgrpc++.so\n"
         "called_from_lib:libgpr.so\n"
         "called_from_lib:libupb.so\n"
         "called_from_lib:libprotobuf.so\n"
         // Texts and statuses, whose counts of owners are atomic.
         "called_from_lib:libabsl_status.so\n"
         "called_from_lib:libabsl_strings.so\n"
         "called_from_lib:libabsl_cord.so\n"
         // Made once for all, by whoever logs first.
         "called_from_lib:libabsl_time_zone.so\n";
}

}  // extern "C"
