import Dispatch
import Folders
import Glibc
import Platform
import TestSupport
import Testing

@Suite struct OwnerLockTests {
  @Test("while a process holds the owner lock, a second process can determine which process holds it")
  func taken() async {
    let folder = TemporaryFolder()
    // This test runs in a separate process, because a child that another test starts at this moment would share the lock until its exec.
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let daemon = Owner(processID: getpid(), controlSocket: "/run/\"x\"/control.socket", command: "daemon")
      let home = StorageHome(path)
      guard case .held(let lock) = try OwnerLock.take(home.layout, as: daemon) else {
        Issue.record("the lock was free")
        return
      }
      switch try OwnerLock.take(home.layout, as: Owner(processID: getpid(), controlSocket: nil, command: "refresh")) {
      case .held: Issue.record("two owners")
      case .taken(let owner): #expect(owner == daemon)
      }
      #expect(OwnerLock.currentOwner(home.layout) == daemon)
      #expect(try permissions(home.layout.lock) == 0o600)
      #expect(try permissions(home.layout.stateFolder) == 0o700)
      _ = consume lock
      #expect(OwnerLock.currentOwner(home.layout) == nil)
    }
    withExtendedLifetime(folder) {}
  }

  @Test("a killed process no longer holds the owner lock, regardless of the lock file's content")
  func killed() async throws {
    let folder = TemporaryFolder()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lock = try OwnerLock.take(
        StorageHome(path).layout, as: Owner(processID: getpid(), controlSocket: nil, command: "login"))
      if case .held = lock { kill(getpid(), SIGKILL) }
    }
    #expect(OwnerLock.currentOwner(StorageHome(folder).layout) == nil)
    let daemon = Owner(processID: getpid(), controlSocket: nil, command: "daemon")
    guard case .held = try OwnerLock.take(StorageHome(folder).layout, as: daemon) else {
      Issue.record("a killed process holds the lock")
      return
    }
  }

  @Test("the owner lock's holder can change the socket path in the lock file, even to a shorter one")
  func renamed() async {
    let folder = TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let layout = StorageHome(path).layout
      let long = Owner(
        processID: getpid(), controlSocket: "/" + String(repeating: "x", count: 200), command: "daemon --once")
      guard case .held(let lock) = try OwnerLock.take(layout, as: long) else {
        Issue.record("the lock was free")
        return
      }
      let short = Owner(processID: getpid(), controlSocket: "/s", command: "daemon --once")
      try lock.name(short)
      #expect(OwnerLock.currentOwner(layout) == short)
      #expect(!short.isService)
      _ = consume lock
    }
    withExtendedLifetime(folder) {}
  }

  @Test("a process can wait until the owner lock's holder exits, and does not wait if the lock is free")
  func waiting() async {
    let folder = TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let layout = StorageHome(path).layout
      guard
        case .held(let lock) = try OwnerLock.take(
          layout, as: Owner(processID: getpid(), controlSocket: nil, command: "login"))
      else {
        Issue.record("the lock was free")
        return
      }
      let ended = Locked(false)
      let isOver = DispatchSemaphore(value: 0)
      DispatchQueue(label: "waits").async { @Sendable in
        try? OwnerLock.waitForRelease(layout)
        #expect(ended.withLock { $0 })
        isOver.signal()
      }
      #expect(isOver.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
      ended.withLock { $0 = true }
      _ = consume lock
      #expect(isOver.wait(timeout: .now() + .seconds(60)) == .success)
      try OwnerLock.waitForRelease(layout)
    }
    withExtendedLifetime(folder) {}
  }
}
