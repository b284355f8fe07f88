import Attachments
import Platform
import TestSupport
import Testing

@Suite struct FilmTests {
  private let folder = TemporaryFolder()

  private static let secret = Samples.secret
  private static let track = FilmSamples.Track()

  /// Films with metadata in one place each.
  private static let films: [(place: String, file: [UInt8])] = [
    ("nowhere", FilmSamples.film()),
    ("user data", FilmSamples.film(moov: Samples.box("udta", Samples.box("©xyz", secret), [0, 0, 0, 0]))),
    (
      "an unknown box of a maker in user data",
      FilmSamples.film(moov: Samples.box("udta", Samples.box("NCDT", Samples.box("NCTG", secret))))
    ),
    (
      "a thumbnail in user data",
      FilmSamples.film(moov: Samples.box("udta", Samples.box("CNTH", Samples.box("CNDA", Samples.jpeg))))
    ),
    (
      "keys of QuickTime",
      FilmSamples.film(
        brand: "qt  ",
        moov: Samples.box("meta", Samples.box("hdlr", []), Samples.box("keys", secret), Samples.box("ilst", secret)))
    ),
    ("an unknown box in the description", FilmSamples.film(moov: Samples.box("gps ", secret))),
    ("a uuid box", FilmSamples.film(after: Samples.box("uuid", secret))),
    ("a uuid box in the description", FilmSamples.film(moov: Samples.box("uuid", secret))),
    ("an XMP box", FilmSamples.film(after: Samples.box("XMP_", secret))),
    ("free space", FilmSamples.film(before: Samples.box("free", Samples.box("gps ", secret)))),
    ("skipped space", FilmSamples.film(moov: Samples.box("skip", secret))),
    ("wide space", FilmSamples.film(before: Samples.box("wide", secret))),
    (
      "an XML box", FilmSamples.film(after: Samples.box("meta", [0, 0, 0, 0], Samples.box("xml ", secret)))
    ),
    ("a box with an unknown name", FilmSamples.film(before: Samples.box("abcd", secret))),
    (
      "a box with a 64-bit size",
      FilmSamples.film(after: [0, 0, 0, 1] + Array("mpvd".utf8) + [0, 0, 0, 0, 0, 0, 0, 22] + secret)
    ),
    ("bytes after the last box", FilmSamples.film(after: Array("SEFHSEFT".utf8) + secret)),
    ("bytes between samples", FilmSamples.film(between: secret)),
    ("a track of metadata", FilmSamples.film([track, .sound, .data("meta", "mebx")])),
    ("a track of positions", FilmSamples.film([.data("meta", "gpmd"), track, .sound])),
    ("a track of a camera", FilmSamples.film([.data("camm", "camm"), track])),
    ("a track of text", FilmSamples.film([track, .data("text", "tx3g"), .data("sbtl", "tx3g")])),
    ("a track of times", FilmSamples.film([track, .data("tmcd", "tmcd")])),
    (
      "a small picture of the film",
      FilmSamples.film([track, .init(format: "jpeg", configuration: [], samples: [Samples.jpeg, secret])])
    ),
    (
      "sound for newer players",
      FilmSamples.film([
        track, .sound, .init(handler: "soun", format: "abcd", configuration: secret, samples: [secret, secret]),
      ])
    ),
    (
      "an auxiliary track in an unknown format",
      FilmSamples.film([
        track, .init(handler: "auxv", format: "abcd", configuration: secret, samples: [secret, secret]),
      ])
    ),
    ("boxes of a track", FilmSamples.film([.init(boxes: Samples.box("udta", Samples.box("loci", secret)))])),
    ("references of a track", FilmSamples.film([.init(boxes: Samples.box("tref", Samples.box("cdsc", secret)))])),
    ("a table of samples", FilmSamples.film([.init(tableBoxes: Samples.box("abcd", secret))])),
    (
      "the description of a group",
      FilmSamples.film([.init(tableBoxes: Samples.box("sgpd", [1, 0, 0, 0], Array("SECR".utf8), secret))])
    ),
    ("the end of known boxes", FilmSamples.film([.init(rest: secret)])),
    ("the name of a handler", FilmSamples.film([.init(handlerName: secret)])),
    (
      "the file of the samples",
      FilmSamples.film([.init(location: Samples.box("url ", [0, 0, 0, 0], secret))])
    ),
    (
      "the description of a format",
      FilmSamples.film([.init(configuration: track.configuration + Samples.box("gps ", secret))])
    ),
    (
      "the end of a decoder's configuration",
      FilmSamples.film([
        .init(configuration: Samples.box("avcC", [1, 66, 0, 30, 0xFF, 0xE0, 0], secret))
      ])
    ),
    ("a message between pictures", FilmSamples.film([.init(samples: [[0, 0, 0, 10, 6, 5, 6] + secret + [0x80]])])),
    ("a fragment", FilmSamples.fragmented(hasBase: false)),
    ("a fragment with a base", FilmSamples.fragmented(hasBase: true)),
  ]

