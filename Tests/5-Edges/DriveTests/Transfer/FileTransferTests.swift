import Bytes
import Glibc
import HTTP
import HTTPClient
import Platform
import Sandbox
import SandboxSupport
import Settings
import TestSupport
import Testing
import Time

@testable import Drive

@Suite struct FileTransferTests {
  private let folder = TemporaryFolder()
  private let requests = Locked<[RequestRecord]>([])
  private let server: SandboxServer<GokuaiSandbox>
  private let connection: DriveConnection

  init() throws {
    server = try SandboxServer(GokuaiSandbox()) { [requests] record in requests.withLock { $0.append(record) } }
    let url = try RequestURL(server.baseURL)
    connection = DriveConnection(
      DriveAPI(
        origin: url.origin, key: .library(id: GokuaiKeys.clientID), secret: Secret(GokuaiKeys.clientSecret)),
      hosts: DriveHosts(api: url, patterns: []),
      by: Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:])))
  }

  private func write(_ bytes: [UInt8], _ name: String = "local") throws -> String {
    let path = "\(folder.path)/\(name)"
    try AtomicFile.write(bytes, to: path, .replaced)
    return path
  }

  private func bytes(_ count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func upload(_ path: String, to target: String, replaces: Bool = false) throws {
    let file = try LocalFile(path)
    try FileUpload(
      file, to: try DrivePath(target), replaces: replaces, by: connection, recordingIn: folder.path, blockSize: 1000,
      progress: TransferProgress().addFile()
    ).run()
  }

  private func download(_ source: String, replaces: Bool = false, _ progress: TransferProgress = TransferProgress())
    throws -> [UInt8]
  {
    let target = "\(folder.path)/fetched"
    try FileDownload(
      try DrivePath(source), to: target, replaces: replaces, from: "disk", by: connection,
      progress: progress.addFile()
    ).run()
    return try File.read(target, limit: 1 << 20)
  }

  private var part: String {
    get throws { "\(folder.path)/.homeline-\(try TransferHash.name(of: ["\(folder.path)/fetched"])).part" }
  }

  private func refusal() -> DriveError? { #expect(throws: DriveError.self) { try download("a") } }

  @Test("a dangling link is not replaced by a download, and nothing is requested")
  func danglingLink() throws {
    try upload(try write(bytes(10)), to: "a")
    let target = "\(folder.path)/fetched"
    try #require(symlink("/mnt/away/memo.txt", target) == 0)
    requests.withLock { $0 = [] }
    #expect(
      refusal()
        == DriveError(
          .exists, "\(target) is a link to /mnt/away/memo.txt, which does not exist. To replace it, add --replace"))
    #expect(try ProcessEnvironment.linkTarget(target) == "/mnt/away/memo.txt")
    #expect(requests.withLock { $0.isEmpty })
  }

  @Test("a file that a killed process copied only in part is reported as incomplete, and --replace completes it")
  func partialCopy() throws {
    let (content, target) = (bytes(1000), "\(folder.path)/fetched")
    try upload(try write(content), to: "a")
    // What is left of the process if its file system has neither RENAME_NOREPLACE nor hard links.
    let facts = PartialFile.Facts(source: "disk:a", sha1: nil, size: content.count)
    let path = try part
    for (partial, copied, isIncomplete) in [
      (content, content.prefix(300), true), (content, [], true), (content, content[...], false),
      (content, bytes(300)[...], false), (content.dropLast(800), content.prefix(300), false),
    ] as [([UInt8], ArraySlice<UInt8>, Bool)] {
      try AtomicFile.write(partial, to: path, .replaced)
      try AtomicFile.write(facts.json, to: path + ".json", .replaced)
      try AtomicFile.write(Array(copied), to: target, .replaced)
      let state = isIncomplete ? ", but is incomplete, because an earlier download was interrupted" : ""
      #expect(refusal() == DriveError(.exists, "\(target) already exists\(state). To replace it, add --replace"))
      #expect(try download("a", replaces: true) == content)
      #expect(!File.exists(path) && !File.exists(path + ".json"))
    }
    try AtomicFile.write(content, to: path, .replaced)
    try AtomicFile.write(PartialFile.Facts(source: "disk:b").json, to: path + ".json", .replaced)
    try AtomicFile.write(Array(content.prefix(300)), to: target, .replaced)
    #expect(refusal()?.description.contains("incomplete") == false, "the partial file belongs to another source")
  }

  @Test("a file with a second name, or a link, in place of a download's partial file gets none of the bytes")
  func plantedPart() throws {
    try upload(try write(bytes(100)), to: "a")
    let other = try write([], "other")
    for name in [try part, try part + ".json"] {
      try #require(link(other, name) == 0)
      #expect(refusal()?.kind == .exists)
      unlink(name)
      try #require(symlink(other, name) == 0)
      #expect(refusal()?.kind == .exists)
      unlink(name)
    }
    #expect(try File.read(other, limit: 10) == [])
    #expect(try download("a") == bytes(100))
  }

  @Test(
    "a download writes nothing to a partial file that another user owns, and the error names the owner",
    .enabled(if: geteuid() == 0, "changing an owner needs root"), arguments: [UInt32(0o666), 0o600], [0o777, 0o1777])
  func foreignPart(mode: UInt32, folderMode: UInt32) throws {
    try upload(try write(bytes(100)), to: "a")
    chmod(folder.path, folderMode)
    for name in [try part, try part + ".json"] {
      try AtomicFile.write([], to: name, .replaced)
      chmod(name, mode)
      chown(name, 1, 1)
      let error = refusal()
      #expect(error?.kind == .exists && error?.description.hasPrefix("\(name) belongs to ") == true, "\(error as Any)")
      #expect(try FileStatus.of(name).size == 0 && FileStatus.of(name).userID == 1)
      unlink(name)
    }
  }

  @Test("a downloaded file is private until it is complete, and then has the mode of a new file")
  func modes() throws {
    try upload(try write(bytes(100)), to: "a")
    let file = try PartialFile(of: "\(folder.path)/fetched", from: "disk:b")
    #expect(try FileStatus.of(part).permissions == 0o600)
    file.removeIfEmpty()
    #expect(try download("a") == bytes(100))
    #expect(try FileStatus.of("\(folder.path)/fetched").permissions == 0o666 & ~ProcessEnvironment.fileModeMask)
  }

  @Test("a partial file that others could have opened for writing is not continued")
  func writablePart() throws {
    let path = try part
    try AtomicFile.write(bytes(50), to: path, .replaced)
    chmod(path, 0o666)
    let former = try FileStatus.of(path).identity
    // The identity of a removed file can be given to the next one, so it is kept open.
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    let file = try PartialFile(of: "\(folder.path)/fetched", from: "disk:a")
    #expect(try file.length == 0 && FileStatus.of(path).identity != former)
  }

  @Test(
    "a file that appears at the target during a download is kept, unless it may be replaced", arguments: [false, true])
  func appearingTarget(replaces: Bool) throws {
    let target = "\(folder.path)/fetched"
    let file = try PartialFile(of: target, from: "disk:a")
    try bytes(10).withUnsafeBytes { try file.append($0) }
    _ = try write([7], "fetched")
    if replaces {
      try file.complete(replaces: true)
    } else {
      let error = #expect(throws: DriveError.self) { try file.complete(replaces: false) }
      #expect(error == DriveError(.exists, "\(target) already exists"))
      #expect(try FileStatus.of(part).permissions == 0o600)
    }
    #expect(try File.read(target, limit: 100) == (replaces ? bytes(10) : [7]))
  }

  @Test("a partial file replaced by another one is not put in place")
  func replacedPart() throws {
    let file = try PartialFile(of: "\(folder.path)/fetched", from: "disk:a")
    try bytes(10).withUnsafeBytes { try file.append($0) }
    try AtomicFile.write([7], to: try part, .replaced)
    #expect(throws: DriveError.self) { try file.complete(replaces: false) }
    #expect(!File.exists("\(folder.path)/fetched"))
  }

  private func paths(_ suffix: String) -> Int { requests.withLock { $0.count { $0.path.hasSuffix(suffix) } } }

  @Test(
    "a downloaded file equals the uploaded file, and no temporary files are left",
    arguments: [0, 1, 999, 1000, 1001, 50_001])
  func roundTrip(size: Int) throws {
    let content = bytes(size)
    try upload(try write(content), to: "docs/a+b %41 会议.bin")
    #expect(paths("/upload_part") == (size + 999) / 1000)
    let progress = TransferProgress()
    #expect(try download("docs/a+b %41 会议.bin", progress) == content)
    #expect(progress.snapshot.total == size && progress.snapshot.done == size)
    #expect(try Folder.names(in: folder.path).sorted() == ["fetched", "local"])
  }

  @Test("content that the drive already has is not sent again")
  func knownContent() throws {
    let path = try write(bytes(5000))
    try upload(path, to: "a")
    try upload(path, to: "b")
    #expect(paths("/upload_part") == 5)
    #expect(try download("b") == bytes(5000))
  }

  @Test("after an upload is refused, the next upload of the file continues where it stopped")
  func resumedUpload() throws {
    let path = try write(bytes(5000))
    server.withFaults {
      $0.add(.alter { _ in }, to: "/upload/upload_part", times: 2)
      $0.add(.named(.hiddenError), to: "/upload/upload_part")
    }
    #expect(throws: DriveError(.refused, code: 40310, "the server refused the request (40310): no right")) {
      try upload(path, to: "a")
    }
    requests.withLock { $0 = [] }
    try upload(path, to: "a")
    #expect(paths("/create_file") == 0 && paths("/upload_init") == 0)
    #expect(paths("/upload_part") == 3)
    #expect(try download("a") == bytes(5000))
    #expect(try Folder.names(in: folder.path).sorted() == ["fetched", "local"])
  }

  @Test("an unfinished upload can continue from a different file with the same content")
  func copiedFile() throws {
    let path = try write(bytes(5000))
    server.withFaults {
      $0.add(.alter { _ in }, to: "/upload/upload_part", times: 2)
      $0.add(.named(.hiddenError), to: "/upload/upload_part")
    }
    #expect(throws: DriveError.self) { try upload(path, to: "a") }
    // A new file at the same path has another inode and another modification time.
    _ = try write(bytes(5000))
    requests.withLock { $0 = [] }
    try upload(path, to: "a")
    #expect(paths("/create_file") == 0 && paths("/upload_part") == 3)
    #expect(try download("a") == bytes(5000))
  }

  @Test("a wrong local clock is corrected from the server's clock with one additional request")
  func clock() throws {
    let url = try RequestURL(server.baseURL)
    let api = DriveAPI(
      origin: url.origin, key: .library(id: GokuaiKeys.clientID), secret: Secret(GokuaiKeys.clientSecret))
    let connection = DriveConnection(
      api, hosts: DriveHosts(api: url, patterns: []),
      by: Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:])),
      clock: WallClock { WallClock.system.now + .seconds(900) })
    for _ in 0..<2 {
      _ = try connection.call { (api, time) throws(DriveError) in try api.list(.root, from: 0, at: time) }
    }
    #expect(paths("/ls") == 3)
  }

  @Test("two calls with the same parameters in the same second never reuse a signature")
  func signatures() throws {
    server.withFaults { faults in
      for call in ["info", "download_url", "ls"] {
        faults.add(.named(.replayRefused), to: "/m-open/1/file/\(call)", times: 9)
      }
    }
    try upload(try write(bytes(10)), to: "a")
    let path = try DrivePath("a")
    for _ in 0..<3 {
      _ = try connection.call { (api, time) throws(DriveError) in try api.information(path, at: time) }
      _ = try connection.call { (api, time) throws(DriveError) in try api.locate(path, at: time) }
      _ = try connection.call { (api, time) throws(DriveError) in try api.list(.root, from: 0, at: time) }
    }
    // A refused request would be sent once more.
    #expect(paths("/info") == 3 && paths("/download_url") == 3 && paths("/ls") == 3)
  }

  @Test("an unfinished upload starts over if the file has changed")
  func changedFile() throws {
    let path = try write(bytes(5000))
    server.withFaults { $0.add(.named(.hiddenError), to: "/upload/upload_part") }
    #expect(throws: DriveError.self) { try upload(path, to: "a") }
    let other = [UInt8](repeating: 7, count: 5000)
    _ = try write(other)
    requests.withLock { $0 = [] }
    try upload(path, to: "a")
    #expect(paths("/create_file") == 1)
    #expect(try download("a") == other)
  }

  @Test(
    "an upload succeeds despite server failures",
    arguments: [FaultName.blockConflict, .blockLost, .sessionLost, .badGateway, .noAnswer, .cutOff])
  func faultyUpload(fault: FaultName) throws {
    server.withFaults {
      $0.add(.alter { _ in }, to: "/upload/upload_part", times: 2)
      $0.add(.named(fault), to: "/upload/upload_part")
    }
    try upload(try write(bytes(5000)), to: "a")
    #expect(try download("a") == bytes(5000))
  }

  @Test("an upload waits for the server to finish")
  func assembling() throws {
    server.withFaults { $0.add(.named(.assembling), to: "/upload/upload_finish") }
    try upload(try write(bytes(500)), to: "a")
    #expect(paths("/upload_finish") == 2)
  }

  @Test("a download continues its own partial file from an earlier run, but not that of another file")
  func partialFile() throws {
    let content = bytes(5000)
    try upload(try write(content), to: "a")
    try upload(try write(bytes(400), "second"), to: "b")
    func leavePart(source: String) throws {
      let part = try PartialFile(of: "\(folder.path)/fetched", from: "disk:\(source)")
      try part.store(.init(source: "disk:\(source)", sha1: try LocalFile("\(folder.path)/local").sha1(), size: 5000))
      try content[..<2000].withUnsafeBytes { try part.append($0) }
    }
    try leavePart(source: "a")
    let progress = TransferProgress()
    #expect(try download("a", progress) == content)
    #expect(progress.snapshot.moved == 3000)
    try leavePart(source: "a")
    #expect(try download("b", replaces: true) == bytes(400))
  }

  @Test("a partial file with wrong bytes is downloaded again")
  func damagedPart() throws {
    let content = bytes(5000)
    try upload(try write(content), to: "a")
    func leavePart() throws {
      let part = try PartialFile(of: "\(folder.path)/fetched", from: "disk:a")
      try part.store(.init(source: "disk:a", sha1: try LocalFile("\(folder.path)/local").sha1(), size: 5000))
      try [UInt8](repeating: 0, count: 2000).withUnsafeBytes { try part.append($0) }
    }
    try leavePart()
    let progress = TransferProgress()
    #expect(try download("a", progress) == content)
    #expect(progress.snapshot.moved == 8000)
  }

  @Test(
    "a download keeps an existing local file, and leaves nothing behind if the server does not have the file")
  func existing() throws {
    try upload(try write(bytes(10)), to: "a")
    _ = try write([1], "fetched")
    #expect(throws: DriveError.self) { try download("a") }
    #expect(try File.read("\(folder.path)/fetched", limit: 10) == [1])
    #expect(try download("a", replaces: true) == bytes(10))
    #expect(throws: DriveError(.notFound, code: 40402, "the server refused the request (40402): file not found")) {
      try download("missing", replaces: true)
    }
    #expect(try Folder.names(in: folder.path).sorted() == ["fetched", "local"])
  }
}
