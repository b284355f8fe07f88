@_spi(Signing) internal import OAuthValues

// These tables are in this module, because access to a static variable of another module is a call.
extension PercentTable {
  /// Each byte encoded once, as one or three bytes.
  static let once = PercentTable(escapedBy: Array("%".utf8))

  /// Each byte encoded twice, as required for parameters in the base string, as one or five bytes.
  static let twice = PercentTable(escapedBy: Array("%25".utf8))
}
