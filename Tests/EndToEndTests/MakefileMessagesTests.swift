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
      "/bin/bash", ["-c", "cd \"$0\" && exec \"$@\"", TestInstallation.repository(".")] + arguments,
      environment: ["PATH": path, "HOME": folder.path])
  }

  @Test("scripts/need says why an installed Swift toolchain does not start")
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
