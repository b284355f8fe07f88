import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Attacks by another user of the machine, whose processes run as user 65534.
@Suite("Attacks by another user of the machine", .enabled(if: geteuid() == 0, "running as another user needs root"))
struct LocalAttackerTests {
  /// Returns an installation in a typical home folder, which other users can list, like every folder that homeline did
  /// not create.
  private func openHome() throws -> (TestInstallation, TemporaryFolder) {
    let userFolder = TemporaryFolder(in: "/tmp")
    chmod(userFolder.path, 0o755)
    for folder in ["config/homeline", "cache", "data", "state"] {
      try Folder.create("\(userFolder.path)/\(folder)")
      for part in [String(folder.prefix { $0 != "/" }), folder] { chmod("\(userFolder.path)/\(part)", 0o755) }
    }
    try Folder.create("\(userFolder.path)/run")
    let home = try TestInstallation(variables: [
      "HOME": userFolder.path, "XDG_CONFIG_HOME": "\(userFolder.path)/config",
      "XDG_CACHE_HOME": "\(userFolder.path)/cache",
      "XDG_DATA_HOME": "\(userFolder.path)/data", "XDG_STATE_HOME": "\(userFolder.path)/state",
      "XDG_RUNTIME_DIR": "\(userFolder.path)/run",
    ])
    try home.write(try home.read(home.configuration), to: "\(userFolder.path)/config/homeline/config.json")
    return (home, userFolder)
  }

