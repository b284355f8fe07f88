import FoundationEssentials
import Glibc
import TestSupport

/// The libraries Authlib and oauthlib, called through `Tests/Peers/oauth2_values.py`.
struct OAuth2Peer {
  struct Question: Encodable {
    var ask: String
    var endpoint: String?
    var issuer: String?
    var clientID: String?
    var secret: String?
    var method: String?
    var redirect: String?
    var scopes: [String]?
    var state: String?
    var verifier: String?
    var further: [[String]]?
    var grant: String?
    var code: String?
    var refreshToken: String?
    var token: String?
    var hint: String?
    var header: String?
    var body: String?
    var uri: String?

    init(_ ask: String) { self.ask = ask }

    enum CodingKeys: String, CodingKey {
      case ask, endpoint, issuer, secret, method, redirect, scopes, state, verifier, further, grant, code, token, hint
      case header, body, uri
      case clientID = "client_id"
      case refreshToken = "refresh_token"
    }
  }

  struct Reply: Decodable {
    let failure: String?
    let urls: [String]?
    let challenges: [String]?
    let bodies: [String]?
    let headers: [String?]?
    let clientID: String?
    let secret: String?
    let members: [String: String]?
    let error: String?
    let description: String?
    let code: String?
    let url: String?

    enum CodingKeys: String, CodingKey {
      case failure, urls, challenges, bodies, headers, secret, members, error, description, code, url
      case clientID = "client_id"
    }
  }

  /// A Python interpreter with Authlib and oauthlib, which `make test` sets up.
  static var python: String? { getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) } }

  private static let script = Repository.path("Tests/Peers/oauth2_values.py")

  /// Sends all requests to one Python process and returns its replies.
  static func ask(_ questions: [Question]) async throws -> [Reply] {
    let folder = TemporaryFolder()
    let lines = try questions.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    let outcome = try await ProgramRun.run(
      python!, [script], environment: ProgramRun.environment(home: folder.path),
      input: .text(lines.joined(separator: "\n") + "\n"), timeout: .seconds(60))
    let replies = try outcome.output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Reply.self, from: Data(line.utf8))
    }
    guard outcome.code == 0, replies.count == questions.count else { throw PeerError(text: outcome.error) }
    return replies
  }

  struct PeerError: Error { let text: String }
}
