package import CivilTime
package import Settings
package import Timeline

extension Schedule {
  /// The properties of an account that the schedule needs: the limits that it shares, and its refresh interval.
  package struct Member: Sendable, Hashable {
    /// The party to which a `RateLimit` window belongs.
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

  /// The times of an account's scheduled work.
  package struct Moments: Sendable, Hashable {
    /// The next refresh; `nil` if none is scheduled.
    package var due: Timestamp?
    /// The next page of a gap; `nil` if none is wanted.
    package var filling: Timestamp?
    /// The next token renewal; `nil` if none is scheduled.
    package var renewal: Timestamp?

    package init(due: Timestamp?, filling: Timestamp? = nil, renewal: Timestamp? = nil) {
      self.due = due
      self.filling = filling
      self.renewal = renewal
    }

    /// Returns the times, with earlier ones moved to the given time.
    package func notBefore(_ moment: Timestamp?) -> Moments {
      guard let moment else { return self }
      return Moments(
        due: due.map { max($0, moment) }, filling: filling.map { max($0, moment) },
        renewal: renewal.map { max($0, moment) })
    }

    /// Returns the times, with earlier ones moved to the given floors.
    func raised(to floors: Moments) -> Moments {
      var raised = self
      for moment in [\Moments.due, \.filling, \.renewal] {
        if let planned = self[keyPath: moment], let floor = floors[keyPath: moment] {
          raised[keyPath: moment] = max(planned, floor)
        }
      }
      return raised
    }

    mutating func raise(_ moment: WritableKeyPath<Moments, Timestamp?>, to floor: Timestamp) {
      self[keyPath: moment] = max(self[keyPath: moment] ?? floor, floor)
    }

    mutating func postpone(whatIsDueAt moment: Timestamp, to later: Timestamp) {
      due = due.map { $0 <= moment ? later : $0 }
      filling = filling.map { $0 <= moment ? later : $0 }
      renewal = renewal.map { $0 <= moment ? later : $0 }
    }

    mutating func shift(by duration: Duration) {
      due = due.map { $0 + duration }
      filling = filling.map { $0 + duration }
      renewal = renewal.map { $0 + duration }
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
    package let next: Moments

    package init(outcome: RefreshOutcome, limit: RateLimit?, requests: Int = 1, next: Moments) {
      self.outcome = outcome
      self.limit = limit
      self.requests = requests
      self.next = next
    }
  }
}
