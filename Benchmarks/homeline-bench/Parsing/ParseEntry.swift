internal import Benchmarking
internal import Platform
internal import Timeline

/// `parse FILE N`: makes posts of the raw answer in FILE, N times, and tells how many posts it has and what came of them.
enum ParseEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let body = try File.read(try arguments.next("FILE"), limit: 1 << 30)
    let count = try arguments.nextCount("N")
    try arguments.end()
    let response = try TwitterAnswer(body)
    let watch = Stopwatch()
    var page = try response.page()
    for _ in 1..<count { page = try response.page() }
    let time = watch.processorTime / Double(count)
    var figures = Figures()
    figures.add("posts", page.entries.count)
    figures.add("checksum", PageChecksum.of(page))
    figures.add("bytes", body.count)
    figures.add("cpu_us", time)
    figures.print()
  }
}
