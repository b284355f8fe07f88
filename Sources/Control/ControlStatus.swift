package import CivilTime

/// What only the owner of the state knows: itself, and what it is doing with each account.
package struct ControlStatus: Sendable, Hashable {
  package var owner: Owner
  package var accounts: [Account]

  package init(owner: Owner, accounts: [Account]) {
    self.owner = owner
    self.accounts = accounts
  }

  package struct Owner: Sendable, Hashable {
    package var processID: Int32
    /// What it was started for, such as `daemon`.
    package var command: String
    package var version: String
    package var startedAt: Timestamp
    /// The path of the configuration that it works with.
    package var configuration: String
    /// What was wrong with it at the last attempt to read it again, so that the one before still holds; nil when nothing was.
    package var configurationProblem: String?

    package init(
      processID: Int32, command: String, version: String, startedAt: Timestamp, configuration: String,
      configurationProblem: String?
    ) {
      self.processID = processID
      self.command = command
      self.version = version
      self.startedAt = startedAt
      self.configuration = configuration
      self.configurationProblem = configurationProblem
    }
  }

  package struct Account: Sendable, Hashable {
    package var account: String
    package var activity: Activity
    /// When the owner will refresh it by itself; nil when it does not plan to.
    package var nextRefreshAt: Timestamp?
    /// Why nothing is planned, for people; nil when something is.
    package var waitsFor: String?
    /// Why what the owner knows of it could not be stored or published, for people; nil when nothing is amiss.
    package var notStored: String?

    package init(
      account: String, activity: Activity, nextRefreshAt: Timestamp?, waitsFor: String?, notStored: String? = nil
    ) {
      self.account = account
      self.activity = activity
      self.nextRefreshAt = nextRefreshAt
      self.waitsFor = waitsFor
      self.notStored = notStored
    }
  }

  /// What is being done with an account. Later versions may have more words.
  package struct Activity: Sendable, Hashable {
    package let word: String

    package static let idle = Activity(word: "idle")
    package static let refreshing = Activity(word: "refreshing")
    package static let loggingIn = Activity(word: "logging-in")
    package static let loggingOut = Activity(word: "logging-out")
  }
}
