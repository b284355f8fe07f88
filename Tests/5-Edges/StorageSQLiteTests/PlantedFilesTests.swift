import Folders
import Glibc
import Platform
import PublishedFiles
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Timeline

/// Files that another user has placed where homeline will write, while others could write to the folders.
@Suite("Paths where other users have placed something") struct PlantedFilesTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private static let sentinel = Array("not yours to read or write\n".utf8)
  private static let outsideMode: UInt32 = 0o644
  private var outside: String { "\(folder.path)/outside" }
  private var outsideFolder: String { "\(folder.path)/elsewhere" }

  enum Plant: CaseIterable { case link, linkToFolder, foreignLink, hardLink, fifo, folder }

  /// Places a file or link at a path whose folder is now private.
  private func plant(_ plant: Plant, at path: String) throws {
    try Folder.create(try #require(Folder.parent(of: path)))
    if !File.exists(outside) {
      try AtomicFile.write(Self.sentinel, to: outside, .replaced)
      chmod(outside, Self.outsideMode)
      try Folder.create(outsideFolder)
      try AtomicFile.write(Self.sentinel, to: "\(outsideFolder)/precious", .replaced)
    }
    let code =
      switch plant {
      case .link, .foreignLink: symlink(outside, path)
      case .linkToFolder: symlink(outsideFolder, path)
      case .hardLink: link(outside, path)
      case .fifo: mkfifo(path, 0o666)
      case .folder: mkdir(path, 0o777)
      }
    #expect(code == 0)
    if plant == .foreignLink, geteuid() == 0 { lchown(path, 65534, 65534) }
  }

  /// Expects that files outside are unchanged, and that files created by the store are private.
  private func lookOutside(_ note: String) throws {
    #expect(try File.read(outside, limit: 1000) == Self.sentinel, "\(note)")
    #expect(try FileStatus.of(outside).permissions == Self.outsideMode, "\(note)")
    #expect(try Folder.names(in: outsideFolder) == ["precious"], "\(note)")
  }

  @Test(
    "writing a token replaces a planted file, or fails with an error that names it and changes nothing elsewhere",
    arguments: Plant.allCases)
  func keptToken(plant: Plant) throws {
    let files = home.files
    for path in [files.token, "\(files.token).next", "\(files.token).new-\(getpid())"] {
      try self.plant(plant, at: path)
      let store = TokenStore(files)
      do {
        _ = try store.recover(at: noon)
        let reservation = try store.reserve(at: noon)
        try reservation.commit(token("kept"))
        #expect(try store.read()?.identifier == "kept")
        #expect(try FileStatus.ofLink(files.token).isRegular)
        #expect(try FileStatus.of(files.token).permissions == 0o600)
      } catch { #expect("\(error)".contains(files.token), "\(error)") }
      try lookOutside("\(path) \(plant)")
      for path in try Folder.names(in: files.stateFolder) {
        unlink("\(files.stateFolder)/\(path)")
        rmdir("\(files.stateFolder)/\(path)")
      }
    }
  }

  @Test("a login fails before it begins if the token's file is a dangling link, and the link is kept")
  func tokenElsewhere() throws {
    let files = home.files
    try Folder.create(files.stateFolder)
    try #require(symlink("/mnt/away/token.json", files.token) == 0)
    let error = #expect(throws: (any Error).self) { try TokenStore(files).reserve(at: noon) }
    #expect(
      error.map { "\($0)" }?.contains("\(files.token) is a link to /mnt/away/token.json, which does not exist") == true)
    #expect(try ProcessEnvironment.linkTarget(files.token) == "/mnt/away/token.json")
    #expect(try Folder.names(in: files.stateFolder) == ["token.json"])
  }

  @Test("a database neither writes through a planted file nor waits for it", arguments: Plant.allCases)
  func database(plant: Plant) throws {
    let files = home.files
    for suffix in ["", "-wal", "-shm", "-journal"] {
      // SQLite writes its log in place. The kernel restricts which files users may link to (fs.protected_hardlinks, proc(5)).
      if plant == .hardLink, suffix != "" { continue }
      try self.plant(plant, at: files.database + suffix)
      do {
        let database = try AccountDatabase.open(files, at: noon)
        _ = try? database.insert(page(12, 8), as: .head)
        database.close()
      } catch { #expect("\(error)".contains(files.database), "\(error)") }
      (try? AccountDatabase.openForReading(files))?.close()
      try lookOutside("\(suffix) \(plant)")
      for path in try Folder.names(in: files.dataFolder) {
        unlink("\(files.dataFolder)/\(path)")
        rmdir("\(files.dataFolder)/\(path)")
      }
    }
  }

  @Test(
    "publishing replaces a planted file, or fails with an error that names its folder and changes nothing elsewhere",
    arguments: Plant.allCases)
  func published(plant: Plant) throws {
    let files = home.files
    let database = try home.database()
    try database.insert(page(12, 8), as: .head)
    let publisher = TimelineFilesWriter(
      files, tokens: TokenStore(files), provider: "twitter", keepPosts: 5, formats: [.html, .atom])
    let names = [files.timeline, files.published(as: .html), files.published(as: .atom)]
    for path in names + ["\(files.timeline).new-\(getpid())"] {
      unlink(path)
      try self.plant(plant, at: path)
      do {
        try publisher.publishAll(from: database)
        #expect(try FileStatus.ofLink(path.hasSuffix("\(getpid())") ? files.timeline : path).isRegular)
        for name in names { #expect(try FileStatus.of(name).permissions == 0o600) }
      } catch { #expect("\(error)".contains(files.cacheFolder), "\(error)") }
      _ = try? publisher.publish(Problem(code: .network, message: "x", retryAt: nil), at: noon)?.rendering?.write()
      try lookOutside("\(path) \(plant)")
      unlink(path)
      rmdir(path)
    }
  }

  @Test("neither pictures nor their index are written through planted files", arguments: Plant.allCases)
  func pictures(plant: Plant) throws {
    let cache = home.layout.cacheFolder
    for name in ["_media", "_media/index.db", "_media/index.db-wal", "_media/lock", "_media/part", "_media/aa"] {
      // A folder that belongs to the user is accepted, and so is the user's own link to a folder.
      if name == "_media", plant == .folder || plant == .linkToFolder { continue }
      if plant == .hardLink, name.hasSuffix("-wal") { continue }
      try self.plant(plant, at: "\(cache)/\(name)")
      let fixture = PictureFixture(cache)
      for number in 0..<8 { fixture.fetch("https://a/\(number)", picture(number)) }
      _ = fixture.publish((0..<8).map { "https://a/\($0)" })
      fixture.store.close()
      try? MediaReading.during(home.layout.mediaFolder) {}
      #expect(try File.read(outside, limit: 1000) == Self.sentinel, "\(name) \(plant)")
      #expect(try FileStatus.of(outside).permissions == Self.outsideMode)
      #expect(File.exists("\(outsideFolder)/precious"), "\(name) \(plant)")
      try remove(cache)
    }
  }

  @Test(
    "only a regular file owned by the user can be locked, and looking up the lock's holder never blocks",
    arguments: Plant.allCases.filter { $0 != .hardLink })
  func lock(plant: Plant) async throws {
    let path = folder.path
    try self.plant(plant, at: home.layout.lock)
    // This test runs in a separate process, because a child that another test starts at this moment would share the lock until its exec.
    await #expect(processExitsWith: .success) { [path = path as String] in
      let layout = StorageHome(path).layout
      _ = OwnerLock.currentOwner(layout)
      do throws(SystemError) {
        _ = try OwnerLock.take(layout, as: Owner(processID: getpid(), controlSocket: nil, command: "login"))
        Issue.record("the lock was taken")
      } catch { #expect(error.description.contains(layout.lock)) }
    }
    try lookOutside("\(plant)")
  }

  @Test(
    "state, data and cache folders that other users own or can write to are refused before anything is written")
  func folders() throws {
    for (path, use) in [
      (
        home.layout.stateFolder,
        { _ = try OwnerLock.take(home.layout, as: Owner(processID: 1, controlSocket: nil, command: "x")) }
      ),
      (home.files.stateFolder, { _ = try TokenStore(home.files).reserve(at: noon) }),
      (home.files.dataFolder, { _ = try home.database() }),
      (home.layout.dataFolder, { _ = try home.database() }),
      (home.files.cacheFolder, { try publish() }),
      (home.layout.cacheFolder, { try publish() }),
    ] as [(String, () throws -> Void)] {
      try Folder.create(path)
      chmod(path, 0o777)
      let error = #expect(throws: (any Error).self) { try use() }
      #expect(
        error.map { "\($0)" }?.contains("\(path): other users can") == true, "\(path) \(String(describing: error))")
      #expect(try Folder.names(in: path).isEmpty || path == home.layout.dataFolder || path == home.layout.cacheFolder)
      chmod(path, 0o700)
      // The parent folder may belong to another user, as /tmp does.
      guard geteuid() == 0, path.hasSuffix("bird") || path == home.layout.stateFolder else { continue }
      chown(path, 65534, 65534)
      let foreign = #expect(throws: (any Error).self, "\(path)") { try use() }
      #expect(foreign.map { "\($0)" }?.contains("\(path): belongs to the user 65534") == true, "\(path)")
      chown(path, 0, 0)
    }
  }

  private func publish() throws {
    let other = StorageHome(TemporaryFolder())
    try TimelineFilesWriter(home.files, tokens: TokenStore(home.files), provider: "twitter", keepPosts: 5).publishAll(
      from: other.database())
  }

  private func remove(_ path: String) throws {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    if facts.st_mode & S_IFMT == S_IFDIR {
      for name in try Folder.names(in: path) { try remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
