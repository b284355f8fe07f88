import Attachments
import Platform
import TestSupport
import Testing

@Suite struct MediaTypeTests {
  private let folder = TemporaryFolder()

  @Test("An audio file whose metadata homeline cannot read is refused")
  func sound() throws {
    let path = try folder.file(Array("OggS".utf8))
    #expect(throws: AttachmentError.unsupportedType(path, .ogg)) { try PostAttachment(path) }
    #expect(try PostAttachment(path, keepsMetadata: true).mediaType == "audio/ogg")
  }

  @Test(
    "A file of an unknown type is refused, without advice on how to send it",
    arguments: [[], [1], Array("<html>".utf8)] as [[UInt8]])
  func unknown(file: [UInt8]) throws {
    let path = try folder.file(file, "picture.jpg")
    let error = #expect(throws: AttachmentError.self) { try PostAttachment(path) }
    #expect(error?.description == "\(path): not a picture, video or sound that homeline knows")
  }

  private static let types: [([UInt8], MediaType)] = [
    (FilmSamples.film(brand: "M4A "), .m4a), (FilmSamples.film(brand: "mp42"), .mp4),
    (FilmSamples.film(brand: "avif"), .avif),
    (Samples.box("ftyp", Array("mif1".utf8), [0, 0, 0, 0], Array("mif1heic".utf8)), .heic),
    (Samples.box("ftyp", Array("mif1".utf8), [0, 0, 0, 0], Array("miaf".utf8)), .heif),
    (Samples.box("moov", []), .quickTime),
    (Array("GIF87a".utf8), .gif), (Array("RIFF1234WAVE".utf8), .wav), (Array("fLaC".utf8), .flac),
    (Array("ID3".utf8), .mp3),
    ([0xFF, 0xFB, 0x90], .mp3), (MatroskaSamples.element([0x1A, 0x45, 0xDF, 0xA3], Array("matroska".utf8)), .matroska),
  ]

  @Test("The type of a file is determined from its content", arguments: types.indices)
  func type(index: Int) throws {
    let (file, type) = Self.types[index]
    #expect(try PostAttachment(folder.file(file, "name.txt"), keepsMetadata: true).type == type)
  }
}
