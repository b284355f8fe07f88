internal import Benchmarking
internal import Dispatch
internal import Glibc
internal import Platform

/// `accounts URL CA DB ACCOUNTS CONNECTIONS TX [PASSES]` refreshes each of ACCOUNTS accounts once: it signs and sends a
/// request, reads the response, stores the posts and publishes them. Each account has its own database, so TX, the
/// number of accounts per commit, has no effect. If there are several passes, only the last pass is reported.
///
/// The accounts are in `DB.homes`. The file DB itself is empty and shows that the accounts exist; if DB is missing, the
/// accounts are created again. `open_us` is the processor time for opening or creating an account, which `cpu_us` does not contain.
enum AccountsEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let url = try arguments.next("URL")
    let authority = try arguments.next("CA")
    let mark = try arguments.next("DB")
    let count = try arguments.nextCount("ACCOUNTS")
    let connections = try arguments.nextCount("CONNECTIONS")
    _ = try arguments.next("TX")
    let passes = arguments.isAtEnd ? 1 : try arguments.nextCount("PASSES")
    try arguments.end()
    OpenFileLimit.raise()
    IdleMemory.shareHeap()
    let homes = "\(mark).homes"
    if !File.exists(mark) {
      try FolderTree.setAside(homes)
      try AtomicFile.write([], to: mark, .replaced)
    }
    let opening = Stopwatch()
    let round = try AccountsRound(
      url: url, authority: authority, homes: homes, accounts: count, connections: connections)
    let openingTime = opening.processorTime
    let done = DispatchSemaphore(value: 0)
    for _ in 1..<passes {
      round.start { done.signal() }
      done.wait()
    }
    let watch = Stopwatch()
    round.start { done.signal() }
    done.wait()
    let (wall, processor) = (watch.wallTime, watch.processorTime)
    var figures = round.figures
    figures.add("accounts", count)
    figures.add("wall_us", wall / Double(count))
    figures.add("cpu_us", processor / Double(count))
    figures.add("open_us", openingTime / Double(count))
    figures.add("maxrss_kib", peak())
    figures.print()
  }

  private static func peak() -> Int {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }
}
