internal import HTTP
package import Settings

extension FaultName {
  /// The requests that a fault affects.
  enum Endpoints {
    /// All API requests.
    case api
    /// Token requests in either OAuth version.
    case tokens
    /// Requests for a request token (RFC 5849 §2.1).
    case requestTokens
    /// Blocks of an upload.
    case blocks
    /// Requests that complete an upload.
    case uploadEnds
    /// Downloads from a drive.
    case contents
    /// Requests that publish a post.
    case posts
    /// Calls to a drive with a user's token.
    case userCalls
    /// Calls to a drive, except those for tokens.
    case driveCalls
    /// Requests for the pages of a folder on a drive.
    case folders
    /// Requests that announce an upload.
    case announcements
    /// Requests that start an upload.
    case uploadStarts
    /// Requests for the offset of an upload.
    case offsets
    /// Requests that upload all or part of a file for a post.
    case uploads
    /// Requests for the state of an uploaded file.
    case uploadStates
    /// Requests for the pages of a timeline.
    case timelines
    /// Requests for timelines other than the home timeline, and for the names of such timelines.
    case otherTimelines
    /// Requests that set markers.
    case markers
  }

  var endpoints: Endpoints {
    switch self {
    case .tokenEndpointError, .refusedWithOK, .lifetimeAsTime, .lifetimeAsText, .lifetimeMissing, .refreshMissing,
      .refreshRefused:
      .tokens
    case .tokenExpired, .tokenExpiredHidden: .userCalls
    case .resultZero, .clockAhead, .replayRefused, .signatureRefused: .driveCalls
    case .wrongCount, .folderShrinks: .folders
    case .deadServer, .contentKnown: .announcements
    case .sessionMissing: .uploadStarts
    case .offsetMissing, .offsetEmpty, .offsetQuoted: .offsets
    case .contentRedirected, .rangeRefused: .contents
    case .callbackRefused, .pinOnly: .requestTokens
    case .blockConflict, .blockLost, .sessionLost, .blockRedirected: .blocks
    case .assembling: .uploadEnds
    case .rangeIgnored, .wrongRange, .compressedRange, .contentChanged, .addressExpired, .contentBroken: .contents
    case .postLost, .postAnswerLost, .postError: .posts
    case .uploadReset, .uploadError, .uploadLimited: .uploads
    case .mediaProcessing, .mediaFailed: .uploadStates
    case .timelineMissing, .timelineUnimplemented, .scopeUnauthorized, .listsDeleted, .listsRenamed: .otherTimelines
    case .minIDAsSinceID, .limitIgnored, .shortPages, .entryRepeated, .linkToAnotherHost, .linkToItself, .linkEndless:
      .timelines
    case .markerConflict: .markers
    // The server's description of itself names the timelines that are switched off, and ids are everywhere.
    case .tagsDisabled, .idsUnordered: .api
    default: .api
    }
  }
}

