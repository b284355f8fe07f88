package import Timeline

/// What a reader calls a timeline.
package enum TimelineTitle {
  /// Returns the title as part of a sentence. It may contain the user's own text, such as the title of a list.
  package static func of(_ timeline: TimelineName) -> String {
    let argument = timeline.argument ?? ""
    return switch timeline.kind {
    case .home: "home timeline"
    case .notifications: "notifications"
    case .mentions: "mentions"
    case .list: "list \(argument)"
    case .tag: "#\(argument)"
    case .user: "posts by \(argument)"
    case .bookmarks: "bookmarks"
    case .likes: "likes"
    }
  }
}
