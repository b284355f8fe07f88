package import CivilTime
package import HomelineOAuth
package import Platform
package import Providers
package import Storage
package import Timeline

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
  package func saying(_ message: String) -> Failure {
    Failure(kind, message, wasSent: wasSent, isAboutCallback: isAboutCallback)
  }

  package var description: String { message }

  /// Whether it may go away by itself.
  package var isPassing: Bool {
    switch kind {
    case .unavailable, .tryAgain: true
    default: false
    }
  }
}

extension Failure {
  /// How a command ends that met it.
  package var exitCode: ExitCode {
    switch kind {
    case .badContent: .badData
    case .unavailable: .unavailable
    case .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    case .tryAgain: .temporary
    case .notAuthorised: .notAuthorised
    case .configuration: .configuration
    case .bug: .software
    }
  }
}

extension Failure {
  /// What the refusal of a token means for whoever asked.
  package init(_ failure: TokenFailure, _ trouble: String, isAboutCallback: Bool = false) {
    let kind: Kind =
      switch failure {
      case .dead: .notAuthorised
      case .clientRejected: .configuration
      case .transient(_, let until): until == nil ? .unavailable : .tryAgain(at: until)
      case .refused: .unavailable
      }
    self.init(kind, "\(trouble): \(failure.message)", isAboutCallback: isAboutCallback)
  }
}

/// What a provider's refusal of a login's leg means for whoever asked.
extension Failure {
  /// - Parameter leg: the endpoint's name in the configuration.
  package init(_ error: OAuthResponseError, _ leg: String) {
    let reason = if case .refused(let refusal) = error { refusal.explanation } else { error.description }
    let sentence = "\(leg) brought no token. \(reason)"
    switch error {
    case .refused(let refusal):
      let kind: Kind =
        switch refusal.advice.kind {
        case .configuration, .closed, .clock: .configuration
        case .limit, .paused: .tryAgain(at: nil)
        case .transient: .unavailable
        case .needsLogin, .locked, .refused: .notAuthorised
        }
      self.init(kind, sentence, isAboutCallback: refusal.advice.isAboutCallback)
    case .callbackNotConfirmed, .missingParameter("oauth_callback_confirmed"):
      self.init(
        .configuration,
        sentence + " If you trust this server, set \"require_callback_confirmation\": false in the account")
    default: self.init(.unavailable, sentence)
    }
  }
}

/// What a timeline's problem means for whoever asked for a refresh.
extension Failure {
  package init(_ problem: Problem) {
    let kind: Kind =
      switch problem.code {
      case .notAuthorised, .locked: .notAuthorised
      case .rateLimited, .paused, .budget: .tryAgain(at: problem.retryAt)
      case .network, .provider, .closed: .unavailable
      case .storage: .inputOutput
      case .configuration, .secretUnavailable: .configuration
      }
    self.init(kind, problem.message)
  }
}

/// What a store's error means for whoever asked.
extension Failure {
  package init(_ error: StorageError) {
    let kind: Kind =
      switch error.kind {
      case .newerVersion, .unknownKind, .exposed: .configuration
      case .damaged: .badContent
      case .olderVersion, .busy, .outdated, .tooLarge, .interrupted, .unsupported, .inputOutput, .other: .inputOutput
      }
    self.init(kind, "\(error)")
  }
}

/// The same for whoever reads the published file.
extension Problem {
  package init(_ error: StorageError) {
    let code: Code =
      switch error.kind {
      case .newerVersion, .unknownKind, .exposed: .configuration
      case .damaged: .notAuthorised
      case .olderVersion, .busy, .outdated, .tooLarge, .interrupted, .unsupported, .inputOutput, .other: .storage
      }
    self.init(code: code, message: "\(error)")
  }
}
