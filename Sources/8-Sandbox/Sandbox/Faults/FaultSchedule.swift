package import HTTP
package import Settings

/// The faults for a whole run, as requested by `homeline sandbox --fault NAME=N`.
package struct FaultSchedule: Sendable {
  private var entries: [(name: FaultName, every: Int, seen: Int)] = []

  package init() {}

  /// Adds a fault.
  /// - Parameter every: the fault affects every Nth request; 1 or more.
  package mutating func add(_ name: FaultName, every: Int = 1) {
    precondition(every >= 1, "a fault affects every Nth request, for N of at least 1")
    entries.append((name, every, 0))
  }

  /// Returns the fault for the next response to a request. If several faults are due, the first one is used.
  package mutating func next(for request: Request) -> SandboxFault? {
    for index in entries.indices
    where entries[index].name != .uploadReset && entries[index].name.endpoints.include(request) {
      entries[index].seen += 1
      if entries[index].seen % entries[index].every == 0 { return entries[index].name.fault }
    }
    return nil
  }

  /// Returns whether to reset the connection when half of a request's content has arrived.
  package mutating func interrupts(_ request: Request) -> Bool {
    for index in entries.indices
    where entries[index].name == .uploadReset && entries[index].name.endpoints.include(request) {
      entries[index].seen += 1
      if entries[index].seen % entries[index].every == 0 { return true }
    }
    return false
  }
}

extension FaultName.Endpoints {
  fileprivate func include(_ request: Request) -> Bool {
    let path = request.target.path
    return switch self {
    // Excludes authorisation, registration and metadata as well as web pages and pictures.
    case .api:
      !path.contains("oauth") && !path.hasSuffix("/apps") && !path.contains("/status/") && !path.hasPrefix("/media/")
    case .tokens:
      path.contains("oauth") && (path.hasSuffix("token") || path.hasSuffix("token2") || path.hasSuffix("access_token"))
    case .requestTokens: path.hasSuffix("/request_token")
    case .blocks: path.hasSuffix("/upload_part")
    case .uploadEnds: path.hasSuffix("/upload_finish")
    case .contents: path.hasPrefix(GokuaiLibrary.contentPath)
    case .userCalls: path.hasPrefix("/m-api/") && !path.contains("oauth") || path.hasSuffix("/upload_init")
    case .driveCalls: (path.hasPrefix("/m-api/") || path.hasPrefix("/m-open/")) && !path.contains("oauth")
    case .folders: path.hasSuffix("/file/ls")
    case .announcements: path.hasSuffix("/create_file")
    case .uploadStarts: path.hasSuffix("/upload_init")
    case .offsets: path.hasSuffix("/upload_req")
    case .uploads:
      request.method == .post
        && ([MastodonRoute.uploads.rawValue, MastodonRoute.oldUploads.rawValue, TwitterRoute.upload.path].contains(path)
          || path.hasPrefix(TwitterRoute.uploadState.path + "/")
          // Weibo's pictures are sent with the post.
          || path == WeiboRoute.share.path && request.headers.first(.contentType)?.hasPrefix("multipart/") == true)
    case .uploadStates:
      request.method == .get
        && (MastodonRoute.upload.parameters(in: path) != nil || path == TwitterRoute.upload.path
          || path == TwitterRoute.uploadState.path)
    case .timelines: Self.kind(of: request).map { $0 != .names } ?? false
    case .otherTimelines: Self.kind(of: request).map { $0 != .home } ?? false
    case .markers: request.method == .post && path == MastodonRoute.markers.rawValue
    case .posts:
      path == MastodonRoute.statuses.rawValue || path == TwitterRoute.update.path || path == TwitterRoute.tweets.path
        || path == WeiboRoute.share.path
    }
  }

  /// Returns what a request to Mastodon's API or to the v1.1 API reads; `nil` if it is not a timeline.
  private static func kind(of request: Request) -> TimelineKind? {
    MastodonRoute(request)?.timeline ?? TwitterRoute(request, isGNUSocial: true)?.timeline
  }
}
