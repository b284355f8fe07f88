internal import Time

/// Whether work may start.
enum Opening: Sendable, Hashable {
  case open
  /// Work may not start before this time.
  case closed(until: Timestamp)
  /// Work must wait until some running work has ended.
  case taken

  /// Combines this result with another, for work that may start only if both allow it.
  func and(_ other: Opening) -> Opening {
    switch (self, other) {
    case (.closed(let one), .closed(let another)): .closed(until: max(one, another))
    case (.open, let rest), (let rest, .open): rest
    case (.taken, .closed(let until)), (.closed(let until), .taken): .closed(until: until)
    case (.taken, .taken): .taken
    }
  }
}
