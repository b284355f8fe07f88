internal import Commands
internal import ControlProtocol
internal import Folders
internal import Platform

/// Reports the program's version and compares it with the running service's.
struct ProgramCheck: DiagnosticCheck {
  let name = "program"

  func findings(in context: DiagnosticContext) -> [Finding] {
    let path = (try? ProcessEnvironment.programPath()) ?? "an unknown path"
    var findings = [Finding.ok("homeline \(harmless: Version.number) (\(path: path))")]
    let restart: DiagnosticText = "Restart it: systemctl --user restart homeline"
    if let version = context.ownerStatus?.owner.version, version != Version.number {
      findings.append(
        .warning("the running \(foreign: context.owner?.command ?? "") has version \(foreign: version)", next: restart))
    } else if let owner = context.owner, owner.isService, ProcessEnvironment.isFileReplaced(of: owner.processID) {
      findings.append(.warning("the running service is older than the installed files", next: restart))
    }
    return findings
  }
}

/// Reports the operating system.
struct MachineCheck: DiagnosticCheck {
  let name = "machine"

  func findings(in context: DiagnosticContext) -> [Finding] {
    let machine = MachineDescription.current
    return [.ok("\(harmless: machine.system), \(harmless: machine.kernel) \(harmless: machine.architecture)")]
  }
}
