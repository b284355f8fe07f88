import Glibc
import Platform
import TestSupport
import Testing

/// Other users' processes that request the callback address of a login. The users are real: 31733 logs in, and 65534 is
/// the other user. `Tests/Peers/other_user.py` runs as either of them.
@Suite(
  "Callbacks from other users of the machine", .enabled(if: geteuid() == 0, "running as other users needs root"))
struct CallbackOwnerTests {
  private static let user: UInt32 = 31733
  private static let other: UInt32 = 65534

  /// A pending login of user 31733.
  private struct UserLogin {
    let folder: TemporaryFolder
    let program: ProgramRun
    let address: LocalURL
    let user: UInt32

    /// Returns the provider's redirect address after approval.
    func granted() async throws -> LocalURL {
      let address = address
      return try await OwnThread.run { try ScriptedBrowser().grant(at: address) }
    }

    /// Runs `other_user.py` as the given user, and returns its output.
    func ask(_ user: UInt32, _ arguments: String...) async throws -> String {
      let outcome = try await ProgramRun.run(
        "python3", [Repository.path("Tests/Peers/other_user.py"), "\(user)"] + arguments,
        environment: ProgramRun.environment(home: "/nonexistent"), timeout: .seconds(90))
      try #require(outcome.code == 0, "\(outcome.error)")
      return String(outcome.output.dropLast())
    }

    /// Follows the redirect as the browser of the user who logs in, and checks the outcome.
    func finish(at callback: LocalURL, as finisher: UInt32? = nil) async throws {
      #expect(program.isRunning, "\(program.written(on: .error))")
      #expect(try await ask(finisher ?? user, "follow", "\(callback)").hasPrefix("Authorised as"))
      let outcome = await program.end()
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(File.exists("\(folder.path)/state/homeline/demo/token.json"))
    }
  }

  /// Skips the test if other users cannot run the built programs.
  private func login(
    _ variables: [String: String] = [:], as user: UInt32 = user
  ) async throws -> UserLogin {
    let folder = TemporaryFolder(in: "/tmp")
    try Folder.create("\(folder.path)/config/homeline")
    try AtomicFile.write(
      Array(
        #"{ "callback": { "port": 0 }, "sandbox": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox", "keep_posts": 20 } } }"#
          .utf8),
      to: "\(folder.path)/config/homeline/config.json", .replaced)
    let environment = ProgramRun.environment(home: folder.path, variables)
    // A hard link has the owner of the build's own file, so the programs are placed afterwards.
    let owned = try await ProgramRun.run(
      "chown", ["-R", "\(user):\(user)", folder.path], environment: environment)
    try #require(owned.code == 0, "\(owned.error)")
    let homeline = "\(try await SharedPrograms.place(in: folder))/homeline"
    let asUser = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", homeline]
    guard try await ProgramRun.run("setpriv", asUser + ["version"], environment: environment).code == 0 else {
      try skipTest("another user cannot run the built programs")
    }
    let program = try ProgramRun("setpriv", asUser + ["login"], environment: environment)
    guard let line = await program.line(containing: "oauth_token=") else {
      throw TestClient.Failure(description: "no address was printed: \(program.written(on: .error))")
    }
    return UserLogin(folder: folder, program: program, address: try LocalURL(line), user: user)
  }

  private static var hosts: [String] { ["127.0.0.1"] + (TestInstallation.hasIPv6 ? ["::1"] : []) }

  @Test(
    "A callback from another user's process gets 403, and the user or root can still complete the login",
    arguments: [user, 0])
  func otherUser(finisher: UInt32) async throws {
    let login = try await login()
    let callback = try await login.granted()
    let token = try #require(login.address.query["oauth_token"])
    for host in Self.hosts {
      for target in [
        callback.target, "/callback?denied=\(token)", "/callback?oauth_problem=user_refused", "/callback", "/",
        "/callback/done/x",
      ] {
        let status = try await login.ask(Self.other, "get", host, "\(LocalURL(callback, target: target))")
        #expect(status == "403", "\(target) over \(host)")
      }
    }
    // A verifier can be exchanged only once, so the refused requests did not exchange it.
    try await login.finish(at: callback, as: finisher)
    let log = login.program.written(on: .error)
    #expect(log.contains("a process of the user \(Self.other) called the callback address"), "\(log)")
    #expect(log.split(separator: "\n").count { $0.contains("called the callback address") } == 1, "\(log)")
  }

