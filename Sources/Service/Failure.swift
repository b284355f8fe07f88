package import CivilTime

/// Why something that the user asked for was not done: in words, with what to do next, and of which sort.
package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sorts that a script can tell apart; each has its exit code (sysexits.h).
  package enum Kind: Sendable, Hashable {
    /// A file has content that cannot be used.
    case badContent
    /// The provider or the network does not answer.
    case unavailable
    /// Something cannot be created: a port, a folder.
    case cannotCreate
    /// Reading or writing failed; the disk is full.
    case inputOutput
    /// Try again later, at this moment if it is known.
    case tryAgain(at: Timestamp?)
    /// Not authorised, refused, another user, or nobody came in time.
    case notAuthorised
    /// The configuration, here or at the provider, has to be changed first.
    case configuration
    /// A mistake in this program.
    case bug
  }

  package let kind: Kind
  package let message: String
  /// Whether a request may have come to its server before it failed.
  package let wasSent: Bool
  /// Whether the provider refuses the callback address, so that the user has to know which one to register.
  package let isAboutCallback: Bool

  package init(_ kind: Kind, _ message: String, wasSent: Bool = true, isAboutCallback: Bool = false) {
    self.kind = kind
    self.message = message
    self.wasSent = wasSent
    self.isAboutCallback = isAboutCallback
  }

  /// The same failure in other words.
  func saying(_ message: String) -> Failure {
    Failure(kind, message, wasSent: wasSent, isAboutCallback: isAboutCallback)
  }

  package var description: String { message }

  /// Whether it may go away by itself.
  var isPassing: Bool {
    switch kind {
    case .unavailable, .tryAgain: true
    default: false
    }
  }
}
