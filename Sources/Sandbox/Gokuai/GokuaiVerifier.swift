internal import CivilTime
internal import HomelineOAuth
internal import HTTP
internal import JSON

/// An error from Gokuai's API. The first three digits of its code are the HTTP status.
struct GokuaiError: Error {
  let code: Int
  let message: String

  static func notFound(_ code: Int, _ message: String) -> GokuaiError { GokuaiError(code: code, message: message) }
  static func invalid(_ message: String) -> GokuaiError { GokuaiError(code: 40001, message: message) }

  var response: Response {
    .json(StatusCode(Int(String(code).prefix(3)) ?? 400)) { json in
      json.member("error_code", code)
      json.member("error_msg", message)
    }
  }
}

extension Response {
  /// Returns a JSON object.
  static func json(_ status: StatusCode = .ok, _ members: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    writer.object(members)
    return Response(json: writer.bytes, status: status)
  }
}

/// The form parameters of a request to the API.
struct GokuaiForm {
  let parameters: [Parameter]

  init(_ parameters: [Parameter]) { self.parameters = parameters }

  init(_ request: Request) throws(GokuaiError) {
    do throws(FormError) {
      parameters = try FormEncoding.decode(
        request.method == .get ? Array((request.target.query ?? "").utf8) : request.body)
    } catch { throw .invalid(error.description) }
  }

  /// Returns a parameter's value; nil if the parameter is missing.
  func value(_ name: String) -> String? { parameters.first { $0.isNamed(name) }?.valueText }

  func required(_ name: String) throws(GokuaiError) -> String {
    guard let value = value(name) else { throw .invalid("\(name) is missing") }
    return value
  }

  /// Returns a path; empty if the parameter is missing.
  func path(_ name: String) throws(GokuaiError) -> String {
    let path = value(name) ?? ""
    if path.hasPrefix("/") || path.hasSuffix("/") { throw .invalid("\(name) has a slash at its end") }
    return path
  }
}

/// The keys that the simulated drive accepts.
package enum GokuaiKeys {
  /// The library's key.
  package static let clientID = "sandbox-library"
  package static let clientSecret = "gokuai-sandbox-library-secret"
  /// The key of the enterprise that owns the library, and the library's number.
  package static let enterpriseID = "sandbox-enterprise"
  package static let enterpriseSecret = "gokuai-sandbox-enterprise-secret"
  package static let libraryID = "7"
  /// The client through which the user logs in, with name and password.
  package static let appID = "sandbox-app"
  package static let appSecret = "gokuai-sandbox-app-secret"
}

/// Checks signatures more strictly than the real service: no parameter may be empty, repeated, or contain a line feed.
struct GokuaiVerifier: Sendable {
  enum Key: Sendable {
    case library, enterprise
    /// The client through which users log in.
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
