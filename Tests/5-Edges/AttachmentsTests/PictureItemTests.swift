import Attachments
import TestSupport
import Testing

@Suite struct PictureItemTests {
  private let folder = TemporaryFolder()

  private static let pictures: [[UInt8]] = [
    FilmSamples.heic(), FilmSamples.heic(isInData: true), FilmSamples.heic(rest: Samples.secret),
    FilmSamples.heic() + Samples.box("mpvd", FilmSamples.film(moov: Samples.box("udta", Samples.secret))),
    FilmSamples.heic() + Samples.box("sefd", Samples.secret),
  ]

  @Test(
    "A HEIC picture loses Exif, XMP, and unknown items, properties and names, and nothing moves",
    arguments: pictures.indices)
  func cleaned(index: Int) throws {
    let file = Self.pictures[index]
    let content = try PostAttachment(folder.file(file)).wholeContent()
    #expect(content.count == file.count)
    for text in ["SECRET", "Exif", "mime", "udes", "II*", "City"] {
      #expect(content.firstRange(of: Array(text.utf8)) == nil, "\(text)")
    }
    for text in ["hvc1", "hvcC", "ispe", "irot", "iloc", "ipma", "cdsc"] {
      #expect(content.firstRange(of: Array(text.utf8)) == file.firstRange(of: Array(text.utf8)), "\(text)")
    }
    let data: [UInt8] = [0, 0, 0, 3, 0x26, 1, 9]
    #expect(content.firstRange(of: data) == file.firstRange(of: data))
    #expect(try PostAttachment(folder.file(content)).wholeContent() == content)
  }

  @Test(
    "Exif data that cannot be read is removed like any other",
    arguments: [[], [1], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func unreadable(beginning: [UInt8]) throws {
    var file = FilmSamples.heic()
    let exif = file.firstRange(of: Samples.exif(orientation: 6))!
    file.replaceSubrange(exif.lowerBound..<exif.lowerBound + beginning.count, with: beginning)
    #expect(try PostAttachment(folder.file(file)).wholeContent().firstRange(of: Samples.secret) == nil)
  }

  @Test("A HEIC picture in an unknown format is refused", arguments: ["jpeg", "abcd", "Exif"])
  func unknown(kind: String) throws {
    let path = try folder.file(FilmSamples.heic(primary: kind))
    let error = #expect(throws: AttachmentError.self) { try PostAttachment(path) }
    #expect("\(error!)".contains("may contain a location"))
  }

  @Test("A truncated HEIC picture is refused, wherever it ends", arguments: [true, false])
  func truncated(isInData: Bool) throws {
    let file = FilmSamples.heic(isInData: isInData)
    // The data in `mdat` after the picture is not needed.
    let needed = file.firstRange(of: [0x26, 1, 9])!.upperBound
    for length in 0..<needed {
      let path = try folder.file(Array(file.prefix(length)))
      #expect(throws: AttachmentError.self, "\(length) bytes") { try PostAttachment(path) }
    }
  }
}
