internal import JSON

/// The addresses of a file's content, and its expected SHA-1 and size.
package struct DriveLocation: Sendable, Hashable {
  /// Addresses of the same content, the preferred one first. The addresses are valid for a limited time.
  package var addresses: [String] = []
  /// The expected SHA-1; nil if the response does not contain it.
  package var sha1: String?
  package var size: Int?

  init(addresses: [String], sha1: String? = nil, size: Int? = nil) {
    self.addresses = addresses
    self.sha1 = sha1
    self.size = size
  }

  package init(_ response: DriveResponse) throws(DriveError) {
    self = try response.object("the address of a file") { cursor in
      var location = DriveLocation(addresses: [])
      try cursor.members { cursor, name in
        switch name {
        case "uris", "urls":
          try cursor.looseElements { if let address = try $0.stringOrSkip() { location.addresses.append(address) } }
        case "uri", "url": if let address = try cursor.stringOrSkip() { location.addresses.append(address) }
        case "filehash": location.sha1 = try cursor.stringOrSkip()?.lowercased()
        case "filesize": location.size = try cursor.looseInteger(in: DriveEntry.sizes)
        default: try cursor.skip()
        }
      }
      return location.addresses.isEmpty ? nil : location
    }
  }
}
