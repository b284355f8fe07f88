/// An entity tag (RFC 9110 §8.8.3) for a page of posts.
struct ContentTag {
  let text: String

  init(_ ids: [UInt64], isExtended: Bool) {
    var dice = Dice(isExtended ? 2 : 1, UInt64(ids.count))
    for id in ids { dice.stir(id) }
    text = "\"\(String(dice.next(), radix: 36))\""
  }
}
