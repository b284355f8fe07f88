package import HomelineOAuth
package import Platform
package import Providers
package import Settings
package import Storage
package import Time
package import Timeline

/// The reason a user's request was not carried out: the kind of failure, and a message that says what to do next.
package struct OperationError: UserFacingError, Hashable {
  /// The kinds that a script can distinguish. Each has its own exit code (sysexits.h).
  package enum Kind: Sendable, Hashable {
    /// A file's content cannot be used.
    case badContent
    /// The provider or the network is not responding.
    case unavailable
    /// Something cannot be created, such as a port or a folder.
    case cannotCreate
    /// Reading or writing failed, for example because the disk is full.
    case inputOutput
    /// The user should try again later, at the given time if known.
    case tryAgain(at: Timestamp?)
    /// The account is not authorised, was refused or belongs to another user, or the login was not completed in time.
    case notAuthorised
    /// The configuration must be changed, on this machine or at the provider, before the operation can succeed.
    case configuration
    /// A bug in this program.
    case bug
  }

  package let kind: Kind
  package let message: String
  /// Whether the request may have reached its server before it failed.
  package let wasSent: Bool
  /// Whether the provider refuses the callback address. The user must then know which address to register.
  package let isAboutCallback: Bool
  /// Whether the request would succeed if the user trusted the server with the post (`PostDraft.trustsServer`).
  package let needsTrust: Bool
  /// The cost that the user must agree to so that the request succeeds, in millionths of a US dollar; nil if this is not the reason.
  package let cost: Int64?

  package init(
    _ kind: Kind, _ message: String, wasSent: Bool = true, isAboutCallback: Bool = false, needsTrust: Bool = false,
    cost: Int64? = nil
  ) {
    self.kind = kind
    self.message = message
    self.wasSent = wasSent
    self.isAboutCallback = isAboutCallback
    self.needsTrust = needsTrust
    self.cost = cost
  }

  /// Returns the same failure with a different message.
  package func saying(_ message: String) -> OperationError {
    OperationError(
      kind, message, wasSent: wasSent, isAboutCallback: isAboutCallback, needsTrust: needsTrust, cost: cost)
  }

  /// Returns the error for a post whose cost the user has to confirm.
  /// - Parameter cost: the cost in millionths of a US dollar.
  package static func unconfirmed(_ cost: Int64) -> OperationError {
    OperationError(
      .badContent,
      "this post costs \(MicroUSD.text(cost)) USD, more than \"confirm_above_usd\"; confirm it with --yes", cost: cost)
  }

  /// Whether the failure may go away on its own.
  package var isPassing: Bool {
    switch kind {
    case .unavailable, .tryAgain: true
    default: false
    }
  }

  /// The earliest time to try again, if there is one.
  package var retryAt: Timestamp? { if case .tryAgain(let moment) = kind { moment } else { nil } }

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

extension OperationError {
  /// Creates the failure of a login that got no token from the server.
  /// - Parameters:
  ///   - failure: the meaning of the error.
  ///   - trouble: what was not done, for a refusal without its own sentence.
  package init(
    _ failure: ProviderFailure, _ error: OAuth2ResponseError, _ trouble: String, isAboutCallback: Bool = false
  ) {
    let kind: Kind =
      switch failure {
      case .needsLogin: .notAuthorised
      case .configuration: .configuration
      case .transient(_, let until?): .tryAgain(at: until)
      default: .unavailable
      }
    let message =
      switch (error, failure) {
      // The provider has recognised an error in its own format.
      case (.unusable, .needsLogin(let said)), (.unusable, .configuration(let said)),
        (.unusable, .refused(let said, _)),
        (.unreadable, .needsLogin(let said)), (.unreadable, .configuration(let said)):
        "\(trouble): \(said)"
      case (.unusable(_, let sentence), _): "\(sentence). Logging in again will not help until the server is repaired"
      case (.unreadable, _): "\(error)"
      case (.refused(let refusal), .refused) where refusal.errorCode == nil:
        "\(trouble): the server gives no reason (\(refusal.status), \(refusal.message))"
      case (.refused(let refusal), .transient(_, let until)) where refusal.errorCode == nil:
        "\(trouble): the server cannot do it now (\(refusal.status), it says “\(refusal.message)”). "
          + (until.map { "Log in again after \($0.rfc3339)" } ?? "Log in again later")
      case (.refused, _): "\(trouble): \(failure.message)"
      }
    self.init(kind, message.hasSuffix(".") ? String(message.dropLast()) : message, isAboutCallback: isAboutCallback)
  }
}

/// The failure of a login request that the provider denied.
extension OperationError {
  /// - Parameter endpoint: the endpoint's name in the configuration.
  package init(_ error: OAuthResponseError, _ endpoint: String) {
    let reason = if case .refused(let refusal) = error { refusal.explanation } else { error.description }
    let sentence = "\(endpoint) did not return a token. \(reason)"
    switch error {
    case .refused(let refusal):
      let kind: Kind =
        switch refusal.advice.kind {
        case .configuration, .closed, .clock: .configuration
        case .limit, .paused: .tryAgain(at: nil)
        case .transient, .nonce: .unavailable
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

/// The failure of a refresh, derived from the timeline's problem.
extension OperationError {
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

/// The failure that a storage error causes.
extension OperationError {
  package init(_ error: StorageError) {
    let kind: Kind =
      switch error.kind {
      case .newerVersion, .unknownKind, .exposed, .keyMissing: .configuration
      case .keyUnavailable: .tryAgain(at: nil)
      case .damaged: .badContent
      case .olderVersion, .busy, .outdated, .tooLarge, .interrupted, .unsupported, .inputOutput, .other: .inputOutput
      }
    self.init(kind, "\(error)")
  }
}

/// The problem that a storage error causes, for readers of the published file.
extension Problem {
  package init(_ error: StorageError) {
    let code: Code =
      switch error.kind {
      case .newerVersion, .unknownKind, .exposed: .configuration
      case .keyUnavailable, .keyMissing: .secretUnavailable
      case .damaged: .notAuthorised
      case .olderVersion, .busy, .outdated, .tooLarge, .interrupted, .unsupported, .inputOutput, .other: .storage
      }
    self.init(code: code, message: "\(error)")
  }
}

extension Problem {
  /// Returns the problem of an account that has never been logged in.
  package static func notAuthorisedYet(_ account: AccountName) -> Problem {
    Problem(code: .notAuthorised, message: "not authorised yet. Run: homeline login \(account)")
  }

  /// Adds instructions for logging in, which the provider's message cannot contain.
  package func withLoginHint(for account: AccountName) -> Problem {
    guard code == .notAuthorised else { return self }
    return Problem(code: code, message: "\(message) Run: homeline login \(account)", retryAt: retryAt)
  }
}
