package import CivilTime
package import HomelineOAuth
package import Platform

/// What the owner of the state says of a job while it goes on: one JSON object a line (`application/jsonl`).
///
/// A reader passes over events and members that it does not know.
package enum ControlEvent: Sendable, Hashable {
  /// A login is under way, for an account that is known by now.
  case begun(Begun)
  /// Send the user to this address.
  case address(Address)
  /// Have the user type a code in, on any device.
  case code(Code)
  /// A sentence that the user should hear.
  case notice(String)
  case authorised(User)
  /// Where the former user's files went.
  case setAside(paths: [String])
  /// Where the token is stored.
  case stored(path: String)
  /// An account's refresh has ended, whatever came of it.
  case refreshed(Refreshed)
  case loggedOut(LoggedOut)
  case token(Token)
  case progress(Progress)
  case marked(Marked)
  case imported(Imported)
  case purged(Purged)
  /// Nothing comes after it.
  case end(End)

  package struct Begun: Sendable, Hashable {
    /// What ``ControlRequest/input(login:_:)`` takes.
    package var login: String
    package var account: String

    package init(login: String, account: String) {
      self.login = login
      self.account = account
    }
  }

  package struct Address: Sendable, Hashable {
    package var url: String
    /// Where the browser will come back to, on loopback; nil when a PIN is to be typed in.
    package var callbackPort: Int?

    package init(url: String, callbackPort: Int?) {
      self.url = url
      self.callbackPort = callbackPort
    }
  }

  package struct Code: Sendable, Hashable {
    package var code: String
    /// Where it is typed in.
    package var url: String
    /// The same with the code in it; nil where the server has none.
    package var completeURL: String?

    package init(code: String, url: String, completeURL: String?) {
      self.code = code
      self.url = url
      self.completeURL = completeURL
    }
  }

  package struct User: Sendable, Hashable {
    package var id: String
    package var screenName: String
    package var name: String

    package init(id: String, screenName: String, name: String) {
      self.id = id
      self.screenName = screenName
      self.name = name
    }
  }

  package struct Refreshed: Sendable, Hashable {
    package var account: String
    /// How many posts are new; nil when the timeline is not fresh.
    package var new: Int?
    /// Why it is not, without the account's name; nil when it is.
    package var message: String?
    /// What this account alone would have a command end with.
    package var exit: ExitCode
    /// What the user should hear besides, without the account's name: also that what came could not be kept.
    package var warnings: [String]
    /// Where the published timeline lies; nil for an account that has none, whose token was looked after.
    package var timeline: String?

    package init(
      account: String, new: Int?, message: String?, exit: ExitCode, warnings: [String], timeline: String?
    ) {
      self.account = account
      self.new = new
      self.message = message
      self.exit = exit
      self.warnings = warnings
      self.timeline = timeline
    }
  }

  package struct LoggedOut: Sendable, Hashable {
    package var account: String
    package var outcome: Outcome
    /// The same for people, without the account's name.
    package var message: String

    package enum Outcome: String, Sendable, Hashable, CaseIterable {
      case revoked
      /// The provider has no way to revoke a token from here.
      case deletedOnly = "deleted-only"
      /// The provider was asked and did not do it.
      case notRevoked = "not-revoked"
      case wasNotAuthorised = "was-not-authorised"
    }

    package init(account: String, outcome: Outcome, message: String) {
      self.account = account
      self.outcome = outcome
      self.message = message
    }
  }

  /// An access token that is good now.
  package struct Token: Sendable, Hashable {
    package var account: String
    package var accessToken: Secret
    /// By the server's clock; nil where no end is known.
    package var expiresAt: Timestamp?

    package init(account: String, accessToken: Secret, expiresAt: Timestamp?) {
      self.account = account
      self.accessToken = accessToken
      self.expiresAt = expiresAt
    }
  }

  package struct End: Sendable, Hashable {
    /// What the command ends with that asked.
    package var exit: ExitCode
    /// Why it failed, with the account's name where it is about one; nil when it did not, or when what came before says
    /// it all (``ControlEvent/refreshed(_:)`` of a refresh).
    package var message: String?
    /// When it may be tried again, where that is known.
    package var retryAt: Timestamp?

    package init(exit: ExitCode, message: String? = nil, retryAt: Timestamp? = nil) {
      self.exit = exit
      self.message = message
      self.retryAt = retryAt
    }
  }
}
