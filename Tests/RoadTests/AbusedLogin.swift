import Glibc
import Platform
import TestSupport
import Testing

/// A login that waits for its browser while others play with its listener.
struct AbusedLogin {
  let login: WaitingLogin
  /// Where the provider sends the user's browser, with the verifier.
  let callback: PlainAddress
  let watch: ProcessWatch
  private let memoryBefore: Int
  private let home: RoadHome

  /// How many descriptors the program may have: 512 connections, each watched twice while its answer waits, and its own.
  static let mostDescriptors = 2 * 512 + 64
  /// How much memory more than before, in KiB. 512 connections with whole requests of 24 KiB are 12 MiB.
  private static let mostMemory = 64 << 10

  init(_ variables: [String: String] = [:]) async throws {
    home = try RoadHome()
    login = try await WaitingLogin(home, [], variables)
    let waiting = login
    callback = try await PlainBrowser.onThreadOfItsOwn { try waiting.grant() }
    watch = ProcessWatch(process: login.program.process)
    memoryBefore = try watch.peakMemory()
  }

  var port: UInt16 { callback.port }
  var token: String { login.token }

  /// A callback of somebody who does not know the request token.
  var stray: PlainAddress { PlainAddress(callback, target: "\(callback.path)?oauth_token=guess&oauth_verifier=guess") }

  /// Walks the user's way to its end, during whatever else goes on, and looks at what the abuse has cost.
  ///
  /// Whatever was tried before has exchanged nothing and has not ended the login: a verifier is good once.
  func finish() async throws {
    let memory = try watch.peakMemory() - memoryBefore
    // A sanitizer keeps what is let go of, to see who still uses it.
    #expect(memory < Self.mostMemory || Sanitizer.isOn, "\(memory) KiB more")
    #expect(watch.descriptors < Self.mostDescriptors)
    #expect(login.program.isRunning)
    let (login, callback) = (login, callback)
    let page = try await PlainBrowser.onThreadOfItsOwn { try Self.insist { try login.browser.follow(callback) } }
    #expect(page.text.contains("Authorised as"), "\(page.text)")
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(File.exists(home.token))
  }

  /// What a browser does whose connection breaks before anything was answered (RFC 9110 §9.2.2): it asks again.
  private static func insist(_ ask: () throws -> TestClient.Answer) throws -> TestClient.Answer {
    for _ in 0..<20 { if let answer = try? ask() { return answer } }
    return try ask()
  }
}
