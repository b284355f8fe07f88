import Platform
import TestSupport
import Testing

/// OpenSSL's TLS server on 127.0.0.1 with a test certificate. It answers every request with an HTML page.
final class TLSSite: Sendable {
  /// The certificate's defect, if any.
  enum Certificate: Sendable { case good, forAnotherHost, expired }

  let port: String
  /// Self-signed: clients with the certificate in their bundle trust it.
  let certificate: [UInt8]
  private let program: ProgramRun
  private let folder = TemporaryFolder()

  init(_ kind: Certificate = .good) async throws {
    let place = folder.path
    let script = """
      cd '\(place)'
      echo 'subjectAltName=IP:\(kind == .forAnotherHost ? "127.0.0.2" : "127.0.0.1")' > names
      openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out request.pem \\
        -subj '/CN=homeline test'
      openssl x509 -req -in request.pem -signkey key.pem -days \(kind == .expired ? -1 : 1) -extfile names -out cert.pem
      """
    let variables = ProgramRun.environment(home: place)
    let made = try await ProgramRun.run("bash", ["-ec", script], environment: variables)
    try #require(made.code == 0, "\(made.error)")
    certificate = try File.read("\(place)/cert.pem", limit: 1 << 16)
    program = try ProgramRun(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-www", "-key", "\(place)/key.pem", "-cert", "\(place)/cert.pem"],
      environment: variables, input: .open)
    guard let line = await program.line(containing: "ACCEPT"), let colon = line.lastIndex(of: ":") else {
      throw TestClient.Failure(description: program.written(on: .error))
    }
    port = String(line[line.index(after: colon)...])
  }

  deinit { program.signal(15) }

  var address: String { "https://127.0.0.1:\(port)/home_timeline.json" }
}
