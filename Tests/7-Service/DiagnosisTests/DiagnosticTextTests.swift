import Diagnosis
import Testing

@Suite struct DiagnosticTextTests {
  @Test("the plain text of a finding contains all of its values")
  func plain() {
    let next: DiagnosticText = "Log in: homeline login \(name: "bird")"
    let text: DiagnosticText = "\(name: "bird"): \(host: "social.example") at \(path: "/home/x/y"), \(3). \(next)"
    #expect(text.plain == "bird: social.example at /home/x/y, 3. Log in: homeline login bird")
  }
}
