extension ParameterList {
  /// Adds what form data says: `+` is a space, `name` alone has an empty value, only the first `=` splits, empty segments between `&`
  /// are dropped, order and duplicates are kept.
  ///
  /// - Parameter limit: how many parameters it may have.
  /// - Throws: ``OAuth/FormError`` for a broken escape or an exceeded limit.
  mutating func append(form bytes: UnsafeBufferPointer<UInt8>, limit: Int) throws(OAuth.FormError) {
    var start = 0
    var taken = 0
    while start < bytes.count {
      if unsafe bytes[start] == UInt8(ascii: "&") {
        start += 1
        continue
      }
      guard taken < limit else { throw .tooManyParameters(limit: limit) }
      var segment = FormSegment(start: start)
      append(atMost: bytes.count - start, isSent: false) { place in
        unsafe segment.decode(bytes, to: &place)
        return Written(nameCount: segment.nameCount, isPlain: segment.isPlain)
      }
      guard !segment.isBroken else { throw .badEscape(parameter: taken) }
      start = segment.end
      taken += 1
    }
  }
}

/// What stands between two `&` of form data.
private struct FormSegment {
  /// Where the next byte is read; in the end the `&` or the end of the data.
  private(set) var end: Int
  /// How many bytes its name has, decoded.
  private(set) var nameCount = 0
  /// Whether all that it says is the same when encoded again.
  private(set) var isPlain = true
  /// Whether a `%` stood without two hexadecimal digits: then nothing of it counts.
  private(set) var isBroken = false

  init(start: Int) { end = start }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, to place: inout ByteCursor) {
    let table = PercentTable.once
    let first = unsafe place.next
    var splits = false
    while end < bytes.count {
      let byte = unsafe bytes[end]
      if table.keeps(byte) {
        place.put(byte)
        end += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "&"):
        if !splits { nameCount = unsafe place.next - first }
        return
      case UInt8(ascii: "=") where !splits:
        splits = true
        nameCount = unsafe place.next - first
        end += 1
        continue
      case UInt8(ascii: "%"):
        guard end + 2 < bytes.count, let high = unsafe ASCII.hexValue(bytes[end + 1]),
          let low = unsafe ASCII.hexValue(bytes[end + 2])
        else {
          isBroken = true
          return
        }
        place.put(high << 4 | low)
        end += 3
      case UInt8(ascii: "+"):
        place.put(UInt8(ascii: " "))
        end += 1
      default:
        place.put(byte)
        end += 1
      }
      isPlain = false
    }
    if !splits { nameCount = unsafe place.next - first }
  }
}

extension OAuth {
  /// Why bytes are not form data that can be read safely.
  public enum FormError: Error, Sendable, Hashable, CustomStringConvertible {
    /// More bytes than allowed.
    case tooLong(bytes: Int, limit: Int)
    /// More parameters than allowed.
    case tooManyParameters(limit: Int)
    /// A broken escape in the parameter with this index, counted from 0.
    case badEscape(parameter: Int)

    /// What is wrong, as a sentence without the data.
    public var description: String {
      switch self {
      case .tooLong(let bytes, let limit): "The form data is \(bytes) bytes long; \(limit) are allowed."
      case .tooManyParameters(let limit): "The form data has more than \(limit) parameters."
      case .badEscape(let index): "Parameter \(index + 1) of the form data has a % without two hexadecimal digits."
      }
    }
  }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias FormError = OAuth.FormError
