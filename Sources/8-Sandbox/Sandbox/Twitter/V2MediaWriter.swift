internal import JSON

/// Writes pictures and videos as the v2 API does.
enum V2MediaWriter {
  static func key(_ attachment: SandboxPost.Attachment) -> String {
    "\(attachment.isVideo ? "7" : "3")_\(attachment.key)"
  }

  static func write(_ attachment: SandboxPost.Attachment, _ fields: V2Query.Fields, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("media_key", key(attachment))
      writer.member("type", attachment.isVideo ? "video" : "photo")
      if !attachment.isVideo, fields.media.contains("url") {
        writer.member("url", "https://img.example/media/\(attachment.key).png")
      }
      if attachment.isVideo, fields.media.contains("preview_image_url") {
        writer.member("preview_image_url", "https://img.example/video_thumb/\(attachment.key).png")
      }
      if let text = attachment.alternativeText, fields.media.contains("alt_text") { writer.member("alt_text", text) }
      if attachment.isVideo, fields.media.contains("variants") { writeVariants(attachment.key, to: &writer) }
    }
  }

  /// Writes the variants of a video. The best variant is neither first nor last, and one variant has no bit rate.
  private static func writeVariants(_ key: String, to writer: inout JSONWriter) {
    let variants: [(rate: Int?, type: String, name: String)] = [
      (832_000, "video/mp4", "640x360.mp4"), (nil, "application/x-mpegURL", "playlist.m3u8"),
      (2_176_000, "video/mp4", "1280x720.mp4"), (256_000, "video/mp4", "480x270.mp4"),
    ]
    writer.member("variants", list: variants) { writer, variant in
      writer.object { writer in
        if let rate = variant.rate { writer.member("bit_rate", rate) }
        writer.member("content_type", variant.type)
        writer.member("url", "https://video.example/\(key)/\(variant.name)?tag=12")
      }
    }
  }
}
