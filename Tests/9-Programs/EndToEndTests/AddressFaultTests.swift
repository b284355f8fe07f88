import Platform
import TestSupport
import Testing

/// Refreshes from providers that are unreachable or whose certificates are not trusted.
@Suite("Unreachable and untrusted providers") struct AddressFaultTests {
  private struct Endpoint {
    let name: String
    let address: String
    /// The expected `error.code` in the published file.
    var code = "network"
    let expectedTexts: [String]
  }

  @Test(
    "A failed connection is reported with its host and reason, posts are kept, and the next successful request clears the error"
  )
  func endpoints() async throws {
    let (trusted, unknown) = (try await TLSServer(), try await TLSServer())
    let (elsewhere, expired) = (try await TLSServer(.forAnotherHost), try await TLSServer(.expired))
    // The certificate bundle contains every certificate but one, so each server is refused for a different reason.
    let folder = TemporaryFolder()
    let bundle = "\(folder.path)/bundle.pem"
    try AtomicFile.write(trusted.certificate + elsewhere.certificate + expired.certificate, to: bundle, .replaced)
    let fixture = try await FaultyTimelineFixture(["CURL_CA_BUNDLE": bundle])

    let nobody = try BoundSocket()
    let plain = try RawServer(listensFirst: false) { _ in [.text("HTTP/1.1 400 Bad Request\r\n\r\n")] }
    let hangingUp = try RawServer(listensFirst: false) { _ in [] }
    let endpoints = [
      Endpoint(
        name: "connection refused", address: "http://127.0.0.1:\(nobody.port)/",
        expectedTexts: ["127.0.0.1:\(nobody.port) cannot be reached"]),
      Endpoint(
        name: "unknown host", address: "https://provider.invalid/",
        expectedTexts: ["provider.invalid cannot be reached"]),
      Endpoint(
        name: "plain HTTP", address: "https://127.0.0.1:\(plain.port)/",
        expectedTexts: ["cannot connect securely to 127.0.0.1"]),
      Endpoint(
        name: "closed connection", address: "https://127.0.0.1:\(hangingUp.port)/",
        expectedTexts: ["cannot connect securely to 127.0.0.1"]),
      Endpoint(
        name: "untrusted certificate", address: unknown.address, expectedTexts: ["self", "signed", "CURL_CA_BUNDLE"]),
      Endpoint(
        name: "certificate for another host", address: elsewhere.address,
        expectedTexts: ["target host name", "needs a valid certificate"]),
      Endpoint(
        name: "expired certificate", address: expired.address, expectedTexts: ["expired", "needs a valid certificate"]),
      // A connection to a trusted server proves that TLS works at all.
      Endpoint(
        name: "trusted, but an HTML page", address: trusted.address, code: "provider",
        expectedTexts: ["a web page (status 200)"]),
    ]
    for endpoint in endpoints {
      let before = try fixture.home.publishedIDs()
      try await fixture.move(to: endpoint.address)
      let refreshed = try await fixture.refresh()
      let (events, file) = (refreshed.events, refreshed.file)
      #expect(events.contains(#""exit":69"#), "\(endpoint.name): \(events)")
      #expect(file["error"]["code"].text == endpoint.code, "\(endpoint.name): \(file["error"])")
      #expect(file["stale_since"].text != nil, "\(endpoint.name)")
      #expect(try fixture.home.publishedIDs() == before, "\(endpoint.name)")
      let message = file["error"]["message"].text ?? ""
      for text in endpoint.expectedTexts { #expect(message.contains(text), "\(endpoint.name): \(message)") }
      try await fixture.move(to: fixture.timeline.address)
      try await fixture.recover(from: endpoint.name)
    }
    #expect(await fixture.daemon.stop().outcome.code == 0)
  }

  @Test("Without a service, `homeline refresh` reports a failed connection and exits with 69")
  func command() async throws {
    let fixture = try await FaultyTimelineFixture()
    await fixture.daemon.stop()
    fixture.timeline.respond([.send(RawHTTP.response("<!DOCTYPE html><html><body>Wi-Fi</body></html>"))])
    let portal = try await fixture.home.run("refresh")
    #expect(portal.code == 69)
    #expect(portal.output == "")
    #expect(portal.error.contains("a web page (status 200)"), "\(portal.error)")
    fixture.timeline.respond([.reset])
    let reset = try await fixture.home.run("refresh")
    #expect(reset.code == 69)
    #expect(reset.error.contains("broke"), "\(reset.error)")
    fixture.timeline.respond(nil)
    fixture.timeline.publishOne()
    let good = try await fixture.home.run("refresh")
    #expect(good.code == 0, "\(good.error)")
    #expect(good.output.hasPrefix("demo: 1 new post"), "\(good.output)")
  }
}

/// OpenSSL's TLS server on 127.0.0.1, with a test certificate. It responds to every request with an HTML page.
private final class TLSServer: Sendable {
  /// What is wrong with the certificate; nil if it is valid.
  enum Certificate: Sendable { case good, forAnotherHost, expired }

  let port: String
  /// A self-signed certificate, which clients that have it in their bundle trust.
  let certificate: [UInt8]
  private let program: ProgramRun
  private let folder = TemporaryFolder()

  init(_ kind: Certificate = .good) async throws {
    let path = folder.path
    let script = """
      cd '\(path)'
      echo 'subjectAltName=IP:\(kind == .forAnotherHost ? "127.0.0.2" : "127.0.0.1")' > names
      openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out request.pem \\
        -subj '/CN=homeline test'
      openssl x509 -req -in request.pem -signkey key.pem -days \(kind == .expired ? -1 : 1) -extfile names -out cert.pem
      """
    let variables = ProgramRun.environment(home: path)
    let made = try await ProgramRun.run("bash", ["-ec", script], environment: variables)
    try #require(made.code == 0, "\(made.error)")
    certificate = try File.read("\(path)/cert.pem", limit: 1 << 16)
    program = try ProgramRun(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-www", "-key", "\(path)/key.pem", "-cert", "\(path)/cert.pem"],
      environment: variables, input: .open)
    guard let line = await program.line(containing: "ACCEPT"), let colon = line.lastIndex(of: ":") else {
      throw TestClient.Failure(description: program.written(on: .error))
    }
    port = String(line[line.index(after: colon)...])
  }

  deinit { program.signal(15) }

  var address: String { "https://127.0.0.1:\(port)/home_timeline.json" }
}
