package import CivilTime
package import HomelineOAuth
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

extension Command {
  /// The arguments of `login`.
  package struct Login: Sendable, Hashable {
    /// Nil means the only enabled account.
    package var account: AccountName?
    package var opensBrowser: Bool
    /// How long the redirect is waited for.
    package var timeout: Duration
    /// Whether the provider shows a verifier instead of redirecting (RFC 5849 §2.1, `oob`).
    package var usesPIN: Bool
    /// Whether a code is typed in on another device (RFC 8628); not together with a PIN.
    package var usesDevice: Bool
    package var switchesUser: Bool
    /// Whether homeline presses the button of the authorisation page itself, which only the sandbox allows.
    package var pressesAuthorise: Bool

    package init(
      account: AccountName? = nil, opensBrowser: Bool = true, timeout: Duration = .seconds(300), usesPIN: Bool = false,
      usesDevice: Bool = false, switchesUser: Bool = false, pressesAuthorise: Bool = false
    ) {
      self.account = account
      self.opensBrowser = opensBrowser
      self.timeout = timeout
      self.usesPIN = usesPIN
      self.usesDevice = usesDevice
      self.switchesUser = switchesUser
      self.pressesAuthorise = pressesAuthorise
    }
  }
}

extension Command {
  /// The arguments of `demo`.
  package struct Demo: Sendable, Hashable {
    package var provider: DemoProvider
    /// Whether it ends after the first refresh.
    package var once: Bool
    /// Where the redirect is listened for; nil picks a free port.
    package var port: UInt16?
    /// Where the simulated provider serves; 0 picks a free port.
    package var sandboxPort: UInt16

    package init(
      provider: DemoProvider = .twitter, once: Bool = false, port: UInt16? = nil,
      sandboxPort: UInt16 = ProgramDefaults.sandboxPort
    ) {
      self.provider = provider
      self.once = once
      self.port = port
      self.sandboxPort = sandboxPort
    }
  }
  /// The arguments of `sandbox`.
  package struct Sandbox: Sendable, Hashable {
    /// What can be simulated.
    package enum Provider: String, Sendable, Hashable, CaseIterable {
      case twitter, gnusocial, x, weibo, mastodon, gotosocial, snac, oauth2
    }

    /// What goes wrong on purpose.
    package struct Fault: Sendable, Hashable {
      package enum Name: String, Sendable, Hashable, CaseIterable {
        case rateLimited = "rate-limited"
        case tokenRevoked = "token-revoked"
        case accountLocked = "account-locked"
        case endpointClosed = "endpoint-closed"
        case creditsDepleted = "credits-depleted"
        case usageCapped = "usage-capped"
        case notEnrolled = "not-enrolled"
        case serverError = "server-error"
        case badGateway = "bad-gateway"
        case gbkPage = "gbk-page"
        case captivePortal = "captive-portal"
        case empty
        case noAnswer = "no-answer"
        case cutOff = "cut-off"
        case brokenOff = "broken-off"
        case wrongType = "wrong-type"
        case slow
        case tokenEndpointError = "token-endpoint-error"
        case refusedWithOK = "refused-with-ok"
        case callbackRefused = "callback-refused"
        case pinOnly = "pin-only"
      }

      package var name: Name
      /// It meets each so-manieth request.
      package var every: Int

      package init(name: Name, every: Int = 1) {
        self.name = name
        self.every = every
      }
    }

    package var provider: Provider
    /// 0 picks a free port.
    package var port: UInt16
    /// Registered for the application; none stands for the default.
    package var redirects: [String]
    package var faults: [Fault]

    package init(
      provider: Provider = .twitter, port: UInt16 = ProgramDefaults.sandboxPort, redirects: [String] = [],
      faults: [Fault] = []
    ) {
      self.provider = provider
      self.port = port
      self.redirects = redirects
      self.faults = faults
    }
  }
}

extension Command {
  /// The arguments of `show`.
  package struct Show: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable {
      /// For people.
      case text
      /// One array of posts as they stand in the file.
      case json
      /// A post a line.
      case jsonl
    }

    /// Nil means the only account that there is.
    package var account: AccountName?
    /// How many posts at most.
    package var limit: Int
    package var format: Format
    /// Whether all published accounts are shown as one, merged by time.
    package var mergesAll: Bool
    /// A view instead of an account.
    package var view: AccountName?
    /// Whether only posts are shown that are not marked as read.
    package var onlyUnread: Bool
    /// Whether it goes on with the posts that come.
    package var follows: Bool

