import Commands
import Glibc
import Platform
import TestSupport
import Testing

@Suite struct ServiceStartTests {
  private let folder = TemporaryFolder()

  /// Installs programs in their own folder, and returns an environment where only they are found.
  private func variables(_ programs: [String: String]) throws -> [String: String] {
    for (name, script) in programs {
      try AtomicFile.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "\(folder.path)/\(name)", .replaced)
      chmod("\(folder.path)/\(name)", 0o700)
    }
    return ["PATH": folder.path]
  }

  @Test(
    "the advice is the command that starts the unit if systemd knows it, otherwise a line for crontab",
    arguments: [
      ("echo loaded", "To start it now and at each login: systemctl --user enable --now homeline"),
      (
        "echo masked",
        "To start it now and at each login: systemctl --user unmask homeline && systemctl --user enable --now homeline"
      ),
      (
        "echo not-found",
        "To refresh every two minutes, add this line with crontab -e: */2 * * * * /usr/bin/homeline daemon --once >/dev/null"
      ),
      (
        "exit 1",
        "To refresh every two minutes, add this line with crontab -e: */2 * * * * /usr/bin/homeline daemon --once >/dev/null"
      ),
    ])
  func advice(systemctl: String, advice: String) throws {
    let variables = try variables(["systemctl": systemctl, "crontab": "exit 1"])
    #expect(ServiceStart.find(variables, program: "/usr/libexec/homeline/homelined").advice == advice)
  }

  @Test("without systemd and cron, the advice is to install cron")
  func withoutCron() throws {
    let start = ServiceStart.find(try variables([:]), program: "/home/me/homeline/.build/debug/homelined")
    #expect(
      start.advice
        == "To refresh every two minutes, install cron, and add this line with crontab -e: "
        + "*/2 * * * * /home/me/homeline/.build/debug/homeline daemon --once >/dev/null")
  }

  @Test("a crontab line quotes its path for sh, and escapes percent signs for cron")
  func quoting() {
    let line = CrontabLine(program: "/home/me/50% of it's mine/homeline", isUsable: true)
    #expect(line.text == #"*/2 * * * * '/home/me/50\% of it'\''s mine/homeline' daemon --once >/dev/null"#)
  }

  @Test(
    "a crontab line counts if it runs `homeline daemon --once` and is not a comment",
    arguments: [
      ("*/2 * * * * $HOME/.local/bin/homeline daemon --once >/dev/null", true),
      ("# */2 * * * * homeline daemon --once >/dev/null", false), ("0 1 * * * backup --once", false), ("", false),
    ])
  func usedCron(line: String, isUsed: Bool) throws {
    #expect(ServiceStart.isCronUsed(try variables(["crontab": "echo 'MAILTO=me\n\(line)'"])) == isUsed)
  }
}
