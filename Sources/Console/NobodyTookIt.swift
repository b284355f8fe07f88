package import Control
internal import HTTP

/// Why a command was not taken on by the owner that was asked: it has ended, is about to, or does not listen yet.
package struct NobodyTookIt: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// - Returns: nil where somebody did.
  package init?(_ error: ControlClientError) {
    switch error {
    case .unreachable, .unanswered: break
    case .refused(let refusal) where refusal.status == .serviceUnavailable: break
    case .refused, .brokenOff, .timedOut, .malformed, .hungUp: return nil
    }
    description = "\(error)"
  }
}
