internal import Files
internal import Platform

/// Reports the state of the service's unit, and whether the user's services run while the user is not logged in (lingering).
struct UnitCheck: DiagnosticCheck {
  let name = "units"

  private static let unit = "homeline.service"
  private static let timeout = Duration.seconds(2)

  func findings(in context: DiagnosticContext) -> [Finding] {
    guard let text = Self.output("systemctl", ["--user", "show", Self.unit, Self.properties], context.variables) else {
      return [.ok("systemctl --user does not work, so the state of the units is unknown")]
    }
    var findings = [Self.finding(about: UnitState(text), isOwnedByService: context.owner?.isService ?? false)]
    let linger = Self.output("loginctl", ["show-user", "--property=Linger", "--value"], context.variables)
    switch linger?.split(separator: "\n").first {
    case "yes": findings.append(.ok("lingering is on: the service runs without a session"))
    case "no":
      findings.append(
        .ok(
          "lingering is off: the service ends with your last session",
          next: "To keep it running: loginctl enable-linger"))
    default: break
    }
    return findings
  }

  private static let properties =
    "--property=LoadState,ActiveState,SubState,UnitFileState,Result,NRestarts,ExecMainStatus"

  static func finding(about state: UnitState, isOwnedByService: Bool) -> Finding {
    let start: DiagnosticText = "To start it now and at each login: systemctl --user enable --now homeline"
    let logs: DiagnosticText = "The reason is in: journalctl --user -u homeline -p warning"
    switch (state["LoadState"], state["ActiveState"]) {
    case ("not-found", _): return .ok("\(harmless: unit) is not installed", next: "To install it: make install")
    case ("masked", _):
      return .warning("\(harmless: unit) is masked", next: "To allow it: systemctl --user unmask homeline")
    case (_, "failed"):
      return .fault(
        "\(harmless: unit) has failed (\(foreign: state["Result"]), exit code \(foreign: state["ExecMainStatus"]))",
        next: logs)
    case (_, "active"), (_, "reloading"):
      let restarts = Int(state["NRestarts"]) ?? 0
      guard restarts == 0 else {
        return .warning("\(harmless: unit) is active, but was restarted \(restarts) times after a failure", next: logs)
      }
      return .ok("\(harmless: unit) is active and \(foreign: state["UnitFileState"])")
    case (_, "activating"):
      return .warning("\(harmless: unit) is starting (\(foreign: state["SubState"]))", next: logs)
    default:
      if isOwnedByService { return .ok("\(harmless: unit) is not active, but a service is running without it") }
      return Finding(
        state["UnitFileState"] == "enabled" ? .warning : .ok, "\(harmless: unit) is not active", next: start)
    }
  }

  /// Returns the output of a program; nil if the program is missing or fails.
  private static func output(_ program: String, _ arguments: [String], _ variables: [String: String]) -> String? {
    guard let path = ProgramSearch.find(program, in: variables["PATH"] ?? "") else { return nil }
    let bytes = try? Child.output(
      of: path, arguments, environment: variables, limit: 65_536, timeout: timeout,
      discardsError: true)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The properties of a unit, read from the output of `systemctl show`: lines of the form `NAME=VALUE`.
struct UnitState {
  private var values: [String: String] = [:]

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      values[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
  }

  /// The value of a property; empty if it is missing.
  subscript(name: String) -> String { values[name] ?? "" }
}
