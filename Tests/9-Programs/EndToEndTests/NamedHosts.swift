import JSON
import Platform
import TestSupport
import Testing

/// Hosts with names and TLS, on an address that counts as public, in their own network namespace. The names are resolved by a hosts file in
/// a mount namespace.
struct NamedHosts {
  struct Answer {
    var status = 200
    var location: String?
    var body = ""

    static func redirect(_ target: String) -> Answer { Answer(status: 302, location: target) }
    static func body(_ text: String) -> Answer { Answer(body: text) }
  }

  struct Outcome {
    let code: Int32
    let output: String
    let error: String
    /// The requests, as `HOST TARGET`, and `inside` for each connection to an inner address.
    let log: [String]
  }

  /// 198.18.0.0/15 is for tests of networks; homeline treats it as public.
  private static let publicAddress = "198.18.0.1"
  /// The inner addresses and ports that no program may connect to.
  private static let inside = ["10.9.8.7:443", "10.9.8.20:443", "127.0.0.1:6379", "127.0.0.1:443"]
  private static let names = [
    "home.example", "social.example", "id.example", "xn--mller-kva.example", "example.org",
  ]

  let home: TestInstallation
  var documents: [String: [String: Answer]] = [:]
  /// The inner addresses that serve documents, instead of only noticing connections.
  var innerServers: [String] = []

  init(_ home: TestInstallation) async throws {
    self.home = home
    let names = Self.names.map { "DNS:\($0)" } + ["DNS:inner.example", "IP:10.9.8.7"]
    let hosts =
      "127.0.0.1 localhost\n\(Self.publicAddress) \(Self.names.joined(separator: " "))\n10.9.8.7 inner.example\n10.9.8.20 printer.lan\n"
    try home.write(hosts, to: "\(home.path)/hosts")
    let script = """
      cd "$0"
      echo 'subjectAltName=\(names.joined(separator: ","))' > names
      openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out request.pem -subj '/CN=homeline test'
      openssl x509 -req -in request.pem -signkey key.pem -days 1 -extfile names -out cert.pem
      unshare --user --map-root-user --net --mount ip link set lo up
      """
    let made = try await ProgramRun.run("bash", ["-ec", script, home.path], environment: Self.environment(home))
    if made.code != 0 { try skipTest("network namespaces cannot be created here: \(made.error)") }
  }

  private static func environment(_ home: TestInstallation) -> [String: String] {
    home.environment([
      "CURL_CA_BUNDLE": "\(home.path)/cert.pem", "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    ])
  }

  /// Runs `homeline` while the hosts answer.
  func run(_ arguments: String...) async throws -> Outcome {
    var writer = JSONWriter()
    writer.object { json in
      for (host, answers) in documents.sorted(by: { $0.key < $1.key }) {
        json.name(host)
        json.object { json in
          for (path, answer) in answers.sorted(by: { $0.key < $1.key }) {
            json.name(path)
            json.object { json in
              json.member("status", answer.status)
              json.member("location", answer.location)
              json.member("body", answer.body)
            }
          }
        }
      }
    }
    let log = "\(home.path)/requests"
    try home.write(String(decoding: writer.bytes, as: UTF8.self), to: "\(home.path)/documents.json")
    try home.write("", to: log)
    let watched = Self.inside.filter { place in !innerServers.contains { place.hasPrefix("\($0):") } }
    let addresses = [Self.publicAddress] + innerServers
    let server =
      [try #require(Peers.python), Peers.path(of: "named_hosts.py")]
      + addresses.flatMap { ["--address", $0] } + watched.flatMap { ["--inside", $0] } + [
        "--certificate", "\(home.path)/cert.pem", "--key", "\(home.path)/key.pem", "--documents",
        "\(home.path)/documents.json", "--log", log, "--", ProgramRun.product("homeline"),
      ]
    let inside = """
      ip link set lo up && for a in \(Self.publicAddress) 10.9.8.7 10.9.8.20; do ip addr add $a/32 dev lo; done
      mount --bind "$0/hosts" /etc/hosts && exec "$@"
      """
    let outcome = try await ProgramRun.run(
      "unshare",
      ["--user", "--map-root-user", "--net", "--mount", "bash", "-ec", inside, home.path] + server + arguments,
      environment: Self.environment(home))
    return Outcome(
      code: outcome.code, output: outcome.output, error: outcome.error,
      log: try home.read(log).split(separator: "\n").map(String.init))
  }
}
