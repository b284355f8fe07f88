import Dispatch
import Glibc
import HTTP
import Platform
import TestSupport
import Testing
import Transport

@Suite("The listener's sockets")
struct ListenerSocketsTests {
  @Test("a port that is taken is an error that names address and port")
  func taken() throws {
    let first = try ListeningSockets.loopback(port: 0, host: .localhost)
    let taken = first.port
    let port = try #require(taken)
    let error = #expect(throws: ListenError.self) { _ = try ListeningSockets.loopback(port: port, host: .localhost) }
    #expect(error == .portInUse(.v4, port: port))
    #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    _ = first.port  // Holds the port until here.
  }

  @Test("a stranger at [::1] is refused for localhost, and warned of for 127.0.0.1")
  func stranger() throws {
    let stranger = try BoundSocket(AF_INET6, loopback: true)
    let error = #expect(throws: ListenError.self) {
      _ = try ListeningSockets.loopback(port: stranger.port, host: .localhost)
    }
    #expect(error == .portInUse(.v6, port: stranger.port))
    let sockets = try ListeningSockets.loopback(port: stranger.port, host: .literal)
    let (port, warning) = (sockets.port, sockets.warning)
    #expect(port == stranger.port && warning == .portInUse(.v6, port: stranger.port))
  }

  @Test("someone who listens on all addresses holds the port as well")
  func everywhere() throws {
    let stranger = try BoundSocket(AF_INET, loopback: false)
    let error = #expect(throws: ListenError.self) {
      _ = try ListeningSockets.loopback(port: stranger.port, host: .literal)
    }
    #expect(error == .portInUse(.v4, port: stranger.port))
  }

  @Test("nothing listens beyond loopback")
  func loopbackOnly() throws {
    let sockets = try ListeningSockets.loopback(port: 0, host: .localhost)
    let number = sockets.port
    let port = String(try #require(number), radix: 16, uppercase: true)
    let padded = ":" + String(repeating: "0", count: 4 - port.count) + port
    let tables = try ["/proc/net/tcp", "/proc/net/tcp6"].flatMap {
      String(decoding: try File.read($0, limit: 16 << 20), as: UTF8.self).split(separator: "\n")
    }
    let addresses = tables.map { $0.split(separator: " ") }.filter { $0[3] == "0A" && $0[1].hasSuffix(padded) }
    #expect(
      Set(addresses.map { $0[1].dropLast(5) }).isSubset(of: ["0100007F", "00000000000000000000000001000000"]))
    #expect(!addresses.isEmpty)
    _ = sockets.port
  }

  @Test("a socket that was handed over is served")
  func adopted() throws {
    let handed = try BoundSocket(AF_INET, loopback: true)
    let sockets = try ListeningSockets(adopting: [handed.release()])
    let port = sockets.port
    #expect(port == handed.port)
    let server = HTTPServer(
      sockets, on: DispatchQueue(label: "adopted"), configuration: .init(limits: .callback)
    ) { _, exchange in exchange.answer(Response(status: .ok, text: "adopted")) }
    try server.start()
    #expect(try TestClient.get("/", port: handed.port).text == "adopted\n")
    server.stop()
  }

  @Test("a socket that was handed over beyond loopback, or does not listen, is refused and closed")
  func refused() throws {
    let everywhere = try BoundSocket(AF_INET, loopback: false).release()
    #expect(throws: ListenError.notLoopback(descriptor: everywhere)) {
      _ = try ListeningSockets(adopting: [everywhere])
    }
    let file = dup(0)
    #expect(throws: ListenError.notListening(descriptor: file)) { _ = try ListeningSockets(adopting: [file]) }
    let udp = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    #expect(throws: ListenError.notListening(descriptor: udp)) { _ = try ListeningSockets(adopting: [udp]) }
  }

  @Test("a Unix socket is served like any other")
  func unix() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/socket"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      bind(
        listener, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_un>.size)
      )
    }
    #expect(bound == 0 && listen(listener, 5) == 0)
    let sockets = try ListeningSockets(adopting: [listener])
    let port = sockets.port
    #expect(port == nil)
    let server = HTTPServer(
      sockets, on: DispatchQueue(label: "unix"), configuration: .init(limits: .control)
    ) { request, exchange in exchange.answer(Response(status: .ok, body: request.body)) }
    try server.start()

    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    let connected = withUnsafePointer(to: &address) {
      connect(
        client, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    #expect(connected == 0)
    let request = Request(
      method: .post, target: RequestTarget("/v1")!, headers: ["Host": "homeline", "Connection": "close"],
      body: Array("{}".utf8)
    ).serialized()
    #expect(write(client, request, request.count) == request.count)
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(client, &chunk, chunk.count), count > 0 { all += chunk[..<count] }
    #expect(String(decoding: all, as: UTF8.self).hasSuffix("\r\n\r\n{}"))
    server.stop()
  }
}

/// A listening TCP socket of somebody else.
private final class BoundSocket {
  let port: UInt16
  private var number: Int32

  init(_ family: Int32, loopback: Bool) throws {
    number = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // sockaddr_in and sockaddr_in6 both have the port in their third and fourth byte.
    var address = [UInt8](repeating: 0, count: family == AF_INET ? 16 : 28)
    address[0] = UInt8(family)
    if loopback, family == AF_INET { address.replaceSubrange(4..<8, with: [127, 0, 0, 1]) }
    if loopback, family == AF_INET6 { address[23] = 1 }
    var length = socklen_t(address.count)
    var six: Int32 = 1
    if family == AF_INET6 { setsockopt(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &six, 4) }
    let number = number
    let done = address.withUnsafeMutableBytes { bytes in
      let pointer = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return bind(number, pointer, length) == 0 && listen(number, 5) == 0 && getsockname(number, pointer, &length) == 0
    }
    guard done else { throw TestClient.Failure(description: "bind: errno \(errno)") }
    port = UInt16(address[2]) << 8 | UInt16(address[3])
  }

  func release() -> Int32 {
    defer { number = -1 }
    return number
  }

  deinit { if number >= 0 { close(number) } }
}
