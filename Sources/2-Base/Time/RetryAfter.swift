/// The `Retry-After` field of a response (RFC 9110 §10.2.3). All of homeline's clients use this function.
package enum RetryAfter {
  /// The longest accepted wait: no known limit lasts longer than a day.
  static let longest = Duration.seconds(86_400)

  /// Returns the time in a field, according to the local clock, at most a day ahead; `nil` if the field is missing, invalid or in the past.
  /// - Parameters:
  ///   - field: a number of seconds, or a date on the server's clock.
  ///   - date: the server's time in the `Date` field of the same response; `nil` if it is unknown.
  ///   - receivedAt: the local time of the response.
  package static func moment(_ field: String?, date: Timestamp?, receivedAt: Timestamp) -> Timestamp? {
    guard let field else { return nil }
    let text = String(field.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    if !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
      // A number too large for an integer also exceeds the longest wait.
      return receivedAt + .seconds(min(Int64(text) ?? .max, longest.components.seconds))
    }
    guard let stated = Timestamp(imfFixdate: text) else { return nil }
    let local = date.map { stated - ($0 - receivedAt) } ?? stated
    return local > receivedAt ? min(local, receivedAt + longest) : nil
  }
}
