import Testing

@testable import Login

@Suite("The token of a user who has another account") struct TokenFateTests {
  private func fate(
    sameClient: Bool = true, complete: Bool = true, foreign: Bool = false, needed: Bool = false, alone: Bool = false
  ) -> TokenFate {
    TokenFate(
      isSameClient: sameClient, isComplete: complete, isForeign: foreign, isNeeded: needed, endsAlone: alone)
  }

  @Test("The other account gets it if its keys can use it and no permission is lost")
  func given() {
    #expect(fate() == .given)
    #expect(fate(complete: false, needed: true) == .given)
    #expect(fate(complete: false) == .dropped)
    #expect(fate(complete: false, alone: true) == .revoked)
  }

  @Test("A token of another client is revoked", arguments: [true, false])
  func otherClient(needed: Bool) {
    #expect(fate(sameClient: false, needed: needed) == .revoked)
  }

  @Test("Another program's token is never revoked, and used only if there is no other")
  func foreign() {
    #expect(fate(foreign: true) == .dropped)
    #expect(fate(foreign: true, needed: true) == .given)
    #expect(fate(sameClient: false, foreign: true, needed: true) == .dropped)
  }
}
