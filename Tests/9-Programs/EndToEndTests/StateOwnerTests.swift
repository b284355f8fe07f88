import Folders
import Glibc
import Platform
import TestSupport
import Testing

/// Simultaneous commands. One process owns the state and works for the others.
@Suite struct StateOwnerTests {
  /// Returns an installation with two sandbox accounts and a runtime folder.
  private func home(callback: String = #""port": 0"#) throws -> TestInstallation {
    let home = try TestInstallation()
    try home.configure(
      """
      {"callback": {\(callback)}, "sandbox": {"port": 0}, "accounts": {
        "demo": {"provider": "sandbox", "keep_posts": 20}, "other": {"provider": "sandbox", "keep_posts": 20}}}
      """)
    try Folder.create("\(home.path)/run")
    return home
  }

  private func finish(_ login: PendingLogin) async throws {
    #expect(try await login.authorise().text.contains("Authorised as"))
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  /// Waits until the state's owner reports the given activity for an account.
  private func wait(in home: TestInstallation, until account: String, is activity: String) async throws {
    let isReached = try await eventually {
      let status = try JSONValue(Array(await home.run("status", "--json").output.utf8))
      return status["accounts"].items.contains {
        $0["account"].text == account && $0["activity"].text == activity
      }
    }
    #expect(isReached, "\(account) is not \(activity)")
  }

  @Test("While a login waits, its process serves `homeline status` and refreshes of other accounts")
  func besideALogin() async throws {
    let home = try home()
    try await home.logIn("other")
    let login = try await PendingLogin(home, ["demo"])
    let process = login.program.process
    let socket = "\(home.path)/run/homeline/control.socket"
    #expect(try FileStatus.of(socket).permissions == 0o600)
    #expect(try FileStatus.of("\(home.path)/run/homeline").permissions == 0o700)

    let refresh = try await home.run("-v", "refresh", "other")
    #expect(refresh.code == 0)
    #expect(refresh.output.hasPrefix("other: "))
    #expect(refresh.error.contains("sending the command to homeline login (process \(process)) at \(socket)"))

    let status = try await home.run("status", "-v", "demo")
    #expect(status.output.contains("  now           logging-in\n"))
    #expect(status.error.contains("homeline login (process \(process)) is using the accounts"))
    let response = try await home.run("status", "--json")
    let json = try await home.shell(
      "jq -c '[.owner.command, .owner.pid, .owner.configuration, (.accounts[] | .activity)]' <<'END'\n\(response.output)\nEND"
    )
    #expect(json.output == #"["login",\#(process),"\#(home.configuration)","logging-in","idle"]"# + "\n")

    try await finish(login)
    #expect(!File.exists(socket))
    #expect(try await home.run("status").error.contains("no service is running"))
  }

  @Test(
    "Commands report the same errors whether or not another process owns the state")
  func refusals() async throws {
    let home = try home()
    let login = try await PendingLogin(home, ["demo"])
    let unknown = try await home.run("refresh", "dem")
    #expect(unknown.code == 64)
    #expect(unknown.error == "homeline: there is no account \"dem\"; did you mean demo? (accounts: demo, other)\n")
    let nobody = try await home.run("refresh", "other")
    #expect(nobody.code == 77)
    #expect(nobody.error.contains("other: not authorised yet. Run: homeline login other"))
    let logout = try await home.run("logout", "other")
    #expect(logout.output == "other: there was no token\n")
    #expect(logout.code == 0)
    await login.giveUp()
  }

  @Test("Two concurrent logins share the callback port, and each browser sees its own result")
  func twoLogins() async throws {
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let home = try home(callback: #""port": \#(reserved.port)"#)
    let first = try await PendingLogin(home, ["demo"])
    let second = try await PendingLogin(home, ["other"])
    let back = try second.grant()
    #expect(back.port == reserved.port)
    #expect(try second.browser.follow(back).text.contains("Authorised as"))
    #expect(await second.program.end().code == 0)
    #expect(first.program.isRunning)
    try await finish(first)
    #expect(File.exists(home.token))
    #expect(File.exists("\(home.path)/state/homeline/other/token.json"))
  }

  @Test("Ctrl-C cancels only the login of the command that gets it", arguments: [false, true])
  func interrupted(meetsOwner: Bool) async throws {
    let home = try home()
    let owner = try await PendingLogin(home, ["demo"])
    let guest = try await PendingLogin(home, ["other"])
    let (given, kept) = meetsOwner ? (owner, guest) : (guest, owner)
    given.program.signal(SIGINT)
    try await wait(in: home, until: meetsOwner ? "demo" : "other", is: "idle")
    if !meetsOwner { #expect(await given.program.end().code == 128 + SIGINT) }
    #expect(kept.program.isRunning)
    if meetsOwner {
      #expect(await given.program.line(containing: "waiting for requests in progress", on: .error) != nil)
    }
    try await finish(kept)
    #expect(await given.program.end().code == 128 + SIGINT)
    #expect(try home.names(in: "\(home.path)/state/homeline/\(meetsOwner ? "demo" : "other")").isEmpty)
  }

  @Test("A second Ctrl-C ends the state owner, and all work that it does for other commands")
  func interruptedTwice() async throws {
    let home = try home()
    let owner = try await PendingLogin(home, ["demo"])
    let guest = try await PendingLogin(home, ["other"])
    owner.program.signal(SIGINT)
    try await wait(in: home, until: "demo", is: "idle")
    owner.program.signal(SIGINT)
    #expect(await owner.program.end().code == 128 + SIGINT)
    #expect(await guest.program.end().code == 75)
    #expect(try home.names(in: "\(home.path)/state/homeline/other").isEmpty)
    #expect(try home.names(in: "\(home.path)/run/homeline").isEmpty)
  }

  @Test("If the state's owner does not respond, `homeline status` reads the files")
  func silent() async throws {
    let home = try home()
    try await home.logIn("other")
    let login = try await PendingLogin(home, ["demo"])
    login.program.signal(SIGSTOP)
    let watch = ProcessStatistics(process: login.program.process)
    try #require(try await eventually { try watch.isStopped() })
    let status = try await home.run("status", "-v", "other")
    #expect(status.code == 0)
    #expect(status.output.contains("  authorised    as "))
    #expect(
      status.error.contains(
        "homeline login (process \(login.program.process)) is stopped, so it does not respond. To continue it: kill -CONT "
          + "\(login.program.process); showing the state of the files"))
    login.program.signal(SIGCONT)
    await login.giveUp()
  }

  @Test("A new login makes the account's earlier login exit with 75")
  func newLogin() async throws {
    let home = try home()
    let first = try await PendingLogin(home, ["demo"])
    let second = try await PendingLogin(home, ["demo"])
    #expect(await first.program.line(containing: "this login has ended", on: .error) != nil)
    try await finish(second)
    #expect(await first.program.end().code == 75)
  }

  @Test(
    "If the state owner is killed, waiting commands exit with 75, and the next command becomes the owner"
  )
  func killed() async throws {
    let home = try home()
    let owner = try await PendingLogin(home, ["demo"])
    let guest = try await PendingLogin(home, ["other"])
    owner.program.signal(SIGKILL)
    let outcome = await guest.program.end()
    #expect(outcome.code == 75)
    #expect(outcome.error.contains("ended before it completed its reply"))
    #expect(File.exists("\(home.path)/run/homeline/control.socket"))
    try await home.logIn("demo")
  }

  @Test("Many simultaneous commands all succeed, whichever becomes the owner")
  func crowd() async throws {
    let home = try home()
    try await home.logIn("demo")
    try await home.logIn("other")
    let outcome = try await home.shell(
      """
      for i in 1 2 3 4 5 6; do "$0" refresh demo >/dev/null & jobs="$jobs $!"; "$0" refresh other >/dev/null & jobs="$jobs $!"; done
      for job in $jobs; do wait $job; printf '%s ' $?; done
      """)
    #expect(outcome.output == String(repeating: "0 ", count: 12), "\(outcome.error)")
  }

  @Test(
    "A command exits with 75 if the state owner has no control socket, and a timer run if there is any other owner"
  )
  func busy() async throws {
    let home = try home()
    do {
      let layout = FileLayout(try #require(BaseDirectories(environment: home.environment())))
      let older = Owner(processID: getpid(), controlSocket: nil, command: "login")
      let outcome = try OwnerLock.take(layout, as: older)
      guard case .held(let lock) = consume outcome else { throw TestClient.Failure(description: "the lock is taken") }
      let refused = try await home.run("refresh")
      #expect(refused.code == 75)
      #expect(refused.error.contains("homeline login (process \(getpid())) is using the accounts"))
      _ = consume lock
    }
    let login = try await PendingLogin(home, ["demo"])
    let once = try await home.run("daemon", "--once")
    #expect(once.code == 75)
    #expect(once.error.contains("homeline login (process \(login.program.process))"))
    await login.giveUp()
  }

  @Test("A command is not sent to a state owner that uses a different configuration")
  func otherConfiguration() async throws {
    let home = try home()
    let login = try await PendingLogin(home, ["demo"])
    let path = "\(home.path)/another.json"
    try home.write(#"{"sandbox": {"port": 0}, "accounts": {"demo": {"provider": "sandbox"}}}"#, to: path)
    let refused = try await home.run("--config", path, "refresh", "demo")
    #expect(refused.code == 75)
    #expect(refused.error.contains("with the configuration \(home.configuration)"))
    let same = try await home.run("--config", "\(home.path)/config/../config/homeline/config.json", "logout", "other")
    #expect(same.code == 0)
    await login.giveUp()
  }

  @Test(
    "If the socket's path would be too long, the owner uses a temporary socket, names it in the lock file and removes it at exit"
  )
  func longPath() async throws {
    let home = try home()
    let long = "\(home.path)/\(String(repeating: "x", count: 100))"
    let variables = ["XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": long]
    let login = try await PendingLogin(home, ["demo"], variables)
    let line = await login.program.line(containing: "using the control socket /tmp/homeline-", on: .error)
    #expect(line?.contains("a socket path must not exceed 107 bytes") == true)
    let status = try await home.run("status", "demo", variables: variables)
    #expect(status.output.contains("logging-in"))
    let lock = try home.read("\(long)/homeline/lock")
    let socket = try #require(lock.split(separator: "\"").map(String.init).first { $0.hasSuffix("/control.socket") })
    #expect(File.exists(socket))
    try await finish(login)
    #expect(!File.exists(try #require(Folder.parent(of: socket))))
  }

  @Test("Two installations that share a runtime folder use separate control sockets")
  func sharedRuntimeFolder() async throws {
    let (one, two) = (try home(), try home())
    let variables = ["XDG_RUNTIME_DIR": "\(one.path)/run"]
    let first = try await PendingLogin(one, ["demo"])
    let second = try await PendingLogin(two, ["other"], variables)
    for (home, account) in [(one, "demo"), (two, "other")] {
      let status = try await home.run("status", account, variables: variables)
      #expect(status.output.contains("logging-in"), "\(status.error)")
    }
    #expect(File.exists("\(two.path)/state/homeline/control.socket"))
    try await finish(second)
    #expect(try await one.run("status", "demo").output.contains("logging-in"))
    try await finish(first)
  }
}
