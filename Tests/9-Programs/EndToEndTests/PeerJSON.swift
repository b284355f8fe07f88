import HTTP
import JSON
import Testing

/// JSON that tests exchange with other clients' libraries, and requests that they compare between clients.
enum PeerJSON {
  /// The parameters of `Authorization: OAuth …` whose values differ in each request.
  private static let single: Set<String> = ["oauth_nonce", "oauth_timestamp", "oauth_signature"]

  static func object(_ members: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    json.object(members)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Writes the simulated application's keys and a stored token's.
  static func writeKeys(_ token: JSONValue, to json: inout JSONWriter) {
    json.member("consumer_key", "sandbox")
    json.member("consumer_secret", TwitterFixture.consumerSecret)
    json.member("token", token["token"].text)
    json.member("token_secret", token["secret"].text)
  }

  /// Returns a request's protocol parameters, except those whose values differ in each request.
  static func authorization(_ request: Request) throws -> [String] {
    let value = try #require(request.headers.first("Authorization"))
    #expect(value.hasPrefix("OAuth "))
    return value.dropFirst(6).split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map { member in
      let name = member.prefix { $0 != "=" }
      return single.contains(String(name)) ? String(name) : String(member)
    }.filter { !$0.hasPrefix("realm") }.sorted()
  }
}
