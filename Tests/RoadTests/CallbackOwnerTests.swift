import Glibc
import Platform
import TestSupport
import Testing

/// A login of one user whose callback is called by programs of others. The users are real ones here: the login's is 31733, the other is
/// 65534, and both are played by `Tests/Peers/other_user.py`.
@Suite(
  "A callback that another user of the machine calls", .enabled(if: geteuid() == 0, "playing other users needs root"))
struct CallbackOwnerTests {
  private static let user: UInt32 = 31733
  private static let other: UInt32 = 65534

  /// A login of the user 31733 that waits for its browser.
  private struct UserLogin {
    let place: TemporaryFolder
    let program: ProgramRun
    let address: PlainAddress

    /// Where the provider sends whoever says yes.
    func granted() async throws -> PlainAddress {
      let address = address
      return try await PlainBrowser.onThreadOfItsOwn { try PlainBrowser().grant(at: address) }
    }

    /// What a program of some user gets there.
    func ask(_ user: UInt32, _ arguments: String...) async throws -> String {
      let outcome = try await ProgramRun.run(
        "python3", [RoadHome.repository("Tests/Peers/other_user.py"), "\(user)"] + arguments,
        environment: ProgramRun.environment(home: "/nonexistent"), timeout: .seconds(90))
      try #require(outcome.code == 0, "\(outcome.error)")
      return String(outcome.output.dropLast())
    }

    /// Has the user's own browser come back, and looks at how the login ends.
    func finish(at callback: PlainAddress, as user: UInt32 = CallbackOwnerTests.user) async throws {
      #expect(program.isRunning, "\(program.written(on: .error))")
      #expect(try await ask(user, "follow", "\(callback)").hasPrefix("Authorised as"))
      let outcome = await program.end()
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(File.exists("\(place.path)/state/homeline/demo/token.json"))
    }
  }

  /// - Returns: nil, with a word about it, where the built programs cannot be run by another user.
  private func login(_ variables: [String: String] = [:]) async throws -> UserLogin? {
    let place = TemporaryFolder(in: "/tmp")
    try Folder.create("\(place.path)/config/homeline")
    try AtomicFile.write(
      Array(
        #"{ "callback": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox", "keep_posts": 20 } } }"#.utf8),
      to: "\(place.path)/config/homeline/config.json", .replaced)
    let environment = ProgramRun.environment(home: place.path, variables)
    let owned = try await ProgramRun.run(
      "chown", ["-R", "\(Self.user):\(Self.user)", place.path], environment: environment)
    try #require(owned.code == 0, "\(owned.error)")
    let asUser = ["--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", ProgramRun.product("homeline")]
    guard try await ProgramRun.run("setpriv", asUser + ["version"], environment: environment).code == 0 else {
      RoadHome.skip("the built programs cannot be run by another user")
      return nil
    }
    let program = try ProgramRun("setpriv", asUser + ["login"], environment: environment)
    guard let line = await program.line(containing: "oauth_token=") else {
      throw TestClient.Failure(description: "no address came: \(program.written(on: .error))")
    }
    return UserLogin(place: place, program: program, address: try PlainAddress(line))
  }

  private static var hosts: [String] { ["127.0.0.1"] + (RoadHome.hasIPv6 ? ["::1"] : []) }

  @Test(
    "another user's program gets 403 for the right answer, and for a refusal; the login goes on to its own user, or to root's forwarder",
    arguments: [user, 0])
  func otherUser(finisher: UInt32) async throws {
    guard let login = try await login() else { return }
    let callback = try await login.granted()
    let token = try #require(login.address.query["oauth_token"])
    for host in Self.hosts {
      for target in [
        callback.target, "/callback?denied=\(token)", "/callback?oauth_problem=user_refused", "/callback", "/",
        "/callback/done/x",
      ] {
        let status = try await login.ask(Self.other, "get", host, "\(PlainAddress(callback, target: target))")
        #expect(status == "403", "\(target) over \(host)")
      }
    }
    // The provider takes a verifier once: what was refused has not been exchanged.
    try await login.finish(at: callback, as: finisher)
    let said = login.program.written(on: .error)
    #expect(said.contains("a process of the user \(Self.other) called the callback address"), "\(said)")
    #expect(said.split(separator: "\n").count { $0.contains("called the callback address") } == 1, "\(said)")
  }

  @Test(
    "who reads the login's address in the arguments of the browser can neither finish the login as himself nor end it")
  func argumentOfBrowser() async throws {
    let tools = TemporaryFolder(in: "/tmp")
    chmod(tools.path, 0o755)
    let browser = "\(tools.path)/browser"
    // It stays for as long as its folder, with the address among its arguments.
    try AtomicFile.write(
      Array("#!/bin/sh\nwhile [ -e '\(browser)' ]; do sleep 0.1; done\n".utf8), to: browser, .replaced)
    chmod(browser, 0o755)
    guard let login = try await login(["BROWSER": browser]) else { return }
    let stolen = try PlainAddress(await login.ask(Self.other, "take", browser))
    #expect(stolen.query["oauth_token"] == login.address.query["oauth_token"])
    for host in Self.hosts {
      let refusal = PlainAddress(stolen, target: "/callback?denied=\(login.address.query["oauth_token"] ?? "")")
      for address in [refusal, stolen] {
        #expect(try await login.ask(Self.other, "get", host, "\(address)") == "403")
      }
    }
    try await login.finish(at: stolen)
  }

  @Test(
    "another user's program that has closed before it could be asked about changes nothing",
    arguments: ["close", "reset"],
    hosts)
  func closedAtOnce(how: String, host: String) async throws {
    guard let login = try await login() else { return }
    let callback = try await login.granted()
    let token = try #require(login.address.query["oauth_token"])
    // The program takes what has come when it goes on, and by then nobody is there any more.
    kill(login.program.process, SIGSTOP)
    for target in ["/callback?denied=\(token)", callback.target] {
      #expect(
        try await login.ask(Self.other, how, host, "\(PlainAddress(callback, target: target))") == "gone")
    }
    kill(login.program.process, SIGCONT)
    try await login.finish(at: callback)
  }
}
