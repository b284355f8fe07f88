package import Timeline

/// A timeline that the server offers to an account's user, or does not offer, or a kind of such timelines.
package struct TimelineOffer: Sendable, Hashable {
  /// What the account's settings can name.
  package enum Subject: Sendable, Hashable {
    case timeline(TimelineName)
    /// All timelines of a kind with an argument.
    case kind(TimelineName.Kind)
  }

  package enum State: String, Sendable, Hashable, CaseIterable {
    case offered
    /// The server does not have it.
    case missing
    case switchedOff = "switched-off"
    /// The login does not permit it.
    case notPermitted = "not-permitted"
    /// The server could not be asked, or did not say.
    case unknown
  }

  package let subject: Subject
  package var state: State
  /// The timeline's name in the account's settings; `nil` if they do not contain it.
  package var configured: TimelineName?
  /// The list's title and id; `nil` for other timelines.
  package var title: String?
  package var id: String?
  /// Whether the posts of the list's members do not appear in the home timeline.
  package var isExclusive = false
  /// Whether the user follows the hashtag.
  package var isFollowed = false
  /// The scope that the login lacks; `nil` if it lacks none, or if that is unknown.
  package var scope: String?
  /// Sentences about the state; `nil` if there is nothing to say.
  package var message: String?
  /// The reason the server could not be asked; `nil` if it was asked.
  package var failure: OperationError?

  init(_ subject: Subject, _ answer: OfferAnswer = .offered, configured: TimelineName? = nil) {
    self.subject = subject
    self.configured = configured
    state = answer.state
    scope = answer.scope
    message = answer.message
    failure = answer.failure
  }

  /// The name as in the account's settings, or the form of the names of the kind, such as `tag:NAME`.
  package var name: String {
    switch subject {
    case .timeline(let name): "\(name)"
    case .kind(let kind): kind.form
    }
  }

  package var kind: TimelineName.Kind {
    switch subject {
    case .timeline(let name): name.kind
    case .kind(let kind): kind
    }
  }
}

/// What a server says when it is asked for a timeline, or for the names of timelines.
struct OfferAnswer {
  var state: TimelineOffer.State
  var scope: String?
  var message: String?
  var failure: OperationError?

  static let offered = OfferAnswer(state: .offered)

  /// Creates the answer of a server that could not be asked.
  static func unknown(_ failure: OperationError) -> OfferAnswer {
    OfferAnswer(state: .unknown, message: failure.message, failure: failure)
  }
}
