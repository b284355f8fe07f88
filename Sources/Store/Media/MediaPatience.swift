internal import CivilTime

/// How long a URL rests that brought no picture.
enum MediaPatience {
  /// After the first failure, the second, and so on; the last step stays.
  static let steps: [Duration] = [.seconds(60), .seconds(600), .seconds(3600), .seconds(86_400), .seconds(7 * 86_400)]

  /// - Parameter tries: how many failed, this one among them.
  static func nextTry(after tries: Int, at now: Timestamp) -> Timestamp {
    now + steps[min(max(tries, 1), steps.count) - 1]
  }

  /// Whether a URL that was to rest until then may be asked for now; also when the clock was set back meanwhile.
  static func isOver(_ next: Timestamp, at now: Timestamp) -> Bool {
    next <= now || next > now + steps[steps.count - 1]
  }
}
