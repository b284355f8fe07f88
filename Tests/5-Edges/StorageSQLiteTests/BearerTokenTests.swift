import Bytes
import Storage
import Testing
import Time

@Suite("Access tokens for other programs") struct BearerTokenTests {
  private func token(renewAt: Int64?, expiresAt: Int64?) -> BearerToken {
    BearerToken(
      accessToken: Secret("a"), refreshToken: nil, scope: nil, clientID: "c", issuedAt: noon,
      expiresAt: expiresAt.map { noon + .seconds($0) }, renewAt: renewAt.map { noon + .seconds($0) })
  }

  @Test(
    "a program gets a token only if it is not due for renewal and stays valid for another minute",
    arguments: [
      (nil, nil, true), (nil, 60, true), (nil, 59, false), (nil, -1, false), (1, 3600, true), (0, 3600, false),
      (-1, 3600, false), (30, 40, false), (1, nil, true),
    ] as [(Int64?, Int64?, Bool)])
  func isGood(renewAt: Int64?, expiresAt: Int64?, isGood: Bool) {
    #expect(token(renewAt: renewAt, expiresAt: expiresAt).isUsable(at: noon) == isGood)
  }
}
