internal import HTTP
internal import JSON

/// The public description of a server in the fediverse (NodeInfo 2.0), and the addresses of its users (WebFinger, RFC 7033).
struct NodeInfo {
  let software: String
  let version: String

  private static let linksPath = "/.well-known/nodeinfo"
  private static let documentPath = "/nodeinfo/2.0"
  private static let webFingerPath = "/.well-known/webfinger"
  private static let schema = "http://nodeinfo.diaspora.software/ns/schema/2.0"

  /// Returns the response to a request for one of these documents; `nil` for any other path.
  /// - Parameter user: the screen name of the only user that WebFinger finds.
  func response(to request: Request, user: String) -> Response? {
    guard request.method == .get else { return nil }
    let host = request.headers.first(.host) ?? ""
    var writer = JSONWriter()
    switch request.target.path {
    case Self.linksPath:
      writer.object { writer in
        writer.member("links", list: [Self.schema]) { writer, schema in
          writer.object { writer in
            writer.member("rel", schema)
            writer.member("href", "http://\(host)\(Self.documentPath)")
          }
        }
      }
    case Self.documentPath:
      writer.object { writer in
        writer.member("version", "2.0")
        writer.name("software")
        writer.object { writer in
          writer.member("name", software)
          writer.member("version", version)
        }
        writer.member("protocols", list: ["activitypub"]) { $0.string($1) }
        writer.member("openRegistrations", false)
      }
    case Self.webFingerPath:
      guard let query = request.target.query, ["acct:", "acct%3A"].contains(where: { query.contains("\($0)\(user)") })
      else { return Response(status: .notFound) }
      writer.object { writer in
        writer.member("subject", "acct:\(user)@\(host)")
        writer.member("links", list: ["http://\(host)/users/\(user)"]) { writer, address in
          writer.object { writer in
            writer.member("rel", "self")
            writer.member("type", "application/activity+json")
            writer.member("href", address)
          }
        }
      }
    default: return nil
    }
    return Response(json: writer.bytes)
  }
}
