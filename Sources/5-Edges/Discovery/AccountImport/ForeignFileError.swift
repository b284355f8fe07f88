/// The reason a file, or one of its entries, cannot be read. The description contains no values from the file.
package struct ForeignFileError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  init(_ description: String, line: Int) { self.description = "line \(line): \(description)" }
}
