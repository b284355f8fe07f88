internal import Files
internal import Platform

/// Reports which process owns the state, and checks whether the state's folders are safe to use.
struct LockCheck: DiagnosticCheck {
  let name = "lock"

  func findings(in context: DiagnosticContext) -> [Finding] {
    var findings: [Finding] = []
    let layout = context.layout
    for folder in [layout.stateFolder, layout.dataFolder, layout.cacheFolder] where File.exists(folder) {
      do throws(SystemError) { try FolderTrust.check(folder) } catch {
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

/// Checks whether the process that owns the state responds on its control socket.
struct SocketCheck: DiagnosticCheck {
  let name = "control socket"

  func findings(in context: DiagnosticContext) -> [Finding] {
    guard let owner = context.owner else {
      // No connection is attempted: if systemd is listening on the socket, this would start the service.
      return File.exists(context.layout.controlSocket)
        ? [.ok("\(path: context.layout.controlSocket) exists; the next command that needs the service uses it")]
        : [.ok("there is none, because no process owns the state")]
    }
    guard let socket = owner.controlSocket else {
      return [.warning("the owner of the state has no control socket, so other commands wait until it exits")]
    }
    if let silence = context.ownerSilence {
      return [
        .fault(
          "the owner of the state is not responding at \(path: socket): \(foreign: silence)",
          next: "When it answers again, run: homeline doctor")
      ]
    }
    return [.ok("the owner of the state is responding at \(path: socket)")]
  }
}
