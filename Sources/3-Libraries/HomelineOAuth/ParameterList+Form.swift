internal import Bytes
@_spi(Signing) public import OAuthValues

extension ParameterList {
  /// Appends the parameters in form data. A `+` becomes a space. Only the first `=` of a segment separates the name from the value, and a
  /// name without `=` has an empty value. Empty segments between `&` are ignored. The order and duplicates are preserved.
  ///
  /// - Parameter limit: the maximum number of parameters.
  /// - Throws: ``OAuth/FormError`` if an escape is malformed or a limit is exceeded.
  mutating func append(form bytes: UnsafeBufferPointer<UInt8>, limit: Int) throws(OAuth.FormError) {
    var start = 0
    var count = 0
    while start < bytes.count {
      if unsafe bytes[start] == UInt8(ascii: "&") {
        start += 1
        continue
      }
      guard count < limit else { throw .tooManyParameters(limit: limit) }
      var segment = FormSegment(start: start)
      append(atMost: bytes.count - start, isSent: false) { cursor in
        unsafe segment.decode(bytes, to: &cursor)
        return Written(nameCount: segment.nameCount, isPlain: segment.isPlain)
      }
      guard !segment.isBroken else { throw .badEscape(parameter: count) }
      start = segment.end
      count += 1
    }
  }
}

/// Decodes a segment of form data, which ends at `&`.
private struct FormSegment {
  /// The offset of the next byte to read. After decoding, it is the offset of the `&`, or of the end of the data.
  private(set) var end: Int
  /// The length of the decoded name in bytes.
  private(set) var nameCount = 0
  /// Whether the decoded bytes need no encoding.
  private(set) var isPlain = true
  /// Whether the segment is invalid, because a `%` is not followed by two hexadecimal digits.
  private(set) var isBroken = false

  init(start: Int) { end = start }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, to cursor: inout ByteCursor) {
    let table = PercentTable.once
    let first = unsafe cursor.next
    var splits = false
    while end < bytes.count {
      let byte = unsafe bytes[end]
      if table.keeps(byte) {
        cursor.put(byte)
        end += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "&"):
        if !splits { nameCount = unsafe cursor.next - first }
        return
      case UInt8(ascii: "=") where !splits:
        splits = true
        nameCount = unsafe cursor.next - first
        end += 1
        continue
      case UInt8(ascii: "%"):
        guard end + 2 < bytes.count, let high = unsafe ASCII.hexValue(bytes[end + 1]),
          let low = unsafe ASCII.hexValue(bytes[end + 2])
        else {
          isBroken = true
          return
        }
        cursor.put(high << 4 | low)
        end += 3
      case UInt8(ascii: "+"):
        cursor.put(UInt8(ascii: " "))
        end += 1
      default:
        cursor.put(byte)
        end += 1
      }
      isPlain = false
    }
    if !splits { nameCount = unsafe cursor.next - first }
  }
}

extension OAuth {
  /// An error found while parsing form data.
  public enum FormError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The data is longer than the limit.
    case tooLong(bytes: Int, limit: Int)
    /// There are more parameters than the limit.
    case tooManyParameters(limit: Int)
    /// The parameter with this index, counted from 0, contains a malformed escape.
    case badEscape(parameter: Int)

    /// Describes the error in a sentence, without any of the data.
    public var description: String {
      switch self {
      case .tooLong(let bytes, let limit): "The form data is \(bytes) bytes long; the limit is \(limit)."
      case .tooManyParameters(let limit): "The form data has more than \(limit) parameters."
      case .badEscape(let index): "Parameter \(index + 1) of the form data contains a % without two hexadecimal digits."
      }
    }
  }
}

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias FormError = OAuth.FormError
