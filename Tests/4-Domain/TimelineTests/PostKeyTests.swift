import Testing

@testable import Timeline

@Suite struct PostKeyTests {
  @Test("decimal ids of posts are ordered as numbers, regardless of their length")
  func order() throws {
    let ids = [
      "0", "1", "9", "10", "99", "100", "9007199254740993", "1850000000025165849", "18446744073709551616",
      "99999999999999999999999999999999999999",
    ]
    let keys = try ids.map { try #require(PostKey(decimal: PostID($0))) }
    #expect(keys == keys.sorted())
    #expect(Set(keys).count == keys.count)
  }

  @Test("leading zeros in a post's id make no difference")
  func zeros() { #expect(PostKey(decimal: PostID("0042")) == PostKey(decimal: PostID("42"))) }

  @Test("an id that is not a decimal number has no decimal key", arguments: ["", "a1", "1a", "-1", "1.5", "４２", " 1"])
  func refused(id: String) { #expect(PostKey(decimal: PostID(id)) == nil) }
}