  private func asStranger(_ command: String, _ arguments: [String]) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", command] + arguments,
      environment: ProgramRun.environment(home: "/nonexistent"), timeout: .seconds(60))
  }

  @Test(
    "Another user cannot read or list homeline's files or connect to its sockets, regardless of the umask",
    arguments: ["000", "022"])
  func closed(umask: String) async throws {
    let (home, userFolder) = try openHome()
    let variables = home.environment()
    func run(_ arguments: [String]) throws -> ProgramRun {
      try ProgramRun(
        "bash", ["-c", "umask \(umask); exec \"$0\" \"$@\"", ProgramRun.product("homeline")] + arguments,
        environment: variables)
    }
    try home.write(
      #"{"callback": {"port": 0}, "sandbox": {"port": 0}, "views": {"all": {"accounts": ["demo"], "publish": ["html"]}}, "accounts": {"demo": {"provider": "sandbox", "keep_posts": 20, "publish": ["html", "atom"]}}}"#,
      to: "\(userFolder.path)/config/homeline/config.json")
    let login = try run(["login"])
    let address = try LocalURL(#require(await login.line(containing: "oauth_token=")))
    let browser = ScriptedBrowser()
    _ = try await OwnThread.run { try browser.follow(browser.grant(at: address)) }
    #expect(await login.end().code == 0)
    let daemon = try run(["daemon"])
    #expect(await daemon.line(containing: " is up: ", on: .error) != nil)

    // Root lists every file; the checks then show what other users can read, list or connect to.
    let all = try await ProgramRun.run(
      "find", [userFolder.path, "-path", "*/homeline*", "-printf", "%P %m\n"], environment: variables)
    let paths = all.output.split(separator: "\n")
    for part in [
      "token.json", "timeline.db", "home_timeline.json", "home_timeline.html", "control.socket", "lock", "_views",
    ] {
      #expect(paths.contains { $0.contains(part) }, "\(part) in \(all.output)")
    }
    for path in paths where path.contains("/homeline") && !path.hasPrefix("config") {
      #expect(path.hasSuffix(" 600") || path.hasSuffix(" 700"), "\(path)")
    }
    let open = try await asStranger(
      "find", [userFolder.path, "(", "-readable", "-o", "-writable", ")", "-printf", "%P\n"])
    #expect(
      Set(open.output.split(separator: "\n")) == ["config", "config/homeline", "cache", "data", "state"],
      "\(open.output)")
    let connect = """
      use IO::Socket::UNIX; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]); print $s ? "connected" : "$!";
      """
    let socket = "\(userFolder.path)/run/homeline/control.socket"
    #expect(try await asStranger("perl", ["-e", connect, socket]).output == "Permission denied")
    // Even without the folder's mode, the socket's mode and the check of the peer's user prevent the connection.
    for part in ["run", "run/homeline"] { chmod("\(userFolder.path)/\(part)", 0o755) }
    #expect(try await asStranger("perl", ["-e", connect, socket]).output == "Permission denied")
    daemon.signal(SIGTERM)
    #expect(await daemon.end().code == 0)
  }

  @Test(
    "A state, data or cache folder of another user is not used, and its path is reported",
    arguments: ["state", "data", "cache"])
  func plantedFolders(kind: String) async throws {
    for isLink in [false, true] {
      let (home, userFolder) = try openHome()
      let victim = "\(userFolder.path)/precious"
      try Folder.create(victim)
      try AtomicFile.write([1], to: "\(victim)/token.json", .replaced)
      let planted = "\(userFolder.path)/\(kind)/homeline"
      // An attacker could create this in a folder that everyone can write to.
      if isLink {
        #expect(symlink(victim, planted) == 0)
        lchown(planted, 65534, 65534)
      } else {
        mkdir(planted, 0o777)
        chmod(planted, 0o777)
        chown(planted, 65534, 65534)
      }
      let login = try ProgramRun(
        ProgramRun.product("homeline"), ["login", "--timeout", "20"], environment: home.environment(), input: .nothing)
      if let line = await login.line(containing: "oauth_token="), let address = try? LocalURL(line) {
        let browser = ScriptedBrowser()
        _ = try? await OwnThread.run { try browser.follow(browser.grant(at: address)) }
      }
      let outcome = await login.end()
      #expect(outcome.code != 0 && !outcome.timedOut, "\(outcome)")
      #expect((outcome.error + outcome.output).contains("\(planted): belongs to the user 65534"), "\(outcome)")
      #expect(try Folder.names(in: victim) == ["token.json"])
      #expect(try File.read("\(victim)/token.json", limit: 10) == [1])
      if !isLink { #expect(try Folder.names(in: planted).allSatisfy { !$0.contains("token") }) }
    }
  }

  @Test("Another user's control socket in the runtime folder is not used, and the service listens elsewhere")
  func plantedRuntime() async throws {
    let (home, userFolder) = try openHome()
    let folder = "\(userFolder.path)/run/homeline"
    mkdir(folder, 0o777)
    chmod(folder, 0o777)
    chown(folder, 65534, 65534)
    chmod("\(userFolder.path)/run", 0o755)
    let listen = """
      use IO::Socket::UNIX; $| = 1; my $l = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 5) or die "$!";
      chmod 0777, $ARGV[0]; print "listens\\n"; while (my $c = $l->accept) { my $n = sysread($c, my $b, 99); print "heard $b\\n" if $n; }
      """
    let stranger = try ProgramRun(
      "setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", "perl", "-e", listen, "\(folder)/control.socket"],
      environment: ProgramRun.environment(home: "/nonexistent"), timeout: .seconds(120))
    try #require(await stranger.line(containing: "listens") != nil)
    let daemon = try home.start(["daemon"])
    #expect(await daemon.line(containing: " is up: ", on: .error) != nil)
    let warning = await daemon.line(
      containing: "using the control socket \(userFolder.path)/state/homeline/control.socket", on: .error)
    #expect(warning?.contains("\(folder): belongs to the user 65534") == true, "\(daemon.written(on: .error))")
    let status = try await home.run("status")
    #expect(status.error.contains("homeline daemon") || status.output.contains("demo"), "\(status)")
    try await home.logIn()
    daemon.signal(SIGTERM)
    #expect(await daemon.end().code == 0)
    // Without a service, commands do not mistake the attacker for one.
    #expect(try await home.run("status").error.contains("no service is running"))
    stranger.signal(SIGKILL)
    let heard = await stranger.end()
    #expect(!heard.output.contains("heard"), "\(heard.output)")
  }

  @Test("Another user's lock file is not trusted, so commands do not connect to the socket that it names")
  func plantedLock() async throws {
    let (home, userFolder) = try openHome()
    let folder = "\(userFolder.path)/state/homeline"
    mkdir(folder, 0o777)
    chmod(folder, 0o777)
    let hold = """
      use Fcntl ":flock"; $| = 1; umask 0; open(my $f, "+>", $ARGV[0]) or die "$!"; flock($f, LOCK_EX);
      print $f qq({"pid":$$,"control_socket":"$ARGV[1]","command":"daemon"}\\n); $f->flush; print "holds\\n"; sleep 60;
      """
    let stranger = try ProgramRun(
      "setpriv",
      [
        "--reuid=65534", "--regid=65534", "--clear-groups", "perl", "-MIO::Handle", "-e", hold, "\(folder)/lock",
        "\(folder)/control.socket",
      ], environment: ProgramRun.environment(home: "/nonexistent"), timeout: .seconds(90))
    try #require(await stranger.line(containing: "holds") != nil, "\(stranger.written(on: .error))")
    let login = try await home.run("login")
    #expect(login.code == 73)
    #expect(login.error.contains("\(folder): other users can create files in it (mode 777)"), "\(login.error)")
    let status = try await home.run("status")
    #expect(!status.error.contains("belongs to homeline daemon"), "\(status.error)")
    stranger.signal(SIGKILL)
    _ = await stranger.end()
  }
}
