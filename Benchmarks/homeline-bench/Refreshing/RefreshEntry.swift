internal import Benchmarking
internal import Platform

/// `refresh DIR INCOMING`: one refresh of the account below DIR, all in a process of its own: opened, asked what to ask for, the answer
/// read, kept on the disk and published, and closed.
enum RefreshEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let account = try MeasuredAccount(below: try arguments.next("DIR"))
    let body = try File.read(try arguments.next("INCOMING"), limit: 16 << 20)
    try arguments.end()
    _ = try account.since()
    let (new, times) = try account.refresh(with: body)
    account.close()
    var figures = Figures()
    figures.add("new", new)
    figures.add("parse_us", times.parsing)
    figures.add("store_us", times.storing)
    figures.add("publish_us", times.publishing)
    figures.print()
  }
}
