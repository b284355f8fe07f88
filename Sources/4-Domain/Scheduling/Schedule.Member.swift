package import Settings
package import Timeline

extension Schedule {
  /// The properties of an account that the schedule needs: the limits that it shares, and its refresh interval.
  package struct Member: Sendable, Hashable {
    /// The party that a `RateLimit` window belongs to.
    package enum WindowOwner: Sendable, Hashable {
      case token
      case application
      case host
    }

    package let account: AccountName
    /// The server's host and port.
    package let host: String
    /// The application's consumer key; `nil` if it could not be read.
    package let application: String?
    package let interval: Duration
    package let windowOwner: WindowOwner

    package init(
      account: AccountName, host: String, application: String?, interval: Duration, windowOwner: WindowOwner = .token
    ) {
      self.account = account
      self.host = host
      self.application = application
      self.interval = interval
      self.windowOwner = windowOwner
    }

    var applicationScope: Scope? { application.map { .application(host: host, key: $0) } }

    var scopes: [Scope] {
      [.token(account), .host(host), .budget(account)] + (applicationScope.map { [$0] } ?? [])
    }

    /// The scope whose requests count towards the same window.
    var window: Scope {
      switch windowOwner {
      case .token: .token(account)
      case .application: applicationScope ?? .token(account)
      case .host: .host(host)
      }
    }
  }

  /// Work to start now.
  package struct Start: Sendable, Hashable {
    package let account: AccountName
    package let work: Work

    package init(account: AccountName, work: Work) {
      self.account = account
      self.work = work
    }
  }

  /// The result of work that has ended.
  package struct Ending: Sendable, Hashable {
    package let outcome: RefreshOutcome
    /// The rate limit in the last response; `nil` if it contained none.
    package let limit: RateLimit?
    /// The number of requests sent.
    package let requests: Int
    /// The plan that `Pacing` and `Filling` made after the work.
    package let next: WorkTimes

    package init(outcome: RefreshOutcome, limit: RateLimit?, requests: Int = 1, next: WorkTimes) {
      self.outcome = outcome
      self.limit = limit
      self.requests = requests
      self.next = next
    }
  }
}
