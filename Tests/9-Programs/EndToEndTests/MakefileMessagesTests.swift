import Glibc
import Platform
import TestSupport
import Testing

/// Error messages for users who build on an incomplete system.
@Suite("Building with missing tools") struct MakefileMessagesTests {
  private let folder = TemporaryFolder()

  /// Returns the path of a folder with only these system programs, which is the whole PATH.
  private func path(_ programs: [String]) throws -> String {
    let bin = "\(folder.path)/bin"
    try Folder.create(bin)
    for program in programs {
      let found = try #require(ProgramSearch.find(program, in: ProcessEnvironment.variables()["PATH"] ?? ""))
      #expect(symlink(found, "\(bin)/\(program)") == 0)
    }
    return bin
  }

  private func program(_ name: String, _ script: String) throws {
    let place = "\(folder.path)/bin/\(name)"
    try AtomicFile.write(Array("#!/bin/sh\n\(script)\n".utf8), to: place, .replaced)
    chmod(place, 0o755)
  }

  private func run(_ arguments: String..., path: String) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      "/bin/bash", ["-c", "cd \"$0\" && exec \"$@\"", Repository.path(".")] + arguments,
      environment: ["PATH": path, "HOME": folder.path])
  }

  @Test("scripts/need reports why an installed Swift toolchain does not start")
  func swift() async throws {
    let path = try path(["bash", "env", "sed", "head", "cat", "mktemp", "rm"])
    try program(
      "swift", "echo 'swift: error while loading shared libraries: libncurses.so.6: cannot open it' >&2; exit 127")
    let outcome = try await run("scripts/need", "--swift", path: path)
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("does not start (status 127): swift: error while loading"), "\(outcome.error)")
    #expect(outcome.error.contains("install your system's package with libncurses.so.6"), "\(outcome.error)")
  }

  @Test("Without apt, scripts/need accepts the libraries that pkg-config finds and lists the others")
  func withoutApt() async throws {
    let path = try path(["bash", "env", "id"])
    try program("pkg-config", "[ \"$2\" != libqrencode ]")
    let found = try await run("scripts/need", "libssl-dev", "libsqlite3-dev", "pkg-config", path: path)
    #expect(found.code == 0, "\(found.error)")
    let missing = try await run("scripts/need", "libssl-dev", "libqrencode-dev", path: path)
    #expect(missing.code == 1)
    #expect(
      missing.error.contains("install the equivalents of these Debian packages: libqrencode-dev\n"), "\(missing.error)")
  }

  /// Creates programs that let only root install a package, and a sudo that wants the password `open`.
  private func pathWithSudo() throws -> String {
    let path = try path(["bash", "sh", "env", "sed"])
    try program("dpkg-query", "exit 1")
    try program("id", "echo 1000")
    try program("apt-get", "echo \"$*\" >>\"$0.log\"")
    try program(
      "sudo",
      """
      case $1 in
        -n) exit 1 ;;
        -v) printf 'password: ' >/dev/tty; read -r password </dev/tty; [ "$password" = open ] ;;
        *) exec "$@" ;;
      esac
      """)
    return path
  }

  /// The arguments of each run of the simulated apt-get.
  private var installations: [String] {
    let log = (try? File.read("\(folder.path)/bin/apt-get.log", limit: 1 << 16)) ?? []
    return String(decoding: log, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    "Where sudo needs a password, scripts/need lets it ask on the terminal", .needsPeers, arguments: [true, false])
  func password(isRight: Bool) async throws {
    let run = try await TerminalRun(
      program: Repository.path("scripts/need"), ["libssl-dev", "jq"],
      environment: ["PATH": try pathWithSudo(), "HOME": folder.path],
      steps: [.type(isRight ? "open\\n" : "wrong\\n", after: "password: ")])
    #expect(run.output.contains("need: sudo may ask for your password, to install libssl-dev jq\n"), "\(run.output)")
    #expect(run.status == (isRight ? 0 : 1), "\(run.output)")
    #expect(
      installations
        == (isRight ? ["-q -y -o DPkg::Lock::Timeout=120 install --no-install-recommends libssl-dev jq"] : []))
    #expect(
      run.output.contains(
        "install them as an administrator: sudo apt-get install --no-install-recommends libssl-dev jq\n") == !isRight,
      "\(run.output)")
  }

  @Test("Without a terminal, scripts/need does not wait for sudo's password, but prints the command to run")
  func noTerminal() async throws {
    let outcome = try await run("scripts/need", "jq", path: try pathWithSudo())
    #expect(outcome.code == 1)
    #expect(
      outcome.error == "need: packages are missing; install them as an administrator: "
        + "sudo apt-get install --no-install-recommends jq\n", "\(outcome.error)")
    let optional = try await run("scripts/need", "--optional", "jq", path: "\(folder.path)/bin")
    #expect(optional.code == 0)
    #expect(optional.error.contains("need: skipped: everything that uses jq\n"), "\(optional.error)")
  }

  @Test("scripts/need installs the libraries that the Swift toolchain does not find")
  func swiftLibraries() async throws {
    let path = try path(["bash", "sh", "env", "sed", "head", "cat", "mktemp", "rm", "readlink", "sort", "dirname"])
    let installed = "\(folder.path)/installed"
    try program("swift", "echo 'Swift version 99.0 (swift-99.0-RELEASE)'")
    try program(
      "ldd", "[ -e '\(installed)' ] || printf '\\t%s => not found\\n' libxml2.so.2 libncurses.so.6 libunknown.so.1")
    try program("dpkg-query", "exit 1")
    try program("id", "echo 0")
    try program("apt-get", "echo \"$*\" >>\"$0.log\"; : >'\(installed)'")
    let outcome = try await run("scripts/need", "--swift", path: path)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(installations.count == 1)
    #expect(
      installations.first?.hasSuffix(" install --no-install-recommends libncurses6 libtinfo6 libxml2") == true,
      "\(installations)")
    #expect(try await run("scripts/need", "--swift", path: path).error == "")
  }

  @Test("scripts/need requires the Swift version that Package.swift names")
  func oldSwift() async throws {
    let path = try path(["bash", "sh", "env", "sed", "head", "cat", "mktemp", "rm", "dirname"])
    try program("swift", "echo 'Swift version 5.10 (swift-5.10-RELEASE)'")
    let outcome = try await run("scripts/need", "--swift", path: path)
    let manifest = String(
      decoding: try File.read(Repository.path("Package.swift"), limit: 1 << 20), as: UTF8.self)
    let version = try #require(manifest.split(separator: "\n").first?.split(separator: " ").last)
    #expect(outcome.code == 1)
    #expect(
      outcome.error.hasPrefix("need: Swift \(version) or newer is needed, but `swift --version` reports 5.10; "),
      "\(outcome.error)")
  }

  @Test("scripts/need reports what to do if localhost has no address")
  func localhost() async throws {
    let path = try path(["bash", "env"])
    try program("getent", "[ \"$*\" = 'hosts localhost' ] && exit 2")
    let outcome = try await run("scripts/need", "--localhost", path: path)
    #expect(outcome.code == 1)
    #expect(
      outcome.error
        == "need: the name localhost does not have an address; add it as root: echo '127.0.0.1 localhost' >>/etc/hosts\n"
    )
  }

  @Test("make help works without column(1)")
  func help() async throws {
    guard ProgramSearch.find("make", in: ProcessEnvironment.variables()["PATH"] ?? "") != nil else {
      try skipTest("make is not installed")
    }
    let outcome = try await run("make", "help", path: try path(["bash", "make", "sed"]))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("\n  make test              build and run all tests"), "\(outcome.output)")
  }
}
