package import JSON

/// A timeline that an account's server offers or does not offer, or a kind of such timelines.
package struct TimelineEvent: ControlEvent {
  package static let name = "timeline"

  package enum State: String, Sendable, Hashable, CaseIterable {
    case offered
    /// The server does not have it.
    case missing
    /// The server's administrators have switched it off.
    case switchedOff = "switched-off"
    /// The login does not permit it.
    case notPermitted = "not-permitted"
    /// The server could not be asked, or did not say.
    case unknown
  }

  package var account: String
  /// The name for `timelines` in the configuration, or the form of such names, such as `tag:NAME`.
  package var timeline: String
  /// Whether `timeline` is a form, in which the user replaces the capital letters.
  package var isForm: Bool
  /// `home`, `list` and so on, as at the beginning of the name.
  var kind: String
  package var state: State
  /// The name that the account's configuration has for it; nil if it does not contain it.
  package var configured: String?
  /// The title and id of a list; nil for other timelines.
  package var title: String?
  package var id: String?
  /// Whether the posts of the list's members do not appear in the home timeline.
  package var isExclusive = false
  /// Whether the user follows the hashtag.
  package var isFollowed = false
  /// The scope that the login lacks; nil if it lacks none, or if that is unknown.
  var scope: String?
  /// Sentences about the state, without a full stop at the end; nil if there is nothing to say.
  package var message: String?

  package init(
    account: String, timeline: String, isForm: Bool = false, kind: String, state: State, configured: String? = nil,
    scope: String? = nil, message: String? = nil
  ) {
    self.account = account
    self.timeline = timeline
    self.isForm = isForm
    self.kind = kind
    self.state = state
    self.configured = configured
    self.scope = scope
    self.message = message
  }

  package init(_ members: EventMembers) throws(EventMembers.MissingMemberError) {
    self.init(
      account: try members.text("account"), timeline: try members.text("timeline"), isForm: members.flag("form"),
      kind: try members.text("kind"),
      // A later version may have other states.
      state: State(rawValue: try members.text("state")) ?? .unknown, configured: members.textOrNull("configured"),
      scope: members.textOrNull("scope"), message: members.textOrNull("message"))
    title = members.textOrNull("title")
    id = members.textOrNull("id")
    isExclusive = members.flag("exclusive")
    isFollowed = members.flag("followed")
  }

  package func write(to json: inout JSONWriter) {
    json.member("account", account)
    json.member("timeline", timeline)
    json.member("form", isForm)
    json.member("kind", kind)
    json.member("state", state.rawValue)
    json.member("configured", configured)
    json.member("title", title)
    json.member("id", id)
    json.member("exclusive", isExclusive)
    json.member("followed", isFollowed)
    json.member("scope", scope)
    json.member("message", message)
  }
}
