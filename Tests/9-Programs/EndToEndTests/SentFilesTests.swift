import Glibc
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// What a server receives of files with locations and names, as exiftool and ffprobe see it.
///
/// AttachmentsTests has the details: what each format keeps, and that ffmpeg and Pillow decode the same pictures and sound.
@Suite("Sent files", .timeLimit(.minutes(3))) struct SentFilesTests {
  private static func isInstalled(_ program: String) -> Bool { access("/usr/bin/\(program)", X_OK) == 0 }
  private static let programs = ["ffmpeg", "ffprobe", "exiftool"]

  private static let metadata = ["location=+12.5000+045.2500/", "title=SECRET", "comment=SECRET", "artist=SECRET"]
    .flatMap { ["-metadata", $0] }
  private static let position = [
    "-GPSLatitude=12.5", "-GPSLatitudeRef=N", "-GPSLongitude=45.25", "-GPSLongitudeRef=E", "-Artist=SECRET",
    "-XMP:City=SECRET", "-XMP:GPSLatitude=12.5", "-Comment=SECRET",
  ]
  private static let film = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]

  /// - Parameters:
  ///   - ffmpeg: the options that make the file.
  ///   - exiftool: the options that write more metadata into it; empty for a format that exiftool only reads.
  private static let files: [(name: String, ffmpeg: [String], exiftool: [String])] = [
    ("a.jpg", ["-frames:v", "1", "-an"], position + ["-IPTC:City=SECRET"]),
    ("a.png", ["-frames:v", "1", "-an"], position),
    ("a.webp", ["-frames:v", "1", "-an", "-c:v", "libwebp"], ["-GPSLatitude=12.5", "-XMP:City=SECRET"]),
    ("a.mov", film, ["-Keys:GPSCoordinates=12.5,45.25,3", "-XMP:City=SECRET", "-UserData:Author=SECRET"]),
    ("a.mp4", film + ["-movflags", "use_metadata_tags+faststart"], ["-XMP:City=SECRET", "-ItemList:Author=SECRET"]),
    ("a.webm", ["-c:v", "libvpx", "-c:a", "libvorbis"], []),
  ]

  @Test(
    "exiftool and ffprobe find a location and names in a file, but not in what the server received",
    .enabled(if: programs.allSatisfy(isInstalled), "ffmpeg or exiftool is not installed"))
  func received() async throws {
    let fixture = try await PostingHome(scopes: "write")
    for (name, options, more) in Self.files {
      let made = "\(fixture.home.path)/\(name)"
      let inputs = [
        "-f", "lavfi", "-i", "testsrc=size=64x48:rate=15:duration=1", "-f", "lavfi", "-i", "sine=duration=1",
      ]
      _ = try await run("ffmpeg", ["-v", "error", "-y"] + inputs + options + Self.metadata + [made], fixture)
      if !more.isEmpty { _ = try await run("exiftool", ["-q", "-overwrite_original"] + more + [made], fixture) }
      let outcome = try await fixture.post("ann", "Look.", "--media", made)
      #expect(outcome.code == 0, "\(name): \(outcome.error)")
      let content = try #require(fixture.server.with { $0.uploadedFiles }.last?.content)
      let sent = try fixture.home.file("sent-\(name)", content)
      let (tagsBefore, tagsAfter) = (try await description(of: made, fixture), try await description(of: sent, fixture))
      #expect(tagsBefore.contains("SECRET"), "\(name): no name to remove: \(tagsBefore)")
      #expect(tagsBefore.contains("GPS") || tagsBefore.contains("45.25"), "\(name): no location: \(tagsBefore)")
      for word in ["SECRET", "GPS", "45.25", "ocation", "LOCATION", "City", "Author", "Artist"] {
        #expect(!tagsAfter.contains(word), "\(name): \(word) in \(tagsAfter)")
      }
      let (before, after) = (try await streams(of: made, fixture), try await streams(of: sent, fixture))
      #expect(after.contains("width=64") && after == before, "\(name): \(before) became \(after)")
    }
    #expect(fixture.server.with { $0.uploadedFiles }.count == Self.files.count)
  }

  /// Returns all tags that exiftool and ffprobe find in a file, without its name.
  private func description(of path: String, _ fixture: PostingHome) async throws -> String {
    let tags = try await run("exiftool", ["-ee", "-a", "-u", "-U", "-G1", "-s", path], fixture)
    let probed = try await run(
      "ffprobe", ["-v", "error", "-show_format", "-show_streams", "-show_chapters", path], fixture)
    return (tags + probed).split(separator: "\n").filter { line in
      ![path, "[System]", "chroma_location"].contains { line.contains($0) }
    }
    .joined(separator: "\n")
  }

  /// Returns the streams of a file: the codec, the size and the number of packets of each.
  private func streams(of path: String, _ fixture: PostingHome) async throws -> String {
    try await run(
      "ffprobe",
      [
        "-v", "error", "-count_packets", "-show_entries",
        "stream=codec_name,width,height,sample_rate,channels,nb_read_packets", path,
      ], fixture)
  }

  private func run(_ program: String, _ arguments: [String], _ fixture: PostingHome) async throws -> String {
    let outcome = try await ProgramRun.run(
      "/usr/bin/\(program)", arguments, environment: ProgramRun.environment(home: fixture.home.path))
    try #require(outcome.code == 0, "\(program) \(arguments): \(outcome.output)\(outcome.error)")
    return outcome.output
  }
}
