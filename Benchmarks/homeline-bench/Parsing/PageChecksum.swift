internal import Formats
internal import Timeline

/// A checksum of everything that is read from a response: FNV-1a over all members of each post.
enum PageChecksum {
  static func of(_ page: Page) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func take(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    for entry in page.entries {
      take(entry.key.text.utf8)
      take(PostJSON.bytes(entry.post))
      take(entry.source)
    }
    return String(hash, radix: 16)
  }
}
