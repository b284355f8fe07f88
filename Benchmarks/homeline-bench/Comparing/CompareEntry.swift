internal import Benchmarking
internal import Contenders
internal import Platform
internal import TestSupport

/// `compare` prints a table with the cost of homeline's operations and the lowest possible cost on this machine.
enum CompareEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    try arguments.end()
    let folder = TemporaryFolder()
    Report.head("operation", "processor us", "compared with", "processor us", "ratio")
    for name in ["get", "post"] { try compareSigning(name, folder) }
    let words = MadeUpStatus(SyntheticWords())
    try compareParsing(page(words, from: 1))
    try measureRefresh(words, folder)
  }

  private static func compareSigning(_ name: String, _ folder: TemporaryFolder) throws {
    let cases = "\(folder.path)/cases.json"
    var bytes: [UInt8] = []
    SigningCases.raw.write(to: &bytes)
    try AtomicFile.write(bytes, to: cases, .replaced)
    let example = try SigningCase.named(name, in: cases)
    let hash = try KeyedHash(of: example)
    let signature = try SignEntry.sign(example, 1).signature
    for body in [hash.hashOnce, hash.hashWithKeptKey] {
      body()
      guard hash.signature == signature else {
        throw BenchFailure.wrongResult("a compared implementation signs \(name) differently")
      }
    }
    var contest = Contest()
    contest.add("sign", 20) { _ = try SignEntry.sign(example, 50) }
    contest.add("one call of HMAC() for the base string", 1000) { hash.hashOnce() }
    contest.add("SHA-1 alone, with the key hashed in advance", 1000) { hash.hashWithKeptKey() }
    var results = try contest.run()
    results[0].time /= 50
    for other in results.dropFirst() { row("sign \(name), including the header", results[0].time, other) }
  }

  private static func compareParsing(_ body: [UInt8]) throws {
    let response = try TwitterResponse(body)
    var contest = Contest()
    var sum: UInt64 = 0
    contest.add("parse", 2) { _ = try response.page() }
    contest.add("sum of all bytes", 20) { unsafe sum &+= contender_sum(body, body.count) }
    let results = try contest.run()
    precondition(sum > 0, "the bytes were not read")
    row("read 200 posts of \(body.count) bytes", results[0].time, results[1])
  }

  /// As in the service, the database stays open, and each response contains 20 new posts.
  private static func measureRefresh(_ words: MadeUpStatus, _ folder: TemporaryFolder) throws {
    let account = try MeasuredAccount(below: folder.path, published: MeasuredAccount.comparable)
    var best = [Double](repeating: .infinity, count: 3)
    for round in 0..<12 {
      let body = page(words, from: 1 + 20 * round)
      let (_, times) = try account.refresh(with: body)
      guard round > 1 else { continue }
      best = zip(best, [times.parsing, times.storing, times.publishing]).map { min($0, $1) }
    }
    account.close()
    let whole = best.reduce(0, +)
    for (name, time) in zip(["reading the response", "storing the posts", "publishing the file"], best) {
      row("refresh, warm", whole, (name, time))
    }
  }

  private static func page(_ status: MadeUpStatus, from first: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    RawValue.array((first..<first + 200).reversed().map { status.raw($0) }).write(to: &bytes)
    return bytes
  }

  private static func row(_ job: String, _ time: Double, _ other: (name: String, time: Double)) {
    Report.row(
      job, Report.number(time, 2), other.name, Report.number(other.time, 2), Report.number(time / other.time, 2))
  }
}
