/// What the page allows itself (CSP Level 3): its own style sheet and script, told by their digests, and pictures on this machine.
///
/// Whatever a post might smuggle in is neither, so it is not obeyed. Nothing is loaded from the network: only a file's page may
/// show files.
enum PagePolicy {
  static let text = [
    "default-src 'none'", "img-src 'self' file: data:", "style-src '\(styleDigest)'", "script-src '\(scriptDigest)'",
    "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  /// The SHA-256 of `PageStyle.text`. Whoever changes that finds the new digest in the words of the test that fails.
  static let styleDigest = "sha256-EPH5qTkMAMH9Nx9CQD6cVYBG93uLrgpwMOircJqmRCM="
  /// The SHA-256 of `PageScript.text`.
  static let scriptDigest = "sha256-k/QTPzU3Y8/AGQ93zHuuhCDoMWZQZ2O2TvLCc+AvGc8="
}
