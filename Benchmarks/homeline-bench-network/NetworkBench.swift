internal import Benchmarking

/// The program with the benchmarks that need libcurl or a socket. `homeline-bench` runs it with the same arguments.
@main enum NetworkBench {
  static func main() {
    BenchProgram.run([
      BenchEntry("listener", "--port P [CONNECTIONS]: respond to callbacks until the process exits", ListenerEntry.run),
      BenchEntry("fetch", "URL CA: fetch URL and write the body of the response to standard output", FetchEntry.run),
      BenchEntry(
        "accounts", "URL CA DB ACCOUNTS CONNECTIONS TX [PASSES]: refresh many accounts, and report the last pass",
        AccountsEntry.run),
    ])
  }
}
