// The functions that are called must stand in csqlite.c: the program is not linked with the library.
#pragma once
#include <sqlite3.h>

/// sqlite3_db_config(SQLITE_DBCONFIG_LOOKASIDE) with a buffer of SQLite's own, which is variadic and so out of Swift's reach.
int csqlite_set_lookaside(sqlite3 *database, int size, int count);
