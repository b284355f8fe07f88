package import Bytes
internal import HomelineOAuth
internal import JSON

/// A library's key, requested with an enterprise's key.
package struct DriveBinding: Sendable {
  package let id: String
  package let secret: Secret

  package init(_ response: DriveResponse) throws(DriveError) {
    (id, secret) = try response.object("the key of a library") { cursor in
      var (id, secret) = (String?.none, String?.none)
      try cursor.members { cursor, name in
        switch name {
        case "org_client_id": id = try cursor.looseText()
        case "org_client_secret": secret = try cursor.stringOrSkip()
        default: try cursor.skip()
        }
      }
      guard let id, let secret, !id.isEmpty, !secret.isEmpty else { return nil }
      return (id, Secret(secret))
    }
  }
}