    package init(
      account: AccountName? = nil, limit: Int = 20, format: Format = .text, mergesAll: Bool = false,
      view: AccountName? = nil, onlyUnread: Bool = false, follows: Bool = false
    ) {
      self.account = account
      self.limit = limit
      self.format = format
      self.mergesAll = mergesAll
      self.view = view
      self.onlyUnread = onlyUnread
      self.follows = follows
    }
  }
}

extension Command {
  /// The arguments of `sign`.
  package struct Sign: Sendable, Hashable {
    package var method: String
    package var url: RequestURL
    /// The parameters of the form body, not encoded.
    package var form: [Parameter]
    /// Whose keys and token; nil takes them from the environment.
    package var account: AccountName?
    package var nonce: String?
    /// Seconds since 1970.
    package var timestamp: Int64?
    /// Nil means the account's own, or HMAC-SHA1.
    package var signatureMethod: SignatureMethod?
    package var explains: Bool

    package init(
      method: String, url: RequestURL, form: [Parameter] = [], account: AccountName? = nil, nonce: String? = nil,
      timestamp: Int64? = nil, signatureMethod: SignatureMethod? = nil, explains: Bool = false
    ) {
      self.method = method
      self.url = url
      self.form = form
      self.account = account
      self.nonce = nonce
      self.timestamp = timestamp
      self.signatureMethod = signatureMethod
      self.explains = explains
    }
  }
}

/// The arguments of the commands that read and change what is kept.
extension Command {
  package struct Search: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable { case text, json, jsonl }

    /// As the user typed it.
    package var query: String
    /// Nil means all accounts that have an archive.
    package var account: AccountName?
    /// Posts from this moment on; before `until`.
    package var since: Timestamp?
    package var until: Timestamp?
    /// A screen name without its @, as the user typed it: letter case is to be left aside.
    package var author: String?
    package var limit: Int
    package var format: Format

    package init(
      query: String, account: AccountName? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
      author: String? = nil, limit: Int = 20, format: Format = .text
    ) {
      self.query = query
      self.account = account
      self.since = since
      self.until = until
      self.author = author
      self.limit = limit
      self.format = format
    }
  }

  package struct Export: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable { case jsonl, json, csv }

    /// Nil means the only account that there is.
    package var account: AccountName?
    package var since: Timestamp?
    package var until: Timestamp?
    package var format: Format

    package init(
      account: AccountName? = nil, since: Timestamp? = nil, until: Timestamp? = nil, format: Format = .jsonl
    ) {
      self.account = account
      self.since = since
      self.until = until
      self.format = format
    }
  }

  package struct Import: Sendable, Hashable {
    /// `-` means standard input.
    package var file: String
    package var account: AccountName?

    package init(file: String, account: AccountName? = nil) {
      self.file = file
      self.account = account
    }
  }

  package struct Purge: Sendable, Hashable {
    package enum What: Sendable, Hashable {
      case post(String)
      /// A screen name without its @, as the user typed it: letter case is to be left aside.
      case author(String)
      case before(Timestamp)
      /// All posts of the account, which is then named.
      case everything
    }

    package var what: What
    /// Nil means every account that has an archive.
    package var account: AccountName?
    /// Only says what would be removed.
    package var isDryRun: Bool

    package init(what: What, account: AccountName? = nil, isDryRun: Bool = false) {
      self.what = what
      self.account = account
      self.isDryRun = isDryRun
    }
  }

  /// The arguments of `read`.
  package struct Mark: Sendable, Hashable {
    package var account: AccountName?
    /// A post's id; nil means the newest published one.
    package var upTo: String?

    package init(account: AccountName? = nil, upTo: String? = nil) {
      self.account = account
      self.upTo = upTo
    }
  }

  /// The arguments of `open`.
  package struct Open: Sendable, Hashable {
    package var account: AccountName?
    /// Instead of an account.
    package var view: AccountName?
    /// Whether only the page's path is printed.
    package var onlyPrints: Bool

    package init(account: AccountName? = nil, view: AccountName? = nil, onlyPrints: Bool = false) {
      self.account = account
      self.view = view
      self.onlyPrints = onlyPrints
    }
  }
}

/// The providers that the demonstration can play.
package enum DemoProvider: String, Sendable, Hashable, CaseIterable {
  case twitter
  case x
  case weibo
  case mastodon

  /// Its name in a configuration.
  package var providerName: String { self == .twitter ? "sandbox" : rawValue }

  /// Whether it is asked with OAuth 2.0.
  package var usesOAuth2: Bool { self != .twitter }
}
