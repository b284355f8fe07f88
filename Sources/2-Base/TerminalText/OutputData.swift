/// Bytes in a format that other programs read. Files and pipes get them unchanged. On a terminal, control characters are escaped, even if
/// the format allows them.
package struct OutputData: Sendable, Hashable {
  package let bytes: [UInt8]

  /// - Parameter json: JSON, or lines of JSON.
  package init(json: [UInt8]) { bytes = json }

  /// - Parameter table: comma-separated values (RFC 4180).
  package init(table: [UInt8]) { bytes = table }

  /// - Parameter value: a value used as it is, such as a token or a path, with its line feed.
  package init(value: [UInt8]) { bytes = value }

  /// - Parameter script: a program, or lines for a program.
  package init(script: String) { bytes = Array(script.utf8) }

  var visibleBytes: [UInt8] {
    // A terminal needs no carriage returns in the line endings of comma-separated values.
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    return Array(VisibleText.of(text).utf8)
  }
}
