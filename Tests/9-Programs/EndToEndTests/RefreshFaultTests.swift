import Platform
import TestSupport
import Testing

/// Failures of the provider or the network while the service runs. Each is reported and does no harm to stored posts,
/// and the next valid response clears the error.
@Suite("Faults during a refresh") struct RefreshFaultTests {
  /// Applies each fault to the same service. A valid response follows each.
  private func check(_ faults: [TimelineFault]) async throws {
    let fixture = try await FaultyTimelineFixture()
    for fault in faults {
      let before = try fixture.home.publishedIDs()
      fixture.timeline.respond(fault.steps)
      let refreshed = try await fixture.refresh()
      let (events, file) = (refreshed.events, refreshed.file)
      #expect(events.contains(#""exit":\#(fault.exit)"#), "\(fault.name): \(events)")
      #expect(refreshed.requests == 1, "\(fault.name): the service sent another request without a command")
      #expect(file["error"]["code"].text == fault.code, "\(fault.name): \(file["error"])")
      #expect((file["stale_since"].text != nil) == (fault.code != nil), "\(fault.name)")
      if fault.code != nil {
        let message = file["error"]["message"].text ?? ""
        #expect(message.contains(fault.expectedText), "\(fault.name): \(message)")
        #expect(message.utf8.count < 1000, "\(fault.name): \(message.prefix(1000))")
        #expect(events.contains(fault.expectedText), "\(fault.name): \(events)")
        #expect(try fixture.home.publishedIDs() == before, "\(fault.name): posts changed")
      }
      let text = try fixture.home.read(fixture.home.timeline)
      #expect(fault.shows.isEmpty || text.contains(fault.shows), "\(fault.name)")
      try await fixture.recover(from: fault.name)
    }
    #expect(await fixture.daemon.stop().outcome.code == 0)
  }

  @Test("Broken connections and invalid HTTP are reported and do no harm") func connections() async throws {
    try await check(TimelineFault.connections)
  }

  @Test("Truncated, corrupt and oversized compressed responses are reported and do no harm") func compressed()
    async throws
  {
    try await check(TimelineFault.compressed())
  }

  @Test("Responses that are not a page of posts are reported and do no harm") func unreadable() async throws {
    try await check(TimelineFault.unreadable)
  }

  @Test("Pages with malformed posts are accepted, without the invalid parts") func odd() async throws {
    try await check(TimelineFault.odd)
  }
}
