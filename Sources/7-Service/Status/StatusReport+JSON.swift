internal import HomelineOAuth
internal import Bytes
internal import ControlProtocol
internal import Folders
internal import Formats
internal import JSON
internal import Posting
internal import Settings
internal import Storage
internal import Time
internal import Timeline

extension StatusReport {
  /// The report for scripts: one object that always has every member.
  package var json: [UInt8] {
    var writer = JSONWriter(indented: true)
    writer.object { json in
      json.member("schema", 1)
      json.member("owner", owner) { json, owner in
        json.object { json in
          json.member("pid", owner.processID)
          json.member("command", owner.command)
          json.member("control_socket", owner.controlSocket)
          json.member("version", ownerStatus?.owner.version)
          json.member("started_at", ownerStatus?.owner.startedAt.rfc3339)
          json.member("configuration", ownerStatus?.owner.configuration)
          json.member("configuration_problem", ownerStatus?.owner.configurationProblem)
        }
      }
      json.name("configuration")
      json.object { json in
        json.member("path", configurationPath)
        json.member("problems", list: configurationProblems) { $0.string($1) }
        json.member("media", media) { json, media in
          json.object { json in
            json.member("megabytes", media.megabytes)
            json.member("private_hosts", list: media.privateHosts) { $0.string($1) }
          }
        }
        json.member("views", list: views) { Self.write(to: &$0, $1) }
      }
      json.member("accounts", list: accounts) { json, account in write(to: &json, account) }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private func write(to json: inout JSONWriter, _ account: AccountStatus) {
    let condition = condition(of: account)
    let standing = standing(of: account)
    let spending = AccountSpending(of: account, at: now)
    json.object { json in
      json.member("account", account.name)
      json.member("provider", account.settings?.provider)
      json.member("enabled", account.settings?.isEnabled ?? false)
      json.member("orphan", account.isOrphan)
      json.member("condition", condition.level.rawValue)
      json.member("remark", condition.remark.isEmpty ? nil : condition.remark)
      json.name("authorised")
      if case .held(let user, let since, _) = account.token {
        json.object { json in
          json.member("id", user.id)
          json.member("screen_name", user.screenName)
          json.member("name", user.name)
          json.member("since", since.rfc3339)
        }
      } else {
        json.null()
      }
      json.name("token")
      if case .held(_, _, let lifetime) = account.token { Self.write(to: &json, lifetime) } else { json.null() }
      json.member("refreshed_at", (standing?.freshness?.refreshedAt ?? account.home?.refreshedAt)?.rfc3339)
      json.member("next_refresh_at", (standing?.nextRefreshAt ?? account.home?.nextRefreshAt)?.rfc3339)
      json.member("posts", account.posts)
      json.member("filtered", account.filtered)
      json.member("unread", account.unread)
      json.member("activity", standing?.activity.name)
      json.member("waits_for", standing?.waitsFor)
      json.member("upload", standing?.upload) { json, upload in
        json.object { json in
          json.member("post", upload.post)
          json.member("done", upload.done)
          json.member("total", upload.total)
        }
      }
      json.member("outbox", list: account.waitingPosts) { json, post in
        json.object { json in
          json.member("id", post.intent.id.text)
          json.member("waits_until", post.until?.rfc3339)
          json.member("message", post.reason)
        }
      }
      json.member("stale_since", account.home?.staleSince?.rfc3339)
      json.member("error", problem(of: account), TimelineFile.writeProblem)
      json.member("limit", limit(of: account), Self.write)
      json.member("spending", spending) { $1.write(to: &$0) }
      json.member("problems", list: account.problems) { $0.string($1) }
      json.name("files")
      Self.write(to: &json, account.files, hasTimeline: account.hasTimeline)
      json.member("settings", account.settings) { Self.write(to: &$0, $1, account.state ?? AccountState()) }
      json.member("timelines", list: timelines(of: account)) { write(to: &$0, $1, of: account) }
    }
  }

  private func write(to json: inout JSONWriter, _ timeline: TimelineStatus, of account: AccountStatus) {
    let condition = condition(of: timeline, account)
    json.object { json in
      json.member("timeline", timeline.name.description)
      json.member("name", account.key(of: timeline))
      json.member("condition", condition.level.rawValue)
      json.member("remark", condition.remark.isEmpty ? nil : condition.remark)
      json.member("refreshed_at", refreshedAt(of: timeline, account)?.rfc3339)
      json.member("next_refresh_at", nextRefreshAt(of: timeline, account)?.rfc3339)
      json.member("unread", timeline.unread)
      json.member("stale_since", timeline.state?.staleSince?.rfc3339)
      json.member("error", problem(of: timeline, account), TimelineFile.writeProblem)
      json.member("file", timeline.path)
      json.member("settings", account.settings?[timeline.name]) {
        Self.write(to: &$0, $1, account.state ?? AccountState())
      }
    }
  }

  /// Writes the effective settings of a timeline.
  private static func write(to json: inout JSONWriter, _ settings: TimelineSettings, _ state: AccountState) {
    json.object { json in
      json.member("refresh_seconds", settings.refreshInterval.components.seconds)
      json.member("keep_posts", state.publishedPosts(settings.keepPosts))
      json.member("first_fill_posts", settings.firstFillPosts)
      json.member("keep_days", settings.keepDays)
      json.member("keep_archive", settings.keepsArchive)
      json.member("publish", list: settings.publish) { $0.string($1.rawValue) }
      json.member("feed_posts", settings.feedPosts)
      // Only the program is written, because its arguments can be private.
      json.member("on_new_posts", settings.onNewPosts?.first)
      json.member("notify", settings.notifies)
      json.member("apply_server_filters", settings.appliesServerFilters)
    }
  }

  private static func write(to json: inout JSONWriter, _ lifetime: TokenLifetime) {
    json.object { json in
      json.member("kind", lifetime.kind)
      json.member("expires_at", lifetime.expiresAt?.rfc3339)
      json.member("renews_at", lifetime.renewsAt?.rfc3339)
      json.member("login_needed_by", lifetime.loginNeededBy?.rfc3339)
    }
  }

  private static func write(to json: inout JSONWriter, _ limit: RateLimit) {
    json.object { json in
      json.member("limit", limit.limit)
      json.member("remaining", limit.remaining)
      json.member("reset_at", limit.reset.rfc3339)
    }
  }

  private static func write(to json: inout JSONWriter, _ budget: Budget) {
    json.object { json in
      json.member("posts_per_day", budget.postsPerDay)
      json.member("usd_per_day", budget.microUSDPerDay) { $0.raw(MicroUSD.text($1).utf8) }
      json.member("usd_per_month", budget.microUSDPerMonth) { $0.raw(MicroUSD.text($1).utf8) }
    }
  }

  private static func write(to json: inout JSONWriter, _ view: ViewSettings) {
    json.object { json in
      json.member("view", view.name.text)
      json.member("accounts", list: view.timelines) { $0.string("\($1)") }
      json.member("publish", list: view.publish) { $0.string($1.rawValue) }
      json.member("feed_posts", view.feedPosts)
      json.member("posts", view.keepPosts)
      json.member("authors", list: view.filter.authors) { $0.string($1) }
      json.member("words", list: view.filter.words) { $0.string($1) }
      json.member("languages", list: view.filter.languages) { $0.string($1) }
      json.member("media_only", view.filter.isMediaOnly)
      json.member("replies", view.filter.includesReplies)
      json.member("reposts", view.filter.includesReposts)
      json.name("mute")
      json.object { json in
        json.member("authors", list: view.filter.mutedAuthors) { $0.string($1) }
        json.member("words", list: view.filter.mutedWords) { $0.string($1) }
      }
      json.member("fold_cross_posts", view.foldsCrossPosts)
    }
  }

  private static func write(to json: inout JSONWriter, _ files: AccountFiles, hasTimeline: Bool) {
    json.object { json in
      json.member("timeline", hasTimeline ? files.timeline : nil)
      json.member("database", hasTimeline ? files.database : nil)
      json.member("token", files.token)
    }
  }

  /// Writes the effective settings, with all defaults applied. Keys and secrets are left out.
  private static func write(to json: inout JSONWriter, _ settings: AccountSettings, _ state: AccountState) {
    json.object { json in
      json.member("signature_method", settings.signatureMethod.rawValue)
      json.member("refresh_seconds", settings.refreshInterval.components.seconds)
      json.member("keep_posts", state.publishedPosts(settings.keepPosts))
      json.member("first_fill_posts", settings.firstFillPosts)
      json.member("server", settings.server?.text)
      json.member("issuer", settings.issuer)
      json.member("scopes", settings.scopes) { json, scopes in
        json.array { json in for scope in scopes { json.string(scope) } }
      }
      json.member("budget", settings.prices.map { _ in settings.budget }, write)
      json.member("require_callback_confirmation", settings.requiresCallbackConfirmation)
      json.member("require_alt_text", settings.requiresAltText)
      json.member("apply_server_filters", settings.appliesServerFilters)
      json.member("sync_marks", settings.syncsMarks)
      json.member("publish", list: settings.publish) { $0.string($1.rawValue) }
      json.member("feed_posts", settings.feedPosts)
      json.member("keep_days", settings.keepDays)
      json.member("keep_archive", settings.keepsArchive)
      json.member("erase_deleted_days", settings.eraseDeletedDays)
      // Only the program is written, because its arguments can be private.
      json.member("on_new_posts", settings.onNewPosts?.first)
      json.member("notify", settings.notifies)
      json.name("endpoints")
      json.object { json in
        for (name, url) in settings.endpoints.sorted(by: { $0.key < $1.key }) { json.member(name, url.text) }
      }
    }
  }
}
