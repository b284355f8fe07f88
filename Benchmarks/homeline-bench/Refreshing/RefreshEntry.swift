internal import Benchmarking
internal import Platform

/// `refresh DIR INCOMING` refreshes the account in DIR once in a new process. The process opens the account, determines
/// the request, reads the response, stores and publishes the posts, and closes the account.
enum RefreshEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let account = try MeasuredAccount(below: try arguments.next("DIR"), published: MeasuredAccount.comparable)
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
