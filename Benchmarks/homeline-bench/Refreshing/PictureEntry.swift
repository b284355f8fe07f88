internal import Benchmarking
internal import Glibc
internal import Platform
internal import PublishedFiles
internal import StorageTestSupport
internal import Time
internal import Timeline

/// `picture DIR N` stores N pictures of the page of the account in DIR, as if they had been fetched, and publishes the page with them. Each
/// picture has 61 KB, the average of 326 pictures of a real timeline. It prints the number of bytes that it wrote.
enum PictureEntry {
  private static let size = 61_000

  static func run(_ arguments: inout BenchArguments) throws {
    let home = try arguments.next("DIR")
    let count = try arguments.nextCount("N")
    try arguments.end()
    let account = try MeasuredAccount(below: home, formats: [.html], pictureLimit: 1 << 30)
    guard let media = account.media else { preconditionFailure("the account stores pictures") }
    let wanted = media.missing(try account.publish().pictures ?? [], limit: count)
    guard wanted.count == count else { throw BenchFailure.wrongResult("the page lacks only \(wanted.count) pictures") }
    let before = try WrittenBytes.sinceStart()
    let watch = Stopwatch()
    for (number, url) in wanted.enumerated() {
      guard let claim = media.claim(url), case .stored = media.store(picture(number), of: claim) else {
        throw BenchFailure.wrongResult("the picture \(number) was not stored")
      }
    }
    try account.publishPictures()
    guard media.missing(wanted).isEmpty else { throw BenchFailure.wrongResult("a picture is missing") }
    var figures = Figures()
    figures.add("pictures", count)
    figures.add("bytes", try WrittenBytes.sinceStart() - before)
    figures.add("cpu_us", watch.processorTime)
    figures.print()
    media.close()
    account.close()
  }

  /// Returns the bytes of a JPEG file, of which only the beginning is valid.
  private static func picture(_ number: Int) -> [UInt8] {
    [0xff, 0xd8, 0xff, 0xe0] + (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* (2 &* number &+ 3)) >> 3) }
  }
}
