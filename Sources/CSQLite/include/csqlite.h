// SQLite, which whatever uses this is linked with.
#pragma once
#include <sqlite3.h>

/// sqlite3_db_config(SQLITE_DBCONFIG_LOOKASIDE) with a buffer of SQLite's own, which is variadic and so out of Swift's reach.
int csqlite_set_lookaside(sqlite3 *database, int size, int count);

/// The errno of the last system call that failed on the database's file, or else on its write-ahead log; 0 where none has.
/// sqlite3_system_errno(3) does not know it after a commit that failed.
int csqlite_last_errno(sqlite3 *database);

/// sqlite3_db_config(3) for the options that are a switch; 1 turns one on, 0 off.
int csqlite_set_flag(sqlite3 *database, int option, int value);
