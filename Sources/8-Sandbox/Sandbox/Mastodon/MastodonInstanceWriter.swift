internal import HTTP
internal import JSON

/// The parts of the server's description of itself that clients read.
enum MastodonInstanceWriter {
  static func v1(_ flavour: MastodonFlavour, host: String) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("uri", host)
      writer.member("title", "The sandbox")
      writer.member("short_description", "")
      writer.member("description", "")
      writer.member("email", "")
      writer.member("version", flavour.version)
      writer.member("languages", list: ["en"]) { $0.string($1) }
      if flavour == .akkoma { writer.member("max_toot_chars", flavour.longestPost) }
      writer.name("configuration")
      writer.object { writeLimits(flavour, to: &$0) }
      for name in ["registrations", "approval_required", "invites_enabled"] { writer.member(name, false) }
      writer.name("urls")
      writer.object { $0.member("streaming_api", "wss://\(host)") }
      writer.name("stats")
      writer.object { writer in
        for name in ["user_count", "status_count", "domain_count"] { writer.member(name, 1) }
      }
      writer.member("rules", list: [Int]()) { $0.integer($1) }
    }
    return Response(json: writer.bytes)
  }

  static func v2(_ flavour: MastodonFlavour, host: String, _ quirks: MastodonQuirks) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("domain", host)
      writer.member("title", "The sandbox")
      writer.member("version", flavour.version)
      if flavour == .mastodon {
        writer.name("api_versions")
        writer.object { $0.member("mastodon", 7) }
      }
      writer.member("source_url", flavour.source)
      writer.member("description", "")
      writer.member("languages", list: ["en"]) { $0.string($1) }
      writer.name("configuration")
      writer.object { writer in
        writer.name("urls")
        writer.object { $0.member("streaming", "wss://\(host)") }
        if flavour == .mastodon { writeAccess(tags: quirks.disablesTags ? "disabled" : "public", to: &writer) }
        writeLimits(flavour, to: &writer)
      }
      writer.member("rules", list: [Int]()) { $0.integer($1) }
    }
    return Response(json: writer.bytes)
  }

  /// Writes who may read which timelines.
  private static func writeAccess(tags: String, to writer: inout JSONWriter) {
    writer.name("timelines_access")
    writer.object { writer in
      for (feeds, access) in [("live_feeds", "public"), ("hashtag_feeds", tags), ("trending_link_feeds", "public")] {
        writer.name(feeds)
        writer.object { writer in for name in ["local", "remote"] { writer.member(name, access) } }
      }
    }
  }

  /// Writes the limits on posts and files, as members of `configuration`.
  private static func writeLimits(_ flavour: MastodonFlavour, to writer: inout JSONWriter) {
    writer.name("statuses")
    writer.object { writer in
      writer.member("max_characters", flavour.longestPost)
      writer.member("max_media_attachments", MastodonUploads.maximumCount)
      if flavour != .akkoma { writer.member("characters_reserved_per_url", MastodonFlavour.addressLength) }
    }
    writer.name("media_attachments")
    writer.object { writer in
      writer.member("supported_mime_types", list: MastodonUploads.types) { $0.string($1) }
      writer.member("description_limit", MastodonUploads.descriptionLength)
      writer.member("image_size_limit", MastodonUploads.imageSize)
      writer.member("video_size_limit", MastodonUploads.videoSize)
    }
  }

  /// Returns the metadata (RFC 8414), with Mastodon's own member for the registration endpoint.
  static func metadata(_ server: OAuth2Server, base: String) -> Response {
    var response = server.metadata(base: base)
    response.body.removeLast()
    response.body += Array(#","app_registration_endpoint":"\#(base)\#(MastodonRoute.apps.rawValue)"}"#.utf8)
    return response
  }
}