  @Test(
    "Another user who reads the login address from the browser's arguments can neither complete nor end the login")
  func argumentOfBrowser() async throws {
    let tools = TemporaryFolder(in: "/tmp")
    chmod(tools.path, 0o755)
    let browser = "\(tools.path)/browser"
    // The script has the address among its arguments, and runs until its folder is removed.
    try AtomicFile.write(
      Array("#!/bin/sh\nwhile [ -e '\(browser)' ]; do sleep 0.1; done\n".utf8), to: browser, .replaced)
    chmod(browser, 0o755)
    let login = try await login(["BROWSER": browser])
    let stolen = try LocalURL(await login.ask(Self.other, "take", browser))
    #expect(stolen.query["oauth_token"] == login.address.query["oauth_token"])
    for host in Self.hosts {
      let refusal = LocalURL(stolen, target: "/callback?denied=\(login.address.query["oauth_token"] ?? "")")
      for address in [refusal, stolen] {
        #expect(try await login.ask(Self.other, "get", host, "\(address)") == "403")
      }
    }
    try await login.finish(at: stolen)
  }

  @Test(
    "Callbacks from another user's process are ignored even if the process disconnects immediately",
    arguments: ["close", "reset"],
    hosts)
  func closedAtOnce(how: String, host: String) async throws {
    let login = try await login()
    let callback = try await login.granted()
    let token = try #require(login.address.query["oauth_token"])
    // When the stopped program resumes, it accepts connections whose clients have already disconnected.
    kill(login.program.process, SIGSTOP)
    for target in ["/callback?denied=\(token)", callback.target] {
      #expect(
        try await login.ask(Self.other, how, host, "\(LocalURL(callback, target: target))") == "gone")
    }
    kill(login.program.process, SIGCONT)
    try await login.finish(at: callback)
  }

  @Test("A callback forwarded by `ssh -L` counts as coming from the user who runs sshd")
  func throughSSH() async throws {
    // sshd needs a user name. `daemon` exists on every Debian system, without a login shell.
    let (name, number): (String, UInt32) = ("daemon", 1)
    let login = try await login(as: number)
    let callback = try await login.granted()
    let forwarder = try await forwarder(as: name, number, to: callback.port, beside: login)
    // A direct connection from the same client is refused.
    #expect(try await login.ask(Self.other, "get", "127.0.0.1", "\(callback)") == "403")
    #expect(try await login.ask(Self.other, "get", "127.0.0.2", "\(callback)") == "303")
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    for program in forwarder {
      program.signal(SIGTERM)
      _ = await program.end()
    }
  }

  /// Starts sshd as the given user, and an ssh client that forwards 127.0.0.2 and the callback port through it.
  private func forwarder(
    as name: String, _ number: UInt32, to port: UInt16, beside login: UserLogin
  ) async throws -> [ProgramRun] {
    let path = login.folder.path
    let environment = ProgramRun.environment(home: path)
    let make = """
      sshd=$(PATH=$PATH:/usr/sbin command -v sshd) && command -v ssh >/dev/null || exit 77
      ssh-keygen -q -t ed25519 -N '' -f host && ssh-keygen -q -t ed25519 -N '' -f key && chown \(number) host || exit
      printf '%s\\n' "Port $1" 'ListenAddress 127.0.0.1' "HostKey $PWD/host" "AuthorizedKeysFile $PWD/key.pub" 'StrictModes no' \
        'UsePAM no' 'PidFile none' >sshd_config
      echo "$sshd"
      """
    let sshPort = try ReservedPort()
    let made = try await ProgramRun.run(
      "bash", ["-c", "cd \"$0\" && \(make)", path, "\(sshPort.port)"], environment: environment)
    if made.code == 77 {
      login.program.signal(SIGTERM)
      _ = await login.program.end()
      try skipTest("sshd is not installed")
    }
    try #require(made.code == 0, "\(made.error)")
    let server = try ProgramRun(
      "setpriv",
      [
        "--reuid=\(number)", "--regid=\(number)", "--clear-groups", String(made.output.dropLast()), "-D", "-e", "-f",
        "\(path)/sshd_config",
      ], environment: environment)
    try #require(
      await server.line(containing: "Server listening", on: .error) != nil, "\(server.written(on: .error))")
    let client = try ProgramRun(
      "ssh",
      [
        "-v", "-N", "-F", "none", "-i", "\(path)/key", "-o", "StrictHostKeyChecking=no", "-o",
        "UserKnownHostsFile=/dev/null", "-o", "ExitOnForwardFailure=yes", "-o", "IdentitiesOnly=yes", "-L",
        "127.0.0.2:\(port):127.0.0.1:\(port)", "-p", "\(sshPort.port)", "\(name)@127.0.0.1",
      ], environment: environment)
    try #require(
      await client.line(containing: "Entering interactive session", on: .error) != nil,
      "\(client.written(on: .error)) \(server.written(on: .error))")
    return [client, server]
  }
}
