internal import Commands
internal import Platform
internal import Settings

/// Decides whether a login to a server is for an existing account or a new one.
struct KnownAccountChoice {
  /// The accounts on the server.
  let known: [KnownAccount]
  /// The user's name, if it was typed, as in `@eve@social.example`.
  let user: String?
  /// The names of all accounts.
  let used: Set<AccountName>
  /// Whether the user can be asked.
  let asks: Bool

  enum Choice {
    case again(KnownAccount)
    /// A new account, and its name if the user has chosen one.
    case new(AccountName?)
  }

  func choice() throws(CommandError) -> Choice {
    guard let first = known.first else { return .new(nil) }
    let vacant = known.first { $0.identity == nil }
    if let user {
      if let account = known.first(where: { $0.isUser(user) }) {
        say("@\(user) already has the account \(account.name); logging in to it again")
        return .again(account)
      }
    } else if asks {
      return try ask(proposing: vacant ?? first)
    }
    if let vacant {
      say("the account \(vacant.name) is on this server and has no user yet; logging in to it")
      return .again(vacant)
    }
    let names = known.map { "\($0.name) (\($0.user))" }.joined(separator: ", ")
    say("already on this server: \(names). Another account is added, unless you authorise the same user")
    return .new(nil)
  }

  private func ask(proposing proposal: KnownAccount) throws(CommandError) -> Choice {
    say("already on this server:")
    let width = known.map(\.name.text.count).max() ?? 0
    for account in known {
      let name = account.name.text
      Terminal.say("  \(name)\(String(repeating: " ", count: width - name.count))  \(account.user)")
    }
    Terminal.say("Press Enter to log in again, or type a\nnew name to add another user's account.")
    while true {
      let line: String?
      do throws(SystemError) { line = try Terminal.ask("Account [\(proposal.name)]: ") } catch {
        throw CommandError(error)
      }
      guard let line else { throw CommandError(.usage, "the input ended; nothing was changed") }
      if line.isEmpty { return .again(proposal) }
      if let account = known.first(where: { $0.name.text == line }) { return .again(account) }
      guard let name = AccountName(line) else {
        say("an account name must be \(AccountName.rule)")
        continue
      }
      guard !used.contains(name) else {
        say("the account \(name) is on another server")
        continue
      }
      return .new(name)
    }
  }

  private func say(_ line: String) { Terminal.say("homeline: \(line)") }
}
