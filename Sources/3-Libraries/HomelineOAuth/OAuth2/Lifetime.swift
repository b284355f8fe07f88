internal import Bytes
internal import Time

/// When a token or a code expires, in every form that servers use, including the standard one (RFC 6749 §5.1: `expires_in`, in seconds).
///
/// Some servers send a number as a string or with a fraction, the time of expiry instead of a lifetime, a date as text, or milliseconds. A
/// member that names its unit is preferred. A value outside a plausible range counts as missing: a token without a known expiry is used
/// until the server refuses it, whereas a seemingly expired token would be renewed at each request.
enum Lifetime {
  /// Ten years in seconds, the maximum lifetime.
  static let limit: Int64 = 10 * 365 * 86_400

  /// The members that contain a lifetime or a time, in order of preference.
  static let names = ["expires_in_sec", "expires_in", "expires_at", "expires_on"]

  /// Returns the lifetime in seconds, from 0 to ten years; nil if the response has none.
  static func seconds(in members: ResponseMembers) -> Int64? {
    let values = ["expires_in_sec", "expires_in"].lazy.compactMap { members.numberText($0) }
    return values.compactMap { seconds($0) }.first
  }

  /// Returns the time of expiry in seconds since 1970; nil if the response has none.
  static func time(in members: ResponseMembers) -> Int64? {
    let values = ["expires_at", "expires_on", "expires_in"].lazy.compactMap { members.numberText($0) }
    return values.compactMap { time($0) }.first
  }

  /// Returns the number of seconds in a string, from 0 to ten years, rounded down; nil for any other string.
  static func seconds(_ text: String) -> Int64? {
    number(text).flatMap { (0...Double(limit)).contains($0) ? Int64($0) : nil }
  }

  /// Returns the time in a string, in seconds since 1970; nil if there is none. The string is a date (RFC 3339, or RFC 9110 §5.6.7), or
  /// seconds or milliseconds between the years 2001 and 9999. No token is valid for 31 years, so a number of at least 1,000,000,000 is a
  /// time.
  static func time(_ text: String) -> Int64? {
    let seconds = 1_000_000_000.0..<253_402_300_800
    guard let number = number(text) ?? date(text) else { return nil }
    if seconds.contains(number) { return Int64(number) }
    return seconds.contains(number / 1000) ? Int64(number / 1000) : nil
  }

  /// Returns the seconds since 1970 of a date. A date without a zone could be in any zone.
  private static func date(_ text: String) -> Double? {
    (Timestamp(rfc3339: text) ?? Timestamp(imfFixdate: text)).map { Double($0.seconds) }
  }

  private static func number(_ text: String) -> Double? {
    let isNumber = text.utf8.allSatisfy { ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }
    guard isNumber, let number = Double(text), !number.isNaN else { return nil }
    return number
  }
}
