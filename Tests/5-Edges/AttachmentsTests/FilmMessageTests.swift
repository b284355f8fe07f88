import Attachments
import TestSupport
import Testing

/// Messages between the pictures of H.264 and H.265 (SEI).
@Suite struct FilmMessageTests {
  private let folder = TemporaryFolder()

  private static let picture: [UInt8] = [0, 0, 0, 3, 0x65, 1, 2]

  private static func unit(_ bytes: [UInt8]) -> [UInt8] { Samples.bigEndian(bytes.count) + bytes }

  private static let filler = unit([12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x80])

  /// Messages of H.264, and what is sent instead.
  private static let messages: [(message: [UInt8], expected: [UInt8])] = [
    // Unregistered and registered user data, and an unknown kind.
    (unit([6, 5, 6] + Samples.secret + [0x80]), filler), (unit([6, 4, 6] + Samples.secret + [0x80]), filler),
    (unit([6, 200, 6] + Samples.secret + [0x80]), filler),
    // A unit that is reserved or for any use, and one that is not only filler data.
    (unit([24, 5, 6] + Samples.secret + [0x80]), filler), (unit([31, 5, 6] + Samples.secret + [0x80]), filler),
    (unit([12, 0xFF] + Samples.secret + [0xFF, 0x80]), filler),
    // A known message before an unknown one, and bytes after the last message.
    (unit([6, 6, 1, 0x80, 5, 3, 1, 2, 3, 0x80]), filler), (unit([6, 6, 1, 0x80, 0x80, 1, 2, 3, 4, 5]), filler),
    // A message that is longer than its unit, and one whose size has no end.
    (unit([6, 6, 9, 1, 2, 3, 4, 5, 6, 0x80]), filler), (unit([6, 6] + [UInt8](repeating: 255, count: 8)), filler),
    // The recovery point, the picture's timing with a byte that prevents a start code, and the brightness of scenes.
    (unit([6, 6, 1, 0x80, 0x80]), unit([6, 6, 1, 0x80, 0x80])),
    (unit([6, 1, 4, 0, 0, 3, 1, 2, 0x80]), unit([6, 1, 4, 0, 0, 3, 1, 2, 0x80])),
    (unit([6, 4, 7, 0xB5, 0, 0x3C, 0, 1, 4, 9, 0x80]), unit([6, 4, 7, 0xB5, 0, 0x3C, 0, 1, 4, 9, 0x80])),
  ]

  @Test("Messages that decoders do not need become filler data", arguments: messages.indices)
  func film(index: Int) throws {
    let (message, expected) = Self.messages[index]
    let file = FilmSamples.film([.init(samples: [message + Self.picture, Self.picture])])
    let content = try PostAttachment(folder.file(file)).wholeContent()
    #expect(content.suffix(message.count + 14) == expected + Self.picture + Self.picture)
    #expect(content.count == file.count)
  }

  @Test("Messages in Matroska films and in H.265 are also removed")
  func matroska() throws {
    let configuration: [UInt8] = [UInt8](repeating: 1, count: 21) + [0xFF, 0]
    let track = MatroskaSamples.element(
      [0xAE], MatroskaSamples.element([0xD7], [1]), MatroskaSamples.element([0x83], [1]),
      MatroskaSamples.element([0x86], Array("V_MPEGH/ISO/HEVC".utf8)),
      MatroskaSamples.element([0x63, 0xA2], configuration))
    let picture = Self.unit([0x26, 1, 7, 7])
    let message = Self.unit([0x4E, 1, 5, 6] + Samples.secret + [0x80])
    let file = MatroskaSamples.film(track, MatroskaSamples.block(1, message + picture))
    let content = try PostAttachment(folder.file(file)).wholeContent()
    #expect(content.firstRange(of: Samples.secret) == nil)
    #expect(
      content.firstRange(of: Self.unit([0x4C, 1] + [UInt8](repeating: 0xFF, count: 8) + [0x80]) + picture) != nil)
  }

  @Test("Messages in the description of H.265 are removed, and parameter sets are kept")
  func description() throws {
    // Two arrays of units: parameter sets, and messages.
    let configuration: [UInt8] =
      [UInt8](repeating: 1, count: 21) + [0xFF, 2] + [0x21, 0, 1, 0, 3, 0x42, 1, 9] + [
        0x27, 0, 1, 0, 10, 0x4E, 1, 5, 6,
      ]
      + Samples.secret
    let track = FilmSamples.Track(format: "hvc1", configuration: Samples.box("hvcC", configuration))
    let file = FilmSamples.film([track])
    let content = try PostAttachment(folder.file(file)).wholeContent()
    let expected =
      Array(configuration[..<(configuration.count - 10)]) + [0x4C, 1] + [UInt8](repeating: 0xFF, count: 7) + [0x80]
    #expect(content.firstRange(of: Samples.box("hvcC", expected)) != nil)
  }

  @Test("A unit that is longer than its samples is refused")
  func tooLong() throws {
    let path = try folder.file(FilmSamples.film([.init(samples: [[0, 0, 0, 9, 6, 5, 1]])]))
    let error = #expect(throws: AttachmentError.self) { try PostAttachment(path) }
    guard case .malformed? = error else { Issue.record("\(String(describing: error))"); return }
  }
}
