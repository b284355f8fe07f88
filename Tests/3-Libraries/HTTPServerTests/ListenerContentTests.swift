import Glibc
import HTTP
import HTTPTestServer
import Platform
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Requests with content in files")
struct ListenerContentTests {
  private let folder = TemporaryFolder()

  /// Keeps the beginning and the last byte of refused content, and wants only so many bytes.
  private struct Ends: ContentExtract {
    var beginning: [UInt8] = []
    var last: UInt8?
    var size = 0
    let limit: Int

    mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool {
      beginning += bytes.prefix(10 - beginning.count)
      last = bytes.last ?? last
      size += bytes.count
      return size < limit
    }
  }

  /// A server whose `/file` accepts 1 MiB into the folder, `/memory` 100 bytes, `/endless` any length into the folder, and whose other
  /// paths accept nothing. `/kept` accepts 100,000 bytes and keeps the ends of refused content, and so does `/cut`, which reads only
  /// 200,000 bytes of it. Its responses contain the sizes of the body and of the file, and a checksum, or what was kept.
  private func server(deadlines: ConnectionDeadlines = .init()) throws -> TestServer {
    let path = folder.path
    var configuration = ServerConfiguration(limits: .callback, deadlines: deadlines)
    configuration.content = { request in
      switch request.target.path {
      case "/file": .file(in: path, limit: 1 << 20)
      case "/endless": .file(in: path, limit: .max)
      case "/gone": .file(in: path + "/missing", limit: 1 << 20)
      case "/memory": .memory(limit: 100)
      case "/kept": .file(in: path, limit: 100_000) { Ends(limit: .max) }
      case "/gone/kept": .file(in: path + "/missing", limit: 1 << 20) { Ends(limit: .max) }
      case "/cut": .file(in: path, limit: 100_000) { Ends(limit: 200_000) }
      default: .none
      }
    }
    return try TestServer(configuration) { request, exchange in
      if let refusal = exchange.refusal { return exchange.respond(Self.response(to: refusal)) }
      let file = exchange.content
      let sum = Self.sum(request.body) &+ (file.map(Self.sum) ?? 0)
      let names = (try? Folder.names(in: path).count) ?? -1
      exchange.respond(
        Response(status: .ok, text: "\(request.body.count) \(file?.size ?? 0) \(sum) \(names) \(request.announcesBody)")
      )
    }
  }

  private static func response(to refusal: ContentRefusal) -> Response {
    guard let ends = refusal.extract as? Ends else { return Response(status: .internalServerError) }
    let beginning = String(decoding: ends.beginning, as: UTF8.self)
    return Response(status: refusal.error.status, text: "\(beginning) \(ends.last ?? 0) \(ends.size)")
  }

  private static func sum(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(7) { $0 &* 31 &+ UInt64($1) } &- 7 }

  private static func sum(_ file: ReceivedFile) -> UInt64 {
    var bytes = [UInt8](repeating: 0, count: file.size)
    let count = bytes.withUnsafeMutableBytes { try? file.read(at: 0, into: $0) }
    return count == file.size ? sum(bytes) : 0
  }

  private func content(_ count: Int) -> [UInt8] { Array(TestServer.bigBody[..<count]) }

  private func post(_ path: String, _ bytes: [UInt8], to client: TestClient) throws -> String {
    try client.request(path, method: "POST", fields: ["Content-Length: \(bytes.count)"])
    try client.send(bytes)
    return try client.readResponse().text
  }

