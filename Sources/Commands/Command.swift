package import Settings

/// What the user wants done, with every argument checked.
package enum Command: Sendable, Hashable {
  case login(Login)
  case logout(AccountName)
  /// The service in the foreground; with `once` each due account is refreshed a single time.
  case daemon(once: Bool)
  /// One account, or all of them.
  case status(AccountName?, json: Bool, all: Bool = false)
  /// These accounts; none named means all enabled ones.
  case refresh([AccountName])
  /// The access token of an account; nil means the only enabled one.
  case token(AccountName?)
  case show(Show)
  case search(Search)
  /// Shows an account's or a view's page in the browser.
  case open(Open)
  /// Marks posts as read.
  case read(Mark)
  case export(Export)
  case importing(Import)
  case purge(Purge)
  case sign(Sign)
  /// The configuration; with `archive` the databases too, or one account's.
  case check(archive: Bool, AccountName?)
  case demo(Demo)
  /// A simulated provider for other programs.
  case sandbox(Sandbox)
  case version
  case help(CommandName?)

  package var name: CommandName {
    switch self {
    case .login: .login
    case .logout: .logout
    case .daemon: .daemon
    case .status: .status
    case .refresh: .refresh
    case .token: .token
    case .show: .show
    case .search: .search
    case .open: .open
    case .read: .read
    case .export: .export
    case .importing: .importing
    case .purge: .purge
    case .sign: .sign
    case .check: .check
    case .demo: .demo
    case .sandbox: .sandbox
    case .version: .version
    case .help: .help
    }
  }

  /// Whether `homeline` hands it to `homelined`.
  package var needsDaemonProgram: Bool { name.needsDaemonProgram }
}
