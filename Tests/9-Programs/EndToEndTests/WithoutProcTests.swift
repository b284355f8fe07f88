import TestSupport
import Testing

/// Programs in containers and sandboxes that lack /proc.
@Suite("A system without /proc") struct WithoutProcTests {
  @Test("Without /proc, homeline finds homelined in its own folder and passes on its arguments")
  func arguments() async throws {
    let home = try TestInstallation()
    let script = "mount -t tmpfs none /proc && exec \"$0\" \"$@\""
    let homeline = ProgramRun.product("homeline")
    func run(_ arguments: String...) async throws -> ProgramRun.Outcome {
      try await ProgramRun.run(
        "unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script] + arguments,
        environment: home.environment())
    }
    guard try await run("true").code == 0 else { try skipTest("user namespaces cannot be created here") }
    let version = try await run(homeline, "version")
    #expect(version.code == 0 && version.output.hasPrefix("homeline "), "\(version.error)")
    // This program executes `homelined` with the same arguments.
    let refresh = try await run(homeline, "refresh", "nobody")
    #expect(refresh.code == 64, "\(refresh.error)")
    #expect(refresh.error.contains("nobody"), "\(refresh.error)")
  }
}
