/// Describes the time left until a given time.
package enum DaysLeft {
  /// Returns `29 days`, `1 day`, `5 h`, `less than an hour`, or `over`. Rounds down, so that the text never promises too much.
  package static func text(until end: Timestamp, at now: Timestamp) -> String {
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
