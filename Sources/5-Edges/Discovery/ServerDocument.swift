internal import HTTP
internal import JSON

/// A JSON object from a server; a member of the wrong type counts as missing.
package struct ServerDocument {
  /// The maximum size of a document in bytes. Most are a few kilobytes; a larger one is not read.
  package static let byteLimit = 1 << 20

  private let bytes: [UInt8]

  /// Reads a response; `nil` unless it is a JSON object with status 200.
  init?(_ response: Response) {
    guard response.status.code == 200, response.body.count <= Self.byteLimit else { return nil }
    var cursor = JSONCursor(response.body)
    guard (try? cursor.peek()) == .object, (try? cursor.skip()) != nil else { return nil }
    bytes = response.body
  }

  func members(_ body: (inout JSONCursor, JSONName) throws -> Void) {
    var cursor = JSONCursor(bytes)
    try? cursor.members(body)
  }

  /// A member of `links` (RFC 7033 §4.4.4, NodeInfo, RFC 6415 Appendix A).
  struct Link {
    var relation: String?
    var type: String?
    var href: String?
    var template: String?
  }

  var links: [Link] {
    var links: [Link] = []
    members { json, name in
      guard name == "links" else {
        try json.skip()
        return
      }
      try json.eachElement { json in
        var link = Link()
        try json.eachMember { json, name in
          switch name {
          case "rel": link.relation = try json.stringOrSkip()
          case "type": link.type = try json.stringOrSkip()
          case "href": link.href = try json.stringOrSkip()
          case "template": link.template = try json.stringOrSkip()
          default: try json.skip()
          }
        }
        links.append(link)
      }
    }
    return links
  }
}

extension JSONCursor {
  /// Consumes any value; reads its members if it is an object.
  mutating func eachMember(_ body: (inout JSONCursor, JSONName) throws -> Void) throws {
    if try peek() == .object { try members(body) } else { try skip() }
  }

  /// Consumes any value; reads its elements if it is an array.
  mutating func eachElement(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try elements(body) } else { try skip() }
  }
}
