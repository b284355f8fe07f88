internal import ControlProtocol
internal import Settings

/// Checks whether there is a valid configuration with an enabled account, and whether the service uses it.
struct ConfigurationFileCheck: DiagnosticCheck {
  let name = "configuration"
  let isQuick = true

  func findings(in context: DiagnosticContext) -> [Finding] {
    guard let configuration = context.configuration else {
      return context.configurationProblems.map { .fault("\(foreign: $0)") }
    }
    var findings: [Finding] = []
    let enabled = configuration.enabledAccounts.count
    if enabled == 0 {
      findings.append(
        .warning(
          "\(path: context.configurationPath): no account is enabled",
          next: "Add an account; for the format, see man homeline-config"))
    } else {
      findings.append(
        .ok("\(path: context.configurationPath): no errors, \(enabled) enabled \(harmless: Self.accounts(enabled))"))
    }
    if let problem = context.ownerStatus?.owner.configurationProblem {
      findings.append(
        .fault(
          "the service keeps its previous configuration, because the new one was invalid: \(foreign: problem)",
          next: "Correct it, then run: systemctl --user reload homeline"))
    }
    let orphans = context.accounts.filter { $0.settings == nil }
    if !orphans.isEmpty {
      findings.append(
        .ok(
          "\(orphans.count) \(harmless: Self.accounts(orphans.count)) with files \(harmless: orphans.count == 1 ? "is" : "are") not in the configuration"
        ))
    }
    return findings
  }

  private static func accounts(_ count: Int) -> String { count == 1 ? "account" : "accounts" }
}
