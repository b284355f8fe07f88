internal import Bytes
internal import Cryptography
internal import HTTP
internal import HomelineOAuth
internal import JSON
internal import Time

/// Checks signatures more strictly than the real service: no parameter may be empty, repeated, or contain a line feed.
struct GokuaiVerifier: Sendable {
  enum Key: Sendable {
    case library, enterprise
    /// The client that users log in through.
    case client

    var parameter: String { self == .library ? "org_client_id" : "client_id" }
    var identifier: String {
      switch self {
      case .library: GokuaiKeys.clientID
      case .enterprise: GokuaiKeys.enterpriseID
      case .client: GokuaiKeys.appID
      }
    }
  }

  /// The maximum difference in seconds between the time of a request and the drive's clock.
  static let tolerance: Int64 = 600
  /// Parameters that are not signed.
  private static let unsigned = ["sign", "filehash", "filesize"]

  let secrets: [Key: String]

  /// Checks a request that identifies its key.
  func verify(_ form: GokuaiForm, as key: Key, at now: Timestamp) throws(GokuaiError) {
    guard try form.required(key.parameter) == key.identifier else {
      throw GokuaiError(code: 40103, message: "client unknown")
    }
    try verify(form, signedWith: key, at: now)
  }

  /// Checks the form and the signature of a request.
  /// - Parameter hasTime: whether the request contains its time. Requests to the 2013 API do not.
  func verify(
    _ form: GokuaiForm, signedWith key: Key, at now: Timestamp, hasTime: Bool = true
  ) throws(GokuaiError) {
    for parameter in form.parameters {
      let name = String(decoding: parameter.name, as: UTF8.self)
      if parameter.value.isEmpty { throw .invalid("\(name) is empty") }
      if parameter.value.contains(0x0a) { throw .invalid("\(name) contains a line feed") }
      if form.parameters.count(where: { $0.name == parameter.name }) > 1 { throw .invalid("\(name) is repeated") }
    }
    if hasTime {
      guard let time = Int64(try form.required("dateline")), abs(time - now.seconds) <= Self.tolerance else {
        throw .invalid("dateline is more than ten minutes off")
      }
    }
    let signed = form.parameters.filter { parameter in !Self.unsigned.contains { parameter.isNamed($0) } }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }.map(\.value)
    let text = Array(signed.joined(separator: [0x0a]))
    let code = try? HMAC.code(.sha1, key: Array((secrets[key] ?? "").utf8), message: text)
    guard let code, equalInConstantTime(Base64.encode(code), try form.required("sign")) else {
      throw GokuaiError(code: 40104, message: "signature wrong")
    }
  }
}
