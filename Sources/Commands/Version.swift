/// Which version of the program this is.
package enum Version {
  package static let number = "0.1.0"

  /// As `homeline version` says it.
  package static let text = "homeline \(number)"
}
