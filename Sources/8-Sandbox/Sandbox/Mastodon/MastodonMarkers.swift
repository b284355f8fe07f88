internal import HTTP
internal import HomelineOAuth
internal import JSON
internal import Time

/// The marks that clients share of how far the user has read (`/api/v1/markers`).
struct MastodonMarkers: Sendable {
  private struct Marker {
    var lastReadID: String
    var version: Int
    var updatedAt: Timestamp
  }

  private static let timelines = ["home", "notifications"]
  /// The maximum length of an id in bytes.
  private static let longest = 100

  private let flavour: MastodonFlavour
  private var markers: [String: Marker] = [:]

  init(_ flavour: MastodonFlavour) { self.flavour = flavour }

  /// Returns the last notification that the user has read.
  var lastNotification: String? { markers["notifications"]?.lastReadID }

  /// Returns the markers of the requested timelines.
  func response(to request: Request) throws(MastodonError) -> Response {
    do throws(RequestFormError) {
      let names = try RequestForm(query: request).texts.filter { $0.name == "timeline[]" }.map(\.value)
      return response(Self.timelines.filter { names.contains($0) })
    } catch { throw .invalid(error.description) }
  }

  /// Sets markers. As on a real server, the request decides: a marker can move backwards.
  mutating func set(_ request: Request, at now: Timestamp) throws(MastodonError) -> Response {
    let wanted = try Self.wanted(request)
    for (name, id) in wanted { set(name, id, at: now) }
    return response(wanted.map(\.timeline))
  }

  /// Sets a marker, as another of the user's programs does.
  mutating func set(_ timeline: String, _ id: String, at now: Timestamp) {
    let first = flavour == .mastodon || flavour == .oldMastodon ? 1 : 0
    let version = markers[timeline].map { $0.version + 1 } ?? first
    markers[timeline] = Marker(lastReadID: id, version: version, updatedAt: now)
  }

  /// Returns the markers in a request, which is a form, or an object as Mastodon.py sends it.
  static func wanted(_ request: Request) throws(MastodonError) -> [(timeline: String, id: String)] {
    var given: [String: String] = [:]
    if request.headers.first(.contentType)?.hasPrefix("application/json") == true {
      do { given = try object(request.body) } catch { throw .invalid("The body is not an object of markers") }
    } else {
      do throws(RequestFormError) {
        let form = try RequestForm(body: request)
        for name in timelines { given[name] = try form.value("\(name)[last_read_id]") }
      } catch { throw .invalid(error.description) }
    }
    guard given.values.allSatisfy({ (1...longest).contains($0.utf8.count) }) else {
      throw .invalid("Last read is invalid")
    }
    return timelines.compactMap { name in given[name].map { (name, $0) } }
  }

  private static func object(_ body: [UInt8]) throws -> [String: String] {
    var found: [String: String] = [:]
    var cursor = JSONCursor(body, maximalDepth: 8)
    try cursor.members { cursor, timeline in
      try cursor.members { cursor, name in
        guard name == "last_read_id" else {
          try cursor.skip()
          return
        }
        found[timeline.text] = try cursor.peek() == .number ? cursor.numberText() : cursor.string()
      }
    }
    try cursor.end()
    return found
  }

  private func response(_ names: [String]) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      for name in names {
        guard let marker = markers[name] else { continue }
        writer.name(name)
        writer.object { writer in
          writer.member("last_read_id", marker.lastReadID)
          writer.member("version", marker.version)
          // snac writes seconds since 1970.
          writer.member(
            "updated_at",
            flavour == .snac
              ? "\(marker.updatedAt.seconds).\(String(1_000_000 + marker.updatedAt.milliseconds % 1000 * 1000).dropFirst())"
              : MastodonTime.text(marker.updatedAt, decimals: 3))
        }
      }
    }
    return Response(json: writer.bytes)
  }
}
