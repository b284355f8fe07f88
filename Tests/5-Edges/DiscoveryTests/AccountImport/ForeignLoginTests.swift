import Bytes
import TestSupport
import Testing

@testable import Discovery

/// Reading the login files of other programs.
@Suite struct ForeignLoginTests {
  private static let profile = """
    ---
    configuration:
      default_profile:
      - mira
      - consumer1
    profiles:
      mira:
        consumer1:
          username: mira
          consumer_key: consumer1
          consumer_secret: csecret
          token: 12-tok
          secret: tsecret

    """

  private func logins(_ text: String, of program: ForeignProgram = .t) throws -> [ForeignLogin] {
    try program.logins(in: Array(text.utf8)).logins
  }

  /// Returns the reason why the file cannot be read, or why its first damaged entry is left out.
  private func problem(_ text: String, of program: ForeignProgram = .t) -> String? {
    do throws(ForeignFileError) {
      return try program.logins(in: Array(text.utf8)).leftOut.first?.description
    } catch { return error.description }
  }

  private func shown(_ login: ForeignLogin) -> [String?] {
    [
      login.userName, login.server?.origin, login.consumer?.key,
      login.consumer?.secret.withExposedText { $0 }, login.token.withExposedText { $0 },
      login.tokenSecret?.withExposedText { $0 },
    ]
  }

  // MARK: t and twurl

