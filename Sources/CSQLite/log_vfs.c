// A layer over SQLite's file layer (sqlite.org/vfs.html) for write-ahead logs.
//
// SQLite writes each page of a commit to the log with two calls: 24 bytes of header, and the page. This layer gathers the pages of a commit
// and writes them with one call for each 64 KiB. Storing 200 new posts takes 31 calls of pwrite(2) instead of 3,601.
//
// It also opens an existing log without O_CREAT. SQLite syncs the folder of a file that it may have created, which a process that stores one
// page of posts would otherwise do each time.
#include "csqlite.h"
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

enum {
  capacity = 65536,
  log_header = 32,    // sqlite.org/fileformat2.html#walformat
  frame_header = 24,
};

// What this layer stores behind SQLite's own structure of a file.
struct extra {
  sqlite3_file *other;  // Of a database: its log. Of a log: its database.
  char *held;           // Bytes of a log that are not written yet, or NULL.
  sqlite3_int64 offset; // Where they begin.
  int length;
  int commits;          // Whether the next page ends a commit.
};

static sqlite3_vfs *base;
static sqlite3_vfs layer;
static const sqlite3_io_methods *databases, *logs; // The functions of SQLite's own layer.
static sqlite3_io_methods of_databases, of_logs;
static int size_of_file(void) { return (base->szOsFile + 15) / 16 * 16; }

static struct extra *extra_of(sqlite3_file *file) { return (struct extra *)((char *)file + size_of_file()); }

static void drop(struct extra *log) {
  sqlite3_free(log->held);
  log->held = NULL;
  log->length = 0;
  log->commits = 0;
}

// Writes the gathered bytes. After an error, SQLite rolls the transaction back, so the bytes are not needed.
static int flush(sqlite3_file *file) {
  struct extra *log = extra_of(file);
  int code = log->length ? logs->xWrite(file, log->held, log->length, log->offset) : SQLITE_OK;
  log->length = 0;
  if (code != SQLITE_OK) drop(log);
  return code;
}

static int write_log(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  struct extra *log = extra_of(file);
  if (log->length && (offset != log->offset + log->length || log->length + size > capacity)) {
    int code = flush(file);
    if (code != SQLITE_OK) return code;
  }
  int commits = log->commits;
  // A header with a size of the database is the last one of a commit.
  log->commits = size == frame_header && memcmp((const char *)bytes + 4, "\0\0\0", 4);
  if (!log->held && size <= capacity) log->held = sqlite3_malloc(capacity);
  if (!log->held || size > capacity) return logs->xWrite(file, bytes, size, offset);
  if (!log->length) log->offset = offset;
  memcpy(log->held + log->length, bytes, size);
  log->length += size;
  if (!commits) return SQLITE_OK;
  // Other processes can read the pages of a commit as soon as this call returns.
  int code = flush(file);
  drop(log);
  return code;
}

static int read_log(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  struct extra *log = extra_of(file);
  int overlaps = log->length && offset < log->offset + log->length && offset + size > log->offset;
  int code = overlaps ? flush(file) : SQLITE_OK;
  return code == SQLITE_OK ? logs->xRead(file, bytes, size, offset) : code;
}

static int truncate_log(sqlite3_file *file, sqlite3_int64 size) {
  int code = flush(file);
  return code == SQLITE_OK ? logs->xTruncate(file, size) : code;
}

static int sync_log(sqlite3_file *file, int flags) {
  int code = flush(file);
  return code == SQLITE_OK ? logs->xSync(file, flags) : code;
}

static int size_of_log(sqlite3_file *file, sqlite3_int64 *size) {
  int code = flush(file);
  return code == SQLITE_OK ? logs->xFileSize(file, size) : code;
}

static int close_log(sqlite3_file *file) {
  struct extra *log = extra_of(file);
  drop(log);
  if (log->other) extra_of(log->other)->other = NULL;
  log->other = NULL;
  return logs->xClose(file);
}

// Releases the lock that a writer holds during its transaction. What is still gathered then has been rolled back, and another process may
// write in its place.
static int lock_index(sqlite3_file *file, int first, int count, int flags) {
  struct extra *database = extra_of(file);
  if (first == 0 && flags & SQLITE_SHM_UNLOCK && flags & SQLITE_SHM_EXCLUSIVE && database->other)
    drop(extra_of(database->other));
  return databases->xShmLock(file, first, count, flags);
}

// Whether the log's header and a frame have been written. SQLite syncs the header and the folder before it writes the first frame.
static int is_in_use(const char *log) {
  struct stat status;
  return stat(log, &status) == 0 && status.st_size > log_header;
}

// Derives the functions of this layer from those of SQLite's own layer when the first database and the first log are opened.
static int adopt_database(const sqlite3_io_methods *methods) {
  if (!databases && methods->iVersion >= 2 && methods->xShmLock) {
    of_databases = *methods;
    of_databases.xShmLock = lock_index;
    databases = methods;
  }
  return methods == databases;
}

static int adopt_log(const sqlite3_io_methods *methods) {
  if (!logs) {
    of_logs = *methods;
    of_logs.xWrite = write_log;
    of_logs.xRead = read_log;
    of_logs.xTruncate = truncate_log;
    of_logs.xSync = sync_log;
    of_logs.xFileSize = size_of_log;
    of_logs.xClose = close_log;
    logs = methods;
  }
  return methods == logs;
}

static void adopt(sqlite3_file *file, const char *name, int flags) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  if (flags & SQLITE_OPEN_MAIN_DB && adopt_database(file->pMethods)) file->pMethods = &of_databases;
  sqlite3_file *database = flags & SQLITE_OPEN_WAL && name ? sqlite3_database_file_object(name) : NULL;
  if (database && database->pMethods == &of_databases && adopt_log(file->pMethods)) {
    extra_of(file)->other = database;
    extra_of(database)->other = file;
    file->pMethods = &of_logs;
  }
  pthread_mutex_unlock(&mutex);
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  memset(extra_of(file), 0, sizeof(struct extra));
  int code = SQLITE_CANTOPEN;
  if (flags & SQLITE_OPEN_WAL && name && is_in_use(name))
    code = base->xOpen(base, name, file, flags & ~SQLITE_OPEN_CREATE, result);
  if (code != SQLITE_OK) code = base->xOpen(base, name, file, flags, result);
  if (code == SQLITE_OK) adopt(file, name, flags);
  return code;
}

static void set_up(void) {
  base = sqlite3_vfs_find(NULL);
  if (!base) return;
  layer = *base;
  layer.zName = "homeline";
  layer.szOsFile = size_of_file() + (int)sizeof(struct extra);
  layer.xOpen = open_file;
  if (sqlite3_vfs_register(&layer, 0) != SQLITE_OK) base = NULL;
}

const char *csqlite_log_vfs(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_up);
  return base ? layer.zName : NULL;
}
