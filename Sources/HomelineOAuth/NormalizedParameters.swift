/// The parameters of a request in the one order and form that gets signed (RFC 5849 §3.4.1.3.2).
///
/// Names and values are encoded first and sorted then: by encoded name, equal names by encoded value, byte by byte.
/// Duplicates stay. Sorting joined `name=value` texts would be wrong, since `=` sorts after `-`, `.`, `%` and the digits.
public struct NormalizedParameters: Sendable, Hashable, CustomStringConvertible {
  /// `name=value` joined by `&`, all of it ASCII.
  let bytes: [UInt8]

  /// Encodes, sorts and joins. The caller has left out `realm` and `oauth_signature` (§3.4.1.3.1).
  public init(_ parameters: [Parameter]) {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(3 * parameters.reduce(0) { $0 + $1.name.count + $1.value.count })
    var entries = parameters.map { Entry($0, encodedInto: &encoded) }
    entries.sort { Entry.precedes($0, $1, in: encoded) }

    var joined: [UInt8] = []
    joined.reserveCapacity(encoded.count + 2 * entries.count)
    for entry in entries {
      if !joined.isEmpty { joined.append(UInt8(ascii: "&")) }
      joined.append(contentsOf: encoded[entry.name])
      joined.append(UInt8(ascii: "="))
      joined.append(contentsOf: encoded[entry.value])
    }
    bytes = joined
  }

  /// The whole as a text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same as ``text``.
  public var description: String { text }
}

/// Where a parameter's encoded name and value lie in the buffer that all of them share.
private struct Entry {
  let name: Range<Int>
  let value: Range<Int>

  init(_ parameter: Parameter, encodedInto buffer: inout [UInt8]) {
    let start = buffer.count
    PercentEncoding.append(parameter.name.span, to: &buffer)
    let middle = buffer.count
    PercentEncoding.append(parameter.value.span, to: &buffer)
    name = start..<middle
    value = middle..<buffer.count
  }

  static func precedes(_ left: Entry, _ right: Entry, in buffer: [UInt8]) -> Bool {
    let (leftName, rightName) = (buffer[left.name], buffer[right.name])
    if leftName.lexicographicallyPrecedes(rightName) { return true }
    if rightName.lexicographicallyPrecedes(leftName) { return false }
    return buffer[left.value].lexicographicallyPrecedes(buffer[right.value])
  }
}
