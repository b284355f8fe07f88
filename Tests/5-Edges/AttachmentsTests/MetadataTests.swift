import Attachments
import TestSupport
import Testing

@Suite struct MetadataTests {
  private let folder = TemporaryFolder()

  @Test("A picture's metadata is removed, except for its orientation", arguments: Samples.strippable.indices)
  func stripped(index: Int) throws {
    let (type, file, expected) = Samples.strippable[index]
    let attachment = try PostAttachment(folder.file(file))
    #expect(attachment.type == type)
    let content = try attachment.wholeContent()
    #expect(content == expected, "\(content)")
    #expect(attachment.size == expected.count)
  }

  @Test("A file without metadata is left unchanged", arguments: Samples.strippable.indices)
  func unchanged(index: Int) throws {
    let file = Samples.strippable[index].2
    #expect(try PostAttachment(folder.file(file)).wholeContent() == file)
  }

  @Test(
    "--keep-metadata sends every file unchanged",
    arguments: [Samples.jpeg, FilmSamples.film(moov: Samples.box("udta", Samples.box("©xyz", [1]))), [1, 2, 3], []])
  func kept(file: [UInt8]) throws {
    let attachment = try PostAttachment(folder.file(file), keepsMetadata: true)
    #expect(try attachment.wholeContent() == file)
    if file.count <= 3 { #expect(attachment.mediaType == "application/octet-stream") }
  }

  @Test("A picture without rotation gets no Exif data", arguments: [0, 1, 9, 255])
  func upright(orientation: UInt8) throws {
    let file = picture(Samples.exifSegment(orientation: orientation))
    #expect(try PostAttachment(folder.file(file)).wholeContent() == picture([]))
  }

  @Test("Both byte orders of Exif data are read", arguments: [true, false])
  func byteOrder(isLittleEndian: Bool) throws {
    let file = picture(Samples.exifSegment(orientation: 6, isLittleEndian: isLittleEndian))
    let content = try PostAttachment(folder.file(file)).wholeContent()
    #expect(content.firstRange(of: Samples.minimalExif) != nil)
    #expect(content.firstRange(of: Samples.secret) == nil)
  }

  @Test("The thumbnail in a JFIF segment is removed")
  func thumbnail() throws {
    let jfif: [UInt8] = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]
    let file = picture(Samples.segment(0xE0, jfif))
    #expect(try PostAttachment(folder.file(file)).wholeContent() == picture(Samples.jfif))
  }

