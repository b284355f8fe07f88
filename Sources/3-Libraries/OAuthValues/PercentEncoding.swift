internal import Bytes

extension OAuth {
  /// Percent-encoding as defined by RFC 5849 §3.6.
  ///
  /// This encoding is used in the base string, the key and the Authorization header. It encodes bytes without Unicode normalisation, so an
  /// `é` of one code point and an `é` of two code points are encoded differently.
  public enum PercentEncoding {
    /// The characters that are not encoded (§3.6). Each of the other 190 bytes becomes `%XX` with upper-case digits.
    public static var unreserved: String { PercentTable.unreserved }

    private static let table = PercentTable(escapedBy: Array("%".utf8))

    /// Encodes the UTF-8 bytes of a string.
    public static func encode(_ text: String) -> String {
      encode(Array(text.utf8))
    }

    /// Encodes bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
      var output: [UInt8] = []
      append(bytes.span, to: &output)
      return String(decoding: output, as: UTF8.self)
    }

    /// Appends the encoded bytes to `output`, whose capacity is reserved once.
    package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
      output.append(addingCapacity: 3 * bytes.count + PercentTable.overrun) { span in
        unsafe span.withUnsafeMutableBufferPointer { span, count in
          guard let start = span.baseAddress else { return }
          let end = unsafe bytes.withUnsafeBufferPointer { unsafe table.write($0, to: start + count) }
          unsafe count = end - start
        }
      }
    }

    /// Decodes a string. A `+` remains a plus sign; use ``OAuth/FormEncoding`` for form data.
    ///
    /// - Throws: ``PercentEncodingError`` if an escape is malformed.
    public static func decode(_ text: String) throws(PercentEncodingError) -> [UInt8] {
      try decode(Array(text.utf8)[...])
    }

    /// Decodes bytes. The error's offset is relative to the start of the slice.
    package static func decode(_ bytes: ArraySlice<UInt8>) throws(PercentEncodingError) -> [UInt8] {
      var output: [UInt8] = []
      output.reserveCapacity(bytes.count)
      var index = bytes.startIndex
      while index < bytes.endIndex {
        switch bytes[index] {
        case UInt8(ascii: "%"):
          guard index + 2 < bytes.endIndex, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
          else { throw PercentEncodingError(offset: index - bytes.startIndex) }
          output.append(high << 4 | low)
          index += 3
        case let byte:
          output.append(byte)
          index += 1
        }
      }
      return output
    }
  }
}

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias PercentEncoding = OAuth.PercentEncoding
