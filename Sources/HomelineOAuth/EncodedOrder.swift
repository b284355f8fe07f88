/// The order in which a signature takes parameters (RFC 5849 §3.4.1.3.2): by encoded name, equal names by encoded value, byte by byte.
///
/// It is told from the bytes before they are encoded, by the first in which two differ. Either both are unreserved, and stand for themselves;
/// or both are escaped, and `%XX` sorts as the byte; or one is, and `%` sorts before every unreserved byte. What ends first comes first,
/// encoded or not.
enum EncodedOrder {
  /// Below, at or above zero as the left bytes come before the right ones, are the same, or come behind.
  @inline(__always)
  static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    var index = 0
    let common = min(left.count, right.count)
    while index < common {
      let (a, b) = unsafe (left[index], right[index])
      if a != b {
        let table = PercentTable.once
        return table.rank(a) - table.rank(b)
      }
      index += 1
    }
    return left.count - right.count
  }
}