  private static let overlongSegments: [(String, [UInt8], [UInt8])] = [
    ("Adobe", Samples.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + Samples.secret), Samples.adobe),
    ("restart interval", Samples.segment(0xDD, [0, 8] + Samples.secret), Samples.segment(0xDD, [0, 8])),
    ("number of lines", Samples.segment(0xDC, [0, 1] + Samples.secret), Samples.segment(0xDC, [0, 1])),
    (
      "quantisation table", Samples.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64) + Samples.secret),
      Samples.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    ),
    (
      "arithmetic conditioning", Samples.segment(0xCC, [0, 1] + Samples.secret), Samples.segment(0xCC, [0, 1])
    ),
    (
      "profile",
      Samples.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Samples.profileData + Samples.secret),
      Samples.profile
    ),
    ("no profile", Samples.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Samples.secret), []),
    ("hierarchical", Samples.segment(0xDE, Samples.secret), []), ("EXP", Samples.segment(0xDF, Samples.secret), []),
    ("extension", Samples.segment(0xF0, Samples.secret), []), ("JPG", Samples.segment(0xC8, Samples.secret), []),
  ]

  @Test("A known JPEG segment has exactly its defined length; others are removed", arguments: overlongSegments.indices)
  func definedLength(index: Int) throws {
    let (name, segment, expected) = Self.overlongSegments[index]
    let content = try PostAttachment(folder.file(picture(segment))).wholeContent()
    #expect(content == picture(expected), "\(name)")
  }

  @Test(
    "A PNG chunk that is too long is removed, since programs ignore it",
    arguments: ["gAMA", "sRGB", "cHRM", "cICP", "mDCV", "cLLI", "pHYs", "acTL", "sBIT", "bKGD", "hIST", "tRNS", "sPLT"])
  func definedChunkLength(name: String) throws {
    let file = Samples.strippedPNG
    let long = Samples.chunk(name, Samples.secret + Samples.secret)
    let content = try PostAttachment(folder.file(Array(file[..<33]) + long + file[33...])).wholeContent()
    #expect(content == file)
  }

  @Test("Data in the end of a PNG file and the name of its profile are removed")
  func chunkContents() throws {
    let file = Samples.strippedPNG
    let content = try PostAttachment(folder.file(file.dropLast(12) + Samples.chunk("IEND", Samples.secret)))
      .wholeContent()
    #expect(content == file)
    let named = Samples.chunk("iCCP", Samples.secret + [0, 0, 1, 2, 3])
    let profiled = try PostAttachment(folder.file(Array(file[..<33]) + named + file[33...])).wholeContent()
    #expect(profiled.firstRange(of: Samples.secret) == nil)
    #expect(profiled.firstRange(of: Samples.chunk("iCCP", Array("icc\0\0".utf8) + [1, 2, 3])) != nil)
  }

  /// Returns a JPEG file that begins with the given segments.
  private func picture(_ segments: [UInt8]) -> [UInt8] {
    [0xFF, 0xD8] + segments + Samples.tables + Samples.scan + [0xFF, 0xD9]
  }

  private static let malformedFiles: [[UInt8]] = {
    let pngStart = Array(Samples.png.prefix(33))
    let gifStart = Array(Samples.gif.prefix(19))
    let jpegs: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF, 0xD9], [0xFF, 0xD8, 0xFF, 0xDB, 0, 2, 1, 2], [0xFF, 0xD8, 0xFF, 0x02, 0, 2],
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 1], [0xFF, 0xD8, 0xFF, 0xD8],
    ]
    let pngs: [[UInt8]] = [
      Array(Samples.png.prefix(8)) + Samples.chunk("IDAT", [1]), pngStart + Samples.chunk("IEND", []),
      pngStart + Samples.chunk("SECR", [1]), pngStart + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8),
    ]
    let webPs: [[UInt8]] = [
      Samples.riff(Samples.part("EXIF", [])), Samples.riff(Samples.part("VP8X", [])),
      Samples.riff(Samples.part("ANMF", [1])),
      Samples.riff(Array("VP8 ".utf8) + [9, 0, 0, 0]),
    ]
    return jpegs + pngs + webPs + [gifStart + [0x3B], gifStart + [7]]
  }()

  @Test(
    "A malformed picture is refused, with advice on how to send it unchanged", arguments: malformedFiles.indices)
  func malformed(index: Int) throws {
    let path = try folder.file(Self.malformedFiles[index])
    let error = #expect(throws: AttachmentError.self) { try PostAttachment(path) }
    guard let error, case .malformed(path, _, _) = error else { Issue.record("\(String(describing: error))"); return }
    #expect("\(error)".contains("--keep-metadata"))
  }

  @Test("A truncated picture is refused, wherever it ends", arguments: Samples.strippable.indices)
  func truncated(index: Int) throws {
    let file = Samples.strippable[index].2
    for length in 0..<file.count {
      let path = try folder.file(Array(file.prefix(length)))
      #expect(throws: AttachmentError.self, "\(length) bytes") { try PostAttachment(path) }
    }
  }

  @Test(
    "Removing metadata from a damaged picture fails, or leaves nothing for a second removal to change",
    arguments: Samples.strippable.indices)
  func mutated(index: Int) throws {
    let file = Samples.strippable[index].1
    var generator = SeededGenerator(seed: UInt64(index))
    var accepted = 0
    for _ in 0..<1000 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = bytes.indices.randomElement(using: &generator)!
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &generator)))
        default: bytes.insert(contentsOf: bytes.suffix(from: place).prefix(20), at: place)
        }
        if bytes.isEmpty { bytes = file }
      }
      guard let first = try? PostAttachment(folder.file(bytes)) else { continue }
      accepted += 1
      let content = try first.wholeContent()
      #expect(content.count == first.size)
      let second = try PostAttachment(folder.file(content))
      #expect(try second.wholeContent() == content)
    }
    #expect(accepted > 100)
  }
}
