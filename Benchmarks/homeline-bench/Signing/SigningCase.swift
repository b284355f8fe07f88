internal import Benchmarking
import Bytes
internal import HomelineOAuth
internal import JSON
internal import Platform

/// A request to sign, with all values on which its signature depends.
struct SigningCase {
  var method = ""
  var url = ""
  var query: [Parameter] = []
  var form: [Parameter] = []
  var consumerKey = ""
  var consumerSecret = ""
  var token = ""
  var tokenSecret = ""
  var nonce = ""
  var timestamp: Int64 = 0
  /// The signature that another implementation computed; nil if there is none.
  var signature: String?

  /// Reads a case from a file `{"NAME": {"method": …, "url": …, "query": [[name, value], …], …}, …}`.
  static func named(_ name: String, in path: String) throws -> SigningCase {
    var cursor = JSONCursor(try File.read(path, limit: 1 << 20))
    var found: SigningCase?
    try cursor.members { cursor, member in
      if member.text == name { found = try SigningCase(&cursor) } else { _ = try cursor.skip() }
    }
    try cursor.end()
    guard let found else { throw BenchFailure.usage("\(path) has no case \(name)") }
    return found
  }

  private init(_ cursor: inout JSONCursor) throws {
    try cursor.members { cursor, name in
      switch name {
      case "method": method = try cursor.string()
      case "url": url = try cursor.string()
      case "query": query = try cursor.list(Self.pair)
      case "form": form = try cursor.list(Self.pair)
      case "consumer_key": consumerKey = try cursor.string()
      case "consumer_secret": consumerSecret = try cursor.string()
      case "token": token = try cursor.string()
      case "token_secret": tokenSecret = try cursor.string()
      case "nonce": nonce = try cursor.string()
      case "timestamp": timestamp = Int64(try cursor.string()) ?? 0
      case "signature": signature = try cursor.string()
      default: _ = try cursor.skip()
      }
    }
  }

  private static func pair(_ cursor: inout JSONCursor) throws -> Parameter {
    let words = try cursor.list { try $0.string() }
    guard words.count == 2 else { throw BenchFailure.usage("a parameter is a name and a value") }
    return Parameter(words[0], words[1])
  }

  var signer: Signer {
    Signer(
      client: ClientCredentials(identifier: consumerKey, secret: Secret(consumerSecret)),
      token: .token(TokenCredentials(identifier: token, secret: Secret(tokenSecret))))
  }

  var nonceTimestamp: NonceTimestamp { NonceTimestamp(timestamp: timestamp, nonce: Nonce(nonce)) }

  /// The URL including its query, as it is sent.
  var requestURL: RequestURL {
    get throws { try RequestURL(query.isEmpty ? url : "\(url)?\(FormEncoding.encode(query))") }
  }
}
