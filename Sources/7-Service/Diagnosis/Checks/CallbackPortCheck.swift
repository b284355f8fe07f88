internal import Folders
internal import Platform
internal import Settings

/// Checks whether a login could listen on the callback port.
struct CallbackPortCheck: DiagnosticCheck {
  let name = "callback port"

  func findings(in context: DiagnosticContext) -> [Finding] {
    guard let port = context.configuration?.callback.port else { return [.ok("unknown without a configuration")] }
    guard port != 0 else { return [.ok("each login uses a free port")] }
    guard PortHolder.isTaken(port) else { return [.ok("\(port) is free")] }
    guard let holder = PortHolder.of(port: port) else {
      return [
        .fault(
          "another user's program listens on \(port)",
          next: "Stop it, or set another callback.port and register the new address with the provider")
      ]
    }
    if holder.processID == context.owner?.processID { return [.ok("homeline listens on \(port)")] }
    if holder.command == "systemd" { return [.ok("systemd listens on \(port) for the service")] }
    return [
      .fault(
        "\(foreign: holder.description) listens on \(port)",
        next: "Stop it, or set another callback.port and register the new address with the provider")
    ]
  }
}
