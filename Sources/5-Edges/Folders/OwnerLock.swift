internal import Glibc
package import Platform

/// The lock on the state (`STATE/lock`). Its holder owns the state until this value is destroyed or the process exits.
package struct OwnerLock: ~Copyable {
  private let lock: FileLock

  /// The result of trying to acquire the lock.
  package enum Outcome: ~Copyable {
    case held(OwnerLock)
    /// Another process holds the lock; `nil` if the file does not identify it.
    case taken(by: Owner?)
  }

  /// Tries to acquire the lock without waiting, creating the state folder if it does not exist.
  package static func take(_ layout: FileLayout, as owner: Owner) throws(SystemError) -> Outcome {
    try Folder.create(layout.stateFolder)
    // The state owner also writes to these folders. Files that other users prepared there must not be used.
    for folder in [layout.dataFolder, layout.cacheFolder] where File.exists(folder) { try Folder.checkTrust(folder) }
    var attempt = 1
    while true {
      switch try FileLock.take(layout.lock, text: owner.text) {
      case .held(let lock): return .held(OwnerLock(lock: lock))
      case .taken(let text):
        // For some microseconds, the text may not identify a running process: the owner has not written it yet, or a reader holds a shared
        // lock.
        let other = Owner(text: text)
        if attempt == 20 || other.map({ ProcessEnvironment.isRunning($0.processID) }) == true {
          return .taken(by: other)
        }
        attempt += 1
        usleep(5000)
      }
    }
  }

  /// Updates the description of this process in the lock file, such as the path of its control socket.
  package borrowing func name(_ owner: Owner) throws(SystemError) { try lock.replaceText(by: owner.text) }

  /// Returns the current holder of the lock; `nil` if there is none or the file does not identify it.
  package static func currentOwner(_ layout: FileLayout) -> Owner? {
    FileLock.holder(layout.lock).flatMap { Owner(text: $0) }
  }

  /// Waits until the lock is released. By then, another process may have acquired it.
  package static func waitForRelease(_ layout: FileLayout) throws(SystemError) {
    try FileLock.waitForRelease(layout.lock)
  }
}
