internal import Benchmarking

/// Measures homeline's operations with the code of the service. See Benchmarks/README.md.
///
/// The entries that need libcurl or a socket are in another program, so that the other measurements do not include
/// loading them.
@main enum HomelineBench {
  static func main() {
    BenchProgram.run([
      BenchEntry("sign", "CASES_JSON CASE N: sign a request of a file N times", SignEntry.run),
      BenchEntry("parse", "FILE N: make posts of an answer of API v1.1, N times", ParseEntry.run),
      BenchEntry("import", "NDJSON DIR: begin an account below DIR with posts, one a line", ImportEntry.run),
      BenchEntry("refresh", "DIR INCOMING: refresh that account with an answer of API v1.1", RefreshEntry.run),
      BenchEntry(
        "warm", "DIR INCOMING N: the same N times in one process; {k} in INCOMING is 0, 1, ...", WarmEntry.run),
      BenchEntry("fixture", "raw FROM TO | posts N | cases: made-up data for the entries above", FixtureEntry.run),
      BenchEntry("compare", ": a table of these beside the least that the machine can do them with", CompareEntry.run),
      BenchEntry(
        "archive", "[POSTS]: refreshes of a small archive and one of POSTS (100000), and searches", ArchiveEntry.run),
      .elsewhere("listener", "--port P [CONNECTIONS]: answer callbacks until the process is ended"),
      .elsewhere("fetch", "URL CA: fetch URL and write its body to standard output"),
      .elsewhere(
        "accounts", "URL CA DB ACCOUNTS CONNECTIONS TX [PASSES]: refresh many accounts, and tell of the last pass"),
    ])
  }
}
