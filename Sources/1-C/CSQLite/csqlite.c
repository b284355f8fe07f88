#define _GNU_SOURCE
#include "csqlite.h"
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

static void configure(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

void csqlite_configure(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, configure);
}

int csqlite_set_lookaside(sqlite3 *database, int size, int count) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, NULL, size, count);
}

int csqlite_last_errno(sqlite3 *database) {
  int code = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK && code) return code;
  sqlite3_file *log = NULL;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log &&
      log->pMethods && log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK)
    return code;
  return 0;
}

int csqlite_set_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, NULL);
}

const void *csqlite_find(const void *bytes, size_t count, const void *mark, size_t length) {
  return memmem(bytes, count, mark, length);
}

void csqlite_release_log_index(sqlite3 *database) {
  // The size of a region of the index (sqlite.org/walformat.html#the_wal_index_file_format), which SQLite maps as a whole.
  enum { region_size = 32768, most_regions = 64 };
  sqlite3_file *file = NULL;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file) return;
  if (!file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return;
  for (int region = 0; region < most_regions; region++) {
    void volatile *memory = NULL;
    if (file->pMethods->xShmMap(file, region, region_size, 0, &memory) != SQLITE_OK || !memory) return;
    madvise((void *)memory, region_size, MADV_DONTNEED);
  }
}
