package import HTTPClient
internal import HomelineOAuth
internal import JSON
internal import Time
package import Timeline

/// The read marks that clients share, which Mastodon calls markers.
extension Mastodon: ReadMarkProvider {
  private static let markersPath = "/api/v1/markers"

  package var kindsWithReadMark: [TimelineName.Kind] { [.home, .notifications] }

  package func readMarksRequest(of kinds: [TimelineName.Kind]) -> ClientRequest {
    .get(place.endpoint(Self.markersPath), query: kinds.map { Parameter("timeline[]", $0.rawValue) })
  }

  package func readMarks(from response: ProviderResponse) throws(ProviderFailure) -> [SharedReadMark] {
    try read(response, .object, expected: "read marks") { cursor in
      var marks: [SharedReadMark] = []
      try cursor.lenientMembers { cursor, name in
        var (id, setAt): (String?, Timestamp?) = (nil, nil)
        try cursor.lenientMembers { cursor, member in
          switch member {
          case "last_read_id": id = try cursor.lenientPostID() ?? id
          case "updated_at": setAt = try cursor.lenientString().flatMap { Self.time(ofMarker: $0) } ?? setAt
          default: try cursor.skip()
          }
        }
        guard let id, let kind = kindsWithReadMark.first(where: { name.text == $0.rawValue }) else { return }
        marks.append(
          SharedReadMark(kind: kind, id: PostID(MastodonID.canonical(id)), setAt: setAt.map { response.local($0) }))
      }
      return marks
    }
  }

  package func request(toSet marks: [TimelineName.Kind: PostID]) -> ClientRequest {
    let form = kindsWithReadMark.compactMap { kind in
      marks[kind].map { Parameter("\(kind.rawValue)[last_read_id]", $0.text) }
    }
    return .post(place.endpoint(Self.markersPath), form: form)
  }

  package func isConflict(_ response: ProviderResponse) -> Bool {
    response.status == 409 && origin(of: response) == .api
  }

  package func position(ofReadMark id: PostID) -> PostPosition? {
    MastodonID.key(of: id.text).map { PostPosition(id: id, key: $0) }
  }

  /// Reads the time of a mark. snac writes seconds since 1970.
  private static func time(ofMarker text: String) -> Timestamp? {
    if let time = MastodonStatus.time(text) { return time }
    return text.split(separator: ".").first.flatMap { Int64($0) }.flatMap {
      (0...253_402_300_799).contains($0) ? Timestamp(seconds: $0) : nil
    }
  }
}
