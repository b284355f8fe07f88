import Bytes
import HomelineOAuth
import Testing

@testable import Settings

/// The keys that select how an account obtains its token, for each provider.
@Suite struct CredentialsTests {
  /// Returns the first account, or the problem with it.
  private func read(_ members: String) -> Result<AccountSettings, SettingsError> {
    Result { () throws(SettingsError) in
      try Configuration(reading: Array(#"{"accounts":{"a":{\#(members)}}}"#.utf8)).accounts[0]
    }
  }

  private func problems(_ members: String) -> [String] {
    guard case .failure(let error) = read(members) else { return [] }
    return error.problems.map { "\($0.path.dropFirst("accounts.".count)): \($0.what)" }
  }

  private func account(_ members: String) throws -> AccountSettings { try read(members).get() }

  private static let oauth1 = #""consumer_key":"k","consumer_secret":"s""#
  private static let oauth2 = #""client_id":"i","client_secret":"s""#

  @Test("the provider x accepts OAuth 1.0a keys, a public client or a confidential client")
  func x() throws {
    let secret = SecretSource.literal(Secret("s"))
    #expect(
      try account(#""provider":"x",\#(Self.oauth1)"#).credentials == .oauth1(consumerKey: "k", consumerSecret: secret))
    #expect(
      try account(#""provider":"x",\#(Self.oauth2)"#).credentials == .oauth2(clientID: "i", clientSecret: secret))
    #expect(
      try account(#""provider":"x","client_id":"i""#).credentials == .oauth2(clientID: "i", clientSecret: nil))
    #expect(
      problems(#""provider":"x""#)
        == ["a: keys are missing: the provider x requires consumer_key and consumer_secret, or client_id"])
    #expect(problems(#""provider":"x","client_secret":"s""#) == ["a.client_id: missing: the provider x needs it"])
  }

  @Test("the provider weibo requires a client and its secret")
  func weibo() throws {
    let weibo = try account(#""provider":"weibo",\#(Self.oauth2)"#)
    #expect(weibo.credentials == .oauth2(clientID: "i", clientSecret: .literal(Secret("s"))))
    #expect(weibo.refreshInterval == .seconds(900))
    #expect(
      problems(#""provider":"weibo","client_id":"i""#) == ["a.client_secret: missing: the provider weibo needs it"])
    #expect(
      problems(#""provider":"weibo""#) == [
        "a.client_id: missing: the provider weibo needs it", "a.client_secret: missing: the provider weibo needs it",
      ])
  }

  @Test("a Mastodon client registers itself unless a client is configured")
  func mastodon() throws {
    let own = try account(#""provider":"mastodon","server":"social.example""#)
    #expect(own.credentials == .selfRegistered && own.refreshInterval == .seconds(60) && own.keepPosts == nil)
    let given = try account(#""provider":"mastodon","server":"social.example",\#(Self.oauth2)"#)
    #expect(given.credentials == .oauth2(clientID: "i", clientSecret: .literal(Secret("s"))))
    #expect(
      problems(#""provider":"mastodon","server":"social.example","client_id":"i""#)
        == ["a.client_secret: missing: the provider mastodon needs it"])
  }

  @Test("keys from both protocols and keys that the provider does not know produce different messages")
  func foreign() {
    let both = "cannot be combined with consumer_key: an account uses OAuth 1.0a or OAuth 2.0, not both"
    for provider in ["x", "twitter"] {
      #expect(
        problems(#""provider":"\#(provider)",\#(Self.oauth1),"client_id":"i","scopes":["a"]"#)
          == ["a.client_id: \(both)", "a.scopes: \(both)"])
    }
    let only = "the provider twitter supports only OAuth 1.0a: it requires consumer_key and consumer_secret"
    #expect(problems(#""provider":"twitter",\#(Self.oauth2)"#) == ["a.client_id: \(only)", "a.client_secret: \(only)"])
    let newer = "the provider weibo supports only OAuth 2.0: it requires client_id and client_secret"
    #expect(
      problems(#""provider":"weibo",\#(Self.oauth1)"#) == ["a.consumer_key: \(newer)", "a.consumer_secret: \(newer)"])
    let mastodon =
      "the provider mastodon supports only OAuth 2.0: it requires client_id and client_secret, or none of them"
    #expect(
      problems(#""provider":"mastodon","server":"social.example","consumer_key":"k""#)
        == ["a.consumer_key: \(mastodon)"])
    #expect(
      problems(#""provider":"sandbox","client_id":"i","scopes":["a"]"#) == [
        "a.client_id: the provider sandbox has its own keys: remove this setting",
        "a.scopes: the provider sandbox has its own keys: remove this setting",
      ])
    #expect(
      problems(#""provider":"friendster",\#(Self.oauth1),"client_id":"i""#).contains("a.client_id: \(both)"))
  }

  @Test("OAuth 1.0a settings are refused for an OAuth 2.0 account")
  func deadSettings() {
    let message = "applies only to OAuth 1.0a, but this account uses OAuth 2.0: remove this setting"
    #expect(
      problems(#""provider":"x","client_id":"i","signature_method":"PLAINTEXT","require_callback_confirmation":true"#)
        == ["a.signature_method: \(message)", "a.require_callback_confirmation: \(message)"])
  }

  @Test("each scope is one string of characters that RFC 6749 allows")
  func scopes() throws {
    #expect(
      try account(#""provider":"x","client_id":"i","scopes":["tweet.read","a!#[]~"]"#).scopes == [
        "tweet.read", "a!#[]~",
      ])
    #expect(try account(#""provider":"x","client_id":"i""#).scopes == nil)
    func fault(_ scopes: String) -> [String] { problems(#""provider":"x","client_id":"i","scopes":\#(scopes)"#) }
    #expect(fault(#""read write""#) == [#"a.scopes: expected a list of scopes: ["read", …], found a string"#])
    #expect(fault("[]") == [#"a.scopes: expected a list of scopes: ["read", …], found an empty one"#])
    #expect(fault(#"["read write"]"#) == ["a.scopes[0]: write each scope as a separate string"])
    #expect(fault(#"["read",1]"#) == ["a.scopes[1]: expected a string, found a number"])
    for bad in [#""""#, #""\"""#, #""\\""#, #""ä""#, #""a\u0007""#] {
      #expect(fault("[\(bad)]") == [#"a.scopes[0]: a scope consists of visible ASCII characters other than " and \"#])
    }
  }

  @Test("messages hide a client secret just as they hide a consumer secret")
  func redaction() throws {
    let settings = try account(#""provider":"x","client_id":"i","client_secret":"s3cret""#)
    #expect(!String(reflecting: settings).contains("s3cret"))
    #expect(
      problems(#""provider":"x","client_id":" ","client_secret":"s3cret ""#) == [
        "a.client_id: begins or ends with white space", "a.client_secret: begins or ends with white space",
      ])
  }
}
