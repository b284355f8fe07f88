internal import Folders
internal import Platform

/// Reports which process owns the state, and checks whether the state's folders are safe to use.
struct LockCheck: DiagnosticCheck {
  let name = "lock"

  func findings(in context: DiagnosticContext) -> [Finding] {
    var findings: [Finding] = []
    let layout = context.layout
    for folder in [layout.stateFolder, layout.dataFolder, layout.cacheFolder] where File.exists(folder) {
      do throws(SystemError) { try Folder.checkTrust(folder) } catch {
        findings.append(.fault("\(foreign: "\(error)")"))
      }
    }
    if let owner = context.owner {
      findings.append(.ok("homeline \(foreign: owner.command) (process \(owner.processID)) owns the state"))
    } else {
      findings.append(.ok("no process owns the state"))
    }
    return findings
  }
}
