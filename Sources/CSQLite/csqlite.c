#include "csqlite.h"
#include <stddef.h>

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
