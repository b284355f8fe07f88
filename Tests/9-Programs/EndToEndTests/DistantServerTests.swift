import Glibc
import Platform
import TestSupport
import Testing

/// A server with a public name and a valid certificate that points programs at services on this machine. The names are
/// resolved by a hosts file in a mount namespace.
@Suite("Remote servers that point to local addresses", .timeLimit(.minutes(4)), .needsPeers) struct DistantServerTests {
  private let home: TestInstallation
  private let connections = Locked(0)
  /// A local service that no program may connect to.
  private let target: RawServer

  init() throws {
    home = try TestInstallation()
    let connections = connections
    target = try RawServer(listensFirst: false) { _ in
      connections.withLock { $0 += 1 }
      return []
    }
  }

  /// Starts the server with a certificate for its public name that the programs trust.
  private func start(_ arguments: [String]) async throws -> (program: ProgramRun, port: Int) {
    let script = """
      cd "$0"
      echo 'subjectAltName=DNS:social.example' > names
      openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out request.pem -subj '/CN=homeline test'
      openssl x509 -req -in request.pem -signkey key.pem -days 1 -extfile names -out cert.pem
      echo '127.0.0.1 localhost social.example inside.example' > hosts
      """
    let made = try await ProgramRun.run("bash", ["-ec", script, home.path], environment: home.environment())
    try #require(made.code == 0, "\(made.error)")
    let program = try Peers.start(
      "distant_server.py",
      ["--certificate", "\(home.path)/cert.pem", "--key", "\(home.path)/key.pem"] + arguments)
    let line = try #require(await program.line(containing: "port"), "\(program.written(on: .error))")
    return (program, try #require(try JSONValue(Array(line.utf8))["port"].integer))
  }

  /// Starts `homeline` in a mount namespace where both names resolve to this machine.
  private func homeline(_ arguments: String) throws -> ProgramRun {
    let inside = #"mount --bind "$1/hosts" /etc/hosts && exec "$0" "# + arguments
    return try ProgramRun(
      "bash",
      [
        "-c", #"exec unshare --user --map-root-user --mount bash -c "$2" "$0" "$1""#, ProgramRun.product("homeline"),
        home.path, inside,
      ],
      environment: home.environment(["CURL_CA_BUNDLE": "\(home.path)/cert.pem"]))
  }

  /// Stores a token of the `fedi` account on the server.
  private func authorise(_ port: Int) throws {
    let token = "\(home.path)/state/homeline/fedi/token.json"
    try home.write(
      #"""
      { "schema": 1, "kind": "oauth2", "provider": "mastodon", "server": "https://social.example:\#(port)",
        "user": { "id": "7", "screen_name": "kai", "name": "Kai" }, "access_token": "an-access-token", "refresh_token": null,
        "scope": null, "client_id": "me", "issued_at": "2026-11-20T12:00:00Z", "received_at": "2026-11-20T12:00:00Z",
        "expires_at": null, "renew_at": null, "authorised_at": "2026-11-20T12:00:00Z" }
      """#, to: token)
    for path in ["\(home.path)/state", "\(home.path)/state/homeline", "\(home.path)/state/homeline/fedi"] {
      chmod(path, 0o700)
    }
    chmod(token, 0o600)
  }

  private func needMounts() async throws {
    let outcome = try await ProgramRun.run(
      "bash", ["-c", "unshare --user --map-root-user --mount mount --bind /etc/hosts /etc/hosts"],
      environment: home.environment())
    if outcome.code != 0 { try skipTest("mount namespaces cannot be created here: \(outcome.error)") }
  }

  @Test(
    "Pictures at local addresses, however written, are requested only from the server's own host")
  func pictures() async throws {
    try await needMounts()
    let spellings = [
      "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0",
      "localhost.",
      "inside.example", "127.0.0.1", "localhost", "pictures.localhost",
    ]
    let hostile = spellings.map { "https://\($0):\(target.port)/a.png" } + ["OWN/to-a-name.png", "OWN/to-a-number.png"]
    // The server's own picture is requested last.
    let (server, port) = try await start(
      (hostile + ["OWN/own.png"]).flatMap { ["--picture", $0] } + [
        "--redirect", "/to-a-name.png=https://inside.example:\(target.port)/b.png",
        "--redirect", "/to-a-number.png=https://2130706433:\(target.port)/b.png",
      ])
    try home.configure(
      #"""
      { "callback": { "port": 0 }, "publish": ["html"], "accounts": {
        "fedi": { "provider": "mastodon", "server": "https://social.example:\#(port)", "refresh_seconds": 86400 } } }
      """#)
    try authorise(port)
    let service = try homeline("-v daemon")
    #expect(await server.line(containing: "/own.png") != nil, "\(service.written(on: .error))")
    // The client received both redirects and followed neither.
    #expect(server.written(on: .output).contains("/to-a-name.png"))
    #expect(server.written(on: .output).contains("/to-a-number.png"))
    #expect(connections.withLock { $0 } == 0, "\(service.written(on: .error))")
    service.signal(SIGTERM)
    #expect(await service.end().code == 0)
    server.endInput()
  }

  @Test("Pictures are requested from a local host only if media.private_hosts lists it")
  func exceptions() async throws {
    try await needMounts()
    let (server, port) = try await start([
      "--picture", "https://localhost:\(target.port)/a.png", "--picture", "https://inside.example:\(target.port)/b.png",
      "--picture", "OWN/own.png",
    ])
    try home.configure(
      #"""
      { "callback": { "port": 0 }, "publish": ["html"], "media": { "private_hosts": ["inside.example"] }, "accounts": {
        "fedi": { "provider": "mastodon", "server": "https://social.example:\#(port)", "refresh_seconds": 86400 } } }
      """#)
    try authorise(port)
    let service = try homeline("-v daemon")
    #expect(await server.line(containing: "/own.png") != nil, "\(service.written(on: .error))")
    #expect(connections.withLock { $0 } == 1, "\(service.written(on: .error))")
    service.signal(SIGTERM)
    #expect(await service.end().code == 0)
    server.endInput()
  }

  @Test(
    "A login exits with 78 if the server's metadata names an endpoint on this machine",
    arguments: ["inside.example", "127.1", "localhost."])
  func metadata(host: String) async throws {
    try await needMounts()
    let (server, port) = try await start(["--metadata", "https://\(host):\(target.port)/device"])
    try home.configure(
      #"""
      { "callback": { "port": 0 }, "accounts": {
        "key": { "provider": "oauth2", "client_id": "me", "issuer": "https://social.example:\#(port)" } } }
      """#)
    let outcome = try await homeline("login key --device").end()
    #expect(outcome.code == 78, "\(outcome.code) \(outcome.error)")
    #expect(outcome.error.contains("connecting to \(host):\(target.port) is not allowed"), "\(outcome.error)")
    #expect(outcome.error.contains(#""endpoints""#), "\(outcome.error)")
    #expect(connections.withLock { $0 } == 0)
    server.endInput()
  }
}
