extension OAuth {
  /// The percent-encoding of RFC 5849 §3.6, over bytes.
  ///
  /// It is used in the base string, the key and the Authorization header. There is no Unicode normalisation: `é` as one code
  /// point and as two give different results.
  public enum PercentEncoding {
    /// What stays as it is (§3.6); each of the other 190 bytes becomes `%XX` with upper-case digits.
    public static var unreserved: String { PercentTable.unreserved }

    /// The encoded form of a text's UTF-8 bytes.
    public static func encode(_ text: String) -> String {
      encode(Array(text.utf8))
    }

    /// The encoded form of some bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
      var output: [UInt8] = []
      append(bytes.span, to: &output)
      return String(decoding: output, as: UTF8.self)
    }

    /// Encodes `bytes` onto the end of `output`, in one pass over room that is reserved once.
    static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
      output.append(addingCapacity: 3 * bytes.count + PercentTable.overrun) { room in
        unsafe room.withUnsafeMutableBufferPointer { room, count in
          guard let start = room.baseAddress else { return }
          let end = unsafe bytes.withUnsafeBufferPointer { unsafe PercentTable.once.write($0, to: start + count) }
          unsafe count = end - start
        }
      }
    }

    /// The bytes that an encoded text stands for. A `+` stays a plus sign: that is for ``OAuth/FormEncoding``.
    ///
    /// - Throws: ``PercentEncodingError`` for a broken escape; nothing is guessed.
    public static func decode(_ text: String) throws(PercentEncodingError) -> [UInt8] {
      try decode(Array(text.utf8)[...])
    }

    /// The same over bytes. The error's offset counts from the slice's start.
    static func decode(_ bytes: ArraySlice<UInt8>) throws(PercentEncodingError) -> [UInt8] {
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

/// A `%` that is not followed by two hexadecimal digits.
public struct PercentEncodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many bytes stand before the `%`.
  public let offset: Int

  /// What is wrong, as a sentence.
  public var description: String { "The escape at byte \(offset) is not % and two hexadecimal digits." }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias PercentEncoding = OAuth.PercentEncoding
