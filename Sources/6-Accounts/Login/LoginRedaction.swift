internal import Accounts
internal import CallbackListener
internal import Formats
internal import HomelineOAuth
internal import Timeline

/// Removes the secrets of a login and its account from the text that the login shows. The sender of a redirect can put any text into it.
struct LoginRedaction {
  private let account: Account

  init(of account: Account) { self.account = account }

  func applied(to text: String) -> String {
    account.authority.secrets.redaction(account.core.dependencies.keys, sent: []).applied(to: text)
  }

  func applied(to objection: RedirectServer.Objection) -> RedirectServer.Objection {
    switch objection {
    case .unknown: objection
    case .unusable(let reason): .unusable(SafeText.line(of: applied(to: reason)))
    }
  }

  func applied(to end: LoginEnd) -> LoginEnd {
    switch end {
    case .authorised, .timedOut: end
    case .refused(let reason): .refused(applied(to: reason))
    case .refusedUnnamed(let reason): .refusedUnnamed(applied(to: reason))
    case .failed(let failure): .failed(failure.saying(applied(to: failure.message)))
    }
  }

  /// Returns the user with names that are safe to show: on one line, without secrets, and without terminal control characters.
  func applied(to user: User) -> User {
    User(
      id: user.id, screenName: applied(to: SafeText.line(of: user.screenName)),
      name: applied(to: SafeText.line(of: user.name)), avatarURL: user.avatarURL)
  }
}
