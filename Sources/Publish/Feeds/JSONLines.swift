/// A post a line, newest first, each the object that stands in `home_timeline.json` (`jsonlines.org`).
enum JSONLines {
  static func bytes(of publication: Publication) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(publication.posts.reduce(0) { $0 + $1.json.count + 1 })
    for post in publication.posts {
      bytes += post.json
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
