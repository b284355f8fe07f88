import Glibc
import Platform
import TestSupport
import Testing

/// The port of the simulated provider of accounts with the `sandbox` provider.
@Suite("The sandbox's port", .timeLimit(.minutes(2))) struct SandboxPortTests {
  private func home(sandbox: String = "", enabled: Bool = true) throws -> TestInstallation {
    let home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 0 }\(sandbox), "accounts": { "demo": { "provider": "sandbox", "keep_posts": 20,
        "enabled": \(enabled) } } }
      """)
    return home
  }

  @Test(
    "If another user's program has the usual port, the sandbox takes a free one and keeps it, so the token stays valid")
  func taken() async throws {
    let port = try ReservedPort()
    let other = try BoundSocket(.loopback, port: port.port, shared: true)
    try other.listen()
    defer { withExtendedLifetime(other) {} }
    let home = try home()
    let file = "\(home.path)/state/homeline/_sandbox/port"
    try home.write("\(port.port)\n", to: file)
    #expect(try await home.run("login", "demo", "--press-authorise").code == 0)
    let chosen = try home.read(file)
    #expect(chosen != "\(port.port)\n" && UInt16(chosen.dropLast()) ?? 0 > 0, "\(chosen)")
    let refresh = try await home.run("refresh")
    #expect(refresh.code == 0, "\(refresh.error)")
    #expect(try home.read(file) == chosen)
    #expect(try home.published()["posts"].items.first?["url"].text?.contains(":\(chosen.dropLast())/") == true)
  }

  @Test("`homeline outbox` needs no sandbox, even if its port is taken", arguments: [true, false])
  func outbox(enabled: Bool) async throws {
    let port = try ReservedPort()
    let other = try BoundSocket(.loopback, port: port.port, shared: true)
    try other.listen()
    defer { withExtendedLifetime(other) {} }
    let home = try home(sandbox: #", "sandbox": { "port": \#(port.port) }"#, enabled: enabled)
    let outcome = try await home.run("outbox")
    #expect(outcome.code == 0 && outcome.error.contains("there are no posts in the outbox"), "\(outcome.error)")
    // A command that needs the sandbox names the setting.
    let login = try await home.run("login", "demo", "--press-authorise")
    #expect(login.code == 73 && login.error.contains("sandbox.port in the configuration"), "\(login.error)")
  }

  @Test("The sandbox starts only when a command connects to it")
  func idle() async throws {
    let home = try home(sandbox: #", "sandbox": { "port": 0 }"#, enabled: false)
    let daemon = try await RunningDaemon(home)
    #expect(try await home.run("outbox").code == 0)
    #expect(try await home.run("purge", "--before", "1d").code == 0)
    #expect(try !Self.children(of: daemon.program.process).contains("homeline-sandbo"))
    #expect(try await home.run("login", "demo", "--press-authorise").code == 0)
    #expect(try Self.children(of: daemon.program.process).contains("homeline-sandbo"))
    await daemon.stop()
  }

  /// Returns the names of a process's children.
  private static func children(of process: Int32) throws -> [String] {
    try Folder.names(in: "/proc").compactMap { Int32($0) }.compactMap { child in
      guard let bytes = try? File.read("/proc/\(child)/stat", limit: 4096) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
      let rest = text[text.index(after: close)...].split(separator: " ")
      return rest.count > 1 && Int32(rest[1]) == process ? String(text[text.index(after: open)..<close]) : nil
    }
  }
}
