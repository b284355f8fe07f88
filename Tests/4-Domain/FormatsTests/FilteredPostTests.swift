import TerminalText
import Testing
import Time
import Timeline

@testable import Formats

/// Posts with the effect of the user's filters on the server.
@Suite struct FilteredPostTests {
  private static let picture = Media(
    kind: .photo, url: "https://img.example/1.png", alternativeText: "a wasp on a plum")

  private func post(_ action: ServerFilter.Action?) -> Post {
    FeedSamples.post(text: "Look", media: [Self.picture])
      .filtered(by: action.map { ServerFilter($0, title: "wasps & <b>") })
  }

  private func publication(_ action: ServerFilter.Action?) -> Publication {
    FeedSamples.publication([FeedSamples.published(post(action), isUnread: true)])
  }

  @Test("a filtered post's JSON contains the filter's action and title; other posts lack the `filtered` member")
  func json() throws {
    for action in ServerFilter.Action.allCases {
      let json = PostJSON.bytes(post(action))
      #expect(
        String(decoding: json, as: UTF8.self).contains(
          #""filtered":{"action":"\#(action.rawValue)","title":"wasps & <b>"}"#))
      #expect(try PostJSON.read(json) == post(action))
      let edited = PostJSON.bytes(json, editedAt: Timestamp(seconds: 60))
      var same = post(action)
      same.editedAt = Timestamp(seconds: 60)
      #expect(edited == PostJSON.bytes(same))
    }
    #expect(!String(decoding: PostJSON.bytes(post(nil)), as: UTF8.self).contains("filter"))
    let later = String(decoding: PostJSON.bytes(post(.blur)), as: UTF8.self).replacing("blur", with: "shrink")
    #expect(try PostJSON.read(Array(later.utf8)).filter?.action == .warn)
  }

  @Test("media that a filter blurs are links without a description in feeds and text, and have no image")
  func blurredFeeds() {
    for format in [PublishedFormat.atom, .jsonFeed, .text] {
      let text = FeedSamples.text(of: publication(.blur), as: format)
      #expect(text.contains("Filtered: wasps"), "\(format)")
      #expect(!text.contains("a wasp") && !text.contains("<img") && !text.contains("\"image\""), "\(format): \(text)")
      #expect(!text.contains("\"attachments\""), "\(format)")
      let plain = FeedSamples.text(of: publication(nil), as: format)
      #expect(plain.contains("a wasp") && !plain.contains("Filtered"), "\(format)")
    }
  }

  @Test("on the page, media that a filter blurs are below a warning, and the text is visible")
  func blurredPage() {
    func page(_ action: ServerFilter.Action?) -> String {
      PageSamples.page([PageSamples.item("1", "Look") { $0 = post(action) }])
    }
    let blurred = page(.blur)
    let covered = PageSamples.part(of: blurred, from: "<details class=\"warned\">", to: "</details>")
    #expect(covered?.contains("Content warning: <bdi lang=\"en\">Filtered: wasps &amp; &lt;b&gt;</bdi>") == true)
    #expect(covered?.contains("img.example") == true && covered?.contains("Look") == false)
    #expect(blurred.ranges(of: "img.example/1.png").count == 1)
    let warned = PageSamples.part(of: page(.warn), from: "<details class=\"warned\">", to: "</details>")
    #expect(warned?.contains("Look") == true && warned?.contains("img.example") == true)
    #expect(!page(nil).contains("<details class=\"warned\">"))
  }

  @Test("a feed's title and a status bar show the warning of a filter at the beginning of the text")
  func warnedTitles() {
    let atom = FeedSamples.text(of: publication(.warn), as: .atom)
    #expect(atom.contains("CW: Filtered: wasps"))
    #expect(PostTitle.of(post(.warn)).contains(": CW: Filtered: wasps & <b>"))
    #expect(FeedSamples.text(of: publication(.warn), as: .bar).contains("CW: Filtered: wasps"))
  }

  @Test(
    "on a terminal, a post names the filter that hides it or blurs its media, and blurred media have no description")
  func terminal() {
    let plain = PlainText(at: Samples.time, form: TerminalForm())
    let hidden = plain.string(of: post(.hide))
    #expect(hidden.contains("· Filtered: wasps & <b>") && hidden.contains("a wasp"))
    let blurred = plain.string(of: post(.blur))
    #expect(blurred.contains("· Filtered: wasps & <b>") && !blurred.contains("a wasp"))
    #expect(!plain.string(of: post(nil)).contains("Filtered"))
  }
}
