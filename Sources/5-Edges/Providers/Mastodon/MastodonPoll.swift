internal import JSON

/// A Poll's options. Its votes are left out: they change all the time, and the displayed post would change with them.
struct MastodonPoll {
  private var options: [String] = []

  /// Consumes any value, but reads members only from an object.
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

  /// The poll as text, for example `[poll] Tea / Coffee`; `nil` without options.
  var text: String? { options.isEmpty ? nil : "[poll] " + options.joined(separator: " / ") }
}
