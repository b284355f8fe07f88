internal import Timeline

/// Describes a medium in text where it cannot be shown.
enum MediaDescription {
  static func of(_ media: Media) -> String {
    switch media.kind {
    case .photo: "photo"
    case .video: "video"
    case .animation: "animation"
    case .audio: "audio"
    case .other: "attachment"
    }
  }

  /// Returns the kind of the medium with its author's description, as in `photo (a cat)`.
  /// - Parameter warning: replaces the description; `nil` if the medium is not covered.
  static func full(of media: Media, coveredBy warning: String? = nil) -> String {
    let seen = SafeText.line(of: warning ?? media.alternativeText ?? "")
    return of(media) + (seen.isEmpty ? "" : " (\(seen))")
  }
}
