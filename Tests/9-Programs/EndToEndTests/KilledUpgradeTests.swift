import Glibc
import Platform
import TestSupport
import Testing

/// Upgrades of archives, each killed at another call that changes a file. ``DiskFaultRounds`` selects the calls.
@Suite("Killed upgrades", .enabled(if: DiskFaultPlan.isPossible), .timeLimit(.minutes(60))) struct KilledUpgradeTests {
  @Test(
    "After SIGKILL at any call of an upgrade, the next command finds everything that the earlier version had stored",
    arguments: OlderArchive.versions)
  func killed(version: Int64) async throws {
    let archives = try ArchiveFixture()
    let home = archives.home
    let archive = try OlderArchive(version, of: "demo", in: archives)
    let (folder, kept) = ("\(home.path)/data/homeline/demo", "\(home.path)/kept")
    try await shell("cp -r '\(folder)' '\(kept)'", home)
    let before = try await content(home, archive.parts)
    let plan = try DiskFaultPlan(below: folder)
    var rounds = DiskFaultRounds()

    // The command sends no request, and writes nothing else that differs from run to run.
    let command = ["read", "demo", "--up-to", OlderArchive.readID]
    func run() async throws -> ProgramRun.Outcome { try await home.start(command, plan.variables).end() }
    let undisturbed = try await run()
    #expect(undisturbed.code == 0, "\(undisturbed.error)")
    let calls = try plan.outcome.calls
    let upgraded = try await content(home, Set(OlderArchive.queries.keys))
    for (part, lines) in before { #expect(upgraded[part] == lines, "\(part)") }
    // Earlier versions had no purges in progress.
    if version >= 5 { #expect(upgraded["unpurged"] == "0\n") }
    try #require(before["posts"]?.isEmpty == false && calls > 10)

    for kill in rounds.kills(calls: calls) {
      try await shell("rm -rf '\(folder)' && cp -r '\(kept)' '\(folder)'", home)
      try plan.set(kill)
      let outcome = try await run()
      let call = try plan.outcome
      rounds.note(outcome, call)
      let context: Comment = "\(kill) (\(call.name)): \(outcome.code) \(outcome.error)"
      #expect(outcome.code == 128 + SIGKILL || outcome.code == 0 && call.failed == 0, context)
      try plan.set(nil)
      let next = try await run()
      // An interrupted purge goes on, which is reported.
      let isSilent = next.error.split(separator: "\n").allSatisfy { $0.contains("interrupted purge") }
      #expect(next.code == 0 && isSilent, "\(context), then \(next.code) \(next.error)")
      #expect(try await content(home, Set(OlderArchive.queries.keys)) == upgraded, context)
      let check = try await home.run("check", "--archive", "demo")
      #expect(
        check.code == 0 && check.output.hasSuffix("no damage\n"), "\(context), then \(check.output)\(check.error)")
    }
    print(rounds.tally("upgrade from version \(version)", calls: calls))
  }

  /// Returns the lines of some parts of the archive, as `sqlite3` prints them.
  private func content(_ home: TestInstallation, _ parts: Set<String>) async throws -> [String: String] {
    var content: [String: String] = [:]
    for part in parts { content[part] = try await home.sql(try #require(OlderArchive.queries[part])) }
    return content
  }

  private func shell(_ script: String, _ home: TestInstallation) async throws {
    let outcome = try await home.shell("set -e; \(script)")
    try #require(outcome.code == 0, "\(outcome.error)")
  }
}
