import Accounts
import ControlProtocol
import Settings
import Testing

@testable import Service

@Suite struct ControlActivitiesTests {
  @Test(
    "an account shows what its user is doing until the last of the user's jobs has ended"
  )
  func order() throws {
    let (one, two) = (try #require(AccountName("one")), try #require(AccountName("two")))
    var activities = ControlActivities()
    #expect(activities.activity(of: one) == nil)
    activities.begin(.refreshing, of: one)
    activities.begin(.refreshing, of: one)
    activities.begin(.loggingOut, of: one)
    #expect(activities.activity(of: one) == .loggingOut)
    activities.begin(.loggingIn, of: one)
    #expect(activities.activity(of: one) == .loggingIn)
    #expect(activities.activity(of: two) == nil)
    activities.end(.loggingIn, of: one)
    activities.end(.loggingOut, of: one)
    activities.end(.refreshing, of: one)
    #expect(activities.activity(of: one) == .refreshing)
    activities.end(.refreshing, of: one)
    activities.end(.refreshing, of: one)
    #expect(activities.activity(of: one) == nil)
  }
}