  @Test(
    "content of up to 64 KiB is in the body, and longer content in a file without a name",
    arguments: [0, 1, 65536, 65537, 1 << 20])
  func sizes(count: Int) throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    let bytes = content(count)
    let isFile = count > 65536
    for _ in 0..<2 {
      #expect(
        try post("/file", bytes, to: client)
          == "\(isFile ? 0 : count) \(isFile ? count : 0) \(Self.sum(bytes)) 0 false\n")
    }
  }

  @Test("chunked content gets into a file too")
  func chunked() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    let bytes = content(200_000)
    try client.request("/file", method: "POST", fields: ["Transfer-Encoding: chunked"])
    for start in stride(from: 0, to: bytes.count, by: 30_000) {
      let piece = Array(bytes[start..<min(start + 30_000, bytes.count)])
      try client.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
    }
    try client.send("0\r\n\r\n")
    #expect(try client.readResponse().text == "0 200000 \(Self.sum(bytes)) 0 false\n")
  }

  @Test("the limit of the route applies: more is refused with 413 before it is sent")
  func limits() throws {
    let server = try server()
    for (path, length) in [("/file", 1 << 20 + 1), ("/memory", 101)] {
      let client = try TestClient(port: server.port)
      try client.request(path, method: "POST", fields: ["Content-Length: \(length)", "Expect: 100-continue"])
      #expect(try client.readResponse().status == 413)
    }
  }

  @Test("a client that sends all of its refused content can still read why it was refused")
  func refusedWhole() throws {
    let server = try server(deadlines: .init(linger: .seconds(60)))
    let client = try TestClient(port: server.port)
    try client.request("/file", method: "POST", fields: ["Content-Length: \(TestServer.bigBody.count)"])
    try client.send(TestServer.bigBody)
    #expect(try client.readResponse().status == 413)
  }

  /// Content of 250,000 bytes that begins with ten digits and ends with a 7.
  private static let large = Array("0123456789".utf8) + [UInt8](repeating: 1, count: 249_989) + [7]

  @Test("of content that is too large, the handler gets what its rule keeps, and the connection stays open")
  func kept() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    let bytes = Self.large
    try client.request("/kept", method: "POST", fields: ["Content-Length: \(bytes.count)"])
    try client.send(bytes)
    let answer = try client.readResponse()
    #expect(answer.status == 413 && answer.text == "0123456789 7 250000\n")
    // Without an announced length, most of it is in the file when it becomes too large.
    try client.request("/kept", method: "POST", fields: ["Transfer-Encoding: chunked"])
    for start in stride(from: 0, to: bytes.count, by: 50_000) {
      try client.send(Array("C350\r\n".utf8) + bytes[start..<start + 50_000] + Array("\r\n".utf8))
    }
    try client.send("0\r\n\r\n")
    let chunked = try client.readResponse()
    #expect(chunked.status == 413 && chunked.text == "0123456789 7 250000\n")
    #expect(try post("/kept", content(90_000), to: client).hasPrefix("0 90000 "))
    #expect(try Folder.names(in: folder.path) == [])
  }

  @Test("content for a missing folder is kept in the same way")
  func keptWithoutFolder() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    try client.request("/gone/kept", method: "POST", fields: ["Content-Length: \(Self.large.count)"])
    try client.send(Self.large)
    let answer = try client.readResponse()
    #expect(answer.status == 500 && answer.text == "0123456789 7 250000\n")
  }

  @Test("a client that waits before it sends content that is too large learns at once that it is refused")
  func asked() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    try client.request("/kept", method: "POST", fields: ["Content-Length: 100001", "Expect: 100-continue"])
    #expect(try client.readResponse().status == 413)
  }

  @Test("once enough of refused content was read, the handler answers, and a client that sends on can read it")
  func cut() throws {
    let server = try server(deadlines: .init(linger: .seconds(60)))
    let client = try TestClient(port: server.port)
    try client.request("/cut", method: "POST", fields: ["Content-Length: \(TestServer.bigBody.count)"])
    try client.send(TestServer.bigBody)
    let answer = try client.readResponse()
    #expect(answer.status == 413 && answer.head.contains("Connection: close"))
    let size = try #require(answer.text.split(separator: " ").last.flatMap { Int($0.dropLast()) })
    #expect((200_000..<300_000).contains(size), "\(answer.text)")
    #expect(try client.receiveToEnd().isEmpty)
  }

  @Test("a route without content answers from the head, and the connection is closed")
  func unread() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    try client.request("/other", method: "POST", fields: ["Content-Length: 5"])
    #expect(String(decoding: try client.receiveToEnd(), as: UTF8.self).hasSuffix("0 0 0 0 true\n"))
  }

  @Test("content for which the disk has no space is refused with 507, and content for a missing folder with 500")
  func space() throws {
    let server = try server()
    for (path, length, status) in [("/endless", Int.max / 2, 507), ("/gone", 100_000, 500)] {
      let client = try TestClient(port: server.port)
      try client.request(path, method: "POST", fields: ["Content-Length: \(length)", "Expect: 100-continue"])
      #expect(try client.readResponse().status == status)
    }
    #expect(try Folder.names(in: folder.path) == [])
  }

  @Test("a disk that becomes full while content arrives is reported with 507")
  func full() async {
    await #expect(processExitsWith: .success) {
      // The kernel refuses to write more than this to a file, as a full disk does.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
      #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      let folder = TemporaryFolder()
      let path = folder.path
      var configuration = ServerConfiguration(limits: .callback)
      configuration.content = { request in
        request.target.path == "/"
          ? .file(in: path, limit: 1 << 20) : .file(in: path, limit: 1 << 20) { Ends(limit: .max) }
      }
      let server = try TestServer(configuration) { _, exchange in
        exchange.respond(exchange.refusal.map(Self.response) ?? Response(status: .ok))
      }
      let client = try TestClient(port: server.port)
      try client.request("/", method: "POST", fields: ["Content-Length: 300000"])
      try client.send([UInt8](repeating: 1, count: 300_000))
      #expect(try client.readResponse().status == 507)
      let other = try TestClient(port: server.port)
      try other.request("/kept", method: "POST", fields: ["Content-Length: 250000"])
      try other.send(Self.large)
      let answer = try other.readResponse()
      #expect(answer.status == 507 && answer.text == "0123456789 7 250000\n")
      _ = folder
    }
  }

  @Test("an upload that is cut off leaves nothing behind and reaches no handler")
  func cutOff() async throws {
    let server = try server()
    let path = File.realPath(folder.path)
    let client = try TestClient(port: server.port)
    try client.request("/file", method: "POST", fields: ["Content-Length: 1000000"])
    try client.send(content(500_000))
    #expect(try await eventually { Self.hasOpenFile(in: path) })
    client.close()
    #expect(try await eventually { !Self.hasOpenFile(in: path) })
    #expect(try Folder.names(in: folder.path) == [])
  }

  /// Returns whether this process has a removed file of the folder open.
  private static func hasOpenFile(in folder: String) -> Bool {
    ((try? Folder.names(in: "/proc/self/fd")) ?? []).contains { number in
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = bytes.withUnsafeMutableBytes {
        readlink("/proc/self/fd/\(number)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
      }
      return count > 0 && String(decoding: bytes[..<count], as: UTF8.self).hasPrefix(folder + "/.request-")
    }
  }

  @Test("content that keeps arriving may take longer than a request without a file")
  func slow() {
    let begin = BootInstant(nanoseconds: 1_000_000_000)
    func state() -> ConnectionState {
      ConnectionState(limits: .callback, asksForLimits: true, deadlines: ConnectionDeadlines(), at: begin)
    }
    let head = Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n".utf8)
    var file = state()
    guard case .admit? = file.handle(.received(head), at: begin).first else {
      Issue.record("no limit was asked for")
      return
    }
    let limit = ContentRule.file(in: "/", limit: 100_000).parserLimit
    #expect(file.handle(.admitted(limit), at: begin) == [.openFile(length: 100_000)])
    #expect(file.handle(.stored, at: begin) == [])
    for second in [9, 18, 27] {
      #expect(file.handle(.received([1]), at: begin + .seconds(second)) == [.store([1])])
      #expect(file.handle(.stored, at: begin + .seconds(second)) == [])
    }
    #expect(file.due == begin + .seconds(37) && file.activity == .partialRequest)
    #expect(file.handle(.deadlineReached, at: begin + .seconds(37)) == [.write])
    #expect(String(decoding: file.output, as: UTF8.self).hasPrefix("HTTP/1.1 408 "))

    var memory = state()
    _ = memory.handle(.received(head), at: begin)
    #expect(memory.handle(.admitted(ContentLimit(total: 100_000)), at: begin) == [])
    _ = memory.handle(.received([1]), at: begin + .seconds(4))
    #expect(memory.due == begin + .seconds(5))
  }

  @Test("receiving 64 MiB into a file takes less than 4 MiB of memory")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = folder.path
      var configuration = ServerConfiguration(limits: .callback)
      configuration.content = { _ in .file(in: path, limit: 64 << 20) }
      let server = try TestServer(configuration) { _, exchange in
        exchange.respond(Response(status: .ok, text: "\(exchange.content?.size ?? 0)"))
      }
      let piece = [UInt8](repeating: 7, count: 1 << 20)
      func upload(_ count: Int) throws -> String {
        let client = try TestClient(port: server.port)
        try client.request("/", method: "POST", fields: ["Content-Length: \(count << 20)"])
        for _ in 0..<count { try client.send(piece) }
        return try client.readResponse().text
      }
      #expect(try upload(1) == "\(1 << 20)\n")
      let before = try ResidentMemory.peak()
      #expect(try upload(64) == "\(64 << 20)\n")
      let growth = try ResidentMemory.peak() - before
      #expect(growth < 4 << 20, "\(growth) bytes")
    }
  }
}
