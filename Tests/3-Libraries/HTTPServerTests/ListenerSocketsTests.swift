import Dispatch
import Glibc
import HTTP
import HTTPServer
import Platform
import TestSupport
import Testing

@Suite("Listening sockets")
struct ListenerSocketsTests {
  @Test("the error for a port in use gives the address and the port")
  func taken() throws {
    let first = try ListeningSockets.loopback(port: 0, host: .localhost)
    let taken = first.port
    let port = try #require(taken)
    let error = #expect(throws: ListenError.self) { _ = try ListeningSockets.loopback(port: port, host: .localhost) }
    #expect(error == .portInUse(.v4, port: port))
    #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    _ = first.port  // Using the value here keeps the port in use until this line.
  }

  @Test(
    "another program on [::1] is an error if the host is localhost, but only a warning if it is 127.0.0.1")
  func stranger() throws {
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let stranger = try BoundSocket(.loopback6, port: reserved.port, shared: true)
    try stranger.listen()
    let error = #expect(throws: ListenError.self) {
      _ = try ListeningSockets.loopback(port: stranger.port, host: .localhost)
    }
    #expect(error == .portInUse(.v6, port: stranger.port))
    let sockets = try ListeningSockets.loopback(port: stranger.port, host: .literal)
    let (port, warning) = (sockets.port, sockets.warning)
    #expect(port == stranger.port && warning == .portInUse(.v6, port: stranger.port))
  }

  @Test("a program listening on all addresses also occupies its port on loopback")
  func everywhere() throws {
    let stranger = try BoundSocket(.everywhere)
    try stranger.listen()
    let error = #expect(throws: ListenError.self) {
      _ = try ListeningSockets.loopback(port: stranger.port, host: .literal)
    }
    #expect(error == .portInUse(.v4, port: stranger.port))
  }

  @Test("the server listens only on loopback")
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
}
