/// A word that people type instead of a server's name, although it is the name of a program, a network or a service.
struct ServerWord {
  /// A sentence that states what to type instead, or that the service is not supported.
  let advice: String

  /// Returns the word that a string or a host name is, ignoring case; `nil` if it is none.
  init?(_ text: String) {
    let word = text.lowercased()
    if let software = Self.software[word] {
      advice = "\(software) runs on many servers. Use the name of yours, as in: homeline login social.example"
    } else if let service = Self.unsupported[word] {
      advice =
        "\(service) is not supported yet. homeline login, without a name, lists what is"
    } else if word == "demo" || word == "sandbox" {
      advice = "to try homeline without an account: homeline demo"
    } else {
      return nil
    }
  }

  /// Programs and networks that have many servers and support accounts.
  private static let software = [
    "mastodon": "Mastodon", "gotosocial": "GoToSocial", "pleroma": "Pleroma", "akkoma": "Akkoma", "snac": "snac",
    "friendica": "Friendica", "pixelfed": "Pixelfed", "mitra": "Mitra", "hometown": "Hometown",
    "gnusocial": "GNU social", "gnu-social": "GNU social", "fediverse": "The fediverse",
    "activitypub": "The fediverse",
  ]

  /// Services without an API that homeline supports, by their names and hosts.
  private static let unsupported = [
    "bluesky": "Bluesky", "bsky": "Bluesky", "bsky.social": "Bluesky", "bsky.app": "Bluesky", "atproto": "Bluesky",
    "threads": "Threads", "threads.net": "Threads", "threads.com": "Threads", "instagram": "Instagram",
    "instagram.com": "Instagram", "facebook": "Facebook", "facebook.com": "Facebook", "linkedin": "LinkedIn",
    "linkedin.com": "LinkedIn", "reddit": "Reddit", "reddit.com": "Reddit", "tumblr": "Tumblr",
    "tumblr.com": "Tumblr", "misskey": "Misskey", "nostr": "Nostr", "lemmy": "Lemmy",
  ]
}
