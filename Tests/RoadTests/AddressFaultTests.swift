import Platform
import TestSupport
import Testing

/// Refreshes from a provider that is unreachable or does not have a trusted certificate.
@Suite("Unreachable and untrusted providers") struct AddressFaultTests {
  private struct Place {
    let name: String
    let address: String
    /// The `error.code` in the published file.
    var code = "network"
    let words: [String]
  }

  @Test(
    "A failed connection is reported with the host and the reason, posts are kept, and the next success clears the error"
  )
  func places() async throws {
    let (trusted, unknown) = (try await TLSSite(), try await TLSSite())
    let (elsewhere, expired) = (try await TLSSite(.forAnotherHost), try await TLSSite(.expired))
    // The bundle contains all certificates but one, so each server is refused for a different reason.
    let folder = TemporaryFolder()
    let bundle = "\(folder.path)/bundle.pem"
    try AtomicFile.write(trusted.certificate + elsewhere.certificate + expired.certificate, to: bundle, .replaced)
    let home = try await FaultyHome(["CURL_CA_BUNDLE": bundle])

    let nobody = try BoundSocket()
    let plain = try RawServer(listensFirst: false) { _ in [.text("HTTP/1.1 400 Bad Request\r\n\r\n")] }
    let hangingUp = try RawServer(listensFirst: false) { _ in [] }
    let places = [
      Place(
        name: "connection refused", address: "http://127.0.0.1:\(nobody.port)/",
        words: ["127.0.0.1:\(nobody.port) cannot be reached"]),
      Place(
        name: "unknown host", address: "https://provider.invalid/", words: ["provider.invalid cannot be reached"]),
      Place(
        name: "plain HTTP", address: "https://127.0.0.1:\(plain.port)/", words: ["no secure connection to 127.0.0.1"]),
      Place(
        name: "closed connection", address: "https://127.0.0.1:\(hangingUp.port)/",
        words: ["no secure connection to 127.0.0.1"]),
      Place(name: "untrusted certificate", address: unknown.address, words: ["self", "signed", "CURL_CA_BUNDLE"]),
      Place(
        name: "certificate for another host", address: elsewhere.address,
        words: ["target host name", "certificate must be valid"]),
      Place(name: "expired certificate", address: expired.address, words: ["expired", "certificate must be valid"]),
      // A trusted server, which shows that TLS connections work in general.
      Place(name: "trusted, but an HTML page", address: trusted.address, code: "provider", words: ["HTML page"]),
    ]
    for place in places {
      let before = try home.ids()
      try await home.move(to: place.address)
      let refreshed = try await home.refresh()
      let (said, file) = (refreshed.said, refreshed.file)
      #expect(said.contains(#""exit":69"#), "\(place.name): \(said)")
      #expect(file["error"]["code"].text == place.code, "\(place.name): \(file["error"])")
      #expect(file["stale_since"].text != nil, "\(place.name)")
      #expect(try home.ids() == before, "\(place.name)")
      let message = file["error"]["message"].text ?? ""
      for words in place.words { #expect(message.contains(words), "\(place.name): \(message)") }
      try await home.move(to: home.timeline.address)
      try await home.recover(from: place.name)
    }
    #expect(await home.daemon.stop().outcome.code == 0)
  }

  @Test("homeline refresh without a service reports the same errors and exits with 69")
  func command() async throws {
    let home = try await FaultyHome()
    await home.daemon.stop()
    home.timeline.answer([.send(HTTPBytes.answer("<!DOCTYPE html><html><body>Wi-Fi</body></html>"))])
    let portal = try await home.served.home.run("refresh")
    #expect(portal.code == 69)
    #expect(portal.output == "")
    #expect(portal.error.contains("HTML page"), "\(portal.error)")
    home.timeline.answer([.reset])
    let reset = try await home.served.home.run("refresh")
    #expect(reset.code == 69)
    #expect(reset.error.contains("broke"), "\(reset.error)")
    home.timeline.answer(nil)
    home.timeline.publishOne()
    let good = try await home.served.home.run("refresh")
    #expect(good.code == 0, "\(good.error)")
    #expect(good.output.hasPrefix("demo: 1 new post"), "\(good.output)")
  }
}
