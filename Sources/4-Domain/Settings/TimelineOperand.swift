package import Timeline

/// An account, or one of its timelines, as a user names it: `ACCOUNT` or `ACCOUNT/TIMELINE`.
package struct TimelineOperand: Sendable, Hashable, CustomStringConvertible {
  package let account: AccountName
  /// The timeline as written; `nil` if only the account is named. What an account alone means depends on the command.
  package let timeline: TimelineName?

  package init(_ account: AccountName, _ timeline: TimelineName? = nil) {
    self.account = account
    self.timeline = timeline
  }

  /// The text that names it, for other programs and for the state owner.
  package var description: String { timeline.map { "\(account)/\($0)" } ?? account.text }
}

extension Configuration {
  /// Returns the timeline that a user names, or its account if only that is named.
  /// - Returns: the account, and the name of the timeline as in the configuration.
  package func timeline(
    named text: String
  ) throws(AccountChoiceError) -> (account: AccountSettings, timeline: TimelineName?) {
    let (name, timeline) = TimelineKey.parts(of: text)
    let account = try account(named: name)
    guard let timeline else { return (account, nil) }
    do throws(UnknownTimelineError) { return (account, try account.timeline(named: timeline)) } catch {
      throw .unknownTimeline(error)
    }
  }
}
