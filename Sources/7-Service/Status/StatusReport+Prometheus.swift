internal import Commands
internal import ControlProtocol
internal import Folders
internal import Posting
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The report as metrics: `homeline status --format prometheus`.
extension StatusReport {
  package var prometheus: String {
    var metrics = PrometheusText()
    metrics.gauge(
      "homeline_build_info", "The version of the program that wrote these metrics.",
      [PrometheusText.Sample(labels: [("version", Version.number)], value: "1")])
    writeService(to: &metrics)
    writeState(to: &metrics)
    writeOutbox(to: &metrics)
    writeLimits(to: &metrics)
    writeSpending(to: &metrics)
    return metrics.text
  }

  private func writeService(to metrics: inout PrometheusText) {
    let configurationIsValid = configurationProblems.isEmpty && ownerStatus?.owner.configurationProblem == nil
    let isRunning = owner?.isService == true && ownerStatus != nil
    metrics.gauge(
      "homeline_service_up", "Whether the service is running and responds.",
      [PrometheusText.Sample(value: Self.flag(isRunning))])
    if isRunning, let start = ownerStatus?.owner.startedAt {
      metrics.gauge(
        "homeline_service_start_time_seconds", "The time when the service started.",
        [PrometheusText.Sample(value: "\(start.seconds)")])
    }
    metrics.gauge(
      "homeline_configuration_valid", "Whether the configuration has no errors.",
      [PrometheusText.Sample(value: Self.flag(configurationIsValid))])
  }

  private func writeState(to metrics: inout PrometheusText) {
    gauge(
      "info", "The accounts and their providers.", in: &metrics, labels: { [("provider", $0.settings?.provider ?? "")] }
    ) { _ in "1" }
    gauge("enabled", "Whether the account is enabled.", in: &metrics) { Self.flag($0.settings?.isEnabled ?? false) }
    gauge("authorised", "Whether a token is stored.", in: &metrics) { account in
      if case .held = account.token { "1" } else { "0" }
    }
    gauge(
      "fresh", "Whether the last refresh succeeded and the next one is not overdue.", in: &metrics,
      others: { (Self.flag($0.refreshedAt != nil && $0.staleSince == nil && $0.problem == nil), []) }
    ) { Self.flag(isFresh($0)) }
    gauge(
      "last_refresh_timestamp_seconds", "The time of the last successful refresh.", in: &metrics,
      others: { (Self.seconds($0.refreshedAt), []) }
    ) { Self.seconds(refreshedAt(of: $0)) }
    gauge(
      "next_refresh_timestamp_seconds", "The time of the next refresh.", in: &metrics,
      others: { (Self.seconds($0.nextRefreshAt), []) }
    ) { Self.seconds(nextRefreshAt(of: $0)) }
    gauge(
      "stale_since_timestamp_seconds", "The time when refreshes began to fail.", in: &metrics,
      others: { (Self.seconds($0.staleSince), []) }
    ) { Self.seconds($0.home?.staleSince) }
    gauge(
      "failures", "The number of refreshes that have failed since the last successful one.", in: &metrics,
      others: { ("\($0.failures)", []) }
    ) { ($0.home?.failures).map { "\($0)" } }
    gauge(
      "error", "The reason why refreshes fail, as a label.", in: &metrics,
      labels: { [("code", problem(of: $0)?.code.rawValue ?? "")] },
      others: { ($0.problem == nil ? nil : "1", [("code", $0.problem?.code.rawValue ?? "")]) }
    ) { problem(of: $0) == nil ? nil : "1" }
    gauge("posts", "The number of stored posts.", in: &metrics) { $0.posts.map { "\($0)" } }
    gauge("filtered_posts", "The number of stored posts hidden by the user's filters on the server.", in: &metrics) {
      $0.filtered.map { "\($0)" }
    }
    gauge("unread_posts", "The number of published posts that are not marked as read.", in: &metrics) {
      $0.unread.map { "\($0)" }
    }
    gauge("token_expiry_timestamp_seconds", "The time when the token expires.", in: &metrics) {
      Self.seconds(Self.lifetime(of: $0)?.expiresAt)
    }
    gauge("login_needed_timestamp_seconds", "The deadline for the user's next login.", in: &metrics) {
      Self.seconds(Self.lifetime(of: $0)?.loginNeededBy)
    }
  }

