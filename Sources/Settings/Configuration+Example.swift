extension Configuration {
  /// A short configuration for a new user. `config.example.json` shows all keys.
  package static let example = Array(
    """
    {
      "publish": ["atom", "bar.json", "html"],
      "notify": false,
      "views": {
        "quiet": { "accounts": ["demo"], "reposts": false, "replies": false }
      },
      "accounts": {
        "demo": { "provider": "sandbox", "enabled": false }
      }
    }

    """.utf8)
}
