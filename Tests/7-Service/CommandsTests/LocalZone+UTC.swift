import Time

extension LocalZone {
  static let utc = LocalZone { _ in 0 }
}
