import Dispatch
import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing

@testable import Platform

@Suite("Unix sockets")
struct ListenerUnixTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/run/control.sock" }

  private func server(
    _ peers: PeerRule, at other: String? = nil, refused: @escaping @Sendable (PeerCredentials?) -> Void = { _ in }
  ) throws -> Server {
    let server = Server(
      try ListeningSockets.unix(path: other ?? path), on: DispatchQueue(label: "unix"),
      configuration: .init(limits: .control, peers: peers, refused: refused)
    ) { request, exchange in exchange.respond(Response(status: .ok, body: request.body)) }
    try server.start()
    return server
  }

  private func stop(_ server: Server) {
    let done = DispatchSemaphore(value: 0)
    server.stop { done.signal() }
    #expect(done.wait(timeout: .now() + 30) == .success)
  }

  private func echo(_ text: String) throws -> String {
    let client = try TestClient(unix: path)
    try client.request("/v1", method: "POST", fields: ["Content-Length: \(text.utf8.count)"])
    try client.send(text)
    return try client.readResponse().text
  }

  @Test(
    "only the user who created a Unix socket can access it, and its file is removed when its server stops"
  )
  func served() throws {
    let server = try server(.sameUser)
    #expect(try FileStatus.of(path).permissions == 0o600)
    #expect(try FileStatus.of("\(folder.path)/run").permissions == 0o700)
    #expect(try echo("{}") == "{}")
    stop(server)
    #expect(!File.exists(path))
  }

  @Test("a Unix socket is private from the start, regardless of the umask", arguments: [0, 0o777] as [mode_t])
  func umask(_ mask: mode_t) async {
    await #expect(processExitsWith: .success) { [mask] in
      let folder = TemporaryFolder()
      _ = Glibc.umask(mask)
      let path = "\(folder.path)/socket"
      let sockets = try ListeningSockets.unix(path: path)
      #expect(try FileStatus.of(path).permissions == 0o600)
      _ = sockets.port
    }
  }

  @Test("a socket left by a killed process refuses connections and is replaced")
  func stale() throws {
    try Folder.create("\(folder.path)/run")
    close(try UnixSocket.listening(at: path))
    #expect(throws: TestClient.Failure.self) { try TestClient(unix: path) }
    let server = try server(.anyone)
    #expect(try echo("now") == "now")
    stop(server)
  }

  @Test("a file at the socket's path that is not a socket is an error, and is not removed")
  func noSocket() throws {
    try Folder.create("\(folder.path)/run")
    try AtomicFile.write(Array("precious".utf8), to: path, .replaced)
    let error = #expect(throws: ListenError.self) { _ = try ListeningSockets.unix(path: path) }
    #expect(error == .notASocket(path) && error?.description.contains(path) == true)
    #expect(try File.read(path, limit: 100) == Array("precious".utf8))
  }

  @Test("a symbolic link to a socket is not replaced")
  func link() throws {
    try Folder.create("\(folder.path)/run")
    let other = "\(folder.path)/other"
    close(try UnixSocket.listening(at: other))
    #expect(symlink(other, path) == 0)
    #expect(throws: ListenError.notASocket(path)) { _ = try ListeningSockets.unix(path: path) }
    #expect(File.exists(other))
  }

  @Test("a socket path may be as long as the system allows, and one more byte is an error", arguments: [107, 108])
  func longPath(_ length: Int) throws {
    let path = folder.path + "/" + String(repeating: "s", count: length - folder.path.utf8.count - 1)
    #expect(path.utf8.count == length)
    if length == 107 {
      let sockets = try ListeningSockets.unix(path: path)
      #expect(try TestClient(unix: path).connectionIsOpen)
      _ = sockets.port
    } else {
      #expect(throws: ListenError.pathTooLong(path)) { _ = try ListeningSockets.unix(path: path) }
    }
  }

  @Test("the file of a Unix socket that is never served is removed")
  func neverServed() throws {
    func listen() throws -> Bool {
      let sockets = try ListeningSockets.unix(path: path)
      defer { _ = sockets.port }
      return File.exists(path)
    }
    #expect(try listen() && !File.exists(path))
  }

  @Test("a stopping server does not remove a socket that another server has created at the same path")
  func replaced() throws {
    let first = try server(.anyone)
    let second = try server(.anyone)
    stop(first)
    #expect(try echo("second") == "second")
    stop(second)
    #expect(!File.exists(path))
  }

  @Test("a connection from another user is reported, and is closed before anything is read")
  func otherUser() throws {
    let refused = Locked<[PeerCredentials?]>([])
    let server = try server(.user(geteuid() + 1)) { peer in refused.withLock { $0.append(peer) } }
    let client = try TestClient(unix: path)
    #expect(try client.receiveToEnd() == [])
    #expect(throws: (any Error).self) {
      try client.request("/v1")
      _ = try client.readResponse()
    }
    stop(server)
    #expect(refused.withLock { $0.count } == 1)
    #expect(refused.withLock { $0[0]?.userID } == geteuid())
    #expect(refused.withLock { $0[0]?.processID } == getpid())
  }

  @Test(
    "another user's process is refused even if it can reach the socket", .enabled(if: geteuid() == 0, "needs root"))
  func realOtherUser() throws {
    let refused = Locked<[PeerCredentials?]>([])
    let folder = TemporaryFolder(in: "/tmp")
    let path = "\(folder.path)/run/control.socket"
    let server = try server(.sameUser, at: path) { peer in refused.withLock { $0.append(peer) } }
    // The mode of the file alone would make the connection fail.
    for part in [folder.path, "\(folder.path)/run", path] { #expect(chmod(part, 0o777) == 0) }
    let ask = """
      use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "connect: $!"; $SIG{PIPE} = "IGNORE";
      syswrite($s, "GET /v1 HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n"); my $n = sysread($s, my $b, 9);
      print(defined $n && $n > 0 ? "answered" : "nothing")
      """
    func asked(as user: String) throws -> String {
      let output = try Child.output(
        of: "setpriv", ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "perl", "-e", ask, path],
        environment: [:], limit: 1000, timeout: .seconds(30))
      return String(decoding: output, as: UTF8.self)
    }
    #expect(try asked(as: "65534") == "nothing")
    #expect(try asked(as: "0") == "answered")
    stop(server)
    #expect(refused.withLock { $0.map { $0?.userID } } == [65534])
  }

  @Test("a user rule meant for Unix sockets refuses TCP connections")
  func tcp() throws {
    let refused = Locked<[PeerCredentials?]>([])
    let sockets = try ListeningSockets.loopback(port: 0, host: .literal)
    let port = sockets.port ?? 0
    let server = Server(
      sockets, on: DispatchQueue(label: "tcp"),
      configuration: .init(
        limits: .control, peers: .sameUser, refused: { peer in refused.withLock { $0.append(peer) } })
    ) { _, exchange in exchange.respond(Response(status: .ok)) }
    try server.start()
    #expect(throws: (any Error).self) { try TestClient.get("/", port: port) }
    stop(server)
    #expect(refused.withLock { $0 } == [nil])
  }
}

extension TestClient {
  /// Whether the connection still accepts data to send.
  fileprivate var connectionIsOpen: Bool { (try? send("x")) != nil }
}
