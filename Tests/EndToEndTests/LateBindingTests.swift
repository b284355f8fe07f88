import Platform
import TestSupport
import Testing

/// The libraries that programs load at run time (docs/decisions/0028-libraries-loaded-on-first-use.md).
@Suite("Libraries loaded at run time") struct LateBindingTests {
  @Test("The programs declare exactly the libraries that they load")
  func declared() async throws {
    guard ProgramSearch.find("readelf", in: ProcessEnvironment.variables()["PATH"] ?? "") != nil else {
      try skipTest("readelf is not installed")
    }
    let home = try TestInstallation()
    try home.configure(
      #"{ "protect": "keyring", "sandbox": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox" } } }"#)
    var loaded: [String: Set<String>] = [:]
    try home.write("profiles: [", to: "\(home.path)/.trc")
    // The keyring's library is loaded before the missing bus is noticed.
    for command in [["keyring", "status"], ["doctor"], ["login", "--import"]] {
      let trace = "\(home.path)/loader"
      _ = try await home.start(
        command,
        [
          "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": trace, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home.path)/no-bus",
        ]
      ).end()
      for name in try home.names(in: home.path) where name.hasPrefix("loader.") {
        for (program, library) in Self.dynamicLoads(in: try home.read("\(home.path)/\(name)")) {
          loaded[program, default: []].insert(library)
        }
      }
    }
    for program in ["homeline", "homelined", "homeline-sandbox"] {
      let path = ProgramRun.product(program)
      let declared = try await home.shell("'\(TestInstallation.repository("scripts/late-libraries"))' '\(path)'")
      #expect(declared.code == 0, "\(declared.error)")
      #expect(
        Set(declared.output.split(separator: "\n").map(String.init)) == loaded[path] ?? [], "\(program): \(loaded)")
    }
    #expect(loaded[ProgramRun.product("homelined")] == ["libcurl.so.4", "libsystemd.so.0"])
    #expect(loaded[ProgramRun.product("homeline")]?.contains("libyaml-0.so.2") == true)
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
