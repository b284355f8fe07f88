package import HTTPClient
internal import HomelineOAuth
internal import JSON
package import Timeline

/// What a server with Mastodon's API says about the timelines that it offers.
extension Mastodon: TimelineCatalogue {
  private static let followedTagsPath = "/api/v1/followed_tags"
  /// The most that Mastodon allows.
  private static let tagsOfPage = 200

  package func listsRequest() -> ClientRequest? { .get(place.endpoint("/api/v1/lists"), query: []) }

  package func lists(from response: ProviderResponse) throws(ProviderFailure) -> [ServerList] {
    try read(response, .array, expected: "a list of lists") { cursor in
      var lists: [ServerList] = []
      try cursor.pageElements { cursor in
        var (id, title, isExclusive): (String?, String?, Bool) = (nil, nil, false)
        try cursor.lenientMembers { cursor, member in
          switch member {
          case "id": id = try cursor.lenientPostID() ?? id
          case "title": title = try cursor.lenientString() ?? title
          case "exclusive": isExclusive = try cursor.lenientFlag()
          default: try cursor.skip()
          }
        }
        // Other characters could change the address of the list's timeline.
        guard let id, let title, Self.isPlainID(id) else { return }
        lists.append(ServerList(id: id, title: title, isExclusive: isExclusive))
      }
      return lists
    }
  }

  package func followedTagsRequest(after cursor: String?) -> ClientRequest? {
    .get(
      place.endpoint(Self.followedTagsPath),
      query: [Parameter("limit", "\(Self.tagsOfPage)")] + (cursor.map { [Parameter("max_id", $0)] } ?? []))
  }

  package func followedTags(from response: ProviderResponse) throws(ProviderFailure) -> FollowedTags {
    let names = try read(response, .array, expected: "a list of hashtags") { cursor in
      var names: [String] = []
      try cursor.pageElements { cursor in
        try cursor.lenientMembers { cursor, member in
          if member == "name" {
            if let name = try cursor.lenientString() { names.append(name) }
          } else {
            try cursor.skip()
          }
        }
      }
      return names
    }
    // The cursor is the server's own number of the follow.
    let next = walkLinks(in: response, path: Self.followedTagsPath).next
    return FollowedTags(names: names, next: names.isEmpty ? nil : next)
  }

  /// Since Mastodon 4.5, administrators can switch off hashtag timelines. Its other feeds that can be switched off are not among the offered
  /// kinds.
  package var restrictableKinds: Set<TimelineName.Kind> { [.tag] }

  package func feedAccessRequest() -> ClientRequest? { .get(place.endpoint("/api/v2/instance"), query: []) }

  package func feedAccess(
    from response: ProviderResponse
  ) throws(ProviderFailure) -> [TimelineName.Kind: FeedAccess] {
    try read(response, .object, expected: "a description of the server") { cursor in
      try MastodonInstance(&cursor).feedAccess
    }
  }
}
