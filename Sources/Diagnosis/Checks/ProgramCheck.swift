internal import Commands
internal import Control
internal import Files
internal import HomelineOAuth
internal import HTTPClient
internal import Platform
internal import SQLite

/// Reports the program's version, and compares it with that of the running service.
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

/// Reports the libraries that the program uses.
struct LibraryCheck: DiagnosticCheck {
  let name = "libraries"

  func findings(in context: DiagnosticContext) -> [Finding] {
    let linked = "SQLite \(SQLiteLibrary.version), \(CryptographyLibrary.version)"
    switch CurlLibrary.version {
    case .success(let version): return [.ok("\(harmless: linked), \(harmless: version)")]
    case .failure(let error):
      return [
        .ok("\(harmless: linked)"),
        .fault("libcurl cannot be loaded: \(foreign: "\(error)")", next: "Install the package libcurl4"),
      ]
    }
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
