/// The faults that `homeline sandbox --fault NAME` offers.
package enum FaultName: String, Sendable, CaseIterable {
  // API responses
  case rateLimited = "rate-limited"
  case tokenRevoked = "token-revoked"
  case accountLocked = "account-locked"
  case endpointClosed = "endpoint-closed"
  case creditsDepleted = "credits-depleted"
  case usageCapped = "usage-capped"
  case notEnrolled = "not-enrolled"
  // Responses from something in front of the API
  case serverError = "server-error"
  case badGateway = "bad-gateway"
  case gbkPage = "gbk-page"
  case captivePortal = "captive-portal"
  case empty
  case proxyUnauthorized = "proxy-unauthorized"
  case proxyForbidden = "proxy-forbidden"
  case proxyNotFound = "proxy-not-found"
  case proxyRedirect = "proxy-redirect"
  case proxyLimit = "proxy-limit"
  case bareUnauthorized = "bare-unauthorized"
  // Network problems
  case noAnswer = "no-answer"
  case cutOff = "cut-off"
  case brokenOff = "broken-off"
  case wrongType = "wrong-type"
  case slow
  // The endpoints that issue tokens
  case tokenEndpointError = "token-endpoint-error"
  case refusedWithOK = "refused-with-ok"
  // The first step of OAuth 1.0a
  case callbackRefused = "callback-refused"
  case pinOnly = "pin-only"
  // Transfers to and from a drive
  case hiddenError = "hidden-error"
  case blockConflict = "block-conflict"
  case blockLost = "block-lost"
  case sessionLost = "session-lost"
  case assembling
  case rangeIgnored = "range-ignored"
  case wrongRange = "wrong-range"
  case compressedRange = "compressed-range"
  case contentChanged = "content-changed"
  case addressExpired = "address-expired"
  case contentBroken = "content-broken"
  case tokenExpired = "token-expired"
  case tokenExpiredHidden = "token-expired-hidden"
  case resultZero = "result-zero"
  case wrongCount = "wrong-count"
  case deadServer = "dead-server"
  case sessionMissing = "session-missing"
  case offsetMissing = "offset-missing"
  case offsetEmpty = "offset-empty"
  case offsetQuoted = "offset-quoted"
  case contentKnown = "content-known"
  case blockRedirected = "block-redirected"
  case rangeRefused = "range-refused"
  case signatureRefused = "signature-refused"
  case contentRedirected = "content-redirected"
  case lifetimeAsTime = "lifetime-as-time"
  case lifetimeAsText = "lifetime-as-text"
  case lifetimeMissing = "lifetime-missing"
  case refreshMissing = "refresh-missing"
  case clockAhead = "clock-ahead"
  case folderShrinks = "folder-shrinks"
  case replayRefused = "replay-refused"
  case refreshRefused = "refresh-refused"
  // Publishing posts
  case postLost = "post-lost"
  case postAnswerLost = "post-answer-lost"
  case postError = "post-error"
  // Uploads of a post's files
  case uploadReset = "upload-reset"
  case uploadError = "upload-error"
  case uploadLimited = "upload-limited"
  case mediaProcessing = "media-processing"
  case mediaFailed = "media-failed"
  // Timelines
  case timelineMissing = "timeline-missing"
  case timelineUnimplemented = "timeline-unimplemented"
  case scopeUnauthorized = "scope-unauthorized"
  case listsDeleted = "lists-deleted"
  case listsRenamed = "lists-renamed"
  case tagsDisabled = "tags-disabled"
  case idsUnordered = "ids-unordered"
  case minIDAsSinceID = "min-id-as-since-id"
  case limitIgnored = "limit-ignored"
  case shortPages = "short-pages"
  case entryRepeated = "entry-repeated"
  case linkToAnotherHost = "link-to-another-host"
  case linkToItself = "link-to-itself"
  case linkEndless = "link-endless"
  case markerConflict = "marker-conflict"

  /// A group of faults in the help of `homeline sandbox`.
  package enum Group: String, Sendable, CaseIterable {
    case api = "API faults"
    case tokens = "Token faults"
    case drive = "Drive faults"
    case posts = "Faults of published posts"
    case files = "Faults of their files"
    case timelines = "Timeline faults"

    /// The last fault of the group. The groups follow each other in the order of the cases.
    private var last: FaultName {
      switch self {
      case .api: .slow
      case .tokens: .pinOnly
      case .drive: .refreshRefused
      case .posts: .postError
      case .files: .mediaFailed
      case .timelines: .markerConflict
      }
    }

    package var names: ArraySlice<FaultName> {
      let all = FaultName.allCases
      let before = Self.allCases.prefix { $0 != self }.last.flatMap { all.firstIndex(of: $0.last) } ?? -1
      return all[(before + 1)...(all.firstIndex(of: last) ?? all.endIndex - 1)]
    }
  }
}
