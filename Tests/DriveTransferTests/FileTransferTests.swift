import CivilTime
@testable import Drive
import HTTP
import HTTPClient
import HomelineOAuth
import Platform
import Sandbox
import SandboxFaults
import SandboxSupport
import TestSupport
import Testing

@testable import DriveTransfer

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
    // A rejected request would be sent once more.
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
