extension Configuration {
  /// A short configuration for a new user, without accounts: `homeline login` adds them, and the view shows all of them.
  /// `config.example.json` shows all keys.
  package static let example = Array(
    """
    {
      "publish": ["atom", "bar.json", "html"],
      "notify": false,
      "views": {
        "quiet": { "reposts": false, "replies": false }
      },
      "accounts": {}
    }

    """.utf8)
}
