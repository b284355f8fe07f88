import Glibc
import Platform
import TestSupport
import Testing

/// A pending login whose listener other programs attack.
struct LoginUnderAttack {
  let login: PendingLogin
  /// The redirect address, with the verifier, that the provider sends to the user's browser.
  let callback: LocalURL
  let watch: ProcessStatistics
  private let memoryBefore: Int
  private let home: TestInstallation

  /// The maximum number of descriptors: the program's own, and up to two for each of 512 connections while its response
  /// is pending.
  static let mostDescriptors = 2 * 512 + 64
  /// The limit for additional memory, in KiB. 512 connections with complete requests of 24 KiB take 12 MiB.
  private static let mostMemory = 64 << 10

  init(_ variables: [String: String] = [:]) async throws {
    home = try TestInstallation()
    login = try await PendingLogin(home, [], variables)
    let waiting = login
    callback = try await OwnThread.run { try waiting.grant() }
    watch = ProcessStatistics(process: login.program.process)
    memoryBefore = try watch.peakMemory()
  }

  var port: UInt16 { callback.port }
  var token: String { login.token }

  /// A callback from a client that does not know the request token.
  var stray: LocalURL { LocalURL(callback, target: "\(callback.path)?oauth_token=guess&oauth_verifier=guess") }

  /// Completes the login during the attack and checks what resources the program used.
  ///
  /// A verifier can be exchanged only once, so a successful login shows that the attack neither exchanged it nor ended
  /// the login.
  func finish() async throws {
    let memory = try watch.peakMemory() - memoryBefore
    // A sanitizer keeps freed memory, in order to detect later uses of it.
    #expect(memory < Self.mostMemory || Sanitizer.isOn, "\(memory) KiB more")
    #expect(watch.descriptors < Self.mostDescriptors)
    #expect(login.program.isRunning)
    let (login, callback) = (login, callback)
    let page = try await OwnThread.run { try Self.insist { try login.browser.follow(callback) } }
    #expect(page.text.contains("Authorised as"), "\(page.text)")
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(File.exists(home.token))
  }

  /// Repeats the request if the connection breaks before a response, as browsers do (RFC 9110 §9.2.2).
  private static func insist(_ ask: () throws -> TestClient.Answer) throws -> TestClient.Answer {
    for _ in 0..<20 { if let response = try? ask() { return response } }
    return try ask()
  }
}