  /// Writes the outboxes of the accounts that can have posts. A post that waits only for its author's chosen time is not late.
  private func writeOutbox(to metrics: inout PrometheusText) {
    let readable = { (account: AccountStatus) in account.hasTimeline && account.failedPosts != nil }
    let late = { (account: AccountStatus) in account.waitingPosts.filter { !$0.isScheduled } }
    gauge("outbox_waiting_posts", "The number of posts in the outbox that have yet to be sent.", in: &metrics) {
      readable($0) ? "\(late($0).count)" : nil
    }
    gauge("outbox_scheduled_posts", "The number of posts to be sent at a chosen time.", in: &metrics) {
      readable($0) ? "\($0.waitingPosts.count - late($0).count)" : nil
    }
    gauge("outbox_failed_posts", "The number of posts that were refused, or may have been posted.", in: &metrics) {
      $0.hasTimeline ? $0.failedPosts.map { "\($0)" } : nil
    }
    gauge(
      "outbox_oldest_timestamp_seconds", "The time when the oldest waiting post was due.", in: &metrics
    ) { Self.seconds(late($0).map { max($0.intent.createdAt, $0.intent.draft.postAt ?? $0.intent.createdAt) }.min()) }
  }

  private func writeLimits(to metrics: inout PrometheusText) {
    gauge("rate_limit_requests", "The number of requests that the provider allows in a window.", in: &metrics) {
      limit(of: $0)?.limit.map { "\($0)" }
    }
    gauge("rate_limit_remaining_requests", "The number of requests left in the window.", in: &metrics) {
      (limit(of: $0)?.remaining).map { "\($0)" }
    }
    gauge("rate_limit_reset_timestamp_seconds", "The end of the window.", in: &metrics) {
      Self.seconds(limit(of: $0)?.reset)
    }
  }

  /// Writes the spending of the accounts whose provider charges for reading.
  private func writeSpending(to metrics: inout PrometheusText) {
    let spending = Dictionary(
      accounts.compactMap { account in
        AccountSpending(of: account, at: now).flatMap { $0.most == nil ? nil : (account.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    gauge("spent_today_usd", "The US dollars spent today (UTC), with reserved amounts.", in: &metrics) {
      (spending[$0.name]?.today.countedMicroUSD).map(MicroUSD.text)
    }
    gauge("spent_this_month_usd", "The US dollars spent this month (UTC), with reserved amounts.", in: &metrics) {
      (spending[$0.name]?.microUSDOfMonth).map(MicroUSD.text)
    }
    gauge("posts_today", "The number of posts delivered today (UTC).", in: &metrics) {
      (spending[$0.name]?.today.countedPosts).map { "\($0)" }
    }
    let budget = { (account: AccountStatus) in account.settings?.prices == nil ? nil : account.settings?.budget }
    gauge("budget_posts_per_day", "The maximum number of posts a day.", in: &metrics) {
      budget($0)?.postsPerDay.map { "\($0)" }
    }
    gauge("budget_usd_per_day", "The maximum US dollars a day.", in: &metrics) {
      budget($0)?.microUSDPerDay.map(MicroUSD.text)
    }
    gauge("budget_usd_per_month", "The maximum US dollars a month.", in: &metrics) {
      budget($0)?.microUSDPerMonth.map(MicroUSD.text)
    }
  }

  /// Writes a metric for all accounts, and for those of their timelines, that have a value for it.
  /// - Parameter others: returns the value and the labels of a timeline other than home. Its sample is labelled with its name.
  private func gauge(
    _ name: String, _ help: String, in metrics: inout PrometheusText,
    labels: (AccountStatus) -> [(name: String, value: String)] = { _ in [] },
    others: ((TimelineState) -> (value: String?, labels: [(name: String, value: String)]))? = nil,
    _ value: (AccountStatus) -> String?
  ) {
    let samples = accounts.flatMap { account in
      let label = [("account", account.name)] as [(name: String, value: String)]
      var samples = value(account).map { [PrometheusText.Sample(labels: label + labels(account), value: $0)] } ?? []
      guard let others, let state = account.state else { return samples }
      for timeline in account.settings?.timelines ?? [] where timeline != .home {
        let other = others(state[timeline])
        guard let value = other.value else { continue }
        samples.append(
          PrometheusText.Sample(
            labels: label + [("timeline", timeline.description)] + other.labels, value: value))
      }
      return samples
    }
    metrics.gauge("homeline_account_\(name)", help, samples)
  }

  private static func lifetime(of account: AccountStatus) -> TokenLifetime? {
    if case .held(_, _, let lifetime) = account.token { lifetime } else { nil }
  }

  private static func flag(_ value: Bool) -> String { value ? "1" : "0" }
  private static func seconds(_ time: Timestamp?) -> String? { (time?.seconds).map { "\($0)" } }
}

/// Metrics in Prometheus's text format, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats).
private struct PrometheusText {
  /// A value with the labels that distinguish it from the other values of its metric.
  struct Sample {
    var labels: [(name: String, value: String)] = []
    /// The value as a decimal number.
    let value: String
  }

  /// The metrics written so far, each line followed by a line feed.
  private(set) var text = ""

  /// Writes a metric that can increase and decrease. A metric without values is left out.
  /// - Parameter help: what the metric measures, on one line.
  mutating func gauge(_ name: String, _ help: String, _ samples: [Sample]) {
    if samples.isEmpty { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
