/// Two realistic requests: one requests a page of a home timeline, and one sends a post of 280 characters, half of them
/// Japanese. Their secrets are fictional.
enum SigningCases {
  static let raw: RawValue = .object([
    (
      "get",
      request(
        "GET", "https://api.twitter.com/1.1/statuses/home_timeline.json",
        query: [
          ("count", "200"), ("tweet_mode", "extended"), ("since_id", "1234567890123456789"),
          ("include_entities", "true"),
        ])
    ),
    (
      "post",
      request("POST", "https://api.twitter.com/1.1/statuses/update.json", form: [("status", status)])
    ),
  ])

  private static var status: String {
    let pieces = ["日本語のつぶやきテストです。今日は天気が良いので散歩", "Hello & good morning! 100", "% sure? (yes) #tag @user/x"]
    var text = ""
    while text.count < 280 { text += pieces[0] + pieces[1] + pieces[0] + pieces[2] }
    return String(text.prefix(280))
  }

  private static func request(
    _ method: String, _ url: String, query: [(String, String)] = [], form: [(String, String)] = []
  ) -> RawValue {
    let pairs = { (pairs: [(String, String)]) in RawValue.array(pairs.map { .array([.text($0.0), .text($0.1)]) }) }
    return .object([
      ("method", .text(method)), ("url", .text(url)), ("query", pairs(query)), ("form", pairs(form)),
      ("consumer_key", "aConsumerKeyOf22Chars_"), ("consumer_secret", "aConsumerSecretThatHasFortyThreeCharacters_"),
      ("token", "370773112-aTokenThatHasFortyCharactersBehindIt_"),
      ("token_secret", "aTokenSecretThatHasFortyOneCharacters_____"),
      ("nonce", "0123456789abcdef0123456789abcdef"), ("timestamp", "1318622958"),
    ])
  }
}
