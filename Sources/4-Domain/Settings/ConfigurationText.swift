/// One file of a configuration.
package struct ConfigurationText: Sendable, Hashable {
  /// The path, for messages; `nil` for text that is not from a file.
  package let path: String?
  package var bytes: [UInt8]

  package init(path: String? = nil, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
