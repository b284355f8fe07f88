internal import Benchmarking

/// Measures homeline's operations with the code of the service. See Benchmarks/README.md.
///
/// The benchmarks that need libcurl or a socket are in another program, so that other measurements do not include the
/// time for loading these libraries.
@main enum HomelineBench {
  static func main() {
    BenchProgram.run([
      BenchEntry("sign", "CASES_JSON CASE N: sign a request from a file N times", SignEntry.run),
      BenchEntry("parse", "FILE N: read the posts of a response of API v1.1 N times", ParseEntry.run),
      BenchEntry("import", "NDJSON DIR: create an account below DIR from posts, one per line", ImportEntry.run),
      BenchEntry(
        "refresh", "DIR INCOMING: refresh the account below DIR with a response of API v1.1", RefreshEntry.run),
      BenchEntry(
        "warm", "DIR INCOMING N: refresh N times in one process; {k} in INCOMING is 0, 1, ...", WarmEntry.run),
      BenchEntry(
        "open", "DIR INCOMING N: open N accounts below DIR, creating missing ones, and refresh each once", OpenEntry.run
      ),
      BenchEntry(
        "replay", "DIR json|all quiet|post|day N: refresh N times as a service does, and count what is written",
        ReplayEntry.run),
      BenchEntry("renew", "DIR N: renew the token of the account below DIR N times, without requests", RenewEntry.run),
      BenchEntry(
        "picture", "DIR N: store N pictures of the page of the account below DIR, and publish the page",
        PictureEntry.run
      ),
      BenchEntry("fixture", "raw FROM TO | posts N | cases: generated data for the benchmarks above", FixtureEntry.run),
      BenchEntry("compare", ": compare the cost of operations with the lowest possible cost", CompareEntry.run),
      BenchEntry(
        "archive", "[POSTS]: refresh and search a small archive and an archive of POSTS (100000)", ArchiveEntry.run),
      .elsewhere("listener", "--port P [CONNECTIONS]: respond to callbacks until the process exits"),
      .elsewhere("fetch", "URL CA: fetch URL and write the body of the response to standard output"),
      .elsewhere(
        "accounts", "URL CA DB ACCOUNTS CONNECTIONS TX [PASSES]: refresh many accounts, and report the last pass"),
    ])
  }
}
