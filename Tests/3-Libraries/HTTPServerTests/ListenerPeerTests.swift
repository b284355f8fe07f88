import Dispatch
import Glibc
import HTTP
import HTTPTestServer
import TestSupport
import Testing

@testable import HTTPServer
@testable import Platform

@Suite("The users of a TCP port")
struct ListenerPeerTests {
  private func configuration(_ peers: PeerRule, asking ways: Set<PeerOwners.Way> = Set(PeerOwners.Way.allCases))
    -> ServerConfiguration
  {
    var configuration = ServerConfiguration(limits: .control, peers: peers)
    configuration.ownerLookups = ways
    configuration.content = { _ in .memory(limit: 1 << 20) }
    return configuration
  }

  private func server(_ configuration: ServerConfiguration) throws -> TestServer {
    try TestServer(configuration) { _, exchange in
      exchange.respond(Response(status: .ok, text: exchange.peer.map { "\($0)" } ?? "unknown"))
    }
  }

  @Test(
    "a request names the user who sent it", arguments: [false, true], [PeerRule.UnknownOwners.accepted, .refused])
  func own(overIPv6: Bool, unknown: PeerRule.UnknownOwners) throws {
    let server = try server(configuration(.sameUserOverTCP(unknown: unknown)))
    #expect(try TestClient.get("/", port: server.port, overIPv6: overIPv6).text == "\(geteuid())\n")
  }

  @Test("without a rule about users, a request names none")
  func anyone() throws {
    let server = try server(configuration(.anyone))
    #expect(try TestClient.get("/", port: server.port).text == "unknown\n")
  }

  @Test("if the kernel cannot report users and that is not accepted, the port is not opened")
  func closed() throws {
    let reserved = try ReservedPort()
    let server = Server(
      try ListeningSockets.loopback(port: reserved.port, host: .literal), on: DispatchQueue(label: "closed"),
      configuration: configuration(.sameUserOverTCP(unknown: .refused), asking: [])
    ) { _, exchange in exchange.respond(Response(status: .ok)) }
    let error = #expect(throws: ListenError.self) { try server.start() }
    #expect(error == .ownersUnknown(port: reserved.port) && error?.exitCode == .configuration)
    #expect(error?.message.contains("\(reserved.port)") == true)
    #expect(throws: TestClient.Failure.self) { try TestClient(port: reserved.port) }
    let done = DispatchSemaphore(value: 0)
    server.stop { done.signal() }
    #expect(done.wait(timeout: .now() + 30) == .success)
  }

  @Test("if the kernel cannot report users and that is accepted, requests are answered and name no user")
  func open() throws {
    let server = try server(configuration(.sameUserOverTCP(unknown: .accepted), asking: []))
    #expect(try TestClient.get("/", port: server.port).text == "unknown\n")
  }

  @Test("a connection is refused if only asking about it fails")
  func ownerless() throws {
    let rule = PeerRule.sameUserOverTCP(unknown: .refused)
    #expect(rule.admission(of: 0, by: nil) == .ownerless)
    #expect(PeerRule.sameUserOverTCP(unknown: .accepted).admission(of: 0, by: nil) == .accepted(nil))
  }

  @Test(
    "another user gets 403 before any content is read, and a request from root is distinguished from the user's",
    .enabled(if: geteuid() == 0, "acting as another user needs root"))
  func others() throws {
    let user: UInt32 = 31733
    let server = try server(configuration(.userOverTCP(user, unknown: .refused)))
    // The content stays unsent, so that a server that waits for it does not answer.
    let ask = """
      use IO::Socket::IP; my $s = IO::Socket::IP->new(PeerHost => "127.0.0.1", PeerPort => $ARGV[0]) or die "connect: $!";
      print $s "POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: $ARGV[1]\\r\\n\\r\\n"; $s->flush;
      my $all = ""; while (sysread($s, my $b, 4096)) { $all .= $b; last if $all =~ /\\r\\n\\r\\n.*\\n/s }; print $all;
      """
    func asked(as user: UInt32, content: Int) throws -> String {
      let output = try Child.output(
        of: "setpriv",
        ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "perl", "-e", ask, "\(server.port)", "\(content)"],
        environment: [:], limit: 10_000, timeout: .seconds(60))
      return String(decoding: output, as: UTF8.self)
    }
    #expect(try asked(as: user, content: 0).hasSuffix("\r\n\r\n\(user)\n"))
    #expect(try asked(as: 0, content: 0).hasSuffix("\r\n\r\n0\n"))
    #expect(try asked(as: 31734, content: 500_000).hasPrefix("HTTP/1.1 403 "))
  }
}
