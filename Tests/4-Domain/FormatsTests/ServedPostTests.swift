import HTTP
import Testing
import Timeline

@testable import Formats

/// A post on a page that a server sends: what the page adds to it.
@Suite struct ServedPostTests {
  private func html(_ posts: [PublishedPost], change: (inout PagePostOptions) -> Void) -> String {
    var options = PagePostOptions(
      pictures: PagePictures(paths: ["https://img.example/m.png": "ab/c d.png"], after: "/m/"))
    change(&options)
    let page = PagePost(account: "demo", at: PageTime(now: PageSamples.now), PageThread(posts), options)
    return PageFeed.posts(PageFeed.entries(of: posts) { _ in false }, page).text
  }

  @Test("a post's time links to the post's own page, and its picture to the server's path")
  func page() {
    let html = html([PageSamples.item("7", "x") { $0.url = "https://s.example/7" }]) {
      $0.page = { "/a/demo/p/\($0.post.id.text)?a=1&b=\"" }
    }
    #expect(html.contains("<a class=\"when permalink\" href=\"/a/demo/p/7?a=1&amp;b=&quot;\">"))
    #expect(!html.contains("s.example"))
    #expect(html.contains("src=\"/m/ab/c%20d.png\""))
  }

  @Test("a reply links to the post on the page, otherwise to that post's own page")
  func reply() {
    let answer = PageSamples.item("2", by: Samples.jack) {
      $0.inReplyTo = Post.Reply(id: PostID("1"), screenName: "mira_demo")
    }
    let link: (inout PagePostOptions) -> Void = { $0.repliedTo = { $0.post.inReplyTo.map { "/p/\($0.id.text)" } } }
    #expect(html([answer], change: link).contains("Replied to <a href=\"/p/1\"><bdi>@mira_demo</bdi></a>"))
    #expect(html([answer, PageSamples.item("1")], change: link).contains("Replied to <a href=\"#post-demo-1\">"))
  }

  @Test("actions follow the counts and notes, also of a post that has neither, as a group with the author's name")
  func actions() {
    let html = html([PageSamples.item("1")]) { $0.actions = { "<button value=\"\($0.post.id.text)\">Like</button>\n" } }
    let group = "<footer role=\"group\" aria-labelledby=\"post-demo-1-by\">"
    #expect(html.contains("\(group)\n<button value=\"1\">Like</button>\n</footer>"))
    #expect(html.contains("<header class=\"byline\" id=\"post-demo-1-by\">"))
  }

  @Test("the page decides how the text of a post and of its quoted post is shown")
  func text() {
    let post = PageSamples.item("1", "a <b>") {
      $0.quoted = Post.Quote(
        id: PostID("5"), createdAt: Samples.time, author: Samples.jack, text: "c", url: nil, media: [])
    }
    let html = html([post]) { $0.text = { "<mark>\($0)</mark>" } }
    #expect(html.contains("\"><mark>a &lt;b&gt;</mark></div>"))
    #expect(html.contains("<mark>c</mark>"))
  }
}
