internal import Platform

/// The process that is about to own the state.
enum OwnerProcess {
  /// Protects the secrets in this process's memory, and keeps it running without a reader of its output.
  static func prepare() {
    CoreFiles.forbid()
    // Standard output can be a pipe. Even if its reader exits, an unfinished login must continue.
    Terminal.surviveFailedWrites()
    IdleMemory.shareHeap()
  }
}
