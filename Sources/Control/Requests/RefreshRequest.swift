package import JSON
package import Platform

/// Fetches new posts of these accounts now.
package struct RefreshRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/refresh")
  package static var response: ControlResponseForm { .events([ProgressEvent.self, RefreshedEvent.self]) }

  /// The account names; empty means all enabled accounts.
  package var accounts: [String]

  package init(accounts: [String] = []) { self.accounts = accounts }

  private static let members: [RequestMember<Self>] = [RequestMember("accounts", \.accounts)]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init()
    try received.read(Self.members, into: &self)
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}

/// Brings all published files of these accounts, and of all views, up to date. Sends no request to a provider.
package struct PublishRequest: ControlRequest {
  package static let route = ControlRoute.post("/v1/publish")
  package static var response: ControlResponseForm { .nothing }

  /// The account names; empty means all enabled accounts.
  package var accounts: [String]

  package init(accounts: [String] = []) { self.accounts = accounts }

  private static let members: [RequestMember<Self>] = [RequestMember("accounts", \.accounts)]

  package init(_ received: ReceivedRequest) throws(ControlError) {
    self.init()
    try received.read(Self.members, into: &self)
  }

  package func write(to json: inout JSONWriter) { json.members(Self.members, of: self) }
}

/// Reports that an account's refresh has succeeded or failed.
package struct RefreshedEvent: ControlEvent {
  package static let name = "refreshed"
  package var account: String
  /// The number of new posts; nil if the refresh failed.
  package var new: Int?
  /// The reason the refresh failed, without the account's name; nil if it succeeded.
  package var message: String?
  /// The exit code for a command that refreshes only this account.
  package var exit: ExitCode
  /// Warnings for the user, without the account's name, such as that new posts could not be stored.
  package var warnings: [String]
  /// The path of the published timeline; nil if the account has no timeline, in which case its token was checked
  /// instead.
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

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), new: members.numberOrNull("new"), message: members.textOrNull("message"),
      exit: try members.exit(), warnings: try members.list("warnings"), timeline: members.textOrNull("timeline"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("new", new)
    json.member("message", message)
    json.member("exit", exit.rawValue)
    json.member("warnings", list: warnings) { $0.string($1) }
    json.member("timeline", timeline)
  }
}

/// The progress of a refresh, an import or a purge.
package struct ProgressEvent: ControlEvent {
  package static let name = "progress"
  package static let isResult = false
  package var account: String
  package var done: Int
  /// The final value of `done`; 0 if unknown.
  package var of: Int
  /// The number of posts added or removed so far.
  package var posts: Int

  package init(account: String, done: Int, of: Int, posts: Int) {
    self.account = account
    self.done = done
    self.of = of
    self.posts = posts
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), done: try members.number("done"), of: try members.number("of"),
      posts: try members.number("posts"))
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("done", done)
    json.member("of", of)
    json.member("posts", posts)
  }
}
