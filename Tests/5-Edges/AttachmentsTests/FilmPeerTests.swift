import Attachments
import Glibc
import TestSupport
import Testing

/// Films. ffmpeg makes, decodes and compares them; exiftool looks for metadata in them.
@Suite struct FilmPeerTests {
  private static func isInstalled(_ program: String) -> Bool { access("/usr/bin/\(program)", X_OK) == 0 }

  private let folder = TemporaryFolder()

  private static let metadata = ["location=+12.5000+045.2500/", "title=SECRET", "comment=SECRET", "artist=SECRET"]
    .flatMap { ["-metadata", $0] }
  private static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "15"]

  private static let films: [(name: String, options: [String])] = [
    ("film.mp4", h264 + ["-c:a", "aac", "-c:s", "mov_text"]),
    ("tags.mp4", h264 + ["-c:a", "aac", "-sn", "-movflags", "use_metadata_tags+faststart"]),
    ("film.mov", h264 + ["-c:a", "alac", "-sn", "-timecode", "01:02:03:04"]),
    ("uncompressed.mov", ["-c:v", "prores_ks", "-c:a", "pcm_s16le", "-sn"]),
    (
      "fragments.mp4",
      h264 + ["-c:a", "aac", "-c:s", "mov_text", "-movflags", "frag_keyframe+empty_moov+default_base_moof"]
    ),
    ("bases.mp4", h264 + ["-c:a", "aac", "-sn", "-movflags", "frag_keyframe"]),
    ("film.mkv", h264 + ["-c:a", "flac", "-c:s", "srt"]),
    ("film.webm", ["-c:v", "libvpx", "-c:a", "libvorbis", "-sn"]),
    ("live.mkv", h264 + ["-c:a", "libopus", "-c:s", "srt", "-live", "1"]),
    ("sound.m4a", ["-vn", "-c:a", "aac", "-sn"]),
  ]

  @Test(
    "ffmpeg decodes the same pictures and sound after homeline has removed the metadata, and exiftool finds none",
    .enabled(if: isInstalled("ffmpeg") && isInstalled("exiftool"), "ffmpeg or exiftool is not installed"),
    arguments: films.indices)
  func decoded(index: Int) async throws {
    let (name, options) = Self.films[index]
    let text = try folder.file(Array("1\n00:00:00,000 --> 00:00:00,900\nSECRET\n".utf8), "text.srt")
    let (made, sent) = (folder.path + "/" + name, folder.path + "/sent-" + name)
    let inputs = [
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=15:duration=1", "-f", "lavfi", "-i",
      "sine=duration=1:sample_rate=48000",
      "-i", text, "-map", "0", "-map", "1", "-map", "2",
    ]
    _ = try await run("ffmpeg", ["-v", "error", "-y"] + inputs + options + Self.metadata + [made])
    let content = try PostAttachment(made).wholeContent()
    _ = try TemporaryFolder.write(content, to: sent)
    for text in ["SECRET", "12.5", "x264"] {
      #expect(content.firstRange(of: Array(text.utf8)) == nil, "\(text)")
    }
    for stream in name.hasSuffix(".m4a") ? ["0:a"] : ["0:v", "0:a"] {
      let compare = { (path: String) in
        try await run("ffmpeg", ["-v", "error", "-i", path, "-map", stream, "-f", "framemd5", "-"])
      }
      let expected = try await compare(made)
      #expect(expected.count > 100)
      #expect(try await compare(sent) == expected)
    }
    let tags = try await run("exiftool", ["-ee", "-a", "-u", "-G1", "-s", sent])
    for tag in ["GPS", "Location", "Title", "Comment", "Artist", "SECRET", "[ItemList]", "[UserData]", "[Keys]"] {
      #expect(!tags.contains(tag), "\(tags)")
    }
  }

  private func run(_ program: String, _ arguments: [String]) async throws -> String {
    let outcome = try await ProgramRun.run(
      "/usr/bin/\(program)", arguments, environment: ProgramRun.environment(home: folder.path))
    try #require(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    return outcome.output
  }
}
