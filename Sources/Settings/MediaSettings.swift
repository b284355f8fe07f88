/// What is kept of the pictures that published pages show.
package struct MediaSettings: Sendable, Hashable {
  /// How much all pictures together may take, in millions of bytes; 0 keeps none.
  package var megabytes: Int

  /// Hosts of pictures that may be on this machine or in a private network, as a URL has them: lower-case.
  package var privateHosts: [String]

  /// ``megabytes`` in bytes.
  package var byteLimit: Int { megabytes * 1_000_000 }

  package init(megabytes: Int = ProgramDefaults.mediaMegabytes, privateHosts: [String] = []) {
    self.megabytes = megabytes
    self.privateHosts = privateHosts
  }
}
