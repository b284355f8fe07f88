import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct FileLockTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/lock" }

  @Test("a lock file identifies its holder while it is held, and is free once it is released")
  func held() throws {
    do {
      guard case .held(let lock) = try FileLock.take(path, text: "first") else {
        Issue.record("the lock is not free")
        return
      }
      #expect(FileLock.holder(path) == "first")
      switch try FileLock.take(path, text: "second") {
      case .held: Issue.record("two processes hold the lock")
      case .taken(let by): #expect(by == "first")
      }
      _ = consume lock
    }
    #expect(FileLock.holder(path) == nil)
    guard case .held = try FileLock.take(path, text: "third") else {
      Issue.record("the lock is not free again")
      return
    }
  }

  @Test("a released file lock is free even while a child process has a copy of the descriptor")
  func copied() throws {
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    do {
      guard case .held(let lock) = try FileLock.take(path, text: "first") else {
        Issue.record("the lock is not free")
        return
      }
      // All descriptors are opened first, because a copy may get a number that another thread has just released.
      let held = try Folder.names(in: "/proc/self/fd").compactMap { Int32($0) }.filter {
        (try? ProcessEnvironment.linkTarget("/proc/self/fd/\($0)")) == path
      }
      try #require(held.count == 1)
      copies = held.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
      _ = consume lock
    }
    #expect(FileLock.holder(path) == nil)
  }

  @Test("a missing lock file has no holder")
  func absent() { #expect(FileLock.holder("\(folder.path)/none") == nil) }
}
