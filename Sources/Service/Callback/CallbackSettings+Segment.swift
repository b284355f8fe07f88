internal import Settings

extension CallbackSettings {
  /// The same with a segment more in the path; `nil` for none.
  func below(_ segment: String?) -> CallbackSettings {
    guard let segment else { return self }
    var settings = self
    settings.path += (path.hasSuffix("/") ? "" : "/") + segment
    return settings
  }
}