  @Test("a login is read from the file of t or twurl", arguments: [ForeignProgram.t, .twurl])
  func plain(program: ForeignProgram) throws {
    #expect(
      try logins(Self.profile, of: program).map(shown) == [["mira", nil, "consumer1", "csecret", "12-tok", "tsecret"]])
  }

  @Test("each combination of user and application in t's file is a login, in file order")
  func several() throws {
    let text = """
      profiles:
        zoe: { k1: { username: zoe, consumer_key: k1, consumer_secret: s1, token: t1, secret: u1 },
               k2: { username: zoe, consumer_key: k2, consumer_secret: s2, token: t2, secret: u2 } }
        "adam":
          'k1': {username: Adam, consumer_key: k1, consumer_secret: s1, token: t3, secret: u3}
      """
    #expect(try logins(text).map(\.userName) == ["zoe", "zoe", "Adam"])
    #expect(try logins(text).map { $0.token.withExposedText { $0 } } == ["t1", "t2", "t3"])
  }

  @Test(
    "values that YAML treats as other types are read as text",
    arguments: [
      ("12345", "12345"), ("0x1F", "0x1F"), ("1e5", "1e5"), ("yes", "yes"), ("null", "null"),
      ("2026-11-24", "2026-11-24"),
      ("\"a\\x62c\"", "abc"), ("'it''s'", "it's"), ("!ruby/string plain", "plain"), ("|-\n        block", "block"),
      ("1_000", "1_000"), ("~", "~"),
    ])
  func types(written: String, value: String) throws {
    let text = Self.profile.replacing("12-tok", with: written)
    #expect(try logins(text).map { $0.token.withExposedText { $0 } } == [value])
  }

  @Test(
    "a file without logins is empty",
    arguments: [
      "", "---\n", "# only a comment\n", "{}", "profiles: {}", "profiles:\n",
      "configuration:\n  default_profile: [a, b]\n",
      "\u{FEFF}profiles: {}\n", "--- {}\n...\n",
    ])
  func empty(text: String) throws {
    #expect(try logins(text).isEmpty)
  }

  @Test(
    "the error for an invalid file gives the reason, and the line of a syntax error",
    arguments: [
      ("profiles: [", "line 2: did not find expected node content"),
      ("a: b: c", "line 1: mapping values are not allowed"),
      ("\tprofiles: {}", "line 1: found character that cannot start any token"), ("- a\n- b\n", "it is not a mapping"),
      ("users: {}\n", "it has no profiles"), ("profiles: [a]\n", "profiles is not a mapping of users"),
      ("profiles: {}\nprofiles: {}\n", "line 2: a key appears twice"),
      ("profiles: {}\n---\nprofiles: {}\n", "line 2: a second document begins"),
      ("a: &x {}\nprofiles: *x\n", "line 2: aliases (*NAME) are not supported"),
      ("? [a]\n: b\n", "line 1: a key is not a string"),
      ("profiles: {mira: 7}\n", "the profile of “mira” is not a mapping of applications"),
      ("profiles: {mira: {k: 7}}\n", "the profile of “mira” has no consumer_key"),
      ("profiles: {\"a\\nb\": 7}\n", "the profile of “a?b” is not a mapping of applications"),
      ("just a text", "it is not a mapping"), ("\u{0}", "line 1: control characters are not allowed"),
    ])
  func bad(text: String, start: String) throws {
    let found = try #require(problem(text))
    #expect(found.hasPrefix(start), "\(found)")
  }

  @Test(
    "the error for a missing, empty or invalid value contains the key, but not the value",
    arguments: ["consumer_key: consumer1", "consumer_secret: csecret", "token: 12-tok", "secret: tsecret"])
  func missing(line: String) throws {
    let name = String(try #require(line.split(separator: ":").first))
    for (value, what) in [
      ("", "has no"), (" \"\"", "has no"), (" \"a b\"", "has an invalid"), (" é", "has an invalid"),
    ] {
      let text = Self.profile.replacing("    \(line)\n", with: "    \(name):\(value)\n")
      #expect(problem(text) == "the profile of “mira” \(what) \(name)")
    }
  }

  @Test("deeply nested and non-UTF-8 text is refused, and a truncated file causes no crash")
  func hostile() throws {
    let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
    #expect(problem(deep) == "line 1: more than 16 levels are nested")
    #expect(problem(String(repeating: "[", count: 100_000))?.hasPrefix("line 1: ") == true)
    #expect(throws: ForeignFileError.self) { try ForeignProgram.t.logins(in: [0x61, 0x3A, 0x20, 0xFF, 0xFE]) }
    #expect(throws: ForeignFileError.self) { try ForeignProgram.t.logins(in: [0xFF, 0xFE, 0x61, 0x00]) }
    // Neither libyaml's parser nor this reader may crash on a truncated file, wherever it ends.
    let bytes = Array(Self.profile.utf8)
    for end in bytes.indices { _ = try? ForeignProgram.t.logins(in: Array(bytes[..<end])) }
  }

  @Test(
    "an entry damaged in any way is left out, and the others are read",
    arguments: [
      ("7", "the profile of “old” is not a mapping of applications"),
      ("{k: [1]}", "the profile of “old” has no consumer_key"),
      ("{k: {consumer_key: k, consumer_secret: s}}", "the profile of “old” has no token"), ("*x", "line 2: aliases"),
      ("{k: *x}", "line 2: aliases"), ("{k: {consumer_key: *x}}", "line 2: aliases"),
      ("{k: {token: a, token: b}}", "line 2: a key appears twice"),
      ("{k: {[a]: b, [c]: d}}", "line 2: a key is not a string"),
      (
        "{k: {consumer_key: k, consumer_secret: s, token: \"a b\", secret: u}}",
        "the profile of “old” has an invalid token"
      ),
    ])
  func leftOut(entry: String, reason: String) throws {
    let good = "{k: {username: robin, consumer_key: k, consumer_secret: s, token: t, secret: u}}"
    for text in [
      "profiles:\n  old: \(entry)\n  robin: \(good)\n", "profiles:\n  old: \(entry)\n  a: \(good)\n  b: 7\n",
    ] {
      let found = try ForeignProgram.t.logins(in: Array(text.utf8))
      #expect(found.logins.map(\.userName) == ["robin"])
      #expect(found.leftOut.first?.description.hasPrefix(reason) == true, "\(found.leftOut)")
    }
  }

  // MARK: toot

  private static let toot = """
    {"active_user": "mira@social.example",
     "apps": {"social.example": {"base_url": "https://social.example", "client_id": "c", "client_secret": "s",
                                 "instance": "social.example"},
              "127.0.0.1:9": {"base_url": "http://127.0.0.1:9", "instance": "127.0.0.1:9"}},
     "users": {"mira@social.example": {"access_token": "t1", "instance": "social.example", "username": "mira"},
               "bot@127.0.0.1:9": {"access_token": "t2", "instance": "127.0.0.1:9", "username": "bot", "extra": [1]}}}
    """

  @Test("each toot user is a login on the server of the user's app")
  func tootUsers() throws {
    #expect(
      try logins(Self.toot, of: .toot).map(shown) == [
        ["mira", "https://social.example", nil, nil, "t1", nil], ["bot", "http://127.0.0.1:9", nil, nil, "t2", nil],
      ])
  }

  @Test("a toot user's server may have non-ASCII letters in its name or in the app's address")
  func tootInternationalNames() throws {
    let text =
      #"{"apps": {"b": {"base_url": "https://bücher.example:8443"}}, "users": {"#
      + #""a@MÜLLER.example": {"access_token": "t", "instance": "MÜLLER.example", "username": "a"}, "#
      + #""c@b": {"access_token": "t", "instance": "b", "username": "c"}}}"#
    #expect(
      try logins(text, of: .toot).map { $0.server?.origin } == [
        "https://xn--mller-kva.example", "https://xn--bcher-kva.example:8443",
      ])
  }

  @Test("a toot user without an app belongs to the server that the user's instance names")
  func tootWithoutApp() throws {
    let text = #"{"users": {"a@b.example": {"access_token": "t", "instance": "b.example", "username": "a"}}}"#
    #expect(try logins(text, of: .toot).map { $0.server?.origin } == ["https://b.example"])
    #expect(try logins(#"{"apps": {}, "users": {}, "active_user": null}"#, of: .toot).isEmpty)
  }

  @Test(
    "a damaged toot user is left out, and the others are read",
    arguments: ["null", "7", "[]", "{}", #"{"instance": "gone.example", "username": "robin", "access_token": null}"#])
  func tootLeftOut(user: String) throws {
    let text = Self.toot.replacing(#""users": {"#, with: #""users": {"robin@gone.example": \#(user), "#)
      .replacing(#""apps": {"#, with: #""apps": {"gone.example": \#(user), "#)
    let found = try ForeignProgram.toot.logins(in: Array(text.utf8))
    #expect(found.logins.map(\.userName) == ["mira", "bot"])
    #expect(found.leftOut.count == 1 && found.leftOut[0].description.hasPrefix("the user “robin@gone.example” has no "))
  }

  @Test(
    "the error for an invalid toot configuration gives the reason",
    arguments: [
      ("", "it is not a configuration of toot: "), ("[]", "it is not a configuration of toot: "),
      (#"{"users": []}"#, "it is not a configuration of toot: "),
      (#"{"users": {}} x"#, "it is not a configuration of toot: "),
      (#"{"users": {"a@b": {"access_token": "t"}}}"#, "the user “a@b” has no instance and username"),
      (#"{"users": {"a@b": {"instance": "b", "username": "a"}}}"#, "the user “a@b” has no valid access_token"),
      (
        #"{"users": {"a@b": {"instance": "b", "username": "a", "access_token": "a\nb"}}}"#,
        "the user “a@b” has no valid access_token"
      ),
      (
        #"{"users": {"a@b": {"instance": "b c", "username": "a", "access_token": "t"}}}"#,
        "the server of “a@b” is not valid: "
      ),
      (
        #"{"apps": {"b": {"base_url": "http://b.example"}}, "users": {"a@b": {"instance": "b", "username": "a", "access_token": "t"}}}"#,
        "the server of “a@b” does not use https"
      ),
    ])
  func badToot(text: String, start: String) throws {
    let found = try #require(problem(text, of: .toot))
    #expect(found.hasPrefix(start), "\(found)")
  }

  @Test("t's and twurl's files are in the home folder, and toot's file is in the configuration folder")
  func files() {
    #expect(
      ForeignProgram.allCases.map { $0.file(home: "/home/m", configuration: "/home/m/c") } == [
        "/home/m/.trc", "/home/m/.twurlrc", "/home/m/c/toot/config.json",
      ])
  }
}
