internal import JSON

/// A Poll's options. Its votes are left out: they change all the time, and a post that is shown would change with them.
struct MastodonPoll {
  private var options: [String] = []

  /// Takes any value; what is no object has no members.
  init(_ cursor: inout JSONCursor) throws {
    try cursor.lenientMembers { cursor, name in
      guard name == "options" else {
        try cursor.skip()
        return
      }
      try cursor.lenientElements { cursor in
        try cursor.lenientMembers { cursor, name in
          if name == "title", let title = try cursor.lenientString() {
            options.append(title)
          } else if name != "title" {
            try cursor.skip()
          }
        }
      }
    }
  }

  /// Such as `[poll] Tea / Coffee`; `nil` without options.
  var text: String? { options.isEmpty ? nil : "[poll] " + options.joined(separator: " / ") }
}
