package import CivilTime
internal import JSON

/// What Weibo says of a token: the only proof of whose it is, since the `uid` beside a token is not to be relied on.
package struct WeiboTokenInfo: Sendable, Hashable {
  package let userID: String
  /// The application that the token was given to.
  package let appKey: String?
  /// The scopes, separated by commas; `nil` for the basic ones.
  package let scope: String?
  package let createdAt: Timestamp?
  /// The seconds that are left, less than 0 for a token that has expired; `nil` when Weibo does not say.
  package let expiresIn: Int64?

  package var hasExpired: Bool { expiresIn.map { $0 <= 0 } ?? false }

  /// Takes the object; `nil` when it names no user.
  init?(_ cursor: inout JSONCursor) throws {
    var userID: String?
    var appKey: String?
    var scope: String?
    var createdAt: Timestamp?
    var expiresIn: Int64?
    try cursor.members { cursor, name in
      switch name {
      case "uid": userID = try cursor.lenientID() ?? userID
      case "appkey": appKey = try cursor.lenientID() ?? appKey
      case "scope": scope = try cursor.lenientString() ?? scope
      case "create_at": createdAt = try cursor.lenientID().flatMap(Self.moment) ?? createdAt
      // Without an `s`, unlike the member of a token's answer.
      case "expire_in": expiresIn = try cursor.lenientID().flatMap { Int64($0) } ?? expiresIn
      default: try cursor.skip()
      }
    }
    guard let userID, DecimalID.isDecimal(userID) else { return nil }
    self.userID = userID
    self.appKey = appKey
    self.scope = scope
    self.createdAt = createdAt
    self.expiresIn = expiresIn
  }

  private static func moment(_ text: String) -> Timestamp? {
    Int64(text).flatMap { (0...253_402_300_799).contains($0) ? Timestamp(seconds: $0) : nil }
  }
}
