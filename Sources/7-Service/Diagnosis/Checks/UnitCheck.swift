internal import Commands
internal import Folders
internal import Platform
internal import Settings
internal import Storage

/// Reports the state of the service's unit, and whether the user's services run while the user is not logged in (lingering).
struct UnitCheck: DiagnosticCheck {
  let name = "units"

  private static let unit = "homeline.service"
  private static let timeout = Duration.seconds(2)

  func findings(in context: DiagnosticContext) -> [Finding] {
    let text = Self.output("systemctl", ["--user", "show", Self.unit, Self.properties], context.variables)
    var findings = [
      Self.finding(
        about: text.map(UnitState.init), need: ServiceNeed(context),
        start: .find(context.variables, program: (try? ProcessEnvironment.programPath()) ?? "/usr/bin/homeline"))
    ]
    guard text != nil else { return findings }
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

  /// - Parameters:
  ///   - state: the unit's properties; nil if systemd runs no services for this user.
  ///   - start: how the service is started here.
  static func finding(about state: UnitState?, need: ServiceNeed, start: ServiceStart) -> Finding {
    let logs: DiagnosticText = "The reason is in: journalctl --user -u homeline -p warning"
    guard let state else { return missing("systemd runs no services for this user", need, start) }
    switch (state["LoadState"], state["ActiveState"]) {
    case ("not-found", _): return missing("\(harmless: unit) is not installed", need, start)
    case ("masked", _): return missing("\(harmless: unit) is masked", need, start, isWanted: true)
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
      return missing(
        "\(harmless: unit) is not active", need, start, isWanted: state["UnitFileState"] == "enabled")
    }
  }

  /// Returns the finding about a unit that is not running.
  /// - Parameter isWanted: whether the user has enabled or masked the unit.
  private static func missing(
    _ reason: DiagnosticText, _ need: ServiceNeed, _ start: ServiceStart, isWanted: Bool = false
  ) -> Finding {
    // The line for crontab(5) contains a path.
    let next: DiagnosticText = "\(foreign: start.advice)"
    return switch need {
    case .running: .ok("\(reason), but a service is running without it")
    case .cron: .ok("\(reason), but cron refreshes the accounts")
    case .none: Finding(isWanted ? .warning : .ok, reason, next: isWanted || start == .unit ? next : nil)
    case .missing: .warning("\(reason), so no account is refreshed", next: next)
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

/// Whether the accounts need a service, and whether there is one.
enum ServiceNeed {
  case running
  /// No service is running, but the user's crontab refreshes the accounts.
  case cron
  /// No service is running, and no account needs one.
  case none
  /// No service is running, so the accounts are not refreshed.
  case missing

  init(_ context: DiagnosticContext) {
    let isNeeded = context.enabledAccounts.contains { account in
      account.hasTimeline()
        && (account.drive?.needsLogin == false || context.storage.tokens(of: account.name).isPresent)
    }
    if context.owner?.isService == true {
      self = .running
    } else if !isNeeded {
      self = .none
    } else {
      self = ServiceStart.isCronUsed(context.variables) ? .cron : .missing
    }
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
