// How a test and the programs that it runs agree on which call is to fail: a small file that all of them have mapped.
#ifndef FAULT_PLAN_H
#define FAULT_PLAN_H

#include <stdint.h>

// 512 bytes, in the machine's byte order. Numbers are atomic: several processes count in one file.
struct fault_plan {
  // Calls so far that touch files below the folder, the first one is 1.
  int64_t count;
  // The first and the last call that fails; none while `first` is 0.
  int64_t first, last;
  // What a call that fails sets errno to.
  int64_t code;
  // Not 0: the first one, if it writes several bytes, writes half of them, and the one behind it fails.
  int64_t half;
  // How many have failed, or fallen short.
  int64_t failed;
  // How many of the calls brought a file or a folder to the disk.
  int64_t syncs;
  // How many processes have ended by way of exit(3).
  int64_t exits;
  // The first one that did: the call and its file, ended by a zero.
  char name[448];
};

#endif
