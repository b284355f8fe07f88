internal import Benchmarking
internal import Platform
internal import Timeline

/// `parse FILE N` reads the response in FILE N times, and prints the number of posts and a checksum.
enum ParseEntry {
  static func run(_ arguments: inout BenchArguments) throws {
    let body = try File.read(try arguments.next("FILE"), limit: 1 << 30)
    let count = try arguments.nextCount("N")
    try arguments.end()
    let response = try TwitterResponse(body)
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
