/// The program's version.
package enum Version {
  package static let number = "0.1.0"

  /// The output of `homeline version`.
  package static let text = "homeline \(number)"

  /// The `User-Agent` of all requests to servers (RFC 9110 §10.1.5).
  package static let userAgent = "homeline/\(number)"
}
