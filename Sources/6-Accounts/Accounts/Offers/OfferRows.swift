internal import Providers
internal import Settings
internal import Timeline

/// Combines a server's answers with the account's settings: what the server offers, in the order of the kinds, and what the settings name
/// besides.
struct OfferRows {
  let settings: AccountSettings
  let kinds: [TimelineName.Kind: OfferAnswer]
  let lists: OffersJob.Names<ServerList>?
  let tags: OffersJob.Names<String>?

  var all: [TimelineOffer] { TimelineName.Kind.allCases.flatMap { rows(of: $0) } }

  private func rows(of kind: TimelineName.Kind) -> [TimelineOffer] {
    switch kind {
    case .home: [TimelineOffer(.timeline(.home), configured: .home)]
    case .list: listRows
    case .tag: tagRows
    case .user:
      kinds[.user].map { answer in
        configured(.user).map { TimelineOffer(.timeline($0), answer, configured: $0) }
          + [TimelineOffer(.kind(.user), answer)]
      } ?? []
    case .notifications, .mentions, .bookmarks, .likes:
      kinds[kind].flatMap { answer in
        (try? TimelineName(kind.rawValue)).map {
          [TimelineOffer(.timeline($0), answer, configured: settings.timelines.contains($0) ? $0 : nil)]
        }
      } ?? []
    }
  }

  private func configured(_ kind: TimelineName.Kind) -> [TimelineName] {
    settings.timelines.filter { $0.kind == kind }
  }

  private var listRows: [TimelineOffer] {
    switch lists {
    case nil: return []
    case .refused(let answer)?:
      let named = configured(.list).map { TimelineOffer(.timeline($0), OfferAnswer(state: .unknown), configured: $0) }
      return named + [TimelineOffer(.kind(.list), answer)]
    case .listed(let lists, _)?:
      if lists.isEmpty, configured(.list).isEmpty {
        return [
          TimelineOffer(.kind(.list), OfferAnswer(state: .offered, message: "You have no lists on the server"))
        ]
      }
      var remaining = configured(.list)
      var rows: [TimelineOffer] = []
      for list in lists {
        guard let name = lists.name(of: list) else { continue }
        let own = remaining.first { (try? lists.list(named: $0.argument ?? ""))?.id == list.id }
        remaining.removeAll { $0 == own }
        var row = TimelineOffer(.timeline(name), configured: own)
        (row.title, row.id, row.isExclusive) = (list.title, list.id, list.isExclusive)
        rows.append(row)
      }
      return rows + remaining.map { missing($0, among: lists) }
    }
  }

  /// Returns the row of a list in the settings that is none of the server's lists, or several.
  private func missing(_ name: TimelineName, among lists: [ServerList]) -> TimelineOffer {
    var message: String?
    do throws(ProviderFailure) { _ = try lists.list(named: name.argument ?? "") } catch {
      message = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
    }
    return TimelineOffer(.timeline(name), OfferAnswer(state: .missing, message: message), configured: name)
  }

  private var tagRows: [TimelineOffer] {
    guard let answer = kinds[.tag] else { return [] }
    var remaining = configured(.tag)
    var rows: [TimelineOffer] = []
    if case .listed(let names, _)? = tags {
      for name in names.compactMap({ try? TimelineName(.tag, $0) }) {
        let own = remaining.first { $0.isSame(as: name) }
        remaining.removeAll { $0 == own }
        var row = TimelineOffer(.timeline(name), answer, configured: own)
        row.isFollowed = true
        rows.append(row)
      }
    }
    rows += remaining.map { TimelineOffer(.timeline($0), answer, configured: $0) }
    var any = TimelineOffer(.kind(.tag), answer)
    let refusal: OfferAnswer? =
      switch tags {
      case .refused(let answer)?: answer
      case .listed(_, let rest)?: rest
      case nil: nil
      }
    if let refusal {
      any.scope = any.scope ?? refusal.scope
      any.message = [any.message, refusal.message].compactMap(\.self).joined(separator: ". ")
      any.failure = any.failure ?? refusal.failure
    }
    return rows + [any]
  }
}
