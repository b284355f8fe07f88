internal import HTTPServer
internal import Platform

/// The reason a listener could not be opened, or received no redirect.
public enum RedirectListenerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another program is listening on this address and port.
  case portInUse(address: String, port: UInt16)
  /// The path does not begin with `/`, or contains a character that must be escaped in a redirect URI.
  case invalidPath(String)
  /// A system call failed; the text contains the call and the reason.
  case system(String)
  /// The expected redirect did not arrive in time.
  case timedOut
  /// The waiting task was cancelled.
  case cancelled
  /// The listener was closed.
  case closed
  /// Another call to ``RedirectListener/redirect(within:where:)`` is already waiting.
  case alreadyWaiting

  init(_ error: ListenError) {
    switch error {
    case .portInUse(let address, let port): self = .portInUse(address: address.text, port: port)
    default: self = .system(error.description)
    }
  }

  /// Describes the error in a sentence.
  public var description: String {
    switch self {
    case .portInUse(let address, let port): "Another program is listening on \(address):\(port)."
    case .invalidPath(let path): "“\(path)” cannot be the path of a redirect URI."
    case .system(let reason): "The listener cannot be opened: \(reason)."
    case .timedOut: "The expected redirect did not arrive in time."
    case .cancelled: "The task that was waiting for the redirect was cancelled."
    case .closed: "The listener was closed."
    case .alreadyWaiting: "Another call is already waiting for the redirect."
    }
  }
}
