import Attachments
import TestSupport
import Testing

@Suite struct MatroskaTests {
  private typealias Sample = MatroskaSamples

  private let folder = TemporaryFolder()

  private static let attachment = Sample.element(
    [0x19, 0x41, 0xA4, 0x69], Sample.element([0x61, 0xA7], Sample.element([0x46, 0x5C], Samples.jpeg)))
  private static let films: [(place: String, file: [UInt8])] = [
    ("tags, titles, subtitles and comments", Sample.film()), ("a live recording", Sample.film(isLive: true)),
    ("an attachment", Sample.film(more: attachment)),
    ("chapters", Sample.film(more: Sample.element([0x10, 0x43, 0xA7, 0x70], Samples.secret))),
    ("an unknown element", Sample.film(more: Sample.element([0x42, 0x34], Samples.secret))),
    ("a void element", Sample.film(more: Sample.element([0xEC], Samples.secret))),
    ("the kind of file", Sample.film(kind: "matroska")),
    (
      "a value that is too long",
      Sample.film(
        more: Sample.element([0x1C, 0x53, 0xBB, 0x6B], Sample.element([0xB3], Samples.secret + Samples.secret)))
    ),
    ("no tracks, but an attachment", Sample.film([], [], more: attachment)),
    (
      "FLAC's comments",
      Sample.film(
        Sample.element(
          [0xAE], Sample.element([0xD7], [1]), Sample.element([0x83], [2]),
          Sample.element([0x86], Array("A_FLAC".utf8)),
          Sample.element(
            [0x63, 0xA2], Array("fLaC".utf8) + [0, 0, 0, 34] + [UInt8](repeating: 1, count: 34),
            [0x84, 0, 0, 6] + Samples.secret)))
    ),
    (
      "the end of the description of Opus",
      Sample.film(
        Sample.element(
          [0xAE], Sample.element([0xD7], [1]), Sample.element([0x83], [2]),
          Sample.element([0x86], Array("A_OPUS\0".utf8) + Samples.secret),
          Sample.element([0x63, 0xA2], Array("OpusHead".utf8) + [UInt8](repeating: 0, count: 11), Samples.secret)))
    ),
  ]

  @Test("Only what is needed to play a Matroska film is kept, at its original offsets", arguments: films.indices)
  func cleaned(index: Int) throws {
    let (place, file) = Self.films[index]
    let content = try PostAttachment(folder.file(file)).wholeContent()
    #expect(content.count == file.count)
    #expect(content.firstRange(of: Samples.secret) == nil, "\(place)")
    #expect(content.firstRange(of: Array("Exif".utf8)) == nil, "\(place)")
    #expect(try PostAttachment(folder.file(content)).wholeContent() == content)
    #expect(try PostAttachment(folder.file(file), keepsMetadata: true).wholeContent() == file)
    let block = Sample.block(1, [1, 2, 3])
    #expect(content.firstRange(of: block) == file.firstRange(of: block))
  }

  @Test(
    "Elements that are not sent become void elements of the same size",
    arguments: [2, 3, 127, 128, 129, 130, 16_383, 16_386])
  func void(size: Int) throws {
    let count = size - 2
    let more: [UInt8] =
      size < 129
      ? [0xBF, 0x80 | UInt8(count)] + [UInt8](repeating: 1, count: count)
      : [0xBF, 0x20 | UInt8((count - 2) >> 16), UInt8((count - 2) >> 8 & 0xFF), UInt8((count - 2) & 0xFF)]
        + [UInt8](repeating: 1, count: count - 2)
    let header: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8)
    let segment: [UInt8] = [
      0x18, 0x53, 0x80, 0x67, 0x01, 0, 0, 0, 0, UInt8(more.count >> 16), UInt8(more.count >> 8 & 0xFF),
      UInt8(more.count & 0xFF),
    ]
    let content = try PostAttachment(folder.file(header + segment + more)).wholeContent()
    #expect(content.count == header.count + segment.count + more.count)
    let element = content.dropFirst(header.count + segment.count)
    #expect(element.first == 0xEC)
    // A decoder finds the end of the element from its size.
    let length = element.dropFirst().first!.leadingZeroBitCount + 1
    let value = element.dropFirst().prefix(length).reduce(0) { $0 << 8 | Int($1) } & (1 << (7 * length) - 1)
    #expect(1 + length + value == more.count)
  }

  private static let refusedFilms: [(reason: String, tracks: [UInt8])] = [
    (
      "does not know, V_MJPEG",
      Sample.element(
        [0xAE], Sample.element([0xD7], [1]), Sample.element([0x83], [1]), Sample.element([0x86], Array("V_MJPEG".utf8)))
    ),
    (
      "does not know, V_VP8",
      Sample.element(
        [0xAE], Sample.element([0xD7], [1]), Sample.element([0x83], [1]), Sample.element([0x86], Array("V_VP8".utf8)),
        Sample.element([0x6D, 0x80], Sample.element([0x62, 0x40], Sample.element([0x50, 0x33], [1]))))
    ),
    ("no pictures and no sound", Sample.subtitles),
  ]

  @Test("A Matroska film whose parts homeline does not know is refused", arguments: refusedFilms.indices)
  func refused(index: Int) throws {
    let (reason, tracks) = Self.refusedFilms[index]
    let path = try folder.file(Sample.film(tracks))
    let error = #expect(throws: AttachmentError.self) { try PostAttachment(path) }
    #expect("\(error!)".contains("may contain a location") && "\(error!)".contains(reason), "\(error!)")
  }

  @Test("A truncated Matroska film is refused, wherever it ends")
  func truncated() throws {
    let file = Sample.film()
    for length in 0..<file.count {
      let path = try folder.file(Array(file.prefix(length)))
      #expect(throws: AttachmentError.self, "\(length) bytes") { try PostAttachment(path) }
    }
  }
}
