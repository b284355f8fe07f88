internal import HTTP
internal import JSON
internal import Time

/// Writes notifications as Mastodon-compatible servers do.
struct MastodonNotificationWriter {
  let writer: MastodonWriter
  /// The types that the client supports, if it has named them: other notifications get a text that it can show.
  let supportedTypes: [String]

  private var flavour: MastodonFlavour { writer.flavour }

  /// Returns the number behind the id of a notification.
  static func key(_ event: SandboxEvent, _ flavour: MastodonFlavour) -> UInt64 {
    switch flavour {
    case .mastodon, .oldMastodon, .akkoma: event.serial
    case .goToSocial: PostCalendar.id(at: event.createdAt, Int(event.serial & 0x3f_ffff))
    // The time in microseconds.
    case .snac: UInt64(event.createdAt.milliseconds) * 1000
    }
  }

  func json(_ events: [SandboxEvent]) -> [UInt8] {
    var json = JSONWriter()
    json.array { json in for event in events { write(event, to: &json) } }
    return writer.quirks.hostile ? HostileText.spoiled(json.bytes) : json.bytes
  }

  private func write(_ event: SandboxEvent, to json: inout JSONWriter) {
    let id = writer.smallIDs.text(Self.key(event, flavour))
    json.object { json in
      json.member("id", id)
      json.member("type", event.kind.rawValue)
      // snac writes no fractions of seconds.
      json.member("created_at", MastodonTime.text(event.createdAt, decimals: flavour == .snac ? 0 : 3))
      if flavour == .mastodon { json.member("group_key", groupKey(of: event) ?? "ungrouped-\(id)") }
      json.name("account")
      writer.write(event.actor, to: &json)
      if let post = event.post {
        json.name("status")
        writer.write(post, to: &json)
      } else if flavour == .oldMastodon || flavour == .akkoma {
        json.member("status", String?.none)
      }
      if event.kind == .severedRelationships {
        json.name("event")
        writeSeverance(event, to: &json)
      }
      if !supportedTypes.isEmpty, event.kind == .wave, !supportedTypes.contains(event.kind.rawValue) {
        json.name("fallback")
        json.object { json in
          json.member("title", "\(event.actor.name) waved at you")
          json.member("summary", "Your app does not support waves.")
          json.member("details", String?.none)
        }
      }
    }
  }

  /// Returns the key that notifications of one kind about one post share if they are from the same hour.
  private func groupKey(of event: SandboxEvent) -> String? {
    let hour = event.createdAt.seconds / 3600
    switch event.kind {
    case .favourite, .reblog:
      return "\(event.kind.rawValue)-\(event.post.map { writer.ids.text($0.id) } ?? "")-\(hour)"
    case .follow: return "follow-\(hour)"
    default: return nil
    }
  }

  private func writeSeverance(_ event: SandboxEvent, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", String(event.serial))
      json.member("type", "domain_block")
      json.member("purged", false)
      json.member("target_name", "gone.example")
      json.member("followers_count", 2)
      json.member("following_count", 1)
      json.member("created_at", MastodonTime.text(event.createdAt, decimals: 3))
    }
  }
}
