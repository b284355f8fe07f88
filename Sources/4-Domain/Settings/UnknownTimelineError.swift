package import Timeline

/// The reason a text does not name a timeline that an account fetches.
package enum UnknownTimelineError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is not the name of a timeline.
  case invalid(account: AccountName, String, TimelineNameError, known: [TimelineName])
  case notFetched(account: AccountName, TimelineName, known: [TimelineName])

  package var description: String {
    switch self {
    case .invalid(let account, let text, let error, let known):
      let suggestion = Self.suggestion(for: text, among: known, of: account)
      return "\(DisplayText.quoted(text)) is not a timeline of the account \(account)"
        + (suggestion.isEmpty ? ": \(error)" : suggestion)
    case .notFetched(let account, let timeline, let known):
      return "the account \(account) does not fetch the timeline \(DisplayText.quoted("\(timeline)"))"
        + Self.suggestion(for: "\(timeline)", among: known, of: account)
        + " (its timelines: \(known.map { DisplayText.plain("\($0)") }.joined(separator: ", ")))"
    }
  }

  private static func suggestion(
    for name: String, among known: [TimelineName], of account: AccountName
  ) -> String {
    let nearest = NearestName.of(name, among: known.map { "\($0)" })
    return nearest.map { "; did you mean \(account)/\(DisplayText.plain($0))?" } ?? ""
  }
}

extension AccountSettings {
  /// Returns the timeline with a name that a user has written.
  /// - Throws: if the account does not fetch such a timeline.
  package func timeline(named text: String) throws(UnknownTimelineError) -> TimelineName {
    let name: TimelineName
    do throws(TimelineNameError) { name = try TimelineName(text) } catch {
      throw .invalid(account: self.name, text, error, known: timelines)
    }
    guard let timeline = timelines.first(where: { $0.isSame(as: name) }) else {
      throw .notFetched(account: self.name, name, known: timelines)
    }
    return timeline
  }
}
