/// A track of a film: its format, and where its samples are (ISO/IEC 14496-12 §8.7).
struct FilmTrack {
  var id = 0
  /// The kind of track, such as `vide` and `soun`.
  var handler = ""
  /// The formats of the samples. Most tracks have one.
  var formats: [String] = []
  /// A format that homeline does not know.
  var unknownFormat: String?
  /// How the samples are divided into units, in H.264 and H.265.
  var units: NALUnits?
  /// The sizes of samples in old sound formats, because `stsz` does not state them.
  var packets: Packets?

  /// The size of all samples; zero if their sizes differ.
  var constantSize = 0
  var sampleCount = 0
  /// The sizes of the samples if they differ.
  var sizes: [UInt32] = []
  /// The first chunk, counted from 1, with this number of samples.
  var runs: [(chunk: Int, samples: Int)] = []
  /// The offset of each chunk of samples.
  var chunks: [Int] = []

  struct Packets {
    let samples: Int
    let bytes: Int
    /// Whether the format is uncompressed: `stsz` then never states a size.
    let isUncompressed: Bool
  }

  /// Whether the track has pictures or sound.
  var isMedia: Bool { ["vide", "pict", "auxv", "soun"].contains(handler) }

  /// Whether the track is sent.
  var isKept: Bool { isMedia && unknownFormat == nil && !formats.isEmpty }

  /// Returns the range of each chunk.
  /// - Throws: `.malformed` for tables that contradict each other.
  func ranges() throws(ScanError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var sample = 0
    var run = -1
    for (index, offset) in chunks.enumerated() {
      while run + 1 < runs.count, runs[run + 1].chunk <= index + 1 { run += 1 }
      guard run >= 0 else { throw .malformed("a table of samples is wrong") }
      let count = min(runs[run].samples, sampleCount - sample)
      let (end, overflow) = offset.addingReportingOverflow(try size(from: sample, count: count))
      guard !overflow else { throw .malformed("an offset is too large") }
      ranges.append(offset..<end)
      sample += count
    }
    return ranges
  }

  /// Returns the number of bytes of consecutive samples.
  private func size(from first: Int, count: Int) throws(ScanError) -> Int {
    if let packets, packets.isUncompressed || constantSize == 1 {
      return try Self.product((count + packets.samples - 1) / packets.samples, packets.bytes)
    }
    if constantSize > 0 { return try Self.product(count, constantSize) }
    guard first + count <= sizes.count else { throw .malformed("a table of samples is wrong") }
    return sizes[first..<first + count].reduce(0) { $0 + Int($1) }
  }

  /// Multiplies a number of samples by their size.
  /// - Throws: `.malformed` for a product that is too large.
  static func product(_ count: Int, _ size: Int) throws(ScanError) -> Int {
    let (product, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow else { throw .malformed("a size is too large") }
    return product
  }
}
