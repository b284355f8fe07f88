import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(2))) struct FolderWatchTests {
  private let home = TemporaryFolder()
  private var folder: String { "\(home.path)/a/b" }

  /// Returns a watch on the folder, and the changes that it reports.
  private func watch() throws -> (FolderWatch, AsyncStream<FolderChange>.Iterator) {
    let queue = DispatchQueue(label: "watch")
    let (changes, continuation) = AsyncStream<FolderChange>.makeStream()
    let watch = try FolderWatch(folder, on: queue) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      continuation.yield(change)
    }
    return (watch, changes.makeAsyncIterator())
  }

  private func publish(_ name: String) throws {
    try AtomicFile.write(Array("x".utf8), to: "\(folder)/\(name)", .replaced)
  }

  /// Waits until the watch reports a file of the given name, or `.anything`.
  private func wait(
    for name: String, _ changes: inout AsyncStream<FolderChange>.Iterator, orAnything: Bool = false
  ) async {
    while let change = await changes.next() {
      if case .names(let names) = change, names.contains(name) { return }
      if change == .anything, orAnything { return }
    }
  }

  @Test("a replaced file in a watched folder is reported by name")
  func replaced() async throws {
    try Folder.create(folder)
    var (watch, changes) = try watch()
    for name in ["one", "two", "one"] {
      try publish(name)
      await wait(for: name, &changes)
    }
    withExtendedLifetime(watch) {}
  }

  @Test("a folder created later is watched as soon as it exists")
  func missing() async throws {
    var (watch, changes) = try watch()
    try Folder.create("\(home.path)/a")
    #expect(await changes.next() == .anything)
    try Folder.create(folder)
    #expect(await changes.next() == .anything)
    // From this point on, the folder itself is watched. Only a watch on the folder can report a name.
    try publish("file")
    await wait(for: "file", &changes)
    withExtendedLifetime(watch) {}
  }

  @Test("several folders and a file created in quick succession are all reported")
  func missingInOneGo() async throws {
    var (watch, changes) = try watch()
    try Folder.create("\(home.path)/a")
    try Folder.create(folder)
    try publish("file")
    await wait(for: "file", &changes, orAnything: true)
    // If the file above was created before the folder was watched, the folder itself may be reported only now.
    try publish("other")
    while let change = await changes.next() {
      if case .names(let names) = change, names.contains("other") { break }
      if change == .anything { try publish("other") }
    }
    withExtendedLifetime(watch) {}
  }

  @Test("a watched folder is found again after the folder or its parent has been removed or moved")
  func madeAgain() async throws {
    try Folder.create(folder)
    var (watch, changes) = try watch()
    for round in 0..<20 {
      if round.isMultiple(of: 2) {
        try Folder.remove(folder)
      } else {
        try File.rename("\(home.path)/a", to: "\(home.path)/away\(round)")
      }
      #expect(await changes.next() == .anything)
      try Folder.create(folder)
      #expect(await changes.next() == .anything)
      try publish("file")
      await wait(for: "file", &changes, orAnything: true)
      try File.remove("\(folder)/file")
      // The test must not mistake late events from this round for events from the next.
      try publish("end")
      await wait(for: "end", &changes)
      try File.remove("\(folder)/end")
    }
    withExtendedLifetime(watch) {}
  }

  @Test("a folder watch reports neither new empty files nor changes in other folders")
  func silence() async throws {
    try Folder.create(folder)
    try Folder.create("\(home.path)/a/c")
    var (watch, changes) = try watch()
    let empty = open("\(folder)/empty", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    defer { close(empty) }
    try AtomicFile.write([], to: "\(home.path)/a/c/elsewhere", .replaced)
    try publish("last")
    while let change = await changes.next(), case .names(let names) = change {
      #expect(!names.contains("empty") && !names.contains("elsewhere") && !names.contains("c"))
      if names.contains("last") { break }
    }
    withExtendedLifetime(watch) {}
  }

  @Test(
    "a watch reports removed and moved files only on request",
    arguments: [true, false])
  func removals(areReported: Bool) async throws {
    try Folder.create(folder)
    for name in ["removed", "moved"] { try publish(name) }
    let (changes, continuation) = AsyncStream<FolderChange>.makeStream()
    let watch = try FolderWatch(folder, removals: areReported, on: DispatchQueue(label: "watch")) {
      continuation.yield($0)
    }
    try File.remove("\(folder)/removed")
    try File.rename("\(folder)/moved", to: "\(home.path)/a/elsewhere")
    try publish("last")
    var reported: Set<String> = []
    for await case .names(let names) in changes {
      reported.formUnion(names)
      if names.contains("last") { break }
    }
    #expect(reported.isSuperset(of: ["removed", "moved"]) == areReported)
    #expect(reported.isDisjoint(with: ["removed", "moved"]) != areReported)
    withExtendedLifetime(watch) {}
  }

  @Test("releasing a folder watch leaves no descriptor open")
  func descriptors() async throws {
    try Folder.create(folder)
    func inotifies() throws -> Int {
      try Folder.names(in: "/proc/self/fd").count {
        (try? ProcessEnvironment.linkTarget("/proc/self/fd/\($0)")) == "anon_inode:inotify"
      }
    }
    // Other tests in this process also have a few watches, but this test has thirty.
    var watches: [FolderWatch] = []
    for _ in 0..<30 { watches.append(try watch().0) }
    #expect(try inotifies() >= 30)
    watches = []
    // The descriptors are closed a little later, on the watches' queues.
    #expect(try await eventually { try inotifies() < 30 })
  }
}
