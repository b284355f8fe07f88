package import Commands
package import Settings

/// A command that the owner of the state carries out, whoever that is.
package enum OwnerCommand: Sendable, Hashable {
  case login(Command.Login)
  case logout(AccountName)
  /// None named means all enabled ones.
  case refresh([AccountName])
  /// Nil means the only enabled account.
  case token(AccountName?)
  case mark(Command.Mark)
  /// Of a file that was staged in the account's data folder.
  case importing(Command.Import)
  case purge(Command.Purge)

  /// - Returns: nil for the commands that need no owner, or are one.
  package init?(_ command: Command) {
    switch command {
    case .login(let arguments): self = .login(arguments)
    case .logout(let account): self = .logout(account)
    case .refresh(let accounts): self = .refresh(accounts)
    case .token(let account): self = .token(account)
    case .read(let arguments): self = .mark(arguments)
    case .importing(let arguments): self = .importing(arguments)
    case .purge(let arguments): self = .purge(arguments)
    case .daemon, .status, .show, .search, .open, .export, .sign, .check, .demo, .sandbox, .version, .help: return nil
    }
  }
}
