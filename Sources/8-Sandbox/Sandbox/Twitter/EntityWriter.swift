internal import JSON

/// Writes the entities and the media of a post as the v1.1 API does.
enum EntityWriter {
  static func write(_ text: PostText, of post: SandboxPost, to writer: inout JSONWriter) {
    let entities = text.entities
    writer.name("hashtags")
    writer.array { writer in
      for case (.hashtag(let word), let range) in entities {
        writer.object { writer in
          writer.member("text", word)
          writeIndices(range, to: &writer)
        }
      }
    }
    writer.member("symbols", list: [Int]()) { $0.integer($1) }
    writer.name("user_mentions")
    writer.array { writer in
      for case (.mention(let author), let range) in entities {
        writer.object { writer in
          writer.member("screen_name", author.screenName)
          writer.member("name", author.name)
          writer.member("id", author.id)
          writer.member("id_str", String(author.id))
          writeIndices(range, to: &writer)
        }
      }
    }
    writer.name("urls")
    writer.array { writer in
      for case (.link(let short, let expanded), let range) in entities {
        writer.object { writer in
          let bare = expanded.dropFirst("https://".count)
          writer.member("url", short)
          writer.member("expanded_url", expanded)
          writer.member("display_url", bare.count > 27 ? bare.prefix(26) + "…" : String(bare))
          writeIndices(range, to: &writer)
        }
      }
    }
    // `entities` contains only the first picture, and the thumbnail of a video.
    if entities.contains(where: { if case .media = $0.entity { true } else { false } }) {
      writer.name("media")
      writer.array { writeMedia(0, text, of: post, isExtended: false, to: &$0) }
    }
  }

  static func writeMedia(
    _ index: Int, _ text: PostText, of post: SandboxPost, isExtended: Bool, to writer: inout JSONWriter
  ) {
    let attachment = post.attachments[index]
    let isVideo = attachment.isVideo
    let picture = "img.example/\(isVideo ? "video_thumb" : "media")/\(attachment.key).png"
    writer.object { writer in
      let id = post.id - 1_000 + UInt64(index)
      writer.member("id", id)
      writer.member("id_str", String(id))
      for case (.media(let short), let range) in text.entities {
        writeIndices(range, to: &writer)
        writer.member("url", short)
        writer.member("display_url", "pic.twitter.com/" + short.dropFirst("https://t.co/".count))
      }
      writer.member("expanded_url", "\(post.webAddress)/\(isVideo ? "video" : "photo")/\(index + 1)")
      writer.member("media_url", "http://\(picture)")
      writer.member("media_url_https", "https://\(picture)")
      writer.member("type", isVideo && isExtended ? "video" : "photo")
      writer.member("ext_alt_text", attachment.alternativeText)
      writer.name("sizes")
      writer.object { writer in
        for (name, width, height, resize) in [
          ("thumb", 150, 150, "crop"), ("small", 680, 510, "fit"), ("medium", 1200, 900, "fit"),
          ("large", 2048, 1536, "fit"),
        ] {
          writer.name(name)
          writer.object { writer in
            writer.member("w", width)
            writer.member("h", height)
            writer.member("resize", resize)
          }
        }
      }
      if isVideo, isExtended { writeVideo(attachment.key, to: &writer) }
    }
  }

  /// Writes `video_info`. The best variant is neither first nor last, and one variant has no bit rate.
  private static func writeVideo(_ key: String, to writer: inout JSONWriter) {
    writer.name("video_info")
    writer.object { writer in
      writer.member("aspect_ratio", list: [16, 9]) { $0.integer($1) }
      writer.member("duration_millis", 21_400)
      writer.name("variants")
      writer.array { writer in
        for (rate, type, name) in [
          (832_000, "video/mp4", "640x360.mp4"), (nil, "application/x-mpegURL", "playlist.m3u8"),
          (2_176_000, "video/mp4", "1280x720.mp4"), (256_000, "video/mp4", "480x270.mp4"),
        ] {
          writer.object { writer in
            if let rate { writer.member("bitrate", rate) }
            writer.member("content_type", type)
            writer.member("url", "https://video.example/\(key)/\(name)?tag=12")
          }
        }
      }
    }
  }

  private static func writeIndices(_ range: Range<Int>, to writer: inout JSONWriter) {
    writer.member("indices", list: [range.lowerBound, range.upperBound]) { $0.integer($1) }
  }
}
