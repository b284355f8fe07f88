/// How long it is until a moment, in words for people.
package enum DaysLeft {
  /// `29 days`, `1 day`, `5 h`, `less than an hour`, or `over`; rounded down, so that nobody comes too late.
  package static func words(until end: Timestamp, at now: Timestamp) -> String {
    let seconds = (end - now).components.seconds
    let days = seconds / 86400
    switch seconds {
    case ..<1: return "over"
    case ..<3600: return "less than an hour"
    case ..<86400: return "\(seconds / 3600) h"
    default: return days == 1 ? "1 day" : "\(days) days"
    }
  }
}
