internal import Benchmarking
import Bytes
internal import Platform
internal import Storage
internal import StorageFiles
internal import StorageSQLite
internal import TestSupport
internal import Time
internal import Timeline

/// `renew DIR N` renews the token of the account in DIR N times, without requests: it reserves the space of the new token before the request
/// and stores the token after the response, as the service does. It prints the number of bytes that it wrote.
enum RenewEntry {
  /// The time for which each token is valid.
  private static let life = Duration.seconds(7200)

  static func run(_ arguments: inout BenchArguments) throws {
    let home = try arguments.next("DIR")
    let count = try arguments.nextCount("N")
    try arguments.end()
    let account = try MeasuredAccount(below: home)
    let tokens = TokenStore(account.files)
    var random = SeededGenerator(seed: 7200)
    let begin = MadeUpPost(0, SyntheticWords()).createdAt
    var token = token(at: begin, &random)
    let reservation = try tokens.reserve(at: begin)
    try reservation.commit(token)
    let before = try WrittenBytes.sinceStart()
    let watch = Stopwatch()
    for number in 1...count {
      guard let stored = try tokens.load(at: begin) else { throw BenchFailure.wrongResult("there is no token") }
      try tokens.reserveRenewal(of: stored)
      token = self.token(at: begin + Self.life * number, &random)
      try tokens.commitRenewal(token)
    }
    guard try tokens.load(at: begin) == token else { throw BenchFailure.wrongResult("the last token is not stored") }
    var figures = Figures()
    figures.add("renewals", count)
    figures.add("bytes", try WrittenBytes.sinceStart() - before)
    figures.add("cpu_us", watch.processorTime)
    figures.print()
    account.close()
  }

  private static func token(at time: Timestamp, _ random: inout SeededGenerator) -> StoredToken {
    func text(_ length: Int) -> Secret {
      let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
      return Secret(String((0..<length).map { _ in letters.randomElement(using: &random)! }))
    }
    let bearer = BearerToken(
      accessToken: text(91), refreshToken: text(91), scope: "tweet.read users.read offline.access",
      clientID: "cGxhY2Vob2xkZXItY2xpZW50", issuedAt: time, receivedAt: time, expiresAt: time + life,
      renewAt: time + life - .seconds(300))
    let user = User(id: "1", screenName: "user_0001", name: "User One")
    return StoredToken(
      provider: "x", identity: AccountIdentity(server: "https://api.x.com", user: user), grant: .oauth2(bearer),
      authorisedAt: time)
  }
}
