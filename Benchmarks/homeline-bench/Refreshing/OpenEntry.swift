internal import Benchmarking
internal import Platform
internal import Time
internal import Timeline

/// `open DIR INCOMING N` opens N accounts below DIR, refreshes each with a response as a service that has just started, closes them, and prints
/// the bytes that it wrote. The first run creates the accounts; in the following ones, nothing is new.
enum OpenEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let home = try arguments.next("DIR")
    let body = try File.read(try arguments.next("INCOMING"), limit: 16 << 20)
    let count = try arguments.nextCount("N")
    try arguments.end()
    let isFirst = !File.exists("\(home)/.local")
    let now = Timestamp(seconds: 1_800_000_000) + (isFirst ? .zero : ServedAccount.interval)
    let before = try WrittenBytes.sinceStart()
    let watch = Stopwatch()
    let accounts = try (0..<count).map { try ServedAccount("account-\($0)", below: home) }
    var new = 0
    for account in accounts { new += try account.refresh(with: body, at: now) }
    for account in accounts { account.close() }
    guard isFirst || new == 0 else { throw BenchFailure.wrongResult("\(new) posts are new in known accounts") }
    var figures = Figures()
    figures.add("accounts", count)
    figures.add("new", new)
    figures.add("bytes", try WrittenBytes.sinceStart() - before)
    figures.add("cpu_us", watch.processorTime)
    figures.print()
  }
}
