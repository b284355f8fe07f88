/// What is kept of the pictures that published pages show.
package struct MediaSettings: Sendable, Hashable {
  /// How much all pictures together may take, in millions of bytes; 0 keeps none.
  package var megabytes: Int

  /// The same in bytes.
  package var byteLimit: Int { megabytes * 1_000_000 }

  package init(megabytes: Int = ProgramDefaults.mediaMegabytes) { self.megabytes = megabytes }
}
