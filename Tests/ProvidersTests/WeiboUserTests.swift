import CivilTime
import Providers
import Testing
import Timeline

@Suite struct WeiboUserTests {
  private func info(_ body: String, status: Int = 200) throws -> WeiboTokenInfo {
    try WeiboSamples.weibo.tokenInfo(from: Samples.answer(body, status: status))
  }

  private func user(_ body: String) throws -> User { try WeiboSamples.weibo.user(from: Samples.answer(body)) }

  @Test("a token's owner is read, whatever the numbers are written as")
  func info() throws {
    let info = try info(
      #"{"uid":1000000001,"appkey":"1234567890","scope":null,"create_at":1763500000,"expire_in":157679471}"#)
    #expect(info.userID == "1000000001" && info.appKey == "1234567890" && info.scope == nil)
    #expect(info.createdAt == Timestamp(seconds: 1_763_500_000) && info.expiresIn == 157_679_471)
    #expect(!info.hasExpired)
    let texts = try self.info(
      #"{"uid":"9007199254740993","appkey":1234567890,"scope":"email","create_at":"1763500000","expire_in":"60"}"#)
    #expect(texts.userID == "9007199254740993" && texts.appKey == "1234567890" && texts.scope == "email")
    #expect(texts.createdAt == info.createdAt && texts.expiresIn == 60)
  }

  @Test("a token that has expired is one with less than nothing left; with an `s` it would say something else")
  func expiry() throws {
    #expect(try info(#"{"uid":1,"expire_in":-3600}"#).hasExpired)
    #expect(try info(#"{"uid":1,"expire_in":-3600}"#).expiresIn == -3600)
    #expect(try info(#"{"uid":1,"expires_in":-3600}"#).expiresIn == nil)
    #expect(try !info(#"{"uid":1}"#).hasExpired)
  }

  @Test(
    "an answer that names no owner is none", arguments: [#"{"appkey":"1"}"#, #"{"uid":""}"#, #"{"uid":"a"}"#, "[]"])
  func noOwner(body: String) {
    #expect(throws: ProviderError.self) { try info(body) }
  }

  @Test("a dead token is told apart from an answer that cannot be read")
  func deadToken() {
    let error = #expect(throws: ProviderError.self) {
      try info(#"{"error":"invalid_access_token","error_code":21332,"request":"/oauth2/get_token_info"}"#, status: 400)
    }
    #expect(error?.problem.code == .notAuthorised)
  }

  @Test("a user comes with the larger picture, and with the Chinese name as it is")
  func user() throws {
    let user = try user(WeiboSamples.user)
    #expect(user.id == "1000000001" && user.screenName == "示例用户" && user.name == "示例 & 用户")
    #expect(user.avatarURL == "http://img.example/180/1.jpg")
  }

  @Test("a numeric id above 2^53 keeps its digits, and a user without either is none")
  func ids() throws {
    #expect(try user(#"{"id":9007199254740993,"screen_name":"a"}"#).id == "9007199254740993")
    #expect(try user(#"{"id":7,"screen_name":"a","profile_image_url":"http://i"}"#).avatarURL == "http://i")
    #expect(throws: ProviderError.self) { try user(#"{"screen_name":"a"}"#) }
    #expect(throws: ProviderError.self) { try user(#"{"id":7}"#) }
  }
}
