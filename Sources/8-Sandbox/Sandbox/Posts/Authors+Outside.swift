extension Author {
  /// The authors in an exclusive list: the user follows them, but their posts are only in the list.
  static let exclusive: [Author] = [
    Author(
      id: 14_000_301, screenName: "tide_table", name: "Tide Table", location: "Pier 3",
      description: "High water, low water, twice a day.", language: "en",
      things: ["the north pier", "the sandbank", "the old mole", "the ferry ramp"],
      notes: [
        "High water at {x} in {n} h {m} min.", "Low water. {m} gulls & one boot at {x}.",
        "Spring tide tomorrow: keep off {x}. #tides", "Tables for {x}: {link}",
      ],
      responses: ["Only at low water.", "Ask again in six hours."],
      pictures: ["Wet sand with the tracks of a gull"]),
    Author(
      id: 14_000_302, screenName: "nachtradio", name: "Nachtradio 📻", location: "Mittelwelle",
      description: "Musik und Wetter für alle, die wach sind.", language: "de",
      things: ["Walzer", "Jazz", "Seewetter", "Hörspiel"],
      notes: [
        "Gleich: {x}, danach {n} Minuten Stille.", "Es ist 2 Uhr {m}. Wer ist noch wach? #nachtradio",
        "{x} zum Nachhören: {link}", "Senderausfall für {n} Sekunden. Es war die Katze.",
      ],
      responses: ["Das spielen wir gleich.", "Grüße zurück!"],
      pictures: ["Ein Röhrenradio im Dunkeln"]),
  ]

  /// The authors that the user does not follow.
  static let strangers: [Author] = [
    Author(
      id: 14_000_401, screenName: "ida_maps", name: "Ida Karten", location: "Grid C4",
      description: "Draws maps of small places.", language: "en",
      things: ["the allotments", "platform 4", "a staircase", "the lake path"],
      notes: [
        "New map of {x}, {n} colours: {link}", "Walked {m} km to measure {x}. It is longer than it looks. #trains",
        "Everything north of {x} is guessed & marked as such.",
      ],
      responses: [
        "is this still the way to {x}?", "thank you for the map of {x}!", "you were right about {x}.",
      ],
      pictures: ["A hand-drawn map of a harbour"]),
    Author(
      id: 14_000_402, screenName: "sora_neko", name: "そら", location: "屋根の上", description: "屋根から見た空と猫。",
      language: "ja", things: ["雲", "夕焼け", "月", "隣の猫"],
      notes: ["屋根の上から{x}が見えます。#猫", "今日の{x}：{n}点。", "{x}の写真をまとめました：{link}"],
      responses: ["{x}、見ましたか？", "ありがとうございます☕"],
      pictures: ["屋根の上の白い猫"]),
    Author(
      id: 14_000_403, screenName: "comet_hunter", name: "Comet Hunter ☄️", location: "Field 7",
      description: "Looks up, writes down.", language: "en",
      things: ["a faint comet", "the Pleiades", "two meteors", "Saturn"],
      notes: [
        "{x} at {m}° above the trees. #astronomy", "{n} hours of clouds, then {x} for a minute ✨",
        "Drawings of {x}: {link} #astronomy",
      ],
      responses: ["did you see {x} too?", "come & look at {x} on Friday."],
      pictures: ["A pencil drawing of a comet"]),
  ]

  /// All accounts on the simulated servers.
  static let everyone = [mira] + writers + exclusive + strangers

  /// Returns whether the author's own texts contain a hashtag.
  /// - Parameter tag: the tag in lower case, without its `#`.
  func uses(tag: String) -> Bool {
    (notes + responses + essays).contains { $0.lowercased().contains("#" + tag) }
  }
}
