import Glibc
import TestSupport
import Testing

@testable import Platform

/// The users at the other end of real connections, as reported by each way of asking the kernel.
@Suite("Users at the other end of a TCP connection")
struct PeerOwnersTests {
  /// A listening socket, and the connections to the socket.
  private final class Listener {
    let port: UInt16
    let number: Int32
    private let socket: BoundSocket

    init(overIPv6: Bool) throws {
      socket = try BoundSocket(overIPv6 ? .loopback6 : .loopback)
      port = socket.port
      number = try socket.handOver()
    }

    deinit { close(number) }

    func accept() throws -> Int32 {
      let connection = Glibc.accept(number, nil, nil)
      try #require(connection >= 0)
      return connection
    }
  }

  /// Looks up owners in the given way. Skips the test if this machine does not support it.
  private func owners(_ way: PeerOwners.Way, of listener: Listener) throws -> PeerOwners {
    let owners = PeerOwners(listeners: [listener.number], ways: [way])
    if owners.way == nil { try skipTest("this machine does not support \(way)") }
    return owners
  }

  @Test("a TCP connection of this process belongs to its user", arguments: PeerOwners.Way.allCases, [false, true])
  func own(way: PeerOwners.Way, overIPv6: Bool) throws {
    let listener = try Listener(overIPv6: overIPv6)
    let owners = try owners(way, of: listener)
    let client = try TestClient(port: listener.port, overIPv6: overIPv6)
    let connection = try listener.accept()
    defer { close(connection) }
    #expect(owners.owner(ofPeerOf: connection) == .user(geteuid()))
    // A socket that has only stopped sending is still open.
    client.endOutput()
    #expect(owners.owner(ofPeerOf: connection) == .user(geteuid()))
  }

  @Test("an IPv6 socket connected over IPv4 belongs to its user", arguments: PeerOwners.Way.allCases)
  func mapped(way: PeerOwners.Way) throws {
    let listener = try Listener(overIPv6: false)
    let owners = try owners(way, of: listener)
    let client = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = listener.port.bigEndian
    withUnsafeMutableBytes(of: &address.sin6_addr) {
      $0.copyBytes(from: [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127, 0, 0, 1])
    }
    let code = withUnsafePointer(to: &address) {
      connect(
        client, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in6>.size))
    }
    try #require(code == 0)
    let connection = try listener.accept()
    defer { close(connection) }
    #expect(owners.owner(ofPeerOf: connection) == .user(geteuid()))
  }

  @Test(
    "no user is found for a closed or reset connection", arguments: PeerOwners.Way.allCases,
    [(false, false), (false, true), (true, false), (true, true)])
  func closed(way: PeerOwners.Way, how: (overIPv6: Bool, byReset: Bool)) throws {
    let listener = try Listener(overIPv6: how.overIPv6)
    let owners = try owners(way, of: listener)
    let client = try TestClient(port: listener.port, overIPv6: how.overIPv6)
    try client.send("GET / HTTP/1.1\r\n\r\n")
    if how.byReset { client.reset() } else { client.close() }
    let connection = try listener.accept()
    defer { close(connection) }
    #expect(owners.owner(ofPeerOf: connection) == .nobody)
  }

  @Test("a connection's user is unknown if there is no way to look it up")
  func unknown() throws {
    let listener = try Listener(overIPv6: false)
    let owners = PeerOwners(listeners: [listener.number], ways: [])
    let client = try TestClient(port: listener.port)
    let connection = try listener.accept()
    defer { close(connection) }
    #expect(owners.way == nil)
    #expect(owners.owner(ofPeerOf: connection) == .unknown)
    client.close()
  }

  @Test(
    "another user's TCP connection belongs to that user",
    .enabled(if: geteuid() == 0, "acting as another user needs root"),
    arguments: PeerOwners.Way.allCases, [false, true])
  func otherUser(way: PeerOwners.Way, overIPv6: Bool) async throws {
    let listener = try Listener(overIPv6: overIPv6)
    let owners = try owners(way, of: listener)
    let connect = """
      use IO::Socket::IP; my $s = IO::Socket::IP->new(PeerHost => $ARGV[0], PeerPort => $ARGV[1]) or die "connect: $!";
      $| = 1; print "connected\\n"; <STDIN>;
      """
    let other = try ProgramRun(
      "setpriv",
      [
        "--reuid=31733", "--regid=31733", "--clear-groups", "perl", "-e", connect, overIPv6 ? "::1" : "127.0.0.1",
        "\(listener.port)",
      ], environment: ProgramRun.environment(home: "/nonexistent"), input: .open)
    try #require(await other.line(containing: "connected") != nil, "\(other.written(on: .error))")
    let connection = try listener.accept()
    defer { close(connection) }
    #expect(owners.owner(ofPeerOf: connection) == .user(31733))
    other.endInput()
    #expect(await other.end().code == 0)
  }
}
