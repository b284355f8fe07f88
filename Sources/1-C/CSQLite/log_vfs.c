// A layer over SQLite's file layer (sqlite.org/vfs.html) for write-ahead logs.
//
// SQLite writes each page of a commit to the log with two calls: 24 bytes of header, and the page. This layer gathers the pages of a commit
// and writes them with one call for each 64 KiB. Storing 200 new posts takes 31 calls of pwrite(2) instead of 3,601.
//
// SQLite syncs the folder of a file that it may have created. This layer opens logs without O_CREAT once they exist, because a process that
// stores one page of posts would otherwise sync the folder each time. It syncs the folder of a new log when SQLite syncs the log's header,
// in place of the header: only a restarted log, behind whose header are pages of its former content, needs the header on the disk first.
#include "csqlite.h"
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
  const char *new_log;  // The path of a log that had no page when it was opened, or NULL once this connection has written to it.
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
  if (log->length) log->new_log = NULL;
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

// Syncs the folder of a file. Like SQLite, this ignores a folder that cannot be opened.
static int sync_folder(const char *file) {
  char path[PATH_MAX];
  const char *slash = strrchr(file, '/');
  if (!slash || slash == file || slash - file >= PATH_MAX) return SQLITE_OK;
  memcpy(path, file, slash - file);
  path[slash - file] = 0;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return SQLITE_OK;
  int failed = fdatasync(folder);
  close(folder);
  return failed ? SQLITE_IOERR_DIR_FSYNC : SQLITE_OK;
}

// Whether a log has no page, and its header is gathered. Another process may have written pages since the log was opened.
static int is_beginning(sqlite3_file *file) {
  struct extra *log = extra_of(file);
  sqlite3_int64 size;
  return log->new_log && !log->offset && log->length == log_header && logs->xFileSize(file, &size) == SQLITE_OK && size <= log_header;
}

static int sync_log(sqlite3_file *file, int flags) {
  if (is_beginning(file)) return sync_folder(extra_of(file)->new_log);
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

// Whether a log is missing or has no page.
static int is_empty(const char *log) {
  struct stat status;
  return stat(log, &status) || status.st_size <= log_header;
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

static int open_log(const char *name, sqlite3_file *file, int flags, int *result) {
  int is_new = is_empty(name);
  // SQLite gives a file that it creates the mode of its database.
  int code = is_new ? base->xOpen(base, name, file, flags, result) : SQLITE_OK;
  if (code != SQLITE_OK) return code;
  if (is_new) file->pMethods->xClose(file);
  code = base->xOpen(base, name, file, flags & ~SQLITE_OPEN_CREATE, result);
  if (is_new) extra_of(file)->new_log = name;
  return code;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  memset(extra_of(file), 0, sizeof(struct extra));
  int code = flags & SQLITE_OPEN_WAL && name ? open_log(name, file, flags, result) : base->xOpen(base, name, file, flags, result);
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
