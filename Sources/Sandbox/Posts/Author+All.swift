extension Author {
  /// Everyone who writes.
  static let writers: [Author] = west + east
  /// Those with texts that are long enough to be passed on and cut.
  static let essayists: [Author] = writers.filter { !$0.essays.isEmpty }

  /// Who is meant by an `@name` in a text.
  static func named(_ screenName: some StringProtocol) -> Author? {
    screenName == mira.screenName ? mira : writers.first { $0.screenName == screenName }
  }
}
