internal import JSON
internal import Timeline

/// The response from `users/me`: a user in `data`.
struct XUserResponse {
  /// The user; `nil` if unidentified.
  private(set) var user: User?

  init(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      guard name == "data" else {
        try cursor.skip()
        return
      }
      let found = try XUser(&cursor).user
      user = found.id.isEmpty || found.screenName.isEmpty ? nil : found
    }
  }
}
