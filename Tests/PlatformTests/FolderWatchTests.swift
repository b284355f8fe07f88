import Dispatch
import Glibc
@testable import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct FolderWatchTests {
  private let home = TemporaryFolder()
  private var folder: String { "\(home.path)/a/b" }

  /// A watch of the folder, and the changes it reported.
  private func watch() throws -> (FolderWatch, AsyncStream<FolderWatch.Change>.Iterator) {
    let queue = DispatchQueue(label: "watch")
    let (changes, continuation) = AsyncStream<FolderWatch.Change>.makeStream()
    let watch = try FolderWatch(folder, on: queue) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      continuation.yield(change)
    }
    return (watch, changes.makeAsyncIterator())
  }

  private func publish(_ name: String) throws {
    try AtomicFile.write(Array("x".utf8), to: "\(folder)/\(name)", .replaced)
  }

  /// Waits until a file of this name, or `.anything`, is reported.
  private func wait(
    for name: String, _ changes: inout AsyncStream<FolderWatch.Change>.Iterator, orAnything: Bool = false
  ) async {
    while let change = await changes.next() {
      if case .names(let names) = change, names.contains(name) { return }
      if change == .anything, orAnything { return }
    }
  }

  @Test("a replaced file is reported by name")
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
    // From here on, the folder itself is watched: a name can only be reported by that watch.
    try publish("file")
    await wait(for: "file", &changes)
    withExtendedLifetime(watch) {}
  }

  @Test("folders and a file created in quick succession are reported")
  func missingInOneGo() async throws {
    var (watch, changes) = try watch()
    try Folder.create("\(home.path)/a")
    try Folder.create(folder)
    try publish("file")
    await wait(for: "file", &changes, orAnything: true)
    // Whether only the file above was seen, and the folder itself is reported now, depends on timing: its file may exist before its watch.
    try publish("other")
    while let change = await changes.next() {
      if case .names(let names) = change, names.contains("other") { break }
      if change == .anything { try publish("other") }
    }
    withExtendedLifetime(watch) {}
  }

  @Test("a folder is found again after it or its parent has been removed or moved")
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
      // Late events from this round must not be taken for those of the next one.
      try publish("end")
      await wait(for: "end", &changes)
      try File.remove("\(folder)/end")
    }
    withExtendedLifetime(watch) {}
  }

  @Test("new empty files and changes in other folders are not reported")
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
    "removed and moved files are reported only on request",
    arguments: [true, false])
  func removals(areReported: Bool) async throws {
    try Folder.create(folder)
    for name in ["removed", "moved"] { try publish(name) }
    let (changes, continuation) = AsyncStream<FolderWatch.Change>.makeStream()
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

  @Test("releasing a watch leaves no descriptor open")
  func descriptors() async throws {
    try Folder.create(folder)
    func inotifies() throws -> Int {
      try Folder.names(in: "/proc/self/fd").count {
        (try? ProcessEnvironment.linkTarget("/proc/self/fd/\($0)")) == "anon_inode:inotify"
      }
    }
    // Other tests in this process also have a few watches; thirty belong to this test.
    var watches: [FolderWatch] = []
    for _ in 0..<30 { watches.append(try watch().0) }
    #expect(try inotifies() >= 30)
    watches = []
    // They are closed on their queues, somewhat later.
    #expect(try await eventually { try inotifies() < 30 })
  }
}
