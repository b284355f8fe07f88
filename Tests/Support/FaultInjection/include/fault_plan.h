// The plan of the call that fails. It is a small file that the test and all programs map.
#ifndef FAULT_PLAN_H
#define FAULT_PLAN_H

#include <stdint.h>

// The file has 512 bytes in native byte order. Its numbers are atomic, because several processes count in the same file.
struct fault_plan {
  // The number of calls on files below the folder so far. The first call has the number 1.
  int64_t count;
  // The numbers of the first and the last failing call. No call fails while `first` is 0.
  int64_t first, last;
  // The errno value of failing calls. A negative number is a signal, which the process gets instead of the call.
  int64_t code;
  // If not 0, the first selected call writes half of its bytes (if it writes several), and the next call fails.
  int64_t half;
  // The number of calls that failed or wrote fewer bytes.
  int64_t failed;
  // The number of calls that synced a file or a folder.
  int64_t syncs;
  // The number of processes that exited through exit(3).
  int64_t exits;
  // The name of the first failed call and its file, zero-terminated.
  char name[448];
};

#endif
