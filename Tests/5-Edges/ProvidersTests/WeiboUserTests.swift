import Bytes
import HTTP
import HTTPClient
import Testing
import Timeline

@testable import Providers

@Suite struct WeiboUserTests {
  /// Returns the user that the next request looks up.
  private func asked(_ body: String, status: Int = 200) throws -> String? {
    guard case .ask(let request) = try WeiboSamples.weibo.userStep(after: Samples.respond(body, status: status)) else {
      throw Samples.NotAPage()
    }
    return request.address.query
  }

  private func user(_ body: String) throws -> User {
    guard case .user(let user) = try WeiboSamples.weibo.userStep(after: Samples.respond(body)) else {
      throw Samples.NotAPage()
    }
    return user
  }

  @Test("the id of the token's user keeps every digit, and the next request looks up that user")
  func info() throws {
    let body = #"{"uid":1000000001,"appkey":"1234567890","scope":null,"create_at":1763500000,"expire_in":157679471}"#
    #expect(try asked(body) == "uid=1000000001")
    #expect(try asked(#"{"uid":9007199254740993}"#) == "uid=9007199254740993")
    #expect(try asked(#"{"uid":"9007199254740993","expire_in":"60"}"#) == "uid=9007199254740993")
  }

  @Test("an expire_in of 0 or less means that the token has expired, and expires_in is ignored")
  func expiry() throws {
    for left in ["-3600", "0", #""-1""#] {
      let error = #expect(throws: ProviderFailure.self) { try asked(#"{"uid":1,"expire_in":\#(left)}"#) }
      #expect(error?.problem.code == .notAuthorised)
    }
    #expect(try asked(#"{"uid":1,"expires_in":-3600}"#) == "uid=1")
  }

  @Test(
    "a token info response without a user id is refused",
    arguments: [#"{"appkey":"1"}"#, #"{"uid":""}"#, #"{"uid":"a"}"#, "[]"])
  func noOwner(body: String) {
    #expect(throws: ProviderFailure.self) { try asked(body) }
  }

  @Test("an expired token is not mistaken for an unreadable response")
  func deadToken() {
    let error = #expect(throws: ProviderFailure.self) {
      try asked(#"{"error":"invalid_access_token","error_code":21332,"request":"/oauth2/get_token_info"}"#, status: 400)
    }
    #expect(error?.problem.code == .notAuthorised)
  }

  @Test("a Weibo user has the larger avatar and the unchanged Chinese name")
  func user() throws {
    let user = try user(WeiboSamples.user)
    #expect(user.id == "1000000001" && user.screenName == "示例用户" && user.name == "示例 & 用户")
    #expect(user.avatarURL == "http://img.example/180/1.jpg")
  }

  @Test("a numeric user id above 2^53 keeps its digits, and a user without an id or a name is refused")
  func ids() throws {
    #expect(try user(#"{"id":9007199254740993,"screen_name":"a"}"#).id == "9007199254740993")
    #expect(try user(#"{"id":7,"screen_name":"a","profile_image_url":"http://i"}"#).avatarURL == "http://i")
    #expect(throws: ProviderFailure.self) { try user(#"{"screen_name":"a"}"#) }
    #expect(throws: ProviderFailure.self) { try user(#"{"id":7}"#) }
  }
}