  @Test("Only a film's pictures and sound are kept, at their original offsets", arguments: films.indices)
  func cleaned(index: Int) throws {
    let (place, file) = Self.films[index]
    let content = try PostAttachment(folder.file(file)).wholeContent()
    for text in ["SECRET", "TIMETIME", "encoder!", "Exif"] {
      #expect(content.firstRange(of: Array(text.utf8)) == nil, "\(place): \(text)")
    }
    for sample in Self.track.samples + FilmSamples.Track.sound.samples {
      #expect(content.firstRange(of: sample) == file.firstRange(of: sample), "\(place)")
    }
    // Offsets do not change; only bytes after the last box are missing.
    #expect(content.count == file.count - (place == "bytes after the last box" ? 14 : 0))
    #expect(
      zip(file, content).allSatisfy {
        $0 == $1 || $1 == 0 || "free url".utf8.contains($1) || $1 == 0xFF || $1 == 12 || $1 == 1
      })
    #expect(try PostAttachment(folder.file(content)).wholeContent() == content)
    #expect(try PostAttachment(folder.file(file), keepsMetadata: true).wholeContent() == file)
  }

  @Test("A film keeps everything that describes its pictures and sound")
  func described() throws {
    let file = FilmSamples.film()
    let content = try PostAttachment(folder.file(file)).wholeContent()
    for name in ["avcC", "dOps", "stsz", "stco", "stsc", "stts", "vmhd", "smhd", "tkhd", "mdhd", "hdlr", "mvhd"] {
      #expect(content.firstRange(of: Array(name.utf8)) == file.firstRange(of: Array(name.utf8)), "\(name)")
    }
    #expect(content.firstRange(of: Array("free".utf8)) == nil)
  }

  private static let refusedFilms: [(reason: String, file: [UInt8])] = [
    (
      "its description is compressed",
      Samples.box("ftyp", Array("qt  ".utf8)) + Samples.box("moov", Samples.box("cmov", secret))
    ),
    ("format that homeline does not know, jpeg", FilmSamples.film([.init(format: "jpeg", configuration: [])])),
    ("format that homeline does not know, encv", FilmSamples.film([.init(format: "encv", configuration: [])])),
    ("the sound has a format", FilmSamples.film([track, .init(handler: "soun", format: "abcd", configuration: [])])),
    ("no pictures and no sound", FilmSamples.film([.data("meta", "gpmd")])),
    ("no film or picture", Samples.box("ftyp", Array("isom".utf8)) + Samples.box("mdat", secret)),
  ]

  @Test("A film whose parts homeline does not know is refused, with the reason", arguments: refusedFilms.indices)
  func refused(index: Int) throws {
    let (reason, file) = Self.refusedFilms[index]
    let path = try folder.file(file)
    let error = #expect(throws: AttachmentError.self) { try PostAttachment(path) }
    let message = "\(error!)"
    #expect(
      message.contains("may contain a location") && message.contains(reason) && message.contains("--keep-metadata"))
    #expect(error?.exitCode == .badData)
  }

  @Test(
    "The size of uncompressed samples follows from their format",
    arguments: [
      ("sowt", 0, 2, 16, 4), ("twos", 0, 1, 16, 2), ("in24", 0, 2, 16, 6), ("fl64", 0, 1, 16, 8), ("ulaw", 0, 1, 16, 1),
      ("sowt", 1, 2, 16, 4), ("ima4", 0, 1, 16, 34),
    ])
  func uncompressed(format: String, version: UInt8, channels: UInt8, bits: UInt8, size: Int) throws {
    // The table of samples states a size of one byte; ima4 has 64 samples in a packet.
    let count = format == "ima4" ? 64 * 3 : 3
    var description = [UInt8](repeating: 0, count: 28)
    (description[7], description[9], description[17], description[19]) = (1, version, channels, bits)
    if version == 1 { description += [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, UInt8(size), 0, 0, 0, 2] }
    let sound = [UInt8](repeating: 9, count: 3 * size)
    let version: [UInt8] = [0, 0, 0, 0]
    func film(_ offset: Int) -> [UInt8] {
      let table = Samples.box(
        "stbl", Samples.box("stsd", version, Samples.bigEndian(1), Samples.box(format, description)),
        Samples.box(
          "stsc", version, Samples.bigEndian(1), Samples.bigEndian(1), Samples.bigEndian(count), Samples.bigEndian(1)),
        Samples.box("stsz", version, Samples.bigEndian(1), Samples.bigEndian(count)),
        Samples.box("stco", version, Samples.bigEndian(1), Samples.bigEndian(offset)))
      let media = Samples.box(
        "mdia", Samples.box("hdlr", version, version, Array("soun".utf8), [UInt8](repeating: 0, count: 12)),
        Samples.box("minf", table))
      return Samples.box("ftyp", Array("qt  ".utf8)) + Samples.box("moov", Samples.box("trak", media))
    }
    let file = film(film(0).count + 8) + Samples.box("mdat", sound, Self.secret)
    let content = try PostAttachment(folder.file(file)).wholeContent()
    #expect(content == Array(file.dropLast(6)) + [UInt8](repeating: 0, count: 6))
  }

  @Test("A truncated film is refused, wherever it ends")
  func truncated() throws {
    let file = FilmSamples.film()
    // A film that ends after its description is valid, but its samples are missing.
    for length in 0..<file.count {
      let path = try folder.file(Array(file.prefix(length)))
      #expect(throws: AttachmentError.self, "\(length) bytes") { try PostAttachment(path) }
    }
  }

  @Test("Samples outside of the data are refused")
  func outside() throws {
    var file = FilmSamples.film([Self.track])
    let offset = file.firstRange(of: Array("stco".utf8))!.lowerBound + 12
    file.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, 8])
    let path = try folder.file(file)
    #expect(throws: AttachmentError.malformed(path, .mp4, "a sample is not in its data")) { try PostAttachment(path) }
  }

  @Test("Numbers of samples and sizes whose product is too large are refused")
  func large() throws {
    var file = FilmSamples.film([Self.track])
    let sizes = file.firstRange(of: Array("stsz".utf8))!.lowerBound + 8
    file.replaceSubrange(sizes..<sizes + 8, with: [UInt8](repeating: 0xFF, count: 8))
    let runs = file.firstRange(of: Array("stsc".utf8))!.lowerBound + 16
    file.replaceSubrange(runs..<runs + 4, with: [UInt8](repeating: 0xFF, count: 4))
    let path = try folder.file(file)
    #expect(throws: AttachmentError.malformed(path, .mp4, "a size is too large")) { try PostAttachment(path) }
  }

  @Test("The unsent parts of a film with random errors do not influence the sent parts")
  func mutated() throws {
    var generator = SeededGenerator(seed: 31)
    let files =
      Self.films.map(\.file)
      + [
        FilmSamples.heic(), FilmSamples.heic(isInData: true), MatroskaSamples.film(),
        MatroskaSamples.film(isLive: true),
      ]
    var accepted = 0
    for file in files {
      for _ in 0..<12 {
        var bytes = file
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          bytes[bytes.indices.randomElement(using: &generator)!] = [
            0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &generator),
          ].randomElement(using: &generator)!
        }
        guard let content = try? PostAttachment(folder.file(bytes)).wholeContent() else { continue }
        accepted += 1
        #expect(try PostAttachment(folder.file(content)).wholeContent() == content)
        let other = zip(bytes, content).map { $0 != 0 && $1 == 0 ? $0 ^ 0x55 : $0 }
        if let second = try? PostAttachment(folder.file(other)).wholeContent() { #expect(second == content) }
      }
    }
    #expect(accepted > 200)
  }
}
