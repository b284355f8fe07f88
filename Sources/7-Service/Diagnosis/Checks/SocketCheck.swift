internal import Folders
internal import Platform

/// Checks whether the state owner responds on its control socket.
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
      return [.warning("the state owner has no control socket, so other commands wait until it exits")]
    }
    if let silence = context.ownerSilence {
      return [
        .fault(
          "the state owner is not responding at \(path: socket): \(foreign: silence)",
          next: "Once it responds, run: homeline doctor")
      ]
    }
    return [.ok("the state owner is responding at \(path: socket)")]
  }
}
