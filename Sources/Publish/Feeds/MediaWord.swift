internal import Timeline

/// What a medium is called where it is not shown itself.
enum MediaWord {
  static func of(_ media: Media) -> String {
    switch media.kind {
    case .photo: "photo"
    case .video: "video"
    case .animation: "animation"
    case .audio: "audio"
    case .other: "attachment"
    }
  }

  /// With what its author says is to be seen: `photo (a cat)`.
  static func full(of media: Media) -> String {
    let seen = SafeText.line(of: media.alternativeText ?? "")
    return of(media) + (seen.isEmpty ? "" : " (\(seen))")
  }
}
