/// The fields requested from X. Without them, a post consists of an id and its text.
///
/// X is renaming its posts: `tweet.fields` becomes `post.fields`, `referenced_tweets` becomes `referenced_posts`, and so on. The old names
/// are sent, because every server with this API supports them. In responses, both old and new names are read. Places are not requested: X
/// forbids storing them.
enum XFields {
  static let post = "created_at,author_id,referenced_tweets,entities,attachments,public_metrics,lang,note_tweet"
  static let user = "username,name,profile_image_url"
  static let media = "url,preview_image_url,type,alt_text,variants"
  static let expansions = "author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys"

  static let postName = "tweet.fields"
  static let userName = "user.fields"
  static let mediaName = "media.fields"
}