extension FaultName {
  package var fault: SandboxFault {
    switch self {
    case .rateLimited, .uploadLimited:
      var response = Response(
        json: Array(#"{"errors":[{"code":88,"message":"Rate limit exceeded"}],"error":"Too many requests"}"#.utf8),
        status: .tooManyRequests)
      response.headers.set("Retry-After", "60")
      for name in ["x-rate-limit-remaining", "X-RateLimit-Remaining"] as [FieldName] { response.headers.set(name, "0") }
      return .respond(response)
    case .tokenRevoked:
      var response = Response(
        json: Array(
          #"{"errors":[{"code":89,"message":"Invalid or expired token."}],"error":"The access token was revoked"}"#.utf8
        ),
        status: .unauthorized)
      response.headers.set("WWW-Authenticate", "Bearer error=\"invalid_token\"")
      return .respond(response)
    case .accountLocked:
      return .respond(
        Response(
          status: .forbidden, type: "application/json; charset=utf-8",
          text: """
            {"errors":[{"code":326,"message":"To protect our users from spam and other malicious activity, this account is \
            temporarily locked. Please log in to https://twitter.com to unlock your account.","sub_error_code":0,\
            "bounce_location":"https://twitter.com/account/access"}]}
            """))
    case .endpointClosed:
      let message =
        "You currently have access to a subset of X API V2 endpoints and limited v1.1 endpoints only. "
        + "If you need access to this endpoint, you may need a different access level."
      return .respond(TwitterError(status: .forbidden, code: 453, message: message).response)
    case .creditsDepleted: return .respond(V2Error.creditsDepleted(.newer).response)
    case .usageCapped:
      // The monthly cap is reached although requests remain under the rate limit.
      var response = V2Error.usageCapped.response
      response.headers.set("x-rate-limit-limit", "180")
      response.headers.set("x-rate-limit-remaining", "179")
      return .respond(response)
    case .notEnrolled: return .respond(V2Error.clientNotEnrolled.response)
    case .serverError, .tokenEndpointError:
      return .html(
        .serviceUnavailable,
        "<!DOCTYPE html><html><head><title>Over capacity</title></head><body><h1>Over capacity</h1></body></html>\n")
    case .badGateway: return .respond(Response(status: .badGateway, type: "text/plain", text: "502 Bad Gateway"))
    case .gbkPage: return .pageInGBK
    case .captivePortal:
      return .html(
        .ok,
        "<!DOCTYPE html><html><head><title>Welcome</title></head><body>Accept the terms to go on.</body></html>\n")
    case .proxyUnauthorized:
      var response = Response(
        status: .unauthorized, type: "text/html; charset=utf-8",
        text: Self.proxyPage("401 Unauthorized", "This site is being serviced."))
      response.headers.set("WWW-Authenticate", "Basic realm=\"Back soon\"")
      return .respond(response)
    case .proxyForbidden:
      return .html(.forbidden, Self.proxyPage("One moment", "Please enable JavaScript to continue."))
    case .proxyNotFound: return .html(.notFound, Self.proxyPage("404 Not Found", "There is no such page."))
    case .proxyRedirect:
      return .respond(Response(status: .found, headers: ["Location": "https://sign-in.example/start"]))
    case .proxyLimit:
      var response = Response(
        status: .tooManyRequests, type: "text/html; charset=utf-8",
        text: Self.proxyPage("429 Too Many Requests", "Slow down."))
      response.headers.set("Retry-After", "5")
      return .respond(response)
    case .bareUnauthorized: return .respond(Response(status: .unauthorized))
    case .empty: return .respond(Response(status: .ok, headers: [.contentType: "application/json;charset=UTF-8"]))
    case .noAnswer, .postAnswerLost: return .drop(worked: true)
    // `FaultSchedule.interrupts(_:)` resets a connection in the middle of a large file.
    case .postLost, .uploadReset: return .drop(worked: false)
    case .postError:
      return .change { response in
        response = Response(status: .internalServerError, type: "text/plain", text: "500 Internal Server Error")
      }
    case .cutOff: return .change { $0.body = Array($0.body.prefix($0.body.count / 2)) }
    case .brokenOff: return .stall(after: 100, for: .milliseconds(50))
    case .wrongType: return .change { $0.headers.set(.contentType, "text/html; charset=utf-8") }
    case .slow: return .delay(.seconds(10))
    case .refusedWithOK:
      return .respond(
        Response(
          status: .ok, type: "text/html;charset=utf-8", text: "Error: Failed to validate oauth signature and token"))
    case .callbackRefused: return .respond(.callbackNotApproved)
    case .pinOnly:
      return .respond(
        Response(
          status: .unauthorized, type: "text/html;charset=utf-8",
          text: "Desktop applications only support the oauth_callback value 'oob'"))
    case .uploadError:
      return .respond(Response(status: .internalServerError, type: "text/plain", text: "500 Internal Server Error"))
    case .mediaProcessing:
      let state = #""processing_info":{"state":"in_progress","check_after_secs":1}"#
      return .respond(
        Response(json: Array(#"{"url":null,\#(state),"data":{\#(state)}}"#.utf8), status: StatusCode(206)))
    case .mediaFailed:
      return .respond(
        Response(
          json: Array(
            #"{"error":"The file could not be processed","errors":[{"code":324,"message":"Unsupported video"}]}"#.utf8),
          status: StatusCode(422)))
    case .timelineMissing:
      return .respond(
        Response(
          json: Array(
            #"{"error":"Record not found","errors":[{"code":34,"message":"Sorry, that page does not exist."}]}"#.utf8),
          status: .notFound))
    case .timelineUnimplemented:
      return .respond(Response(json: Array(#"{"error":"Not Implemented"}"#.utf8), status: .notImplemented))
    case .scopeUnauthorized, .listsDeleted, .listsRenamed, .tagsDisabled, .idsUnordered, .minIDAsSinceID, .limitIgnored,
      .shortPages, .entryRepeated, .linkToAnotherHost, .linkToItself, .linkEndless, .markerConflict:
      guard let name = FieldValue(rawValue) else { preconditionFailure("the names of faults are field values") }
      return .alter { $0.headers.set(TimelineQuirks.field, name) }
    case .hiddenError: return .respond(Response(json: Array(#"{"error_code":40310,"error_msg":"no right"}"#.utf8)))
    case .blockConflict: return .respond(Response(json: Array(#"{"expect":0}"#.utf8), status: .conflict))
    // The block is acknowledged but not stored.
    case .blockLost: return .respond(Response(status: .ok))
    case .sessionLost: return .respond(Response(status: .unauthorized))
    case .assembling: return .respond(Response(status: StatusCode(202)))
    case .rangeIgnored: return .alter { $0.headers.remove("Range") }
    case .wrongRange: return .change { $0.headers.set("Content-Range", "bytes 0-0/1") }
    case .compressedRange: return .change { $0.headers.set("Content-Encoding", "gzip") }
    case .contentChanged: return .change { if !$0.body.isEmpty { $0.body[0] ^= 1 } }
    case .addressExpired: return .respond(Response(status: .forbidden))
    case .contentBroken: return .stall(after: 10_000, for: .milliseconds(50))
    default: return driveFault
    }
  }
}

extension FaultName {
  /// A page that a proxy or a firewall sends in place of the API.
  private static func proxyPage(_ title: String, _ text: String) -> String {
    "<!DOCTYPE html>\n<html><head><title>\(title)</title></head>\n<body><p>\(text)</p></body></html>\n"
  }
}

extension SandboxFault {
  fileprivate static func html(_ status: StatusCode, _ text: String) -> SandboxFault {
    .respond(Response(status: status, type: "text/html; charset=utf-8", text: text))
  }

  /// An error page in the encoding of old Chinese web sites.
  fileprivate static var pageInGBK: SandboxFault {
    // 系统繁忙 (the system is busy), and a character whose second byte in GBK is a backslash.
    let text: [UInt8] = [0xcf, 0xb5, 0xcd, 0xb3, 0xb7, 0xb1, 0xc3, 0xa6, 0x81, 0x5c]
    let page = Array("<html><head><title>".utf8) + text + Array("</title></head><body>".utf8) + text
    return .respond(
      Response(
        status: .internalServerError, headers: [.contentType: "text/html; charset=gbk"],
        body: page + Array("</body></html>\n".utf8)))
  }
}
