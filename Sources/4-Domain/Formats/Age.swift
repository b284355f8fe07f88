package import Time

/// A post's age in a word or two or, after a week, its date in UTC.
package struct Age: Sendable, Hashable, CustomStringConvertible {
  package let description: String
  /// The age as the end of a sentence: `refreshed 3 min ago`, `refreshed now`.
  package var ago: String { description.contains(" ") ? "\(description) ago" : description }

  package init(of time: Timestamp, at now: Timestamp) {
    let seconds = now.seconds - time.seconds
    description =
      switch seconds {
      // A provider's clock may be slightly ahead. A time further in the future is shown as a date.
      case ..<(-60): time.rfc3339
      case ..<60: "now"
      case ..<3600: "\(seconds / 60) min"
      case ..<86400: "\(seconds / 3600) h"
      case ..<(7 * 86400): "\(seconds / 86400) d"
      default: String(time.rfc3339.prefix { $0 != "T" })
      }
  }
}
