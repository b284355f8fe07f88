import Drive
import HomelineOAuth
import Posting
import Time
import Timeline

@testable import Providers

/// What is asked, as a column of the table in docs/reference/responses.md.
enum Asked: String, CaseIterable, Sendable {
  case timeline, renewal, post, upload, singlePost = "one post", ownPosts = "own posts", revocation
}

/// What a response means, as that table says it.
enum Meaning: String, Sendable {
  case later = "later"
  case givenTime = "at the given time"
  case checked = "later, if the user's own address is not refused too"
  case unknown = "may be published"
  case login = "log in again"
  case waitsForLogin = "waits for a login"
  case closed = "closed"
  case gone = "deleted"
  case refused = "refused"
  case notRevoked = "not revoked"
  case revoked
  case configuration = "check the configuration"
  case accepted
}

extension Provider {
  /// Returns the meaning of a response; nil if the provider does not ask for this.
  func meaning(of received: ReceivedResponse, for asked: Asked) -> Meaning? {
    let response = received.response
    let poster = self as? any PostingProvider
    switch asked {
    case .timeline:
      guard hasTimeline else { return nil }
      return failure { () throws(ProviderFailure) in _ = try page(from: response, for: TimelineQuery(count: 20)) }
        .map { response.isEmptyUnauthorized ? .checked : Self.meaning(of: $0) } ?? .accepted
    case .renewal:
      guard case .oauth2 = authorization else { return nil }
      do throws(OAuth2ResponseError) {
        _ = try AccessTokenResponse(response.oauth)
        return .accepted
      } catch {
        switch classifyToken(error, in: response) {
        case .needsLogin: return .login
        case .configuration: return .configuration
        case .transient(_, nil), .refused(_, nil): return .later
        case .transient, .refused: return .givenTime
        case let other: preconditionFailure("a token request has no \(other)")
        }
      }
    case .post:
      guard let poster, poster.postingObjection == nil else { return nil }
      let posted = poster.posted(
        from: response, PostDraft(text: "Hello."),
        in: PostingContext(author: Samples.author, knownBefore: [], sentAt: response.receivedAt))
      switch posted.result {
      case .posted: return .accepted
      case .unsent, .postponed(_, nil): return response.isEmptyUnauthorized ? .checked : .later
      case .postponed: return .givenTime
      case .withoutLogin: return .waitsForLogin
      case .refused: return .refused
      case .unanswered, .copyRefused: return .unknown
      }
    case .upload:
      let media = PostMedia(
        path: "/a.png", fingerprint: "1", size: 5, type: "image/png", description: nil, keepsMetadata: false)
      guard let poster, poster.mediaRequest(for: media, after: .missing, MediaRules()) != nil else { return nil }
      switch poster.mediaResult(from: response, for: media, after: .missing, MediaRules()) {
      case .reached: return .accepted
      case .postponed(_, nil): return response.isEmptyUnauthorized ? .checked : .later
      case .postponed: return .givenTime
      case .withoutLogin: return .waitsForLogin
      case .refused: return .refused
      }
    case .singlePost:
      guard postRequest(for: PostID("1")) != nil else { return nil }
      switch presence(of: PostID("1"), from: response) {
      case .gone: return .gone
      case .present: return .accepted
      case .unknown: return .later
      }
    case .ownPosts:
      guard let poster, poster.ownPostsRequest(userID: "1", after: nil) != nil else { return nil }
      return failure { () throws(ProviderFailure) in _ = try poster.ownPosts(from: response) }.map(Self.meaning)
        ?? .accepted
    case .revocation:
      let isOwn = revocationRequest() != nil
      if case .oauth1 = authorization, !isOwn { return nil }
      return objection(toRevocation: response, needsContent: isOwn) == nil ? .revoked : .notRevoked
    }
  }

  private func failure(_ body: () throws(ProviderFailure) -> Void) -> Problem? {
    do throws(ProviderFailure) {
      try body()
      return nil
    } catch { return error.problem }
  }

  private static func meaning(of problem: Problem) -> Meaning {
    switch problem.code {
    case .notAuthorised: .login
    case .closed: .closed
    case .configuration: .configuration
    case .locked: .refused
    case .rateLimited, .paused: .givenTime
    default: problem.retryAt == nil ? .later : .givenTime
    }
  }
}
