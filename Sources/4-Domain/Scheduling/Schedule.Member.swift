package import Settings
package import Time
package import Timeline

extension Schedule {
  /// The properties of an account that the schedule needs: the limits that it shares, and its timelines.
  package struct Member: Sendable, Hashable {
    /// The requests that a `RateLimit` window counts.
    package enum WindowOwner: Sendable, Hashable {
      /// Those for the timelines of one kind with a token.
      case kind
      case token
      case application
      case host
    }

    /// How a timeline is refreshed.
    package struct Terms: Sendable, Hashable {
      package let interval: Duration
      package let windowOwner: WindowOwner

      package init(interval: Duration, windowOwner: WindowOwner = .token) {
        self.interval = interval
        self.windowOwner = windowOwner
      }
    }

    package let account: AccountName
    /// The server's host and port.
    package let host: String
    /// The application's consumer key; `nil` if it could not be read.
    package let application: String?
    package let timelines: [TimelineName: Terms]

    package init(account: AccountName, host: String, application: String?, timelines: [TimelineName: Terms]) {
      self.account = account
      self.host = host
      self.application = application
      self.timelines = timelines
    }

    var applicationScope: Scope? { application.map { .application(host: host, key: $0) } }

    /// The scopes that all requests of the account count towards.
    var scopes: [Scope] {
      [.token(account), .host(host), .budget(account)] + (applicationScope.map { [$0] } ?? [])
    }

    /// Returns the scopes that work counts towards.
    /// - Parameter timeline: `nil` for the renewal of the token.
    func scopes(of timeline: TimelineName?) -> [Scope] {
      guard let timeline, case let window = window(of: timeline), case .kind = window else { return scopes }
      return scopes + [window]
    }

    /// Returns the scope whose requests count towards the same window as those for a timeline.
    func window(of timeline: TimelineName) -> Scope {
      switch timelines[timeline]?.windowOwner {
      case .kind: .kind(account, timeline.kind)
      case .token, nil: .token(account)
      case .application: applicationScope ?? .token(account)
      case .host: .host(host)
      }
    }
  }

  /// What is known of a timeline when it joins the schedule.
  package struct Known: Sendable, Hashable {
    /// The plan in the account's database; see `AccountState.due(_:at:interval:isFresh:)`.
    package let moments: WorkTimes
    /// The window in the account's database.
    package let limit: RateLimit?
    /// The time when the provider last returned the timeline, for the order of the account's timelines.
    package let refreshedAt: Timestamp?

    package init(_ moments: WorkTimes, limit: RateLimit? = nil, refreshedAt: Timestamp? = nil) {
      self.moments = moments
      self.limit = limit
      self.refreshedAt = refreshedAt
    }
  }

  /// Work to start now.
  package struct Start: Sendable, Hashable {
    package let account: AccountName
    package let work: Work
    /// The timeline to refresh; `nil` for the renewal of the token.
    package let timeline: TimelineName?
  }

  /// The result of work for a timeline that has ended.
  package struct Ending: Sendable, Hashable {
    package let outcome: RefreshOutcome
    /// The rate limit in the last response; `nil` if it contained none.
    package let limit: RateLimit?
    /// The number of requests sent.
    package let requests: Int
    /// The plan that `Pacing` and `Filling` made for the timeline after the work.
    package let next: WorkTimes
    /// The time of the token's next renewal; `nil` for none.
    package let renewal: Timestamp?

    package init(
      outcome: RefreshOutcome, limit: RateLimit?, requests: Int = 1, next: WorkTimes, renewal: Timestamp? = nil
    ) {
      self.outcome = outcome
      self.limit = limit
      self.requests = requests
      self.next = next
      self.renewal = renewal
    }
  }
}
