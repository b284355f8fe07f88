/// What X is asked for: without it a post is an id and a text.
///
/// X is renaming its posts: `tweet.fields` becomes `post.fields`, `referenced_tweets` becomes `referenced_posts`, and so on. The old
/// names are sent, since every server of the API knows them; both are read. No place is asked for: X forbids to keep places.
enum XFields {
  static let post = "created_at,author_id,referenced_tweets,entities,attachments,public_metrics,lang,note_tweet"
  static let user = "username,name,profile_image_url"
  static let media = "url,preview_image_url,type,alt_text,variants"
  static let expansions = "author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys"

  static let postName = "tweet.fields"
  static let userName = "user.fields"
  static let mediaName = "media.fields"
}
