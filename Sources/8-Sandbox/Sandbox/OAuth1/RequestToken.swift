internal import Bytes
internal import Cryptography
internal import Time

/// A request token (RFC 5849 §2.1). It contains its time of issue and the callback address.
struct RequestToken: Sendable {
  /// The maximum length of a callback address in bytes. It is limited because the token is part of the authorisation page's address.
  static let callbackLimit = 2_000

  let text: String
  let issuedAt: Timestamp
  /// The callback address; `nil` for `oob`.
  let callback: RequestURL?

  private static let timeLength = 5
  private static let randomLength = 9

  static func issue(
    at now: Timestamp, callback: RequestURL?, by seal: Seal
  ) throws(CryptographyError) -> RequestToken {
    let time = (0..<timeLength).reversed().map { UInt8(truncatingIfNeeded: now.seconds >> (8 * Int64($0))) }
    let random = (0..<randomLength).map { _ in UInt8.random(in: .min ... .max) }
    let payload = Base64URL.encode(time + random + Array((callback?.text ?? "").utf8))
    return RequestToken(
      text: "\(payload).\(try seal.tag(.requestToken, of: payload))", issuedAt: Timestamp(seconds: now.seconds),
      callback: callback)
  }

  private init(text: String, issuedAt: Timestamp, callback: RequestURL?) {
    self.text = text
    self.issuedAt = issuedAt
    self.callback = callback
  }

  /// Parses a token. Fails if the token was not issued with this key.
  init?(_ text: String, under seal: Seal) throws(CryptographyError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, try seal.isTag(parts[1], .requestToken, of: String(parts[0])),
      let payload = Base64URL.decode(parts[0]), payload.count >= Self.timeLength + Self.randomLength
    else { return nil }
    let address = String(decoding: payload.dropFirst(Self.timeLength + Self.randomLength), as: UTF8.self)
    self.text = text
    issuedAt = Timestamp(seconds: payload.prefix(Self.timeLength).reduce(0) { $0 << 8 | Int64($1) })
    callback = address.isEmpty ? nil : try? RequestURL(address)
  }
}
