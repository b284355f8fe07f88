// SQLite. Programs that use this header are linked with it.
#pragma once
#include <sqlite3.h>
#include <stddef.h>

/// Turns off SQLite's counters of memory (SQLITE_CONFIG_MEMSTATUS), which nothing reads: for them, it would lock a mutex twice for each piece of
/// memory. Call this before the first connection is opened. Thread-safe.
void csqlite_configure(void);

/// sqlite3_db_config(SQLITE_DBCONFIG_LOOKASIDE) with a buffer that SQLite allocates. Swift cannot call the variadic function.
int csqlite_set_lookaside(sqlite3 *database, int size, int count);

/// The errno of the last failed system call on the database's file or, if none failed there, on its write-ahead log; 0 if none failed.
/// sqlite3_system_errno(3) does not return it after a failed commit.
int csqlite_last_errno(sqlite3 *database);

/// Releases the memory that the index of the database's write-ahead log is mapped into, 32 KiB for each 4,096 pages (madvise(2),
/// MADV_DONTNEED). The index itself is in a file and remains valid: the next access maps its pages again. The database must be in WAL
/// mode and must have been read.
void csqlite_release_log_index(sqlite3 *database);

/// sqlite3_db_config(3) for boolean options: 1 enables, 0 disables.
int csqlite_set_flag(sqlite3 *database, int option, int value);

/// memmem(3), which Swift does not import. Returns NULL if the mark does not occur.
const void *csqlite_find(const void *bytes, size_t count, const void *mark, size_t length);

/// The name of a file layer for sqlite3_open_v2(3) that writes a write-ahead log with few calls; NULL, which means SQLite's own layer, if it
/// cannot be used. Thread-safe.
const char *csqlite_log_vfs(void);
