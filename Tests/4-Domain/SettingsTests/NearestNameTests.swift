import Testing

@testable import Settings

@Suite struct NearestNameTests {
  private let names = ["refresh_seconds", "keep_posts", "enabled", "file"]

  @Test(
    "for a misspelt name, the intended name is found",
    arguments: [
      ("refresh_second", "refresh_seconds"), ("refesh_seconds", "refresh_seconds"), ("keepposts", "keep_posts"),
      ("keep_psots", "keep_posts"), ("Enabled", "enabled"), ("fil", "file"), ("flie", "file"), ("file", "file"),
    ])
  func near(text: String, expected: String) { #expect(NearestName.of(text, among: names) == expected) }

  @Test(
    "an unrelated word finds no name",
    arguments: ["", "colour", "posts", "xyz", String(repeating: "file", count: 1000)])
  func far(text: String) { #expect(NearestName.of(text, among: names) == nil) }

  @Test("an empty list has no nearest name")
  func none() { #expect(NearestName.of("file", among: []) == nil) }
}
