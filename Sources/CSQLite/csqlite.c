#include "late_binding.h"
// Ours alone: a library that is loaded later and wants these functions gets the real ones.
#pragma GCC visibility push(hidden)
#include <sqlite3.h>

static struct late_library sqlite = {"libsqlite3.so.0", "libsqlite3-0", NULL};

int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *vfs) {
  return LATE(sqlite, sqlite3_open_v2)(path, database, flags, vfs);
}
int sqlite3_close_v2(sqlite3 *database) { return LATE(sqlite, sqlite3_close_v2)(database); }
int sqlite3_busy_timeout(sqlite3 *database, int milliseconds) {
  return LATE(sqlite, sqlite3_busy_timeout)(database, milliseconds);
}
int csqlite_set_lookaside(sqlite3 *database, int size, int count) {
  return LATE(sqlite, sqlite3_db_config)(database, SQLITE_DBCONFIG_LOOKASIDE, NULL, size, count);
}
int csqlite_last_errno(sqlite3 *database) {
  int code = 0;
  if (LATE(sqlite, sqlite3_file_control)(database, "main", SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK && code) return code;
  sqlite3_file *log = NULL;
  if (LATE(sqlite, sqlite3_file_control)(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log &&
      log->pMethods && log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK)
    return code;
  return 0;
}
int csqlite_set_flag(sqlite3 *database, int option, int value) {
  return LATE(sqlite, sqlite3_db_config)(database, option, value, NULL);
}
int sqlite3_limit(sqlite3 *database, int limit, int value) { return LATE(sqlite, sqlite3_limit)(database, limit, value); }
void sqlite3_progress_handler(sqlite3 *database, int steps, int (*handler)(void *), void *context) {
  LATE(sqlite, sqlite3_progress_handler)(database, steps, handler, context);
}
int sqlite3_exec(
    sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **words) {
  return LATE(sqlite, sqlite3_exec)(database, sql, row, context, words);
}
int sqlite3_db_release_memory(sqlite3 *database) { return LATE(sqlite, sqlite3_db_release_memory)(database); }
int sqlite3_wal_checkpoint_v2(sqlite3 *database, const char *name, int mode, int *frames, int *done) {
  return LATE(sqlite, sqlite3_wal_checkpoint_v2)(database, name, mode, frames, done);
}
void *sqlite3_wal_hook(sqlite3 *database, int (*hook)(void *, sqlite3 *, const char *, int), void *context) {
  return LATE(sqlite, sqlite3_wal_hook)(database, hook, context);
}
int sqlite3_get_autocommit(sqlite3 *database) { return LATE(sqlite, sqlite3_get_autocommit)(database); }
sqlite3_int64 sqlite3_changes64(sqlite3 *database) { return LATE(sqlite, sqlite3_changes64)(database); }
sqlite3_int64 sqlite3_last_insert_rowid(sqlite3 *database) {
  return LATE(sqlite, sqlite3_last_insert_rowid)(database);
}
const char *sqlite3_errmsg(sqlite3 *database) { return LATE(sqlite, sqlite3_errmsg)(database); }
const char *sqlite3_errstr(int code) { return LATE(sqlite, sqlite3_errstr)(code); }
int sqlite3_extended_errcode(sqlite3 *database) { return LATE(sqlite, sqlite3_extended_errcode)(database); }
int sqlite3_system_errno(sqlite3 *database) { return LATE(sqlite, sqlite3_system_errno)(database); }

int sqlite3_prepare_v3(
    sqlite3 *database, const char *sql, int length, unsigned int flags, sqlite3_stmt **statement, const char **rest) {
  return LATE(sqlite, sqlite3_prepare_v3)(database, sql, length, flags, statement, rest);
}
int sqlite3_step(sqlite3_stmt *statement) { return LATE(sqlite, sqlite3_step)(statement); }
int sqlite3_reset(sqlite3_stmt *statement) { return LATE(sqlite, sqlite3_reset)(statement); }
int sqlite3_finalize(sqlite3_stmt *statement) { return LATE(sqlite, sqlite3_finalize)(statement); }
sqlite3 *sqlite3_db_handle(sqlite3_stmt *statement) { return LATE(sqlite, sqlite3_db_handle)(statement); }

int sqlite3_clear_bindings(sqlite3_stmt *statement) { return LATE(sqlite, sqlite3_clear_bindings)(statement); }
int sqlite3_bind_parameter_count(sqlite3_stmt *statement) {
  return LATE(sqlite, sqlite3_bind_parameter_count)(statement);
}
int sqlite3_bind_null(sqlite3_stmt *statement, int place) { return LATE(sqlite, sqlite3_bind_null)(statement, place); }
int sqlite3_bind_int64(sqlite3_stmt *statement, int place, sqlite3_int64 value) {
  return LATE(sqlite, sqlite3_bind_int64)(statement, place, value);
}
int sqlite3_bind_text64(
    sqlite3_stmt *statement, int place, const char *text, sqlite3_uint64 length, void (*release)(void *),
    unsigned char encoding) {
  return LATE(sqlite, sqlite3_bind_text64)(statement, place, text, length, release, encoding);
}
int sqlite3_bind_blob64(
    sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 length, void (*release)(void *)) {
  return LATE(sqlite, sqlite3_bind_blob64)(statement, place, bytes, length, release);
}
int sqlite3_bind_zeroblob(sqlite3_stmt *statement, int place, int length) {
  return LATE(sqlite, sqlite3_bind_zeroblob)(statement, place, length);
}

int sqlite3_column_count(sqlite3_stmt *statement) { return LATE(sqlite, sqlite3_column_count)(statement); }
int sqlite3_column_type(sqlite3_stmt *statement, int column) {
  return LATE(sqlite, sqlite3_column_type)(statement, column);
}
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *statement, int column) {
  return LATE(sqlite, sqlite3_column_int64)(statement, column);
}
const void *sqlite3_column_blob(sqlite3_stmt *statement, int column) {
  return LATE(sqlite, sqlite3_column_blob)(statement, column);
}
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column) {
  return LATE(sqlite, sqlite3_column_text)(statement, column);
}
int sqlite3_column_bytes(sqlite3_stmt *statement, int column) {
  return LATE(sqlite, sqlite3_column_bytes)(statement, column);
}
