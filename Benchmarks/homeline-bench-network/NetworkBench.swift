internal import Benchmarking

/// The entries that need libcurl or a socket. `homeline-bench` runs this program with the same arguments.
@main enum NetworkBench {
  static func main() {
    BenchProgram.run([
      BenchEntry("listener", "--port P [CONNECTIONS]: answer callbacks until the process is ended", ListenerEntry.run),
      BenchEntry("fetch", "URL CA: fetch URL and write its body to standard output", FetchEntry.run),
      BenchEntry(
        "accounts", "URL CA DB ACCOUNTS CONNECTIONS TX [PASSES]: refresh many accounts, and tell of the last pass",
        AccountsEntry.run),
    ])
  }
}
