import Testing

@testable import Settings

@Suite struct AccountNameTests {
  @Test("an account name is safe as a folder name", arguments: ["a", "0", "bird-2.old_x", longest])
  func validNames(name: String) { #expect(AccountName(name)?.text == name) }

  @Test(
    "names that are unsafe as folder names are refused as account names",
    arguments: ["", ".", "..", "-a", ".a", "_sandbox", "a/b", "Bird", "vögel", "a b", "a\0", longest + "a"])
  func invalidNames(name: String) { #expect(AccountName(name) == nil) }

  private static let longest = String(repeating: "a", count: 64)
}
