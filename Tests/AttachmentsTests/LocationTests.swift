import Attachments
import TestSupport
import Testing

@Suite struct LocationTests {
  private let folder = TemporaryFolder()

  private static let locatedFiles: [[UInt8]] = [
    Samples.film(Samples.box("udta", Samples.box("©xyz", [0, 1, 2]))),
    Samples.film(Samples.box("trak", Samples.box("udta", Samples.box("loci", [0, 1, 2]))), brand: "3gp4"),
    Samples.film(
      Samples.box(
        "meta", Samples.box("hdlr", []), Samples.box("keys", Array("com.apple.quicktime.location.ISO6709".utf8))),
      brand: "qt  "),
    Samples.film(
      Samples.box(
        "trak", Samples.box("mdia", Samples.box("minf", Samples.box("stbl", Samples.box("stsd", Array("camm".utf8))))))),
    Samples.film([]) + Samples.box("uuid", Array("<exif:GPSLatitude>".utf8)),
    Samples.heic(exif: Samples.exif(orientation: 1)),
    Samples.heic(exif: Samples.exif(orientation: 1, isLittleEndian: false), isInData: true),
    Samples.heic(exif: [], xmp: "<exif:GPSLatitude>"),
    Samples.webM("recording_Location"), Samples.webM("ISO6709", unknownSizes: true),
  ]

  @Test("homeline finds a location in a video or a HEIC picture", arguments: locatedFiles.indices)
  func located(index: Int) throws {
    let path = try folder.file(Self.locatedFiles[index])
    let error = #expect(throws: AttachmentError.self) { try PostAttachment(path) }
    guard let error, case .containsLocation(path, _) = error else {
      Issue.record("\(String(describing: error))"); return
    }
    #expect("\(error)".contains("--keep-metadata"))
    #expect(try PostAttachment(path, keepsMetadata: true).wholeContent() == Self.locatedFiles[index])
  }

  private static let plainFiles: [[UInt8]] = [
    Samples.film([]), Samples.film(Samples.box("udta", Samples.box("©nam", [0, 1, 2]), [0, 0, 0, 0])),
    Samples.film([], brand: "qt  "),
    Samples.heic(exif: Array(Samples.minimalExif)), Samples.heic(exif: [], xmp: "<dc:title>", isInData: true),
    Samples.webM("title"), Samples.webM("title", unknownSizes: true),
  ]

  @Test("A video or a HEIC picture without a location is sent unchanged", arguments: plainFiles.indices)
  func plain(index: Int) throws {
    let file = Self.plainFiles[index]
    #expect(try PostAttachment(folder.file(file)).wholeContent() == file)
  }

  @Test("An audio file whose metadata homeline cannot read is rejected")
  func sound() throws {
    let path = try folder.file(Array("OggS".utf8))
    #expect(throws: AttachmentError.unsupportedType(path, .ogg)) { try PostAttachment(path) }
    #expect(try PostAttachment(path, keepsMetadata: true).mediaType == "audio/ogg")
  }

  @Test("A file of an unknown type is rejected", arguments: [[], [1], Array("<html>".utf8)] as [[UInt8]])
  func unknown(file: [UInt8]) throws {
    let path = try folder.file(file, "picture.jpg")
    #expect(throws: AttachmentError.unknownType(path)) { try PostAttachment(path) }
  }

  private static let types: [([UInt8], MediaType)] = [
    (Samples.film([], brand: "M4A "), .m4a), (Samples.film([], brand: "mp42"), .mp4),
    (Samples.film([], brand: "avif"), .avif),
    (Samples.box("ftyp", Array("mif1".utf8), [0, 0, 0, 0], Array("mif1heic".utf8)), .heic),
    (Samples.box("ftyp", Array("mif1".utf8), [0, 0, 0, 0], Array("miaf".utf8)), .heif),
    (Samples.box("moov", []), .quickTime),
    (Array("GIF87a".utf8), .gif), (Array("RIFF1234WAVE".utf8), .wav), (Array("fLaC".utf8), .flac),
    (Array("ID3".utf8), .mp3),
    ([0xFF, 0xFB, 0x90], .mp3), (Samples.element([0x1A, 0x45, 0xDF, 0xA3], Array("matroska".utf8)), .matroska),
  ]

  @Test("The type of a file is determined from its content", arguments: types.indices)
  func type(index: Int) throws {
    let (file, type) = Self.types[index]
    #expect(try PostAttachment(folder.file(file, "name.txt"), keepsMetadata: true).type == type)
  }
}
