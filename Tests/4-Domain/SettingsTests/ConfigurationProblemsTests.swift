import Cryptography
import Testing

@testable import Settings

/// The messages about an invalid configuration. Each contains the line and column, the key's path, and the next step.
@Suite struct ConfigurationProblemsTests {
  private func problems(_ bytes: [UInt8]) -> [String] {
    do throws(SettingsError) {
      _ = try Configuration(reading: bytes)
      return []
    } catch { return error.problems.map(\.description) }
  }

  private func problems(_ text: String) -> [String] { problems(Array(text.utf8)) }

  /// Returns the problems with an account `a` that has the given members, which begin at column 19 of line 1.
  private func account(_ members: String) -> [String] { problems(#"{"accounts":{"a":{"# + members + "}}}") }

  private static let keys = #""consumer_key":"k","consumer_secret":"s""#

  @Test("all problems in a configuration are reported together, in the order they appear")
  func everything() {
    let text = """
      {
        "calback": {},
        "callback": { "host": "0.0.0.0", "port": 65536, "path": "callback" },
        "accounts": {
          "Bird": { "provider": "twiter", "refresh_second": 90 },
          "a": { "provider": "sandbox", "keep_posts": "many", "keep_posts": 3 },
          "a": { "provider": "sandbox" }
        }
      }
      """
    #expect(
      problems(text) == [
        "2:3: calback: unknown key; did you mean callback?",
        #"3:25: callback.host: expected 127.0.0.1 or localhost, found "0.0.0.0""#,
        "3:44: callback.port: expected a whole number from 0 to 65535, found 65536",
        "3:59: callback.path: must begin with /",
        "5:5: accounts.Bird: an account name must be 1 to 64 of the characters a-z 0-9 . - _, beginning with a letter or digit",
        #"5:27: accounts.Bird.provider: unknown provider "twiter"; did you mean twitter? (known: fastmail, gokuai, google, mastodon, microsoft, oauth1, oauth2, sandbox, twitter, weibo, x)"#,
        "5:37: accounts.Bird.refresh_second: unknown key; did you mean refresh_seconds?",
        "6:49: accounts.a.keep_posts: expected a whole number from 1 to 10000, found a string",
        "6:57: accounts.a.keep_posts: duplicate key; the first is at line 6, column 35",
        "7:5: accounts.a: duplicate key; the first is at line 6, column 5",
      ])
  }

  @Test(
    "invalid JSON in a configuration is refused at the position of the error",
    arguments: [
      ("", "1:1: the text ends in the middle of a value"),
      ("{\n  \"accounts\": {\n", "3:1: the text ends in the middle of a value"),
      (#"{"accounts": {},}"#, "1:17: not valid JSON: expected another item after ','"),
      ("{\"accounts\": {}} x", "1:18: not valid JSON: expected the end"),
      ("{ // no\n}", "1:3: not valid JSON: expected a name in quotes"),
      ("[1]", "1:1: expected an object, found an array"), ("null", "1:1: expected an object, found null"),
      (#"{"accounts": []}"#, "1:14: accounts: expected an object, found an array"),
      (String(repeating: "[", count: 20), "1:17: nested deeper than 16 levels"),
    ])
  func syntax(text: String, expected: String) { #expect(problems(text) == [expected]) }

  @Test("invalid UTF-8 in a configuration is refused at its position, and a byte order mark is accepted")
  func encoding() {
    let text = Array("{\n \"accounts\": {\"é\u{fffd}".utf8)
    #expect(problems(text.dropLast(3) + [0xff] + Array("\": {}}}".utf8)) == ["2:17: not valid UTF-8"])
    #expect(problems([0xef, 0xbb, 0xbf] + Array(#"{"accounts":{}}"#.utf8)).isEmpty)
  }

  @Test("a configuration above the size limit is refused before it is read, and one at the limit is read")
  func limit() {
    let text = Array(#"{"accounts":{}}"#.utf8)
    let space = [UInt8](repeating: 0x20, count: Configuration.byteLimit - text.count)
    #expect(problems(text + space).isEmpty)
    #expect(problems(text + space + [0x20]) == ["1:1: the configuration is longer than 1048576 bytes"])
  }

  @Test(
    "a callback path that a browser or provider would rewrite is refused",
    arguments: [
      ("", "must begin with /"), ("callback", "must begin with /"), ("/a?b", "must not have a query"),
      ("/a#b", "must not have a fragment"), ("/a%2fb", "may contain only letters, digits and - . _ ~ /"),
      ("/a b", "may contain only letters, digits and - . _ ~ /"),
      ("/ä", "may contain only letters, digits and - . _ ~ /"),
      ("/a//b", "must not contain //"), ("//a", "must not contain //"),
      ("/..", "must not contain . or .. as a segment"), ("/a/../b", "must not contain . or .. as a segment"),
      ("/a/.", "must not contain . or .. as a segment"),
      ("/" + String(repeating: "a", count: 256), "is longer than 256 bytes"),
    ])
  func callbackPath(path: String, fault: String) {
    #expect(problems(#"{"callback":{"path":"\#(path)"},"accounts":{}}"#) == ["1:21: callback.path: \(fault)"])
  }

  @Test(
    "plain callback paths are accepted",
    arguments: ["/", "/callback", "/a/b/", "/a.b-c_d~e", "/" + String(repeating: "a", count: 255)])
  func goodPaths(path: String) { #expect(problems(#"{"callback":{"path":"\#(path)"},"accounts":{}}"#).isEmpty) }

  @Test(
    "each configured value must have the right type and be within its range",
    arguments: [
      (#""provider":1"#, "1:30: accounts.a.provider: expected a string, found a number"),
      (#""provider":null"#, "1:30: accounts.a.provider: expected a string, found null"),
      (
        "",
        "1:14: accounts.a.provider: missing (known: fastmail, gokuai, google, mastodon, microsoft, oauth1, oauth2, sandbox, twitter, weibo, x)"
      ),
      (#""provider":"sandbox","enabled":"yes""#, "1:50: accounts.a.enabled: expected true or false, found a string"),
      (
        #""provider":"sandbox","refresh_seconds":14"#,
        "1:58: accounts.a.refresh_seconds: expected a whole number from 15 to 86400, found 14"
      ),
      (
        #""provider":"sandbox","refresh_seconds":90.0"#,
        "1:58: accounts.a.refresh_seconds: expected a whole number from 15 to 86400, found 90.0"
      ),
      (
        #""provider":"sandbox","keep_posts":10001"#,
        "1:53: accounts.a.keep_posts: expected a whole number from 1 to 10000, found 10001"
      ),
      (
        #""provider":"sandbox","keep_posts":99999999999999999999"#,
        "1:53: accounts.a.keep_posts: expected a whole number from 1 to 10000, found 99999999999999999999"
      ),
      (
        #""provider":"sandbox","signature_method":"HMAC-SHA2""#,
        #"1:59: accounts.a.signature_method: unknown method "HMAC-SHA2"; did you mean HMAC-SHA1? "#
          + "(known: HMAC-SHA1, HMAC-SHA256, HMAC-SHA512, PLAINTEXT)"
      ),
      (
        #""provider":"sandbox","require_callback_confirmation":0"#,
        "1:72: accounts.a.require_callback_confirmation: expected true or false, found a number"
      ),
      (
        #""provider":"sandbox","first_fill_posts":null"#,
        "1:59: accounts.a.first_fill_posts: expected a whole number from 1 to 10000, found null"
      ),
      (
        #""provider":"x","consumer_key":"k","consumer_secret":"s","endpoints":{"verify_credentials":"https://a.example/"}"#,
        "1:88: accounts.a.endpoints.verify_credentials: unknown key"
      ),
      (
        #""provider":"friendster""#,
        #"1:30: accounts.a.provider: unknown provider "friendster" (known: fastmail, gokuai, google, mastodon, microsoft, oauth1, oauth2, sandbox, twitter, weibo, x)"#
      ),
    ])
  func values(members: String, expected: String) { #expect(account(members) == [expected]) }

  @Test("the bounds of a range are valid values")
  func ranges() {
    for seconds in [15, 86400] { #expect(account(#""provider":"sandbox","refresh_seconds":\#(seconds)"#).isEmpty) }
    for posts in [1, 10000] { #expect(account(#""provider":"sandbox","keep_posts":\#(posts)"#).isEmpty) }
  }

  @Test(
    "a provider with built-in keys accepts no keys, and one without them requires both consumer_key and consumer_secret"
  )
  func keys() {
    #expect(
      account(#""provider":"sandbox",\#(Self.keys)"#) == [
        "1:40: accounts.a.consumer_key: the provider sandbox has its own keys: remove this setting",
        "1:59: accounts.a.consumer_secret: the provider sandbox has its own keys: remove this setting",
      ])
    #expect(
      account(#""provider":"twitter""#) == [
        "1:14: accounts.a.consumer_key: missing: the provider twitter needs it",
        "1:14: accounts.a.consumer_secret: missing: the provider twitter needs it",
      ])
    #expect(account(#""provider":"twitter",\#(Self.keys)"#).isEmpty)
  }

  @Test(
    "an empty or padded secret is refused, and never shown",
    arguments: [
      (#""""#, ": is empty"), (#"" s3cret""#, ": begins or ends with white space"),
      (#""s3cret\n""#, ": begins or ends with white space"),
      (
        "12345",
        ": expected a string, {\"file\": …}, {\"credential\": …}, {\"command\": […]} or {\"keyring\": …}, found a number"
      ),
      ("{}", ": expected file, credential, command or keyring"),
      (#"{"file":"/a","command":["b"]}"#, ": only one of file, command"),
      (#"{"keyring":""}"#, ".keyring: expected the account attribute of an item in the keyring"),
      (#"{"fil":"/a"}"#, ".fil: unknown key; did you mean file?"),
      (#"{"file":"a/b"}"#, ".file: expected a path that begins with / or ~/"),
      (#"{"file":"~other/b"}"#, ".file: expected a path that begins with / or ~/"),
      (#"{"credential":"../x"}"#, ".credential: expected the name of a systemd credential: a file name without /"),
      (#"{"credential":".."}"#, ".credential: expected the name of a systemd credential: a file name without /"),
      (
        #"{"command":"pass show x"}"#,
        #".command: expected a program and its arguments: ["program", "argument", …], found a string"#
      ),
      (#"{"command":[]}"#, #".command: expected a program and its arguments: ["program", "argument", …]"#),
      (#"{"command":["a",1]}"#, ".command[1]: expected a string, found a number"),
      (#"{"command":["a","b\u0000"]}"#, ".command[1]: a NUL character is not allowed"),
    ])
  func secrets(secret: String, expected: String) throws {
    let found = account(#""provider":"twitter","consumer_key":"k","consumer_secret":"# + secret)
    let first = try #require(found.first)
    #expect(first.hasSuffix("accounts.a.consumer_secret" + expected), "\(found)")
    #expect(!found.joined().contains("s3cret"))
  }

  @Test(
    "an endpoint must be an https URL, or an http URL on this machine",
    arguments: [
      ("https://example.org/a", nil), ("http://localhost:80/a", nil), ("http://[::1]/a", nil),
      ("http://127.9.9.9/", nil),
      (
        "http://example.org/a",
        "1:110: accounts.a.endpoints.home_timeline: plain http is allowed only for this machine "
          + "(127.0.0.1, [::1], localhost): use https"
      ),
      (
        "http://127.0.0.1.example.org/",
        "1:110: accounts.a.endpoints.home_timeline: plain http is allowed only for this machine "
          + "(127.0.0.1, [::1], localhost): use https"
      ),
      (
        "ftp://example.org/",
        "1:110: accounts.a.endpoints.home_timeline: The URL does not begin with http:// or https://."
      ), ("https://", "1:110: accounts.a.endpoints.home_timeline: The URL has no host."),
    ] as [(String, String?)])
  func endpoints(url: String, expected: String?) {
    let members = #""provider":"twitter",\#(Self.keys),"endpoints":{"home_timeline":"\#(url)"}"#
    #expect(account(members) == (expected.map { [$0] } ?? []))
  }

  @Test("an unknown endpoint is refused with the most similar known name")
  func unknownEndpoints() {
    #expect(
      account(#""provider":"twitter",\#(Self.keys),"endpoints":{"request_tokens":"https://example.org/"}"#) == [
        "1:94: accounts.a.endpoints.request_tokens: unknown key; did you mean request_token?"
      ])
    #expect(
      account(#""provider":"sandbox","endpoints":{}"#) == [
        "1:40: accounts.a.endpoints: the provider sandbox has no endpoints to replace"
      ])
  }

  @Test("control characters from the configuration are escaped in messages")
  func controlCharacters() {
    #expect(
      problems(#"{"\u001b[31m":1,"accounts":{}}"#) == [#"1:2: \u{1b}[31m: unknown key"#])
    let long = String(repeating: "x", count: 500)
    #expect(problems(#"{"\#(long)":1,"accounts":{}}"#) == ["1:2: \(long.prefix(64))…: unknown key"])
  }

  @Test("escaped keys are decoded and keep their position")
  func escapedKeys() {
    #expect(
      problems(#"{"accounts":{}, "x\"y" :1, "accounts":{}}"#) == [
        #"1:17: x"y: unknown key"#, "1:28: accounts: duplicate key; the first is at line 1, column 2",
      ])
  }
}
