import Glibc
import HTTP
import HTTPTestServer
import Platform
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Responses from files")
struct ListenerFileBodyTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/file" }

  private func server(offset: Int = 0, length: Int, deadlines: ConnectionDeadlines = .init()) throws -> TestServer {
    let path = path
    let configuration = ServerConfiguration(limits: .callback, deadlines: deadlines)
    return try TestServer(configuration) { request, exchange in
      guard request.target.path == "/file", let file = try? Descriptor.open(path, O_RDONLY) else {
        return exchange.respond(Response(status: .ok, text: "hello"))
      }
      exchange.respond(
        Response(status: .ok, headers: [.contentType: "image/png"]),
        file: FileBody(owning: file, offset: offset, length: length))
    }
  }

  @Test(
    "a part of a file is sent with its length, and the connection stays open", arguments: [0, 1, 65536, 65537, 300_001])
  func part(length: Int) throws {
    let content = Array(TestServer.bigBody[..<400_000])
    try AtomicFile.write(content, to: path, .replaced)
    let server = try server(offset: 1000, length: length)
    let client = try TestClient(port: server.port)
    for _ in 0..<2 {
      try client.request("/file")
      let response = try client.readResponse()
      #expect(response.status == 200 && response.body == Array(content[1000..<(1000 + length)]))
      #expect(response.head.contains("\r\nContent-Length: \(length)") && response.head.contains("image/png"))
    }
    try client.request("/hello")
    #expect(try client.readResponse().text == "hello\n")
  }

  @Test("a HEAD request gets the length without the file's content")
  func head() throws {
    try AtomicFile.write([UInt8](repeating: 1, count: 1000), to: path, .replaced)
    let server = try server(length: 1000)
    let client = try TestClient(port: server.port)
    try client.request("/file", method: "HEAD")
    #expect(try client.readResponse(toHead: true).head.contains("\r\nContent-Length: 1000"))
    try client.request("/hello")
    #expect(try client.readResponse().text == "hello\n")
  }

  @Test("if a file is shorter than announced, the connection ends before the announced length")
  func short() throws {
    try AtomicFile.write([UInt8](repeating: 1, count: 100_000), to: path, .replaced)
    let server = try server(length: 200_000)
    let client = try TestClient(port: server.port)
    try client.request("/file")
    #expect(throws: TestClient.Failure.self) { try client.readResponse() }
  }

  @Test("the file is closed when its client has received it, and when its client disconnects early")
  func closed() async throws {
    try AtomicFile.write(TestServer.bigBody, to: path, .replaced)
    let server = try server(length: TestServer.bigBody.count)
    let target = File.realPath(path)
    let client = try TestClient(port: server.port, receiveBuffer: 4096)
    try client.request("/file")
    #expect(try client.receive(upTo: 1).count == 1)
    #expect(Self.isOpen(target))
    client.reset()
    #expect(try await eventually { !Self.isOpen(target) })
    #expect(try TestClient.get("/file", port: server.port).body == TestServer.bigBody)
    #expect(try await eventually { !Self.isOpen(target) })
  }

  /// Returns whether this process has the file open.
  private static func isOpen(_ path: String) -> Bool {
    ((try? Folder.names(in: "/proc/self/fd")) ?? []).contains { File.realPath("/proc/self/fd/\($0)") == path }
  }

  @Test("a client that stops reading a file is disconnected after the deadline, and others are served meanwhile")
  func stalled() throws {
    try AtomicFile.write(TestServer.bigBody, to: path, .replaced)
    let server = try server(length: TestServer.bigBody.count, deadlines: .init(write: .milliseconds(500)))
    let client = try TestClient(port: server.port, receiveBuffer: 4096)
    try client.request("/file")
    #expect(try client.receive(upTo: 1).count == 1)
    #expect(try TestClient.get("/hello", port: server.port).text == "hello\n")
    server.stop(grace: .seconds(30))
    #expect(throws: TestClient.Failure.self) { try client.readResponse() }
  }

  @Test("a slow reader of 64 MiB takes less than 4 MiB of the server's memory")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let size = 64 << 20
      let file = fileno(tmpfile())
      #expect(ftruncate(file, off_t(size)) == 0)
      let server = try TestServer(ServerConfiguration(limits: .callback)) { _, exchange in
        exchange.respond(
          Response(status: .ok), file: FileBody(owning: Descriptor(owning: dup(file)), length: size))
      }
      func read(_ count: Int) throws -> Int {
        let client = try TestClient(port: server.port, receiveBuffer: 65536)
        try client.request("/")
        var total = 0
        while total < count {
          let piece = try client.receive().count
          if piece == 0 { break }
          total += piece
        }
        return total
      }
      // The first request creates what every request needs.
      #expect(try read(1 << 20) >= 1 << 20)
      let before = try ResidentMemory.peak()
      #expect(try read(size) >= size)
      let growth = try ResidentMemory.peak() - before
      #expect(growth < 4 << 20, "\(growth) bytes")
    }
  }
}

/// The memory of this process (proc_pid_status(5)).
enum ResidentMemory {
  /// Returns the largest resident size so far, in bytes.
  static func peak() throws -> Int {
    let text = String(decoding: try File.read("/proc/self/status", limit: 65536), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.split(separator: " ", omittingEmptySubsequences: true).dropLast().last ?? "")) << 10
  }
}
