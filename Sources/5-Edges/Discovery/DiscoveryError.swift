internal import JSON

/// The reason a server's API could not be determined.
package struct DiscoveryError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.member("error", description) }
    return writer.bytes
  }
}
