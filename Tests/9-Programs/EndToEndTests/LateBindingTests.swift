import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// The libraries that programs load at run time (docs/decisions/code-and-libraries.md, 0028).
@Suite("Libraries loaded at run time") struct LateBindingTests {
  @Test("The programs declare exactly the libraries that they load", .needs("script"))
  func declared() async throws {
    guard ProgramSearch.find("readelf", in: ProcessEnvironment.variables()["PATH"] ?? "") != nil else {
      try skipTest("readelf is not installed")
    }
    let home = try TestInstallation()
    try home.configure(
      #"""
      { "protect": "keyring", "sandbox": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox" },
        "letters": { "provider": "mastodon", "server": "müller.example", "enabled": false } } }
      """#)
    var loaded: [String: Set<String>] = [:]
    try home.write("profiles: [", to: "\(home.path)/.trc")
    let variables = [
      "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": "\(home.path)/loader", "TERM": "xterm",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home.path)/no-bus",
    ]
    // The keyring's library is loaded before the missing bus is noticed.
    for command in [["show"], ["keyring", "status"], ["doctor"], ["login", "--import"]] {
      _ = try await home.start(command, variables).end()
    }
    // A login on a device shows a QR code on a wide terminal.
    let server = try SandboxServer(OAuth2Sandbox(redirects: []))
    defer { server.stop() }
    try home.configure(
      #"""
      { "accounts": { "phone": { "provider": "oauth2", "client_id": "sandbox-native", "issuer": "\#(server.baseURL)" } } }
      """#)
    let login = "stty cols 120; exec '\(ProgramRun.product("homeline"))' login phone --device --timeout 1"
    _ = try await home.shell(#"script --quiet --return --command "\#(login)" /dev/null"#, variables)
    for name in try home.names(in: home.path) where name.hasPrefix("loader.") {
      for (program, library) in Self.dynamicLoads(in: try home.read("\(home.path)/\(name)")) {
        loaded[program, default: []].insert(library)
      }
    }
    for program in ["homeline", "homelined", "homeline-sandbox"] {
      let path = ProgramRun.product(program)
      let declared = try await home.shell("'\(Repository.path("scripts/late-libraries"))' '\(path)'")
      #expect(declared.code == 0, "\(declared.error)")
      #expect(
        Set(declared.output.split(separator: "\n").map(String.init)) == loaded[path] ?? [], "\(program): \(loaded)")
    }
    #expect(
      loaded[ProgramRun.product("homelined")]
        == ["libcurl.so.4", "libidn2.so.0", "libqrencode.so.4", "libsystemd.so.0", "libyaml-0.so.2"])
    #expect(loaded[ProgramRun.product("homeline")] == ["libidn2.so.0"])
  }

  @Test(
    "If libidn2 cannot be loaded, the error for a name with non-ASCII letters names the package and the ASCII form"
  )
  func withoutLibidn2() async throws {
    let home = try TestInstallation()
    let libraries = "\(home.path)/libraries"
    try home.write("no library", to: "\(libraries)/libidn2.so.0")
    try home.configure(#"{ "accounts": { "a": { "provider": "mastodon", "server": "müller.example" } } }"#)
    for (arguments, code) in [(["check"], 78), (["login", "müller.example", "--yes"], 64)] {
      let outcome = try await home.start(arguments, ["LD_LIBRARY_PATH": libraries]).end()
      #expect(outcome.code == code, "\(outcome.error)")
      for text in ["“müller.example”", "Install the package libidn2-0", "begins with xn--"] {
        #expect((outcome.output + outcome.error).contains(text), "\(outcome.output + outcome.error)")
      }
    }
    // Names in ASCII do not need it.
    try home.configure(#"{ "accounts": { "a": { "provider": "mastodon", "server": "xn--mller-kva.example" } } }"#)
    let list = try await home.start(["account", "list"], ["LD_LIBRARY_PATH": libraries]).end()
    #expect(list.code == 0 && list.output.contains("xn--mller-kva.example"), "\(list.error)")
  }

  /// Returns the libraries that each program or library loaded with `dlopen(3)`, from the output of ld.so(8) with
  /// `LD_DEBUG=files`.
  private static func dynamicLoads(in trace: String) -> [(loader: String, library: String)] {
    trace.split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: /file=(\S+) \[\d+\];  dynamically loaded by (\S+) \[\d+\]/) else {
        return nil
      }
      return (String(match.2), String(match.1))
    }
  }
}
